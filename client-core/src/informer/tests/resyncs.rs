//! Resyncs: who hears of every object again, and when (client-go `tools/cache/shared_informer_test.go`).

use std::time::Duration;

use super::bench::{Bench, Informer, Told, intakes, listen, taken, taken_sorted, word};
use crate::{
    informer::{EventHandler, HandlerFuncs, InformerOptions},
    object::{Object as _, Unstructured},
    reflector::Signal,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECOND: Duration = Duration::from_secs(1);

fn checked(bench: &Bench, every: Duration) -> Informer {
    bench.informer_of(InformerOptions { resync_check: Some(every), ..InformerOptions::default() })
}

fn recorder(told: &Told) -> impl EventHandler<Unstructured> + use<> {
    let (added, updated) = (told.clone(), told.clone());
    HandlerFuncs::<Unstructured>::new()
        .on_add(move |object, _| added.lock().unwrap().push(format!("*{}", object.name())))
        .on_update(move |before, after| {
            let sign = if before.resource_version() == after.resource_version() { '=' } else { '~' };
            updated.lock().unwrap().push(format!("{sign}{}", after.name()));
        })
}

fn listen_again(informer: &Informer, seconds: u64) -> Told {
    let told = Told::default();
    informer.add_event_handler_with_resync(recorder(&told), SECOND * u32::try_from(seconds).unwrap()).unwrap();
    told
}

#[test]
fn each_handler_hears_of_all_again_after_its_own_period_and_one_without_a_period_never() {
    for intake in intakes() {
        let bench = Bench::with(&["one", "two"]);
        let options = InformerOptions { resync_check: Some(SECOND), intake, ..InformerOptions::default() };
        let informer = bench.informer_of(options);
        let all = [0, 2, 3].map(|seconds| listen_again(&informer, seconds));
        informer.start();
        bench.run();
        for told in &all {
            assert_eq!(taken_sorted(told), ["*one", "*two"]);
        }
        let again = ["=one".to_owned(), "=two".to_owned()];
        let nothing = || Vec::<String>::new();
        bench.pass(2 * SECOND);
        assert_eq!(all.each_ref().map(taken_sorted), [nothing(), again.to_vec(), nothing()]);
        bench.pass(SECOND);
        assert_eq!(all.each_ref().map(taken_sorted), [nothing(), nothing(), again.to_vec()]);
        bench.pass(3 * SECOND);
        // At the fourth and the sixth second, and at the sixth.
        let twice = ["=one", "=one", "=two", "=two"].map(str::to_owned).to_vec();
        assert_eq!(all.each_ref().map(taken_sorted), [nothing(), twice, again.to_vec()]);
    }
}

#[test]
fn in_whatever_order_tasks_take_turns_and_however_late_they_start_nobody_waits_for_ever() {
    for seed in 0..30 {
        let bench = Bench::with(&["one", "two"]);
        bench.platform.set_seed(seed);
        let informer = checked(&bench, SECOND);
        let all = [0, 2, 3].map(|seconds| listen_again(&informer, seconds));
        informer.start();
        bench.platform.advance(SECOND);
        bench.run();
        for told in &all {
            assert_eq!(taken_sorted(told), ["*one", "*two"], "{seed}");
        }
        bench.pass(6 * SECOND);
        let counts = all.each_ref().map(|told| taken(told).len());
        assert_eq!(counts, [0, 6, 4], "{seed}");
    }
}

#[test]
fn resyncs_go_on_until_the_handler_or_the_informer_goes_and_ask_the_server_nothing() {
    let bench = Bench::with(&["one"]);
    let informer = checked(&bench, SECOND);
    let told = Told::default();
    let registration = informer.add_event_handler_with_resync(recorder(&told), SECOND).unwrap();
    let other = listen_again(&informer, 1);
    informer.start();
    bench.run();
    bench.requests();
    bench.pass(60 * SECOND);
    assert_eq!(taken(&told).len(), 61);
    informer.remove_event_handler(&registration);
    bench.pass(10 * SECOND);
    assert!(taken(&told).is_empty());
    assert_eq!(taken(&other).len(), 71);
    assert_eq!(bench.requests(), [""; 0]);
    informer.stop();
    bench.pass(10 * SECOND);
    assert!(taken(&other).is_empty());
    assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
}

#[test]
fn what_changed_while_the_watch_was_lost_is_told_to_all_and_what_did_not_to_who_wants_to_hear_again() {
    let bench = Bench::with(&["one", "two", "gone"]);
    let informer = checked(&bench, SECOND);
    let (never, again) = (listen_again(&informer, 0), listen_again(&informer, 1));
    let (_, plain) = listen(&informer);
    informer.start();
    bench.run();
    for told in [&never, &again, &plain] {
        assert_eq!(taken_sorted(told), ["*gone", "*one", "*two"]);
    }
    informer.signal(Signal::Suspend);
    bench.run();
    bench.put("three", "1");
    bench.put("two", "2");
    bench.remove("gone");
    bench.server.compact(&bench.server.resource_version());
    bench.run();
    for told in [&never, &again, &plain] {
        assert!(taken(told).is_empty());
    }
    informer.signal(Signal::Resume);
    bench.run();
    assert_eq!(taken_sorted(&never), ["*three", "~two"]);
    assert_eq!(taken_sorted(&plain), ["+three", "?gone", "~two"]);
    assert_eq!(taken_sorted(&again), ["*three", "~two"]);
    bench.pass(SECOND);
    assert_eq!(taken_sorted(&again), ["=one", "=three", "=two"]);
    assert!(taken(&never).is_empty() && taken(&plain).is_empty());
}

#[test]
fn a_resync_tells_a_stream_of_changes_nothing() {
    let bench = Bench::with(&["one"]);
    let informer = checked(&bench, SECOND);
    let told = listen_again(&informer, 1);
    let mut changes = informer.changes().unwrap();
    informer.start();
    bench.pass(3 * SECOND);
    assert_eq!(taken(&told), ["*one", "=one", "=one", "=one"]);
    informer.stop();
    bench.run();
    let mut words = Vec::new();
    while let Some(change) = crate::platform::ready(futures::StreamExt::next(&mut changes)) {
        words.push(word(&change));
    }
    assert_eq!(words, ["*one"]);
}
