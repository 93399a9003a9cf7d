//! What a caller sees.

use std::collections::BTreeSet;

use super::*;
use crate::{rest::RestClient, transport::ScriptedTransport};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn recording_waits_for_nothing_and_what_has_no_room_is_told_as_lost() {
    let bench = Bench::with(RecorderOptions { queue_limit: 3, ..RecorderOptions::default() });
    for number in 0..5 {
        bench.recorder.event(&pod(), EventType::Normal, format!("R{number}"), "n");
    }
    let lost = |number| {
        format!("lost Pod baz/foo: Normal R{number}: n: 3 events wait to be written already: tell of less, or let more wait")
    };
    assert_eq!(bench.told.take(), [lost(3), lost(4)]);
    assert_eq!(bench.methods().len(), 3);
    // There is room again.
    bench.recorder.event(&pod(), EventType::Normal, "R5", "n");
    assert_eq!((bench.methods().len(), bench.told.lost().len()), (1, 0));
}

#[test]
fn an_event_about_what_does_not_say_what_it_is_is_told_as_lost() {
    let bench = Bench::new(EventApi::CoreV1);
    let nothing = ObjectReference { name: "a".into(), ..ObjectReference::default() };
    bench.recorder.event(nothing, EventType::Normal, "Started", "1");
    assert_eq!(
        bench.told.take(),
        ["lost  a: Normal Started: 1: the object that the event is about does not say of what kind it is"]
    );
    assert!(bench.sent().is_empty());
}

#[test]
fn no_two_events_of_one_time_have_one_name() {
    let bench = Bench::new(EventApi::EventsV1);
    for number in 0..50 {
        bench.recorder.event(&pod(), EventType::Normal, format!("R{number}"), "n");
    }
    bench.platform.run();
    let names: BTreeSet<_> = bench.stored().iter().map(|event| event["metadata"]["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!((names.len(), bench.told.lost().len()), (50, 0));
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn an_observer_that_panics_hurts_neither_the_caller_nor_the_other_events() {
    struct Panics;
    impl EventObserver for Panics {
        fn recorded(&self, event: &RecordedEvent) {
            assert_ne!(event.event.reason, "R0");
        }
        fn lost(&self, _: &RecordedEvent, _: &EventError) {
            panic!("it got lost");
        }
    }
    let bench = Bench::new(EventApi::CoreV1);
    let options = RecorderOptions { queue_limit: 2, ..RecorderOptions::default() };
    let recorder = EventRecorder::with_options(bench.server.client(), "c", options, Panics);
    for number in 0..3 {
        recorder.event(&pod(), EventType::Normal, format!("R{number}"), "n");
    }
    assert_eq!(bench.methods().len(), 2);
}

#[test]
fn a_function_is_told_of_what_got_lost() {
    let platform = FakePlatform::default();
    let client = RestClient::new(Arc::new(ScriptedTransport::default()), Arc::new(platform.clone()));
    let lost = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&lost);
    let recorder = EventRecorder::new(client, "c", move |event: &RecordedEvent, error: &EventError| {
        log.lock().unwrap().push((event.event.reason.clone(), error.clone()));
    });
    recorder.event(&pod(), EventType::Normal, "Started", "1");
    platform.run();
    let lost = lost.lock().unwrap();
    assert!(matches!(&lost[..], [(reason, EventError::Refused(_))] if reason == "Started"), "{lost:?}");
}

#[test]
fn a_recorder_does_not_show_what_it_holds() {
    let bench = Bench::new(EventApi::CoreV1);
    bench.recorder.event(&pod(), EventType::Normal, "Started", "a secret");
    assert_eq!(format!("{:?}", bench.recorder), "EventRecorder { .. }");
}
