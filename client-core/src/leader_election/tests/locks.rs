//! The lease itself.

use std::collections::BTreeMap;

use super::*;
use crate::{object::Object as _, platform::ready};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn record() -> LeaderElectionRecord {
    LeaderElectionRecord {
        holder_identity: "baz".to_owned(),
        lease_duration_seconds: 15,
        acquire_time: "2026-03-01T12:00:00.25Z".parse().ok(),
        renew_time: "2026-03-01T12:00:05.000001Z".parse().ok(),
        leader_transitions: 1,
        strategy: "strategy".to_owned(),
        preferred_holder: "preferred-holder".to_owned(),
    }
}

fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_lease_that_is_not_there_cannot_be_read() {
    let error = ready(Bench::new().lock("baz").get()).unwrap_err();
    assert!(error.request().unwrap().is_not_found());
    assert_eq!(error.to_string(), "the lease foo/bar could not be read or written");
}

#[test]
fn a_lease_is_read_as_it_was_made() {
    let bench = Bench::new();
    ready(bench.lock("baz").create(&record())).unwrap();
    assert_eq!(ready(bench.lock("other").get()).unwrap(), record());
}

#[test]
fn a_lease_that_is_there_cannot_be_made() {
    let bench = Bench::new();
    let lock = bench.lock("baz");
    ready(lock.create(&record())).unwrap();
    assert!(ready(lock.create(&record())).unwrap_err().request().unwrap().is_already_exists());
}

#[test]
fn a_lease_that_was_never_seen_cannot_be_written() {
    let bench = Bench::new();
    bench.put_holder("bing");
    assert!(matches!(ready(bench.lock("baz").update(&record())), Err(LockError::Unknown { .. })));
    assert_eq!(bench.verbs(), "");
}

#[test]
fn a_lease_that_changed_since_it_was_seen_is_not_written() {
    let bench = Bench::new();
    let (slow, quick) = (bench.lock("baz"), bench.lock("bing"));
    bench.put_holder("");
    for lock in [&slow, &quick] {
        ready(lock.get()).unwrap();
    }
    ready(quick.update(&record())).unwrap();
    assert!(ready(slow.update(&LeaderElectionRecord::default())).unwrap_err().request().unwrap().is_conflict());
    assert_eq!(bench.record(), record());
    // Its own write tells it the next version.
    ready(quick.update(&LeaderElectionRecord { leader_transitions: 2, ..record() })).unwrap();
}

#[test]
fn a_lock_is_called_by_the_namespace_and_name_of_its_lease() {
    let lock = Bench::new().lock("baz");
    assert_eq!((lock.to_string().as_str(), lock.identity()), ("foo/bar", "baz"));
}

#[test]
fn labels_are_put_on_a_lease_that_has_none() {
    let bench = Bench::new();
    bench.put_holder("");
    let lock = bench.lock("baz").with_labels(labels(&[("custom-key", "custom-val")]));
    ready(lock.get()).unwrap();
    ready(lock.update(&record())).unwrap();
    assert_eq!(*bench.lease().unwrap().labels(), labels(&[("custom-key", "custom-val")]));
}

/// Another puts these labels on the lease.
fn relabel(bench: &Bench, pairs: &[(&str, &str)]) {
    let mut lease = bench.lease().unwrap();
    let metadata = lease.metadata().into_owned();
    lease.set_metadata(crate::meta::ObjectMeta { labels: labels(pairs), ..metadata });
    bench.server.insert(&lease).unwrap();
}

#[test]
fn the_labels_of_a_lease_stay_where_the_lock_has_none() {
    let bench = Bench::new();
    bench.put_holder("");
    relabel(&bench, &[("custom-key", "custom-val")]);
    let lock = bench.lock("baz");
    ready(lock.get()).unwrap();
    ready(lock.update(&record())).unwrap();
    assert_eq!(*bench.lease().unwrap().labels(), labels(&[("custom-key", "custom-val")]));
    assert_eq!(bench.record(), record());
}

#[test]
fn the_labels_of_a_lock_are_put_over_those_of_a_lease_and_the_others_stay() {
    let bench = Bench::new();
    let lock = bench.lock("baz").with_labels(labels(&[("custom-key", "custom-val")]));
    ready(lock.create(&record())).unwrap();
    assert_eq!(*bench.lease().unwrap().labels(), labels(&[("custom-key", "custom-val")]));
    relabel(&bench, &[("custom-key", "new-custom-val"), ("custom-key-2", "custom-val-2")]);
    ready(lock.get()).unwrap();
    ready(lock.update(&record())).unwrap();
    let expected = labels(&[("custom-key", "custom-val"), ("custom-key-2", "custom-val-2")]);
    assert_eq!(*bench.lease().unwrap().labels(), expected);
}

#[test]
fn a_write_replaces_all_that_a_record_says_and_nothing_else() {
    let (bench, other) = (Bench::new(), "unknown");
    bench.put(&serde_json::json!({ "holderIdentity": "bing", "strategy": "s", "preferredHolder": "p", "leaseTransitions": 3 }));
    let lock = bench.lock("baz");
    ready(lock.get()).unwrap();
    let mut seen = lock.seen().unwrap();
    seen.set_nested(&["spec", other], 1).unwrap();
    bench.server.insert(&seen).unwrap();
    ready(lock.get()).unwrap();
    let plain = LeaderElectionRecord { strategy: String::new(), preferred_holder: String::new(), ..record() };
    ready(lock.update(&plain)).unwrap();
    assert_eq!(bench.record(), plain);
    assert_eq!(bench.lease().unwrap().nested::<u32>(&["spec", other]).unwrap(), Some(1));
}

#[test]
fn a_lease_that_says_what_none_can_say_is_named() {
    let bench = Bench::new();
    bench.put(&serde_json::json!({ "holderIdentity": 5 }));
    let error = ready(bench.lock("baz").get()).unwrap_err();
    assert!(matches!(error, LockError::Field { .. }), "{error:?}");
    assert_eq!(error.to_string(), "the lease foo/bar says what cannot be read or written");
}
