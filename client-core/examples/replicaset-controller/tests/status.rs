//! What a set says of its pods.

use std::{sync::Arc, time::Duration};

use http::Method;
use porthole_client_core::{
    clients::ClientSet,
    fake::{Fault, FaultKind},
    k8s_openapi::api::{
        apps::v1::{ReplicaSet, ReplicaSetCondition},
        core::v1::Pod,
    },
    meta::Status,
    platform::{Platform as _, WallTime, ready},
};
use serde_json::json;

use super::cluster::{TestCluster, owned, set};
use crate::{
    pods::{is_active, is_available, is_ready, is_terminating, next_availability},
    status::status_of,
    testing::{pod, time},
};

#[test]
fn a_status_counts_pods_by_what_they_are() {
    let web: ReplicaSet = serde_json::from_value(set("web", 5)).unwrap();
    let labelled = |mut pod: Pod| {
        pod.metadata.labels = Some([("app".to_owned(), "web".to_owned())].into());
        Arc::new(pod)
    };
    let pods = vec![
        labelled(pod("a").phase("Running").ready(Some(time(100))).0),
        labelled(pod("b").phase("Pending").0),
        Arc::new(pod("c").phase("Running").ready(Some(time(100))).0),
    ];
    let status = status_of(&web, &pods, 4, None, WallTime(200_000));
    let counts = (status.replicas, status.fully_labeled_replicas, status.ready_replicas, status.available_replicas);
    assert_eq!(counts, (3, Some(2), Some(2), Some(2)));
    assert_eq!((status.terminating_replicas, status.conditions), (Some(4), None));

    let mut slow = set("web", 5);
    slow["spec"]["minReadySeconds"] = json!(150);
    slow["metadata"]["generation"] = json!(7);
    let slow: ReplicaSet = serde_json::from_value(slow).unwrap();
    let status = status_of(&slow, &pods, 0, None, WallTime(200_000));
    assert_eq!((status.ready_replicas, status.available_replicas, status.observed_generation), (Some(2), Some(0), Some(7)));
    assert_eq!(status_of(&slow, &pods, 0, None, WallTime(250_000)).available_replicas, Some(2));
}

#[test]
fn a_failure_is_told_once_and_taken_back_and_what_others_say_stays() {
    let mut web: ReplicaSet = serde_json::from_value(set("web", 1)).unwrap();
    let with = |web: &ReplicaSet, active: usize, failure: Option<&str>, seconds: i64| {
        let pods: Vec<_> = (0..active).map(|_| Arc::new(pod("a").0)).collect();
        let status = status_of(web, &pods, 0, failure.map(str::to_owned), WallTime(seconds * 1000));
        let told = |condition: &ReplicaSetCondition| {
            let since = condition.last_transition_time.as_ref().map(|time| time.0.as_second());
            (condition.type_.clone(), condition.reason.clone().unwrap_or_default(), since)
        };
        (status.conditions.iter().flatten().map(told).collect::<Vec<_>>(), status)
    };
    let failure = |reason: &str, since| ("ReplicaFailure".to_owned(), reason.to_owned(), Some(since));
    assert_eq!(with(&web, 0, Some("no"), 5).0, [failure("FailedCreate", 5)]);
    assert_eq!(with(&web, 2, Some("no"), 5).0, [failure("FailedDelete", 5)]);
    web.status = Some(with(&web, 0, Some("no"), 5).1);
    assert_eq!(with(&web, 2, Some("again"), 9).0, [failure("FailedCreate", 5)]);
    assert_eq!(with(&web, 1, None, 9).0, []);
    let other = json!({ "type": "Other", "status": "True", "reason": "Else" });
    web.status.as_mut().unwrap().conditions.as_mut().unwrap().push(serde_json::from_value(other).unwrap());
    assert_eq!(with(&web, 1, None, 9).0, [("Other".to_owned(), "Else".to_owned(), None)]);
    assert_eq!(with(&web, 0, Some("no"), 9).0.len(), 2);
}

#[test]
fn a_status_that_somebody_comes_in_between_of_is_written_once_more_from_what_is_there() {
    let cluster = TestCluster::new();
    let web = cluster.make_set("web", 0);
    let put = |kind: FaultKind| Fault::new(kind).on_method(Method::PUT);
    let no = || FaultKind::Refuse(Box::new(Status::internal_error("no")));
    cluster.server.faults().add(put(no()).once());
    let clients = ClientSet::new(cluster.server.client()).apps_v1().replica_sets("shop");
    let ten = |web: &ReplicaSet| {
        let pods: Vec<_> = (0..10).map(|_| Arc::new(pod("a").0)).collect();
        status_of(web, &pods, 0, None, WallTime(0))
    };
    ready(crate::status::update_status(&clients, &web, ten(&web))).unwrap();
    assert_eq!(cluster.set("web").status.unwrap().replicas, 10);
    assert_eq!((cluster.requests(&Method::PUT, "/status"), cluster.requests(&Method::GET, "/replicasets/web")), (2, 1));

    cluster.server.forget_requests();
    cluster.server.faults().add(put(no()));
    let again = status_of(&web, &[], 3, None, WallTime(0));
    ready(crate::status::update_status(&clients, &web, again)).unwrap_err();
    assert_eq!((cluster.requests(&Method::PUT, "/status"), cluster.requests(&Method::GET, "/replicasets/web")), (2, 1));
    // What says nothing new is not written.
    cluster.server.forget_requests();
    ready(crate::status::update_status(&clients, &cluster.set("web"), ten(&web))).unwrap();
    assert_eq!(cluster.server.requests().len(), 0);
}

#[test]
fn a_set_is_looked_at_again_when_the_next_pod_has_been_ready_for_long_enough() {
    let cluster = TestCluster::new();
    let mut web = set("web", 4);
    web["spec"]["minReadySeconds"] = json!(5);
    let web = cluster.insert(&web);
    let now = cluster.platform.wall_time().0 / 1000;
    for (name, since) in [("a", now), ("b", now - 2), ("c", now - 4)] {
        cluster.server.insert(&owned(name, "web", &web)).unwrap();
        cluster.run_pod(name, since);
    }
    cluster.server.insert(&owned("d", "web", &web)).unwrap();
    let _running = cluster.start();
    let told = || {
        cluster.set("web").status.map(|status| (status.ready_replicas, status.available_replicas.unwrap_or_default())).unwrap()
    };
    for available in [0, 1, 1, 2, 2, 3, 3] {
        assert_eq!(told(), (Some(3), available));
        cluster.server.forget_requests();
        cluster.pass(1);
    }
    assert_eq!(cluster.server.requests().len(), 0, "there is nothing to wait for any more");
}

#[test]
fn a_status_that_cannot_be_written_is_written_later() {
    let cluster = TestCluster::new();
    let no = FaultKind::Refuse(Box::new(Status::internal_error("no")));
    cluster.server.faults().add(Fault::new(no).on_method(Method::PUT).times(4));
    cluster.make_set("web", 2);
    let _running = cluster.start();
    cluster.pass(5);
    assert_eq!((cluster.active("web").len(), cluster.set("web").status.unwrap().replicas), (2, 2));
    let words = cluster.failed.lock().unwrap().join("");
    assert!(words.contains("the status could not be written"), "{words}");
}

#[test]
fn a_pod_counts_until_it_has_ended_or_somebody_deletes_it() {
    let of = |phase: &str| pod("a").phase(phase);
    for (phase, counts) in
        [("Pending", true), ("Running", true), ("Unknown", true), ("", true), ("Succeeded", false), ("Failed", false)]
    {
        assert_eq!((is_active(&of(phase).0), is_terminating(&of(phase).0)), (counts, false), "{phase}");
        assert_eq!((is_active(&of(phase).deleted().0), is_terminating(&of(phase).deleted().0)), (false, counts), "{phase}");
    }
}

#[test]
fn a_pod_is_available_once_it_has_been_ready_for_so_long() {
    let at = |seconds| WallTime(seconds * 1000_i64);
    let serving = pod("a").ready(Some(time(100))).0;
    let five = Duration::from_secs(5);
    for (now, available, next) in
        [(100, false, Some(5)), (104, false, Some(1)), (105, true, None), (200, true, None), (90, false, Some(15))]
    {
        assert_eq!(is_available(&serving, five, at(now)), available, "{now}");
        assert_eq!(next_availability([&serving], five, at(now)), next.map(Duration::from_secs), "{now}");
    }
    assert!(is_available(&serving, Duration::ZERO, at(0)));
    // One that nobody says since when never is, and one that is not ready neither.
    let (no_time, not) = (pod("b").ready(None).0, pod("c").0);
    assert!(is_ready(&no_time) && !is_available(&no_time, five, at(1000)) && is_available(&no_time, Duration::ZERO, at(0)));
    assert!(!is_available(&not, Duration::ZERO, at(1000)));
    assert_eq!(next_availability([&no_time, &not], five, at(100)), None);
    let later = pod("d").ready(Some(time(103))).0;
    assert_eq!(next_availability([&later, &serving, &no_time], five, at(104)), Some(Duration::from_secs(1)));
}
