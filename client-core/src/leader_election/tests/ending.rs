//! How runs end.

use super::*;
use crate::{meta::Status, platform::ready};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn who_is_stopped_while_a_renewal_is_on_its_way_releases_the_lease() {
    // A renewal that hangs, and one that is refused and hangs where the lease is read.
    for hanging in [http::Method::PUT, http::Method::GET] {
        let bench = Bench::new();
        let (log, options) = observed();
        let leader = bench.run(&bench.elector("baz", LeaderElectionOptions { release_on_cancel: true, ..options }));
        let gone = FaultKind::Refuse(Box::new(Status::internal_error("no")));
        bench.server.faults().add(Fault::new(FaultKind::Hang).on_method(hanging.clone()).once());
        bench.server.faults().add(Fault::new(gone).on_method(http::Method::PUT).once());
        bench.pass(2 * SECOND);
        bench.verbs();
        leader.stop.open();
        bench.platform.run();
        assert_eq!(leader.ended(), Some(Err(ElectionError::Interrupted("stop"))));
        assert_eq!(bench.verbs(), "GET PUT");
        assert_eq!((bench.record().holder_identity.as_str(), bench.record().lease_duration_seconds), ("", 1));
        let events: Vec<_> = log.taken().into_iter().filter(|line| line.starts_with("event")).collect();
        assert_eq!(events, ["event on foo/bar: baz became leader", "event on foo/bar: baz stopped leading"]);
        assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
    }
}

#[test]
fn a_lease_that_is_released_is_taken_at_the_next_try() {
    for finishes in [true, false] {
        let bench = Bench::new();
        let leader = bench.run(&bench.elector("baz", releasing()));
        let other = bench.run(&bench.elector("bing", releasing()));
        bench.pass(60 * SECOND);
        assert!(leader.leads() && !other.leads());
        if finishes { &leader.finish } else { &leader.stop }.open();
        bench.platform.run();
        let expected = if finishes { Ok("done") } else { Err(ElectionError::Interrupted("stop")) };
        assert_eq!(leader.ended(), Some(expected));
        bench.pass(4400 * MILLISECOND);
        assert!(other.leads());
        assert_eq!(bench.record().leader_transitions, 1);
    }
}

#[test]
fn without_a_release_a_lease_is_taken_after_its_time() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions::default()));
    let other = bench.run(&bench.elector("bing", releasing()));
    leader.finish.open();
    bench.platform.run();
    assert_eq!(leader.ended(), Some(Ok("done")));
    assert_eq!(bench.record().holder_identity, "baz");
    bench.pass(14_999 * MILLISECOND);
    assert!(!other.leads());
    bench.pass(5 * SECOND);
    assert!(other.leads());
}

#[test]
fn the_work_is_gone_before_the_lease_is_released() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", releasing()));
    bench.fault(http::Method::GET, FaultKind::Delay(3 * SECOND));
    leader.stop.open();
    bench.platform.run();
    assert!(!leader.leads());
    assert_eq!((leader.ended(), bench.record().holder_identity.as_str()), (None, "baz"));
    bench.pass(3 * SECOND);
    assert_eq!((leader.ended().is_some(), bench.record().holder_identity.as_str()), (true, ""));
}

#[test]
fn a_release_ends_when_others_may_take_the_lease_anyway() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions { renew_deadline: 14 * SECOND, ..releasing() }));
    bench.fault(http::Method::PUT, FaultKind::Hang);
    bench.pass(13 * SECOND);
    bench.fault(http::Method::GET, FaultKind::Hang);
    leader.stop.open();
    bench.pass(1999 * MILLISECOND);
    assert_eq!(leader.ended(), None);
    bench.pass(MILLISECOND);
    assert_eq!(leader.ended(), Some(Err(ElectionError::Interrupted("stop"))));
}

#[test]
fn who_is_stopped_while_it_waits_leaves_the_lease_alone() {
    let bench = Bench::new();
    bench.put_holder("bing");
    let waiting = bench.run(&bench.elector("baz", releasing()));
    bench.pass(5 * SECOND);
    bench.verbs();
    waiting.stop.open();
    bench.platform.run();
    assert_eq!(waiting.ended(), Some(Err(ElectionError::Interrupted("stop"))));
    assert_eq!((bench.verbs().as_str(), bench.record().holder_identity.as_str()), ("", "bing"));
    assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
    let elector = bench.elector("baz", releasing());
    let stopped = elector.run(std::future::ready("before"), async || unreachable!());
    assert_eq!(ready(stopped), Err::<(), _>(ElectionError::Interrupted("before")));
    assert_eq!(bench.verbs(), "", "it was stopped before it began");
}

#[test]
fn who_is_stopped_gives_back_what_it_may_have_got() {
    let bench = Bench::new();
    bench.server.faults().add(Fault::new(FaultKind::Delay(3 * SECOND)).on_method(http::Method::POST).once());
    let waiting = bench.run(&bench.elector("baz", releasing()));
    assert_eq!(bench.record().holder_identity, "baz");
    waiting.stop.open();
    bench.platform.run();
    assert_eq!(waiting.ended(), Some(Err(ElectionError::Interrupted("stop"))));
    assert_eq!(bench.record().holder_identity, "");
}

#[test]
fn a_run_that_is_dropped_ends_at_once() {
    let bench = Bench::new();
    let (log, options) = observed();
    let elector = bench.elector("baz", options);
    let works = Arc::new(AtomicBool::new(false));
    let work = || {
        let works = Arc::clone(&works);
        async move {
            works.store(true, Ordering::Relaxed);
            let _working = Working(works);
            std::future::pending::<()>().await;
        }
    };
    let mut run = Box::pin(elector.run(std::future::pending::<Infallible>(), work));
    assert!(futures::FutureExt::now_or_never(&mut run).is_none());
    assert!(works.load(Ordering::Relaxed) && elector.is_leader());
    let second = elector.run(std::future::pending::<Infallible>(), async || ());
    assert_eq!(ready(second), Err(ElectionError::Running));
    log.taken();
    bench.verbs();
    drop(run);
    assert!(!works.load(Ordering::Relaxed) && !elector.is_leader());
    assert_eq!(log.taken(), ["event on foo/bar: baz stopped leading"]);
    assert_eq!((bench.verbs().as_str(), bench.platform.pending_timers()), ("", 0));
    // It may run again, and the lease is still its own.
    assert_eq!(ready(elector.run(std::future::pending::<Infallible>(), async || 5)), Ok(5));
    assert_eq!(bench.verbs(), "PUT");
}

#[test]
fn a_coordinated_leader_steps_down_where_the_control_plane_prefers_another() {
    let bench = Bench::new();
    let leader = bench.run(&bench.elector("baz", LeaderElectionOptions { coordinated: true, ..releasing() }));
    bench.pass(30 * SECOND);
    assert!(!leader.leads() && bench.lease().is_none(), "the control plane makes the lease");
    bench.put_holder("baz");
    bench.pass(5 * SECOND);
    assert!(leader.leads());
    bench.pass(60 * SECOND);
    assert!(leader.leads());
    bench.put(&serde_json::json!({
        "holderIdentity": "baz", "leaseDurationSeconds": 15, "strategy": "OldestEmulationVersion", "preferredHolder": "bing",
    }));
    bench.pass(2 * SECOND);
    let preferred = "bing".to_owned();
    assert_eq!(leader.ended(), Some(Err(ElectionError::Lost(Loss::EndOfTerm { preferred }))));
    assert_eq!(bench.record().holder_identity, "");
}
