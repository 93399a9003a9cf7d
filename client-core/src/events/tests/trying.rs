//! Tries that fail (client-go `tools/record/event_test.go`, `tools/events/event_broadcaster_test.go`).

use super::*;
use crate::{
    meta::Status,
    platform::Platform as _,
    rest::RestClient,
    transport::{ScriptedAnswer, ScriptedTransport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const BOTH: [EventApi; 2] = [EventApi::CoreV1, EventApi::EventsV1];

/// How often an event is tried where so many requests fail in this way, and what got lost.
fn tries(api: EventApi, kind: FaultKind, times: usize) -> (usize, Vec<String>) {
    let bench = Bench::new(api);
    bench.fail(kind, times);
    bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
    let mut tries = 0;
    for _ in 0..100 {
        tries += bench.sent().len();
        bench.advance(15 * SECOND);
    }
    (tries, bench.told.lost())
}

#[test]
fn an_event_is_tried_twelve_times_where_the_server_is_not_reached_and_once_where_it_refuses() {
    for api in BOTH {
        for status in [
            Status::forbidden(&"events".into(), "a", "no"),
            Status::internal_error("oh"),
            Status::already_exists(&"events".into(), "a"),
        ] {
            let (tries, lost) = tries(api, FaultKind::Refuse(Box::new(status.clone())), 1000);
            assert_eq!(tries, 1);
            let [lost]: [String; 1] = lost.try_into().unwrap();
            assert_eq!(lost, format!("lost Pod baz/foo: Normal Started: 1: the event was refused: {}", status.message));
        }
        for fault in [FaultKind::Unreachable, FaultKind::ResetBeforeAnswer] {
            let (often, lost) = tries(api, fault.clone(), 1000);
            assert_eq!((often, lost.len()), (12, 1));
            assert!(lost[0].contains("given up after 12 tries: "), "{lost:?}");
            assert_eq!(tries(api, fault, 1), (2, Vec::new()));
        }
    }
}

#[test]
fn an_event_whose_answer_was_lost_is_there_and_not_told_as_lost() {
    for api in BOTH {
        assert_eq!(tries(api, FaultKind::ResetAfterDone, 1), (2, Vec::new()));
    }
}

#[test]
fn the_first_wait_of_a_core_event_is_a_part_of_the_others_and_those_of_a_series_are_longer_by_chance() {
    for (api, waits) in
        [(EventApi::CoreV1, [5, 10, 10].map(Duration::from_secs)), (EventApi::EventsV1, [11_250; 3].map(Duration::from_millis))]
    {
        let bench = Bench::new(api);
        bench.fail(FaultKind::Unreachable, 1000);
        bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
        for wait in waits {
            assert_eq!(bench.methods().len(), 1);
            assert_eq!(bench.platform.next_timer(), Some(wait));
            bench.advance(wait);
        }
    }
}

#[test]
fn what_was_created_while_it_was_to_be_changed_is_changed() {
    for api in BOTH {
        let bench = Bench::new(api);
        let tell = || bench.recorder.event(&pod(), EventType::Normal, "Started", "1");
        tell();
        bench.sent();
        let refuse =
            |method, status| bench.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(status))).on_method(method).once());
        refuse(Method::PATCH, Status::not_found(&"events".into(), "a"));
        refuse(Method::POST, Status::already_exists(&"events".into(), "a"));
        tell();
        assert_eq!(bench.methods(), [Method::PATCH, Method::POST]);
        bench.advance(15 * SECOND);
        assert_eq!((bench.methods(), bench.told.lost().len()), (vec![Method::PATCH], 0));
    }
}

#[test]
fn as_many_events_as_fit_are_all_written_though_each_fails_a_few_times() {
    let platform = FakePlatform::default();
    let server = ScriptedTransport::default();
    let failure = || TransportError::Unreachable { address: "a".into(), message: "fake error".into() };
    let path = "/api/v1/namespaces/baz/events";
    for _ in 0..1000 {
        for _ in 0..4 {
            server.once_to(Method::POST, path, ScriptedAnswer::error(failure()));
        }
        server.once_to(Method::POST, path, ScriptedAnswer::text("{}"));
    }
    let told = Told::default();
    let client = RestClient::new(Arc::new(server.clone()), Arc::new(platform.clone()));
    let recorder = EventRecorder::with_options(client, "eventTest", RecorderOptions::of(EventApi::CoreV1), told.clone());
    for number in 0..1000 {
        let pod = object("Pod", "baz", &format!("foo-{number}"), "bar");
        recorder.event(&pod, EventType::Normal, format!("Reason-{number}"), number.to_string());
    }
    let start = platform.now();
    while server.count(path) < 5000 {
        platform.run();
        platform.advance(5 * SECOND);
        assert!(platform.now().since(start) < 100_000 * SECOND, "{} requests", server.count(path));
    }
    platform.run();
    assert!(server.unscripted().is_empty());
    let told = told.take();
    assert_eq!(told.len(), 1000);
    assert!(
        told.iter()
            .enumerate()
            .all(|(number, told)| *told == format!("recorded Pod baz/foo-{number}: Normal Reason-{number}: {number}"))
    );
}
