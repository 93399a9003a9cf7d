//! Single tries.

use super::{super::attempt::Attempt, *};
use crate::{informer::lock::lock, meta::Status, platform::ready};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn lease(holder: &str, seconds: i32) -> serde_json::Value {
    serde_json::json!({ "holderIdentity": holder, "leaseDurationSeconds": seconds, "leaseTransitions": 0 })
}

/// A try of `baz` that leads or does not, over a lease with this `spec`, which it first saw so long ago, if at all.
struct Case {
    spec: Option<serde_json::Value>,
    seen: Option<Duration>,
    leading: bool,
    expected: Attempt,
    verbs: &'static str,
    holder: &'static str,
    transitions: i32,
}

fn check(name: &str, case: Case, coordinated: bool) {
    let bench = Bench::new();
    let (log, options) = observed();
    let elector = bench.elector("baz", LeaderElectionOptions { coordinated, ..options });
    if let Some(spec) = &case.spec {
        bench.put(spec);
    }
    if let Some(ago) = case.seen {
        let record = ready(elector.lock().get()).unwrap();
        lock(&elector.inner.state).observed = Some((record, bench.platform.now()));
        bench.platform.advance(ago);
    }
    bench.verbs();
    assert_eq!(ready(elector.inner.attempt(case.leading)), case.expected, "{name}");
    assert_eq!(bench.verbs(), case.verbs, "{name}");
    assert_eq!(elector.leader().unwrap_or_default(), case.holder, "{name}");
    assert!(log.taken().contains(&format!("leader: Some({:?})", case.holder)), "{name}");
    let record = bench.record();
    assert_eq!((record.holder_identity.as_str(), record.leader_transitions), (case.holder, case.transitions), "{name}");
    if case.expected == Attempt::Held {
        assert_eq!(record.lease_duration_seconds, 15, "{name}");
        assert_eq!(record.renew_time, Some(bench.platform.wall_time().into()), "{name}");
    }
}

#[test]
fn a_lease_is_taken_where_nobody_holds_it_or_it_was_not_renewed_for_its_time() {
    use Attempt::{Held, NotHeld};
    let case = |spec, seen, expected, verbs, holder, transitions| Case {
        spec,
        seen,
        leading: false,
        expected,
        verbs,
        holder,
        transitions,
    };
    let bing = || Some(lease("bing", 15));
    check("no lease", case(None, None, Held, "GET POST", "baz", 0), false);
    check("one that says nothing", case(Some(serde_json::json!({})), None, Held, "GET PUT", "baz", 1), false);
    check("one that nobody holds", case(Some(lease("", 15)), None, Held, "GET PUT", "baz", 1), false);
    check("nobody, seen just now", case(Some(lease("", 15)), Some(Duration::ZERO), Held, "GET PUT", "baz", 1), false);
    check("first seen now", case(bing(), None, NotHeld, "GET", "bing", 0), false);
    check("almost expired", case(bing(), Some(14_999 * MILLISECOND), NotHeld, "GET", "bing", 0), false);
    check("expired", case(bing(), Some(15 * SECOND), Held, "GET PUT", "baz", 1), false);
    check("short", case(Some(lease("bing", 3)), Some(3 * SECOND), Held, "GET PUT", "baz", 1), false);
    check("its own, never seen", case(Some(lease("baz", 15)), None, Held, "GET PUT", "baz", 0), false);
    check("its own, seen", case(Some(lease("baz", 15)), Some(SECOND), Held, "PUT", "baz", 0), false);
    check("its own, expired", case(Some(lease("baz", 15)), Some(20 * SECOND), Held, "GET PUT", "baz", 0), false);
}

#[test]
fn a_lease_that_another_holds_is_lost_to_who_led() {
    let taken = |by: &str| Attempt::Lost(Loss::Taken { by: by.to_owned() });
    let case = |expected, holder: &'static str, seen| Case {
        spec: Some(lease(holder, 15)),
        seen: Some(seen),
        leading: true,
        expected,
        verbs: "GET",
        holder,
        transitions: 0,
    };
    // However long ago it was seen: it is not a second time the same term.
    for seen in [SECOND, 20 * SECOND] {
        check("taken", case(taken("bing"), "bing", seen), false);
        check("taken, coordinated", case(taken("bing"), "bing", seen), true);
    }
}

#[test]
fn a_coordinated_lease_is_renewed_by_whom_it_was_given_to_and_taken_by_nobody() {
    use Attempt::{Held, NotHeld};
    let case =
        |spec, seen, leading, expected, verbs, holder| Case { spec, seen, leading, expected, verbs, holder, transitions: 0 };
    let with = |field: &str, value: &str| {
        let mut spec = lease("baz", 15);
        spec["strategy"] = "OldestEmulationVersion".into();
        spec[field] = value.into();
        Some(spec)
    };
    check("another's", case(Some(lease("bing", 15)), None, false, NotHeld, "GET", "bing"), true);
    check("another's, expired", case(Some(lease("bing", 15)), Some(60 * SECOND), false, NotHeld, "GET", "bing"), true);
    check("its own", case(Some(lease("baz", 15)), None, false, Held, "GET PUT", "baz"), true);
    check("its own, renewed", case(Some(lease("baz", 15)), Some(SECOND), true, Held, "GET PUT", "baz"), true);
    check("its own, expired", case(Some(lease("baz", 15)), Some(15 * SECOND), false, NotHeld, "GET", "baz"), true);
    check("at its end", case(with("preferredHolder", "bing"), None, false, NotHeld, "GET", "baz"), true);
    let end = Attempt::Lost(Loss::EndOfTerm { preferred: "bing".to_owned() });
    check("at its end, leading", case(with("preferredHolder", "bing"), None, true, end, "GET", "baz"), true);

    // The strategy of the lease stays; a lease that is not there is not made.
    let bench = Bench::new();
    let elector = bench.elector("baz", LeaderElectionOptions { coordinated: true, ..LeaderElectionOptions::default() });
    assert_eq!(ready(elector.inner.attempt(false)), NotHeld);
    assert_eq!(bench.verbs(), "GET");
    bench.put(&with("strategy", "OldestEmulationVersion").unwrap());
    assert_eq!(ready(elector.inner.attempt(false)), Held);
    assert_eq!(bench.record().strategy, "OldestEmulationVersion");
}

#[test]
fn a_try_that_fails_is_told_and_holds_nothing() {
    let bench = Bench::new();
    let (log, options) = observed();
    let elector = bench.elector("baz", options);
    bench.fault(http::Method::GET, FaultKind::Refuse(Box::new(Status::internal_error("no"))));
    assert_eq!(ready(elector.inner.attempt(false)), Attempt::NotHeld);
    let told = log.taken();
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("failed: the lease foo/bar could not be read or written: "), "{told:?}");
    assert_eq!((elector.leader(), bench.lease()), (None, None));
}

#[test]
fn a_release_leaves_a_lease_of_one_second_that_nobody_holds() {
    let bench = Bench::new();
    let (log, options) = observed();
    let elector = bench.elector("baz", options);
    bench.put(&serde_json::json!({ "holderIdentity": "baz", "leaseDurationSeconds": 15, "leaseTransitions": 7 }));
    assert_eq!(ready(elector.inner.attempt(false)), Attempt::Held);
    bench.verbs();
    ready(elector.inner.release(bench.platform.now() + 10 * SECOND));
    assert_eq!(bench.verbs(), "GET PUT");
    let now = Some(bench.platform.wall_time().into());
    let released = LeaderElectionRecord {
        lease_duration_seconds: 1,
        leader_transitions: 7,
        acquire_time: now,
        renew_time: now,
        ..LeaderElectionRecord::default()
    };
    assert_eq!((bench.record(), elector.leader()), (released, None));
    assert_eq!(log.taken(), ["slow path", "leader: Some(\"baz\")", "leader: None"]);
    // What is not there needs no release.
    let leases = GroupVersionResource::new("coordination.k8s.io", "v1", "leases");
    assert!(bench.server.remove(&leases, Some(&"foo".into()), &"bar".into()));
    ready(elector.inner.release(bench.platform.now() + 10 * SECOND));
    assert_eq!((bench.verbs().as_str(), log.taken()), ("GET", vec![]));
}

#[test]
fn a_release_reads_the_lease_first_and_takes_it_away_from_nobody() {
    let bench = Bench::new();
    let elector = bench.elector("baz", LeaderElectionOptions::default());
    assert_eq!(ready(elector.inner.attempt(false)), Attempt::Held);
    // Somebody wrote into it: the version that it knows is old.
    bench.put(&serde_json::json!({ "holderIdentity": "baz", "leaseDurationSeconds": 15, "leaseTransitions": 5 }));
    bench.verbs();
    ready(elector.inner.release(bench.platform.now() + 10 * SECOND));
    assert_eq!(bench.verbs(), "GET PUT");
    assert_eq!((bench.record().holder_identity.as_str(), bench.record().leader_transitions), ("", 5));

    bench.put_holder("bing");
    lock(&elector.inner.state).observed =
        Some((LeaderElectionRecord { holder_identity: "baz".to_owned(), ..bench.record() }, bench.platform.now()));
    ready(elector.inner.release(bench.platform.now() + 10 * SECOND));
    assert_eq!(bench.verbs(), "GET");
    assert_eq!(bench.record().holder_identity, "bing");
}

#[test]
fn a_release_that_meets_the_write_of_another_is_tried_again_and_not_for_ever() {
    let bench = Bench::new();
    let elector = bench.elector("baz", LeaderElectionOptions::default());
    assert_eq!(ready(elector.inner.attempt(false)), Attempt::Held);
    bench.verbs();
    let conflict = FaultKind::Refuse(Box::new(Status::conflict(&"leases".into(), "bar", "it changed")));
    bench.server.faults().add(Fault::new(conflict.clone()).on_method(http::Method::PUT).once());
    ready(elector.inner.release(bench.platform.now() + 10 * SECOND));
    assert_eq!((bench.verbs().as_str(), bench.record().holder_identity.as_str()), ("GET PUT GET PUT", ""));
    bench.put_holder("baz");
    bench.fault(http::Method::PUT, conflict);
    ready(elector.inner.release(bench.platform.now() + 10 * SECOND));
    assert_eq!((bench.verbs().as_str(), bench.record().holder_identity.as_str()), ("GET PUT GET PUT GET PUT", "baz"));
}

#[test]
fn an_elector_has_an_identity_and_times_that_fit_each_other() {
    let bench = Bench::new();
    let invalid = |identity: &str, lease: u64, renew: u64, retry: u64| {
        let milliseconds = Duration::from_millis;
        let options = LeaderElectionOptions {
            lease_duration: milliseconds(lease),
            renew_deadline: milliseconds(renew),
            retry_period: milliseconds(retry),
            ..LeaderElectionOptions::default()
        };
        LeaderElector::new(bench.lock(identity), options).err()
    };
    assert_eq!(invalid("baz", 15_000, 2000, 1000), None);
    assert_eq!(invalid("", 15_000, 2000, 1000), Some(InvalidElection::NoIdentity));
    for (lease, renew) in [(2000, 2000), (1999, 2000), (0, 0)] {
        assert_eq!(invalid("baz", lease, renew, 1000), Some(InvalidElection::LeaseTooShort));
    }
    assert_eq!(invalid("baz", 15_000, 1200, 1000), Some(InvalidElection::DeadlineTooShort));
    assert_eq!(invalid("baz", 15_000, 0, 1000), Some(InvalidElection::DeadlineTooShort));
    assert_eq!(invalid("baz", 15_000, 1201, 1000), None);
    assert_eq!(invalid("baz", 15_000, 2000, 0), Some(InvalidElection::NoRetryPeriod));
    let seconds = |lease| LeaderElectionOptions { lease_duration: lease, ..LeaderElectionOptions::default() }.lease_seconds();
    assert_eq!((seconds(15 * SECOND), seconds(14 * SECOND + MILLISECOND), seconds(MILLISECOND)), (15, 15, 1));
    assert_eq!(seconds(Duration::MAX), i32::MAX);
}
