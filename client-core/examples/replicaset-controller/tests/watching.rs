//! Which sets are looked at when something changes.

use std::{collections::BTreeSet, sync::Arc};

use porthole_client_core::{
    controller::Expectations,
    informer::Change,
    k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::Pod},
    meta::Uid,
    platform::FakePlatform,
    store::{Entry, Key, SharedIndexer, namespace_index},
};
use serde_json::{Value, json};

use super::cluster::{TestCluster, orphan, owned, set};
use crate::controller::{observe, sets_to_look_at};

fn replica_set(name: &str, uid: &str, app: &str) -> ReplicaSet {
    let mut set = set(name, 1);
    set["metadata"]["uid"] = json!(uid);
    set["spec"]["selector"]["matchLabels"]["app"] = json!(app);
    serde_json::from_value(set).unwrap()
}

fn cache(sets: &[ReplicaSet]) -> SharedIndexer<ReplicaSet> {
    let cache = SharedIndexer::new(namespace_index().into());
    for set in sets {
        cache.write(|cache| cache.insert(Entry::of(set.clone())));
    }
    cache
}

/// A pod of this version.
fn version(mut pod: Value, version: &str, uid: &str) -> Arc<Pod> {
    pod["metadata"]["resourceVersion"] = json!(version);
    pod["metadata"]["uid"] = json!(uid);
    Arc::new(serde_json::from_value(pod).unwrap())
}

fn updated(before: Value, after: Value) -> Change<Pod> {
    let (before, after) = (version(before, "1", "u"), version(after, "2", "u"));
    Change::Updated { key: Key::of(&*after), before, after }
}

fn added(pod: Value) -> Change<Pod> {
    let object = version(pod, "1", "u");
    Change::Added { key: Key::of(&*object), object, is_in_initial_list: false }
}

fn deleted(pod: Value) -> Change<Pod> {
    let last = version(pod, "1", "u");
    Change::Deleted { key: Key::of(&*last), last, is_final_state_unknown: true }
}

fn ending(mut pod: Value) -> Value {
    pod["metadata"]["deletionTimestamp"] = json!("2026-11-30T00:00:00Z");
    pod
}

#[test]
fn a_change_of_a_pod_is_of_interest_to_whom_it_belongs_and_an_orphan_to_all_that_may_want_it() {
    let (web, db) = (replica_set("web", "1", "web"), replica_set("db", "2", "db"));
    let twin = replica_set("twin", "3", "web");
    let sets = cache(&[web.clone(), db.clone(), twin]);
    let looked = |change: &Change<Pod>| {
        let keys: BTreeSet<_> = sets_to_look_at(change, &sets).iter().map(|key| key.split().unwrap().1.to_owned()).collect();
        keys.into_iter().collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    // What belongs to one is of interest to no other, whatever its labels are.
    assert_eq!(looked(&added(owned("a", "web", &db))), ["db"]);
    assert_eq!(looked(&updated(owned("a", "db", &db), owned("a", "web", &db))), ["db"]);
    assert_eq!(looked(&deleted(owned("a", "web", &db))), ["db"]);
    // It changed hands, or was let go.
    assert_eq!(looked(&updated(owned("a", "web", &db), owned("a", "web", &web))), ["db", "web"]);
    assert_eq!(looked(&updated(owned("a", "web", &web), orphan("a", "web"))), ["twin", "web"]);
    assert_eq!(looked(&updated(owned("a", "web", &db), orphan("a", "web"))), ["db", "twin", "web"]);
    assert_eq!(looked(&updated(owned("a", "other", &db), orphan("a", "other"))), ["db"]);
    // An orphan.
    assert_eq!(looked(&added(orphan("a", "web"))), ["twin", "web"]);
    assert_eq!(looked(&updated(orphan("a", "db"), orphan("a", "web"))), ["twin", "web"]);
    assert_eq!(looked(&updated(orphan("a", "web"), orphan("a", "web"))), none);
    assert_eq!(looked(&deleted(orphan("a", "web"))), none);
    assert_eq!(looked(&added(ending(orphan("a", "web")))), none);
    let mut elsewhere = orphan("a", "web");
    elsewhere["metadata"]["namespace"] = json!("other");
    assert_eq!(looked(&added(elsewhere)), none);
    // Nothing changed.
    let same = version(owned("a", "web", &web), "1", "u");
    assert_eq!(looked(&Change::Updated { key: Key::of(&*same), before: same.clone(), after: same }), none);
    // An owner of another kind.
    let mut other = owned("a", "web", &web);
    other["metadata"]["ownerReferences"][0]["kind"] = json!("DaemonSet");
    assert_eq!(looked(&added(other)), none);
}

#[test]
fn a_deletion_is_seen_once_and_what_is_found_ending_was_not_made() {
    let web = replica_set("web", "1", "web");
    let expectations = Expectations::<Uid>::new(Arc::new(FakePlatform::default()));
    let (set, pod) = (Uid::from("1"), || owned("a", "web", &web));
    let expect = |creations: usize, deletions: &[&str]| {
        expectations.expect(set.clone(), creations, deletions.iter().map(|uid| Uid::from(*uid)));
    };
    let met = |change: &Change<Pod>| {
        observe(change, &expectations);
        expectations.are_met(&set)
    };
    expect(1, &[]);
    assert!(!met(&added(ending(pod()))), "it was not made by whoever waits");
    assert!(met(&added(pod())));
    expect(1, &[]);
    assert!(!met(&updated(orphan("a", "web"), pod())), "it was taken in, not made");
    expect(0, &["u"]);
    assert!(met(&added(ending(pod()))));
    expect(0, &["u", "v"]);
    assert!(!met(&updated(pod(), ending(pod()))));
    // The same one again, ending and then gone, is none of those that are left.
    assert!(!met(&updated(ending(pod()), ending(pod()))));
    assert!(!met(&deleted(ending(pod()))));
    let other = version(pod(), "1", "v");
    assert!(met(&Change::Deleted { key: Key::of(&*other), last: other, is_final_state_unknown: false }));
    // Another one of its name came while nobody looked.
    expect(1, &["u"]);
    let (before, after) = (version(pod(), "1", "u"), version(pod(), "5", "w"));
    assert!(met(&Change::Updated { key: Key::of(&*after), before, after }));
}

#[test]
fn a_pod_that_goes_while_nobody_hears_of_it_is_replaced() {
    let cluster = TestCluster::new();
    cluster.make_set("web", 3);
    let _running = cluster.start();
    cluster.server.disturb_watches(porthole_client_core::fake::Disturbance::Break);
    let gone = cluster.active("web").pop().unwrap();
    cluster.lose_pod(&gone);
    cluster.server.compact(&cluster.server.resource_version());
    cluster.platform.run();
    cluster.pass(5);
    assert_eq!(cluster.active("web").len(), 3);
    assert!(!cluster.active("web").contains(&gone));
}
