//! Pods that are made and deleted.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use http::Method;
use porthole_client_core::{
    clients::ClientSet,
    fake::{Disturbance, Fault, FaultKind},
    k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::Pod},
    meta::{Cause, Status},
    platform::{Platform, ready},
};
use serde_json::json;

use super::cluster::{TestCluster, orphan, owned, pods, set, sets};
use crate::{certain, pods::is_active, template::pod_name};

fn refuse(status: Status) -> Fault {
    Fault::new(FaultKind::Refuse(Box::new(status))).on_method(Method::POST).on_path("/namespaces/shop/pods")
}

#[test]
fn a_set_has_as_many_pods_as_it_wants_whatever_it_wanted_before() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 3);
    let _running = cluster.start();
    for wanted in [3, 20, 5, 0, 1] {
        cluster.scale("web", wanted);
        cluster.platform.run();
        assert_eq!(cluster.active("web").len(), wanted);
        assert_eq!(usize::try_from(cluster.set("web").status.unwrap().replicas), Ok(wanted));
    }
    assert_eq!(*cluster.failed.lock().unwrap(), [""; 0]);
}

#[test]
fn a_set_that_has_what_it_wants_does_nothing() {
    let cluster = TestCluster::new();
    let web = cluster.make_set("web", 2);
    for name in ["a", "b"] {
        cluster.server.insert(&owned(name, "web", &web)).unwrap();
    }
    let running = cluster.start();
    cluster.server.forget_requests();
    drop(running);
    // Another one has nothing to say either.
    let _running = cluster.start();
    assert!(cluster.server.requests().iter().all(|request| request.method == Method::GET));
    assert_eq!(cluster.reasons(), [""; 0]);
}

#[test]
fn what_is_made_is_of_the_template_and_managed_by_the_set() {
    let cluster = TestCluster::new();
    let mut web = set("web", 1);
    web["spec"]["template"]["metadata"] = json!({ "labels": { "app": "web", "tier": "x" }, "annotations": { "note": "1" }, "finalizers": ["example.com/wait"], "name": "ignored" });
    let web: ReplicaSet = cluster.insert(&web);
    let _running = cluster.start();
    let pod = cluster.pods().pop().unwrap();
    let name = pod.metadata.name.clone().unwrap();
    assert!(name.starts_with("web-") && name.len() == "web-".len() + 5, "{name}");
    let mut expected = pod.metadata.clone();
    expected.labels = Some([("app", "web"), ("tier", "x")].map(|(key, value)| (key.to_owned(), value.to_owned())).into());
    expected.annotations = Some([("note".to_owned(), "1".to_owned())].into());
    expected.finalizers = Some(vec!["example.com/wait".to_owned()]);
    let owner = pod.metadata.owner_references.clone().unwrap().pop().unwrap();
    assert_eq!((owner.api_version.as_str(), owner.kind.as_str(), owner.name.as_str()), ("apps/v1", "ReplicaSet", "web"));
    assert_eq!((Some(owner.uid), owner.controller, owner.block_owner_deletion), (web.metadata.uid, Some(true), Some(true)));
    assert_eq!(pod.metadata, expected);
    assert_eq!(pod.spec.unwrap().containers[0].image.as_deref(), Some("i"));
}

#[test]
fn a_long_name_of_a_set_is_cut_so_that_names_of_pods_are_like_those_of_a_server() {
    let cluster = TestCluster::new();
    let (long, short) = ("a".repeat(100), "web");
    cluster.platform.set_seed(3);
    let names = |set: &str| pod_name(set, &cluster.platform);
    assert_eq!(names(&long).len(), 63);
    assert!(names(&long).starts_with(&"a".repeat(58)));
    assert!((0..100).map(|_| names(short)).all(|name| name.starts_with("web-") && name.len() == 9));
    // What a host says that chance is, it is below one.
    let all: BTreeSet<_> = (0..100).map(|_| names(short)).collect();
    assert!(all.len() > 95);
}

#[test]
fn where_none_can_be_made_few_are_tried_and_the_set_says_so_until_it_can() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 100);
    let no_more = Status::failure(403, "Forbidden".into(), "exceeded quota");
    cluster.server.faults().add(refuse(no_more).after(10));
    let running = cluster.start();
    // One, two, four and the next eight; then one at a time, when something else changes.
    let tries = cluster.requests(&Method::POST, "/namespaces/shop/pods");
    assert!((15..20).contains(&tries), "{tries}");
    assert_eq!(cluster.active("web").len(), 10);
    let condition = cluster.set("web").status.unwrap().conditions.unwrap().pop().unwrap();
    assert_eq!((condition.type_.as_str(), condition.reason.as_deref()), ("ReplicaFailure", Some("FailedCreate")));
    assert_eq!(condition.message.as_deref(), Some("10 of 100 pods were made: exceeded quota"));
    assert_eq!(cluster.reasons().iter().filter(|reason| **reason == "FailedCreate").count(), tries - 10);
    let first = condition.last_transition_time;

    // It tries again, later each time, one pod at a time.
    cluster.server.forget_requests();
    cluster.pass(10);
    let tries = cluster.requests(&Method::POST, "/namespaces/shop/pods");
    assert!((5..30).contains(&tries), "{tries}");
    let condition = cluster.set("web").status.unwrap().conditions.unwrap().pop().unwrap();
    assert_eq!(condition.last_transition_time, first);

    cluster.server.faults().clear();
    cluster.pass(60);
    assert_eq!(cluster.active("web").len(), 100);
    assert_eq!(cluster.set("web").status.unwrap().conditions, None);
    drop(running);
}

#[test]
fn in_a_namespace_that_ends_nothing_is_told_and_nothing_fails() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 3);
    let mut status = Status::failure(403, "Forbidden".into(), "because it is being terminated");
    status.details.causes.push(Cause { reason: "NamespaceTerminating".to_owned(), ..Cause::default() });
    cluster.server.faults().add(refuse(status));
    let _running = cluster.start();
    assert_eq!(cluster.reasons(), [""; 0]);
    assert_eq!(*cluster.failed.lock().unwrap(), [""; 0]);
}

#[test]
fn nothing_more_is_made_before_what_was_made_is_seen_and_the_status_is_written_all_the_same() {
    let cluster = TestCluster::new();
    let web = cluster.make_set("web", 2);
    let running = cluster.start();
    let expectations = &running.controller.replica_sets.expectations;
    let posts = || cluster.requests(&Method::POST, "/namespaces/shop/pods");
    assert_eq!((cluster.active("web").len(), posts()), (2, 2));
    // One more was made, and is not seen yet.
    let uid = web.metadata.uid.unwrap().into();
    expectations.expect_creations(Clone::clone(&uid), 1);
    cluster.scale("web", 4);
    cluster.platform.run();
    let set = cluster.set("web");
    assert_eq!(set.status.unwrap().observed_generation, set.metadata.generation, "the status is written");
    assert_eq!(posts(), 2, "and nothing is made");
    // It is seen; what fails then is not waited for.
    expectations.creation_observed(&uid);
    let busy = Status::failure(403, "Forbidden".into(), "exceeded quota");
    cluster.server.faults().add(refuse(busy).once());
    cluster.change(&sets(), "web", None, &json!({ "metadata": { "labels": { "look": "again" } } }));
    cluster.platform.run();
    assert!(posts() >= 3 && expectations.are_met(&uid));
    cluster.pass(1);
    assert_eq!(cluster.active("web").len(), 4);
}

#[test]
fn what_is_never_seen_is_not_waited_for_for_ever_though_nothing_else_happens() {
    let cluster = TestCluster::new();
    let web = cluster.make_set("web", 1);
    let running = cluster.start();
    running.controller.replica_sets.expectations.expect_creations(web.metadata.uid.unwrap().into(), 1);
    cluster.scale("web", 2);
    cluster.pass(299);
    assert_eq!(cluster.active("web").len(), 1);
    cluster.pass(3);
    assert_eq!(cluster.active("web").len(), 2);
}

#[test]
fn sets_whose_pods_a_broken_webhook_refuses_do_not_keep_others_waiting() {
    let cluster = TestCluster::new();
    let running = cluster.start();
    let broken = Status::internal_error("failed calling webhook \"pods.example.com\"");
    cluster.server.faults().add(refuse(broken));
    for name in ["a", "b", "c", "d", "e"] {
        cluster.make_set(name, 1);
    }
    let elsewhere = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "other" } });
    cluster.server.insert(&elsewhere).unwrap();
    let mut well = set("well", 1);
    well["metadata"]["namespace"] = json!("other");
    cluster.server.insert(&well).unwrap();
    cluster.pass(5);
    assert_eq!(
        cluster
            .server
            .get(&sets(), Some(&"other".into()), &"well".into())
            .unwrap()
            .nested(&["status", "replicas"])
            .unwrap()
            .unwrap()
            .as_i64(),
        Some(1)
    );
    for name in ["a", "b", "c", "d", "e"] {
        let condition = cluster.set(name).status.unwrap().conditions.unwrap().pop().unwrap();
        assert_eq!(condition.reason.as_deref(), Some("FailedCreate"), "{name}");
    }
    cluster.server.faults().clear();
    cluster.pass(60);
    assert!(["a", "b", "c", "d", "e"].iter().all(|name| cluster.active(name).len() == 1));
    drop(running);
}

#[test]
fn at_most_five_hundred_are_made_at_once() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 1200);
    let _running = cluster.begin();
    let mut most = 0;
    let mut seen = 0;
    while cluster.platform.turn() {
        let made = cluster.requests(&Method::POST, "/namespaces/shop/pods");
        most = most.max(made - seen);
        seen = made;
    }
    assert_eq!(cluster.active("web").len(), 1200);
    assert_eq!(most, 500);
}

#[test]
fn pods_that_end_are_replaced_at_once_and_counted_as_ending_until_they_are_gone() {
    let cluster = TestCluster::new();
    let mut web = set("web", 3);
    web["spec"]["template"]["spec"]["nodeName"] = json!("node");
    cluster.server.insert(&web).unwrap();
    let _running = cluster.start();
    let gone = cluster.active("web").pop().unwrap();
    cluster.delete(&pods(), &gone);
    cluster.platform.run();
    assert_eq!((cluster.active("web").len(), cluster.pods().len()), (3, 4));
    let status = cluster.set("web").status.unwrap();
    assert_eq!((status.replicas, status.terminating_replicas), (3, Some(1)));
    cluster.lose_pod(&gone);
    cluster.platform.run();
    assert_eq!(cluster.set("web").status.unwrap().terminating_replicas.unwrap_or_default(), 0);
    // One that failed is replaced, and stays.
    let failed = cluster.active("web").pop().unwrap();
    cluster.change(&pods(), &failed, Some("status"), &json!({ "status": { "phase": "Failed" } }));
    cluster.platform.run();
    assert_eq!((cluster.active("web").len(), cluster.pods().len()), (3, 4));
    assert_eq!(cluster.pods().iter().filter(|pod| !is_active(pod)).count(), 1);
}

#[test]
fn a_set_that_is_made_anew_under_its_name_waits_for_nothing_of_the_old_one() {
    let cluster = TestCluster::new();
    let old = cluster.make_set("web", 2);
    let running = cluster.start();
    // It expects what never comes.
    running.controller.replica_sets.expectations.expect_creations(old.metadata.uid.clone().unwrap().into(), 1);
    assert!(cluster.server.remove(&sets(), Some(&"shop".into()), &"web".into()));
    for name in cluster.active("web") {
        cluster.lose_pod(&name);
    }
    cluster.platform.run();
    assert!(running.controller.replica_sets.expectations.are_met(&old.metadata.uid.unwrap().into()), "it is forgotten");
    cluster.make_set("web", 3);
    cluster.platform.run();
    assert_eq!(cluster.active("web").len(), 3);
}

#[test]
fn a_set_that_is_being_deleted_makes_and_deletes_nothing() {
    let cluster = TestCluster::new();
    let mut web = set("web", 3);
    web["metadata"]["finalizers"] = json!(["example.com/wait"]);
    cluster.server.insert(&web).unwrap();
    cluster.delete(&sets(), "web");
    cluster.server.insert(&orphan("orphan", "web")).unwrap();
    let _running = cluster.start();
    assert_eq!(cluster.requests(&Method::POST, "/namespaces/shop/pods"), 0);
    assert_eq!(cluster.active("web").len(), 0);
}

#[test]
fn a_pod_whose_deletion_fails_is_deleted_later_and_one_that_is_gone_is_no_failure() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 3);
    let _running = cluster.start();
    let busy = Status::failure(429, "TooManyRequests".into(), "later");
    let fault = |kind: FaultKind| Fault::new(kind).on_method(Method::DELETE);
    cluster.server.faults().add(fault(FaultKind::Refuse(Box::new(busy))).times(2));
    cluster.scale("web", 1);
    cluster.platform.run();
    let words = cluster.failed.lock().unwrap().join(", ");
    assert_eq!(words, "shop/web: a pod could not be deleted: later");
    cluster.pass(5);
    assert_eq!(cluster.active("web").len(), 1);
    let reasons = cluster.reasons();
    let count = |wanted| reasons.iter().filter(|reason| **reason == wanted).count();
    assert_eq!((count("FailedDelete"), count("SuccessfulDelete")), (2, 2));

    // Somebody else was faster, and the cache does not know.
    cluster.server.disturb_watches(Disturbance::Stall);
    let gone = Status::failure(404, "NotFound".into(), "gone");
    cluster.server.faults().add(fault(FaultKind::Refuse(Box::new(gone))).once());
    cluster.failed.lock().unwrap().clear();
    cluster.scale("web", 0);
    cluster.pass(1500);
    assert_eq!((cluster.active("web").len(), cluster.failed.lock().unwrap().len()), (0, 0));
}

#[test]
fn an_answer_that_is_lost_makes_no_pod_too_many_and_none_too_few() {
    for (done, method) in [(true, Method::POST), (false, Method::POST), (true, Method::DELETE), (false, Method::DELETE)] {
        let cluster = TestCluster::new();
        cluster.make_set("web", 5);
        let running = cluster.start();
        let lost = if done { FaultKind::ResetAfterDone } else { FaultKind::ResetBeforeAnswer };
        // It is lost twice: the second time, the pod is there already.
        cluster.server.faults().add(Fault::new(lost).on_method(method.clone()).times(4));
        let wanted = if method == Method::POST { 9 } else { 1 };
        cluster.scale("web", wanted);
        let mut counts = Vec::new();
        for _ in 0..30 {
            while cluster.platform.turn() {
                counts.push(cluster.active("web").len());
            }
            let next = cluster.platform.next_timer().unwrap_or_default();
            cluster.platform.advance(next.min(Duration::from_millis(200)));
        }
        let within = 5.min(wanted)..=5.max(wanted);
        assert!(counts.iter().all(|count| within.contains(count)), "{done} {method}: {counts:?}");
        assert_eq!(cluster.active("web").len(), wanted, "{done} {method}");
        assert_eq!(*cluster.failed.lock().unwrap(), [""; 0], "{done} {method}");
        drop(running);
    }
}

#[test]
fn a_refusal_after_a_lost_answer_is_believed_only_where_the_pod_is_not_there() {
    for (done, made) in [(true, 1), (false, 0)] {
        let cluster = TestCluster::new();
        cluster.make_set("web", 1);
        let lost = if done { FaultKind::ResetAfterDone } else { FaultKind::ResetBeforeAnswer };
        let on_pods = |kind| Fault::new(kind).on_method(Method::POST).on_path("/namespaces/shop/pods");
        cluster.server.faults().add(on_pods(lost).once());
        let no_more = Status::failure(403, "Forbidden".into(), "exceeded quota");
        cluster.server.faults().add(on_pods(FaultKind::Refuse(Box::new(no_more))).after(1));
        let _running = cluster.start();
        cluster.pass(2);
        assert_eq!(cluster.active("web").len(), made);
        assert_eq!(cluster.failed.lock().unwrap().is_empty(), done, "{:?}", cluster.failed);
    }
}

#[test]
fn a_name_that_another_pod_has_is_passed_over_for_eight_names() {
    let cluster = TestCluster::new();
    let web = cluster.make_set("web", 1);
    let platform: Arc<dyn Platform> = Arc::new(cluster.platform.clone());
    let clients = ClientSet::new(cluster.server.client()).core_v1().pods("shop");
    let named_by = |name: &mut dyn FnMut() -> String| {
        let pod: Pod = serde_json::from_value(owned("", "web", &web)).unwrap();
        ready(certain::create(&platform, &clients, pod, name)).map(|pod| pod.metadata.name.unwrap())
    };
    let after = |taken: usize| {
        let mut tried = 0;
        let made = named_by(&mut || {
            tried += 1;
            if tried > taken { "free".to_owned() } else { "taken".to_owned() }
        });
        (made, tried)
    };
    cluster.server.insert(&orphan("taken", "other")).unwrap();
    let (never, tried) = after(100);
    assert!(never.unwrap_err().is_already_exists());
    assert_eq!(tried, 8);
    let (at_last, tried) = after(7);
    assert_eq!((at_last.unwrap().as_str(), tried), ("free", 8));
}

#[test]
fn where_an_answer_is_lost_another_pod_of_the_name_is_not_taken_for_the_own() {
    let cluster = TestCluster::new();
    let web = cluster.make_set("web", 1);
    let platform: Arc<dyn Platform> = Arc::new(cluster.platform.clone());
    let clients = ClientSet::new(cluster.server.client()).core_v1().pods("shop");
    cluster.server.insert(&orphan("taken", "other")).unwrap();
    cluster.server.faults().add(Fault::new(FaultKind::ResetBeforeAnswer).on_method(Method::POST).once());
    let pod: Pod = serde_json::from_value(owned("", "web", &web)).unwrap();
    let (tell, told) = futures::channel::oneshot::channel();
    cluster.platform.spawn(Box::pin(async move {
        let mut names = ["taken", "free"].into_iter();
        let name = || names.next().unwrap().to_owned();
        tell.send(certain::create(&platform, &clients, pod, name).await).unwrap();
    }));
    cluster.platform.run();
    cluster.pass(1);
    assert_eq!(ready(told).unwrap().unwrap().metadata.name.as_deref(), Some("free"));
}

#[test]
fn pods_of_a_node_with_many_of_the_same_service_go_first() {
    let cluster = TestCluster::new();
    let owner = json!([{ "apiVersion": "apps/v1", "kind": "Deployment", "name": "shop", "uid": "d", "controller": true }]);
    let (mut old, mut new) = (set("old", 2), set("new", 2));
    for set in [&mut old, &mut new] {
        set["metadata"]["ownerReferences"] = owner.clone();
    }
    let old: ReplicaSet = cluster.insert(&old);
    let new = cluster.insert(&new);
    let on = |name: &str, app: &str, set, node: &str| {
        let mut pod = owned(name, app, set);
        pod["spec"]["nodeName"] = json!(node);
        cluster.server.insert(&pod).unwrap();
        cluster.run_pod(name, cluster.platform.wall_time().0 / 1000 - 100);
    };
    on("old-1", "old", &old, "a");
    on("old-2", "old", &old, "b");
    on("new-1", "new", &new, "b");
    on("new-2", "new", &new, "c");
    let _running = cluster.start();
    cluster.scale("old", 1);
    cluster.platform.run();
    assert_eq!(cluster.active("old"), ["old-1"]);
    cluster.scale("new", 1);
    cluster.platform.run();
    // Where nobody is left beside one, the youngest goes, and they are as old: by their uid.
    assert_eq!(cluster.active("new").len(), 1);
}
