//! Whole runs: getting the lease, keeping it, losing it.

use super::*;
use crate::meta::Status;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn a_leader_renews_its_lease_without_reading_it() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    assert!(leader.leads());
    assert_eq!(bench.verbs(), "GET POST");
    let began = bench.record().acquire_time;
    bench.pass(4 * SECOND);
    assert_eq!(bench.verbs(), "PUT PUT");
    assert_eq!((bench.record().acquire_time, bench.record().leader_transitions), (began, 0));
    assert!(bench.record().renew_time > began);

    // Where it cannot be written as it was last seen it is read.
    let conflict = FaultKind::Refuse(Box::new(Status::conflict(&"leases".into(), "bar", "fake conflict")));
    bench.server.faults().add(Fault::new(conflict).on_method(http::Method::PUT).once());
    bench.pass(4 * SECOND);
    assert_eq!(bench.verbs(), "PUT GET PUT PUT");
    assert_eq!((bench.record().acquire_time, bench.record().leader_transitions), (began, 0));
    bench.pass(600 * SECOND);
    assert!(leader.leads());
    assert_eq!(bench.verbs().len(), 300 * 4 - 1);
}

#[test]
fn a_leader_gives_up_at_its_deadline_even_where_a_request_hangs_and_before_another_can_lead() {
    let (gone, refused) = (FaultKind::Unreachable, FaultKind::Refuse(Box::new(Status::internal_error("no"))));
    for kind in [FaultKind::Hang, gone, refused, FaultKind::Delay(60 * SECOND)] {
        let bench = Bench::new();
        let (log, options) = observed();
        let leader = bench.run(&bench.elector("baz", options));
        let other = bench.run(&bench.elector("bing", LeaderElectionOptions::default()));
        // The last renewal that succeeds.
        bench.pass(10 * SECOND + 500 * MILLISECOND);
        let delays = matches!(kind, FaultKind::Delay(_));
        for method in [http::Method::PUT, http::Method::GET] {
            bench.fault(method, kind.clone());
        }
        bench.pass(9499 * MILLISECOND);
        assert!(leader.leads(), "{kind:?}");
        log.taken();
        bench.pass(MILLISECOND);
        assert!(!leader.leads(), "{kind:?}");
        assert_eq!(leader.ended(), Some(Err(ElectionError::Lost(Loss::Expired(10 * SECOND)))), "{kind:?}");
        assert_eq!(log.taken().last().unwrap(), "event on foo/bar: baz stopped leading", "{kind:?}");
        bench.server.faults().clear();
        // What was written though no answer came counts for the other one: it saw a renewal later than the leader did.
        bench.pass(if delays { 9 * SECOND } else { 4 * SECOND });
        assert!(!other.leads(), "{kind:?}");
        bench.pass(20 * SECOND);
        assert!(other.leads(), "{kind:?}");
        assert_eq!((bench.record().holder_identity.as_str(), bench.record().leader_transitions), ("bing", 1));
    }
}

#[test]
fn the_deadline_counts_from_when_a_renewal_was_sent_however_late_its_answer_is() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    bench.server.faults().add(Fault::new(FaultKind::Delay(4 * SECOND)).on_method(http::Method::PUT).once());
    // Sent after two seconds, answered after six.
    bench.pass(5 * SECOND);
    bench.server.faults().add(Fault::new(FaultKind::Unreachable));
    bench.pass(6999 * MILLISECOND);
    assert!(leader.leads());
    bench.pass(MILLISECOND);
    assert!(!leader.leads());
}

#[test]
fn one_request_that_hangs_costs_no_leadership() {
    for method in [http::Method::PUT, http::Method::GET] {
        let bench = Bench::new();
        let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
        bench.server.faults().add(Fault::new(FaultKind::Hang).on_method(method).times(1));
        let lost = FaultKind::ResetAfterDone;
        bench.server.faults().add(Fault::new(lost).on_method(http::Method::PUT).after(3).once());
        bench.pass(60 * SECOND);
        assert!(leader.leads());
    }
}

#[test]
fn the_work_is_not_polled_after_the_deadline_however_late_a_timer_is() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    // The renewal was due long ago, and so was the end; the work has become ready meanwhile.
    bench.platform.advance(10 * SECOND);
    leader.finish.open();
    assert!(!leader.elector.is_leader());
    bench.platform.run();
    assert_eq!(leader.ended(), Some(Err(ElectionError::Lost(Loss::Expired(10 * SECOND)))));
    assert_eq!(bench.verbs(), "GET POST");
}

#[test]
fn a_leader_stops_at_once_where_it_finds_another_holding_the_lease() {
    for (holder, options) in [("bing", releasing()), ("", LeaderElectionOptions::default())] {
        let bench = Bench::new();
        let leader = bench.run(&bench.elector("baz", options));
        bench.put_holder(holder);
        bench.pass(2 * SECOND);
        assert!(!leader.leads());
        assert_eq!(leader.ended(), Some(Err(ElectionError::Lost(Loss::Taken { by: holder.to_owned() }))));
        assert_eq!(bench.record().holder_identity, holder);
        assert_eq!(leader.elector.leader().unwrap_or_default(), holder);
    }
}

#[test]
fn a_lease_that_is_deleted_is_made_again_by_its_leader() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    let leases = GroupVersionResource::new("coordination.k8s.io", "v1", "leases");
    assert!(bench.server.remove(&leases, Some(&"foo".into()), &"bar".into()));
    bench.verbs();
    bench.pass(2 * SECOND);
    assert_eq!(bench.verbs(), "PUT GET POST");
    assert!(leader.leads());
}

#[test]
fn a_lease_whose_answer_came_too_late_is_not_led_from() {
    let bench = Bench::new();
    // Done at once, answered after another may have it.
    bench.server.faults().add(Fault::new(FaultKind::Delay(20 * SECOND)).on_method(http::Method::POST).once());
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    bench.pass(5 * SECOND);
    assert!(!leader.leads());
    bench.pass(10 * SECOND);
    assert!(leader.leads(), "it found out that the lease is its own");
}

#[test]
fn who_waits_tries_at_times_that_differ() {
    let bench = Bench::new();
    bench.platform.set_seed(7);
    bench.put(&serde_json::json!({ "holderIdentity": "bing", "leaseDurationSeconds": 3600 }));
    let _waiting = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    let waits: Vec<_> = (0..50)
        .map(|_| {
            let next = bench.platform.next_timer().unwrap();
            bench.pass(next);
            next
        })
        .collect();
    assert!(waits.iter().all(|wait| (2 * SECOND..=4400 * MILLISECOND).contains(wait)), "{waits:?}");
    assert!(waits.iter().any(|wait| *wait > 4 * SECOND) && waits.iter().any(|wait| *wait < 2400 * MILLISECOND));
    assert_eq!(bench.verbs().split(' ').filter(|verb| *verb != "GET").count(), 0);
}

#[test]
fn what_happens_is_told_to_the_observer() {
    let bench = Bench::new();
    let (log, options) = observed();
    let first = bench.run(&bench.elector("baz", LeaderElectionOptions { release_on_cancel: true, ..options.clone() }));
    assert_eq!(log.taken(), ["leader: Some(\"baz\")", "event on foo/bar: baz became leader"]);
    first.stop.open();
    bench.platform.run();
    assert_eq!(log.taken(), ["leader: None", "event on foo/bar: baz stopped leading"]);

    let _second = bench.run(&bench.elector("bing", options.clone()));
    assert_eq!(log.taken(), ["leader: Some(\"bing\")", "event on foo/bar: bing became leader"]);
    // Each of several electors tells who leads.
    let _third = bench.run(&bench.elector("bong", options));
    bench.pass(30 * SECOND);
    assert_eq!(log.taken(), ["leader: Some(\"bing\")"]);
}

#[test]
fn without_an_observer_leadership_begins_and_ends_untold() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", releasing()));
    assert!(leader.leads());
    leader.stop.open();
    bench.platform.run();
    assert_eq!(leader.ended(), Some(Err(ElectionError::Interrupted("stop"))));
}

#[test]
fn a_leader_that_hangs_is_not_well_and_one_that_waits_is() {
    let bench = Bench::new();
    let elector = bench.elector("baz", LeaderElectionOptions::default());
    let (other, tolerance) = (bench.elector("bing", LeaderElectionOptions::default()), 20 * SECOND);
    assert_eq!(elector.check(tolerance), Ok(()), "it does not run yet");
    let leader = bench.run(&elector);
    let _waiting = bench.run(&other);
    bench.pass(60 * SECOND);
    assert_eq!(elector.check(Duration::ZERO), Ok(()), "it renews");
    // No task takes a turn any more.
    bench.platform.advance(35 * SECOND);
    assert_eq!(elector.check(tolerance), Ok(()), "expired, and tolerated");
    bench.platform.advance(MILLISECOND);
    assert_eq!(elector.check(tolerance).unwrap_err().to_string(), "failed election to renew leadership on lease foo/bar");
    assert_eq!(elector.check(2 * tolerance), Ok(()));
    assert_eq!(other.check(Duration::ZERO), Ok(()), "another holds it");
    bench.platform.run();
    assert!(leader.ended().is_some());
    assert_eq!(elector.check(tolerance), Ok(()), "it knows that it does not lead");
}

#[test]
fn one_whose_lease_came_too_late_to_lead_by_is_well_while_it_waits() {
    let bench = Bench::new();
    bench.server.faults().add(Fault::new(FaultKind::Delay(SECOND)).on_method(http::Method::POST).once());
    let elector = bench.elector("baz", LeaderElectionOptions::default());
    let waits = bench.run(&elector);
    // The host slept: the answer is there, and says what was so long ago. Nothing answers from then on.
    bench.fault(http::Method::GET, FaultKind::Unreachable);
    bench.fault(http::Method::PUT, FaultKind::Unreachable);
    bench.platform.advance(60 * SECOND);
    bench.pass(60 * SECOND);
    assert!(!waits.leads() && waits.ended().is_none());
    assert_eq!(elector.check(SECOND), Ok(()));
}

#[test]
fn the_health_can_be_asked_at_every_moment_of_a_run() {
    /// Asks from within each call.
    struct Asks(Mutex<Option<LeaderElector>>, Mutex<usize>);

    impl Asks {
        fn ask(&self) {
            let elector = self.0.lock().unwrap().clone().unwrap();
            assert_eq!(elector.check(SECOND), Ok(()));
            drop((elector.is_leader(), elector.leader()));
            *self.1.lock().unwrap() += 1;
        }
    }

    impl LeaderElectionObserver for Asks {
        fn new_leader(&self, _identity: Option<&str>) {
            self.ask();
        }

        fn leadership(&self, _leadership: Leadership<'_>) {
            self.ask();
        }

        fn slow_path(&self) {
            self.ask();
        }

        fn failed(&self, _error: &LockError) {
            self.ask();
        }
    }

    let bench = Bench::new();
    let asks = Arc::new(Asks(Mutex::default(), Mutex::default()));
    let elector = bench.elector("baz", LeaderElectionOptions { observer: Some(asks.clone()), ..releasing() });
    *asks.0.lock().unwrap() = Some(elector.clone());
    let leader = bench.run(&elector);
    bench.server.faults().add(Fault::new(FaultKind::Unreachable).on_method(http::Method::PUT).after(2).once());
    for _ in 0..20 {
        bench.platform.advance(500 * MILLISECOND);
        while bench.platform.turn() {
            assert_eq!(elector.check(SECOND), Ok(()));
        }
    }
    leader.finish.open();
    bench.platform.run();
    assert_eq!(*asks.1.lock().unwrap(), 6, "began twice, a failure and its slow path, ended twice");
}
