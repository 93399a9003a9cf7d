//! The end (client-go `tools/record/event_test.go`).

use super::*;
use crate::platform::Platform as _;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const BOTH: [EventApi; 2] = [EventApi::CoreV1, EventApi::EventsV1];

/// Shuts it down within ten seconds, in a task.
fn shut_down(bench: &Bench) {
    let (recorder, told) = (bench.recorder.clone(), bench.told.clone());
    bench.platform.spawn(Box::pin(async move {
        recorder.shut_down(10 * SECOND).await;
        told.tell("shut down".into());
    }));
    bench.platform.run();
}

#[test]
fn the_task_ends_with_the_last_recorder_once_it_has_written_what_it_knows() {
    for api in BOTH {
        let Bench { platform, server, told, recorder, .. } = Bench::new(api);
        let other = recorder.reporting_as("other");
        other.event(&pod(), EventType::Normal, "Started", "1");
        drop(recorder);
        platform.run();
        assert_eq!(platform.running_tasks(), 1);
        other.event(&pod(), EventType::Normal, "Stopped", "2");
        drop(other);
        platform.run();
        assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
        assert_eq!((server.requests().len(), told.lost().len()), (2, 0));
    }
}

#[test]
fn a_shut_down_ends_the_task_and_its_timers() {
    for api in BOTH {
        let bench = Bench::new(api);
        shut_down(&bench);
        assert_eq!(bench.told.take(), ["shut down"]);
        assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
        // Once more is no other thing.
        shut_down(&bench);
        assert_eq!(bench.told.take(), ["shut down"]);
    }
}

#[test]
fn what_was_recorded_before_a_shut_down_is_written_and_what_comes_after_it_is_told_as_lost() {
    for api in BOTH {
        let bench = Bench::new(api);
        for number in 0..100 {
            let pod = object("Pod", "baz", &format!("foo-{number}"), "bar");
            bench.recorder.event(&pod, EventType::Normal, "Started", "blah");
        }
        shut_down(&bench);
        bench.recorder.clone().event(&pod(), EventType::Normal, "Started", "too late");
        assert_eq!(bench.stored().len(), 100);
        let lost = "lost Pod baz/foo: Normal Started: too late: the recorder was shut down before the event was written";
        assert_eq!(bench.told.lost(), [lost]);
    }
}

#[test]
fn once_it_is_shut_down_each_event_is_tried_once() {
    for api in BOTH {
        let bench = Bench::new(api);
        bench.fail(FaultKind::Unreachable, 1000);
        bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
        bench.recorder.event(&pod(), EventType::Normal, "Stopped", "2");
        shut_down(&bench);
        assert_eq!(bench.methods().len(), 2);
        let told = bench.told.take();
        let lost: Vec<_> = told.iter().filter(|told| told.contains("given up after 1 tries")).collect();
        assert_eq!((lost.len(), told.last().unwrap().as_str()), (2, "shut down"));
        assert_eq!(bench.platform.running_tasks(), 0);
    }
}

#[test]
fn a_shut_down_ends_the_wait_for_another_try() {
    for api in BOTH {
        let bench = Bench::new(api);
        bench.fail(FaultKind::Unreachable, 1000);
        bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
        bench.platform.run();
        bench.advance(15 * SECOND);
        shut_down(&bench);
        assert_eq!(bench.methods().len(), 2);
        assert!(bench.told.lost()[0].contains("given up after 2 tries"));
        assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
    }
}

#[test]
fn what_is_not_written_in_time_is_told_as_lost() {
    for api in BOTH {
        let bench = Bench::new(api);
        bench.fail(FaultKind::Hang, 1000);
        for note in ["1", "2"] {
            bench.recorder.event(&pod(), EventType::Normal, note, note);
        }
        shut_down(&bench);
        bench.advance(9 * SECOND);
        assert_eq!(bench.told.take(), ["recorded Pod baz/foo: Normal 1: 1"]);
        bench.advance(SECOND);
        let why = "the recorder was shut down before the event was written";
        let lost = |note| format!("lost Pod baz/foo: Normal {note}: {note}: {why}");
        assert_eq!(bench.told.take(), [lost(1), lost(2), "shut down".into()]);
        assert_eq!((bench.platform.running_tasks(), bench.platform.pending_timers()), (0, 0));
    }
}

#[test]
fn what_a_task_that_is_dropped_did_not_write_is_told_as_lost() {
    let bench = Bench::new(EventApi::CoreV1);
    bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
    drop(bench.platform.tasks());
    assert_eq!(bench.told.lost().len(), 1);
    ready(bench.recorder.shut_down(SECOND));
}

#[test]
fn how_often_a_series_came_is_written_in_the_end() {
    let bench = Bench::new(EventApi::EventsV1);
    for _ in 0..5 {
        bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
    }
    bench.recorder.event(&pod(), EventType::Normal, "Stopped", "once");
    assert_eq!(bench.methods(), [Method::POST, Method::PATCH, Method::POST]);
    shut_down(&bench);
    let [(method, body)]: [_; 1] = bench.sent().try_into().unwrap();
    assert_eq!((method, &body["series"]["count"]), (Method::PATCH, &Value::from(5)));
    // Where there is no time for it, that is told.
    let bench = Bench::new(EventApi::EventsV1);
    for _ in 0..5 {
        bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
    }
    bench.platform.run();
    bench.fail(FaultKind::Hang, 1);
    shut_down(&bench);
    bench.advance(10 * SECOND);
    let why = "the recorder was shut down before the event was written";
    assert_eq!(bench.told.lost(), [format!("lost Pod baz/foo: Normal Started: 1: {why}")]);
}
