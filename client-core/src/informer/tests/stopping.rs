//! How informers end, and what becomes of what is open (client-go `tools/cache/reflector_test.go`, `shared_informer_test.go`).

use std::{sync::Arc, time::Duration};

use futures::FutureExt as _;

use super::bench::{Bench, following, listen, names, taken};
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    informer::{InformerError, News},
    object::{Object as _, Unstructured},
    reflector::{Following, Signal},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const FOLLOWINGS: [Following; 2] = [Following::WatchList, Following::Watch];

#[test]
fn what_is_stopped_before_its_first_turn_asks_nothing() {
    for following_by in FOLLOWINGS {
        let bench = Bench::with(&["one"]);
        let informer = bench.informer_of(following(following_by));
        informer.start();
        // What somebody wants of it before is no reason to ask either.
        informer.signal(Signal::Retry);
        informer.stop();
        bench.pass(Duration::from_secs(3600));
        assert_eq!(bench.requests(), [""; 0]);
        assert!(informer.is_stopped() && !informer.has_synced());
    }
}

#[test]
fn whenever_it_is_stopped_what_is_open_ends_and_nothing_more_is_asked() {
    for following_by in FOLLOWINGS {
        for turns in 0..30 {
            let bench = Bench::with(&["one"]);
            bench.server.set_chunks(Some(turns));
            let informer = bench.informer_of(following(following_by));
            informer.start();
            for _ in 0..turns {
                bench.platform.turn();
            }
            let asked = bench.requests().len();
            assert!(asked <= 2);
            informer.stop();
            bench.run();
            assert_eq!((bench.server.open_watches(), bench.platform.running_tasks()), (0, 0), "{turns}");
            bench.put("two", "1");
            bench.pass(Duration::from_secs(3600));
            assert_eq!(bench.requests(), [""; 0], "{turns}");
            assert!(!names(&informer).contains(&"two".to_owned()));
            assert_eq!(bench.platform.pending_timers(), 0);
        }
    }
}

#[test]
fn a_request_that_hangs_is_given_up_when_it_is_stopped() {
    // One that gets no head, and one that gets no more.
    for kind in [FaultKind::Hang, FaultKind::StallAfter(0), FaultKind::StallAfter(10), FaultKind::Delay(Duration::from_secs(60))]
    {
        let bench = Bench::with(&["one"]);
        bench.server.faults().add(Fault::new(kind));
        let informer = bench.informer();
        informer.start();
        bench.run();
        assert!(!informer.has_synced());
        informer.stop();
        bench.run();
        assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
        assert!(informer.stopped().now_or_never().is_some());
    }
}

#[test]
fn an_error_event_closes_its_watch_at_once() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    assert_eq!(bench.server.open_watches(), 1);
    // The server itself would go on with this watch.
    let line = r#"{"type":"ERROR","object":{"kind":"Status","status":"Failure","code":500,"reason":"InternalError"}}"#;
    bench.server.disturb_watches(Disturbance::Line(line.to_owned()));
    bench.run();
    assert_eq!(bench.server.open_watches(), 0);
    bench.pass(Duration::from_secs(5));
    assert_eq!(bench.server.open_watches(), 1);
    assert_eq!(names(&informer), ["one"]);
}

#[test]
fn a_watch_that_ends_before_it_said_anything_is_opened_again_after_a_delay() {
    let bench = Bench::with(&["one"]);
    bench.server.faults().add(Fault::new(FaultKind::EndAfter(0)).on_query("watch=").times(3));
    let informer = bench.informer_of(following(Following::Watch));
    informer.start();
    bench.run();
    let watches = |bench: &Bench| bench.requests().iter().filter(|path| path.contains("watch=")).count();
    let at_once = watches(&bench);
    assert!((1..=2).contains(&at_once), "{at_once}");
    bench.pass(Duration::from_millis(700));
    assert_eq!(watches(&bench), 0, "not before the first delay is over");
    bench.pass(Duration::from_secs(10));
    assert_eq!(at_once + watches(&bench), 4);
    assert_eq!(bench.server.open_watches(), 1);
}

#[test]
fn a_stopped_informer_says_so_and_was_started() {
    let bench = Bench::with(&["one"]);
    let informer = bench.informer();
    assert!(!informer.is_started() && !informer.is_stopped());
    let (_, told) = listen(&informer);
    assert!(informer.start() && !informer.start());
    bench.run();
    assert_eq!(taken(&told), ["*one"]);
    assert!(informer.is_started() && !informer.is_stopped());
    assert_eq!(informer.run().now_or_never(), Some(Err(InformerError::Started)));
    informer.stop();
    bench.run();
    assert!(informer.is_started() && informer.is_stopped());
    assert!(!informer.start(), "it runs once");
}

#[test]
fn a_stopped_informer_takes_no_handler_and_says_why() {
    for started in [true, false] {
        let bench = Bench::with(&["one"]);
        let informer = if started { bench.started() } else { bench.informer() };
        informer.stop();
        bench.run();
        assert!(informer.is_stopped());
        let error = informer.on_change(|_| {}).map(|_| ()).unwrap_err();
        assert!(error.to_string().starts_with("nothing was added to the informer because it has stopped already"));
        assert_eq!(informer.changes().map(|_| ()).unwrap_err(), InformerError::Stopped);
    }
}

#[test]
fn a_handler_may_be_taken_off_a_stopped_informer() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    let (registration, told) = listen(&informer);
    informer.stop();
    // What it has not handled yet it does not any more.
    informer.remove_event_handler(&registration);
    bench.run();
    assert!(informer.is_stopped() && taken(&told).is_empty());
    informer.remove_event_handler(&registration);
    assert!(informer.stopped().now_or_never().is_some());
}

#[test]
fn nothing_is_left_running_of_an_informer_that_was_stopped_dropped_or_never_started() {
    type End = fn(&Bench, super::bench::Informer);
    let ends: [(bool, bool, End); 6] = [
        // Started, with a handler, and how it ends.
        (true, true, |bench, informer| {
            informer.stop();
            bench.run();
            assert!(informer.stopped().now_or_never().is_some());
        }),
        (true, false, |bench, informer| {
            let (registration, _) = listen(&informer);
            bench.run();
            informer.remove_event_handler(&registration);
            informer.stop();
        }),
        (true, true, |_, informer| drop(informer)),
        (true, false, |_, informer| drop(informer)),
        (false, true, |_, informer| drop(informer)),
        (false, true, |_, informer| informer.stop()),
    ];
    for (started, handled, end) in ends {
        let bench = Bench::with(&["one"]);
        let informer = bench.informer();
        if handled {
            informer.add_event_handler_with_resync(crate::informer::HandlerFuncs::new(), Duration::from_secs(1)).unwrap();
        }
        if started {
            informer.start();
        }
        bench.pass(Duration::from_secs(2));
        end(&bench, informer);
        bench.run();
        let left = (bench.platform.running_tasks(), bench.platform.pending_timers(), bench.server.open_watches());
        assert_eq!(left, (0, 0, 0), "{started} {handled}");
    }
}

#[test]
fn what_handlers_have_not_handled_when_it_stops_they_still_do() {
    let bench = Bench::with(&["one", "two"]);
    let informer = bench.started();
    let (registration, told) = listen(&informer);
    informer.stop();
    bench.run();
    assert_eq!(taken(&told).len(), 2);
    assert!(registration.has_synced());
}

#[test]
fn a_reader_that_comes_after_the_stop_is_told_what_was_there_and_let_go() {
    let bench = Bench::with(&["one"]);
    let informer = bench.started();
    informer.stop();
    bench.run();
    let here = Arc::new(());
    let (held, log) = (Arc::clone(&here), super::bench::Told::default());
    let told = Arc::clone(&log);
    informer.subscribe(move |news: &News<'_, Unstructured>| {
        assert_eq!(*held, ());
        told.lock().unwrap().extend(news.changes.iter().map(|change| change.object().name().to_owned()));
    });
    assert_eq!(taken(&log), ["one"]);
    assert_eq!(Arc::strong_count(&here), 1);
}

#[test]
fn stopping_from_within_a_reader_or_a_handler_stops() {
    for from_reader in [true, false] {
        let bench = Bench::with(&["one"]);
        let informer = bench.informer();
        let inner = informer.clone();
        if from_reader {
            informer.subscribe(move |news: &News<'_, Unstructured>| {
                if !news.changes.is_empty() {
                    inner.stop();
                }
            });
        } else {
            informer.on_change(move |_| inner.stop()).unwrap();
        }
        informer.start();
        bench.run();
        bench.put("two", "1");
        bench.run();
        assert!(informer.is_stopped());
        assert_eq!(names(&informer), ["one"]);
        assert_eq!(bench.server.open_watches(), 0);
    }
}
