//! Orphans that are taken in, and pods that are let go.

use http::Method;
use porthole_client_core::{
    fake::{Disturbance, Fault, FaultKind},
    k8s_openapi::api::core::v1::Pod,
    meta::Status,
    object::controller_of,
    platform::ready,
    store::{Entry, Key},
};
use serde_json::json;

use super::cluster::{TestCluster, orphan, owned, pods, set, sets};

#[test]
fn orphans_that_match_are_taken_in_and_only_what_is_missing_is_made() {
    let cluster = TestCluster::new();
    for name in ["a", "b"] {
        cluster.server.insert(&orphan(name, "web")).unwrap();
    }
    cluster.server.insert(&orphan("c", "other")).unwrap();
    cluster.make_set("web", 3);
    let _running = cluster.start();
    let active = cluster.active("web");
    assert!(active.len() == 3 && active.contains(&"a".to_owned()) && active.contains(&"b".to_owned()), "{active:?}");
    assert_eq!(cluster.requests(&Method::POST, "/namespaces/shop/pods"), 1);
    // One that comes later is one too many.
    cluster.server.insert(&orphan("d", "web")).unwrap();
    cluster.platform.run();
    assert_eq!(cluster.active("web").len(), 3);
    assert_eq!(cluster.pods().len(), 4, "it had no node, and is gone at once");
}

#[test]
fn a_pod_that_no_longer_matches_is_let_go_and_replaced_and_taken_in_once_it_does_again() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 2);
    let _running = cluster.start();
    let one = cluster.active("web").pop().unwrap();
    cluster.change(&pods(), &one, None, &json!({ "metadata": { "labels": { "app": "debug" } } }));
    cluster.platform.run();
    assert!(cluster.active("web").len() == 2 && !cluster.active("web").contains(&one));
    let released = cluster.pods().into_iter().find(|pod| pod.metadata.name.as_ref() == Some(&one)).unwrap();
    assert_eq!(controller_of(&released), None);

    cluster.scale("web", 3);
    cluster.platform.run();
    cluster.change(&pods(), &one, None, &json!({ "metadata": { "labels": { "app": "web" } } }));
    cluster.platform.run();
    assert_eq!(cluster.active("web").len(), 3);
}

#[test]
fn a_pod_that_another_manages_is_left_alone() {
    let cluster = TestCluster::new();
    let other = cluster.make_set("other", 0);
    cluster.server.insert(&owned("a", "web", &other)).unwrap();
    cluster.make_set("web", 1);
    // The other one does not let go of it while nobody looks after it.
    cluster.change(&sets(), "other", None, &json!({ "metadata": { "finalizers": ["example.com/wait"] } }));
    cluster.delete(&sets(), "other");
    let _running = cluster.start();
    assert_eq!((cluster.active("web").len(), cluster.active("other").len()), (1, 1));
    assert_eq!(cluster.requests(&Method::PATCH, "/pods/a"), 0);
}

#[test]
fn where_a_pod_cannot_be_taken_in_nothing_is_made_and_it_is_tried_again() {
    let cluster = TestCluster::new();
    cluster.server.insert(&orphan("a", "web")).unwrap();
    cluster.make_set("web", 2);
    let refused = Status::internal_error("no");
    cluster.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(refused))).on_method(Method::PATCH).once());
    let _running = cluster.start();
    assert_eq!(cluster.requests(&Method::POST, "/namespaces/shop/pods"), 0);
    assert_eq!(cluster.failed.lock().unwrap().len(), 1);
    let words = cluster.failed.lock().unwrap().join("");
    assert!(words.starts_with("shop/web: not all pods are claimed: a cannot be adopted: "), "{words}");
    cluster.pass(1);
    assert_eq!(cluster.active("web").len(), 2);
    assert!(cluster.active("web").contains(&"a".to_owned()));
}

#[test]
fn a_set_takes_nothing_in_where_the_server_says_that_it_goes_though_the_cache_does_not() {
    let cluster = TestCluster::new();
    let mut web = set("web", 1);
    web["metadata"]["finalizers"] = json!(["example.com/wait"]);
    cluster.server.insert(&web).unwrap();
    let running = cluster.start();
    assert_eq!(cluster.active("web").len(), 1);
    // The watch of sets tells nothing any more; that of pods is begun anew.
    cluster.server.disturb_watches(Disturbance::Stall);
    cluster.delete(&sets(), "web");
    cluster.server.insert(&orphan("a", "web")).unwrap();
    cluster.lose_pod(&cluster.active("web")[0].clone());
    let replica_sets = &running.controller.replica_sets;
    let seen: Pod = serde_json::from_value(orphan("a", "web")).unwrap();
    replica_sets.pods.write(|pods| pods.insert(Entry::of(seen)));
    let error = ready(replica_sets.reconcile(&Key::of_name("shop", "web"))).unwrap_err();
    assert_eq!(error.to_string(), "not all pods are claimed: web is being deleted, and adopts nothing");
    assert_eq!(cluster.requests(&Method::PATCH, "/pods/a"), 0);
}
