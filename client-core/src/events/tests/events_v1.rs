//! `events.k8s.io/v1` events (client-go `tools/events`).

use super::*;
use crate::{
    events::{
        events_v1::write,
        queue::Shared,
        series::{FINISH, REFRESH, Series, SeriesCache},
        writer::Writer,
    },
    meta::Status,
    platform::Platform as _,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn tell(bench: &Bench) {
    bench.recorder.record(Event::new(&pod(), EventType::Normal, "test", "some verbose message: 1").action("started"));
}

#[test]
fn an_event_has_all_that_was_said_of_it() {
    for (event, name, wanted) in [
        (
            Event::new(&object("Pod", "baz", "pod1", "12345"), EventType::Normal, "Started", "Pod started").action("starting"),
            Some("pod1."),
            serde_json::json!({
                "regarding": { "kind": "Pod", "name": "pod1", "namespace": "baz", "uid": "12345", "apiVersion": "v1" },
                "type": "Normal", "reason": "Started", "action": "starting", "note": "Pod started",
                "reportingController": "eventTest", "reportingInstance": "i1", "related": null, "series": null,
            }),
        ),
        (
            Event::new(
                &object("Pod", "baz", "pod1", "12345"),
                EventType::Warning,
                "FailedScheduling",
                format!("not on {}", "node1"),
            )
            .related(&object("Node", "", "node1", "67890")),
            Some("pod1."),
            serde_json::json!({
                "related": { "kind": "Node", "name": "node1", "uid": "67890", "apiVersion": "v1" },
                "type": "Warning", "reason": "FailedScheduling", "action": "FailedScheduling", "note": "not on node1",
            }),
        ),
        (
            Event::new(&object("IPAddress", "", "2001:db8::123", "12345"), EventType::Warning, "IPAddressNotAllocated", "leaked"),
            None,
            serde_json::json!({ "regarding": { "kind": "IPAddress", "name": "2001:db8::123", "uid": "12345", "apiVersion": "v1" } }),
        ),
        (
            Event::new(&object("Pod", "baz", &"x".repeat(1012), "12345"), EventType::Normal, "Started", "Pod started"),
            None,
            serde_json::json!({ "reason": "Started" }),
        ),
    ] {
        let bench = Bench::new(EventApi::EventsV1);
        let namespace = if event.regarding.namespace.is_empty() { "default" } else { "baz" };
        bench.recorder.record(event);
        assert_eq!(bench.methods(), [Method::POST]);
        let [stored]: [_; 1] = bench.stored().try_into().unwrap();
        assert_eq!(stored["metadata"]["namespace"], namespace);
        let stored_name = stored["metadata"]["name"].as_str().unwrap();
        match name {
            Some(name) => assert!(stored_name.starts_with(name), "{stored_name}"),
            None => assert_eq!(stored_name.len(), 36, "{stored_name} is a name by chance"),
        }
        for (field, value) in wanted.as_object().unwrap() {
            assert_eq!(&stored[field], value, "{field}");
        }
        let time = stored["eventTime"].as_str().unwrap();
        assert_eq!((time.len(), time.ends_with('Z')), ("2026-03-01T12:00:00.250000Z".len(), true), "{time}");
    }
}

#[test]
fn the_second_event_of_its_sort_makes_a_series_and_the_next_are_counted() {
    let bench = Bench::new(EventApi::EventsV1);
    let regarding = ObjectReference::from(&pod()).at(".spec.containers[1]");
    let related = ObjectReference::from(&pod()).at(".spec.containers[0]");
    let tell = |action: &str, note: &str| {
        bench.advance(SECOND);
        bench.recorder.record(Event::new(&regarding, EventType::Normal, "test", note).action(action).related(&related));
        bench.sent()
    };
    let [(method, created)]: [_; 1] = tell("started", "1").try_into().unwrap();
    assert_eq!((method, &created["series"]), (Method::POST, &Value::Null));
    // The text does not matter.
    let [(method, patch)]: [_; 1] = tell("started", "2").try_into().unwrap();
    assert_eq!((method, &patch["series"]["count"], patch.as_object().unwrap().len()), (Method::PATCH, &Value::from(2), 1));
    let [(method, other)]: [_; 1] = tell("stopped", "1").try_into().unwrap();
    assert_eq!((method, &other["series"]), (Method::POST, &Value::Null));
    assert_eq!(tell("started", "3"), []);
    let stored = bench.stored();
    let series = stored.iter().find(|event| event["action"] == "started").unwrap();
    assert_eq!((stored.len(), &series["series"]["count"], &series["note"]), (2, &Value::from(2), &Value::from("1")));
    assert!(series["series"]["lastObservedTime"].as_str() > series["eventTime"].as_str());
}

#[test]
fn two_events_of_a_sort_at_one_time_are_one_series() {
    for seed in 0..50 {
        let bench = Bench::new(EventApi::EventsV1);
        bench.platform.set_seed(seed);
        let other = bench.recorder.clone();
        bench.platform.spawn(Box::pin(async move { other.event(&pod(), EventType::Normal, "reason", "") }));
        bench.recorder.event(&pod(), EventType::Normal, "reason", "");
        bench.platform.run();
        let [event]: [_; 1] = bench.stored().try_into().unwrap();
        assert_eq!((&event["series"]["count"], bench.told.lost().len()), (&Value::from(2), 0));
    }
}

#[test]
fn a_series_is_changed_where_it_is_there_and_created_where_it_is_not() {
    let single = |bench: &Bench| {
        let event = Event::new(&pod(), EventType::Normal, "reason", "note");
        let (name, namespace) = ("test".into(), "default".into());
        let (time, reporter) = (bench.platform.wall_time().into(), Reporter::new("c"));
        RecordedEvent { event, reporter, time, name, namespace }
    };
    // Whether each of the events that are written one after another is a series.
    for (written, in_the_end) in
        [(vec![false], None), (vec![false, true], Some(2)), (vec![true, false], Some(2)), (vec![true], Some(2))]
    {
        let bench = Bench::new(EventApi::EventsV1);
        let shared = Arc::new(Shared::new(Arc::new(bench.platform.clone()), 1, bench.told.clone()));
        let writer = Writer { shared, client: bench.server.client(), api: EventApi::EventsV1, retry_delay: SECOND };
        let mut cache = SeriesCache::default();
        let mut observe = || -> Series { cache.observe(Arc::new(single(&bench)), bench.platform.now()).unwrap() };
        let (once, twice) = (observe(), observe());
        for series in &written {
            let refused = ready(writer.write(&write(if *series { &twice } else { &once }))).is_err();
            assert_eq!(refused, written == [true, false] && !series, "one that is there is not created");
        }
        let [stored]: [_; 1] = bench.stored().try_into().unwrap();
        assert_eq!(stored["series"]["count"].as_u64(), in_the_end, "{written:?}");
    }
}

#[test]
fn a_series_of_which_nothing_came_for_six_minutes_is_over_and_written_once_more() {
    let bench = Bench::new(EventApi::EventsV1);
    for _ in 0..10 {
        tell(&bench);
    }
    assert_eq!(bench.methods(), [Method::POST, Method::PATCH]);
    let last = bench.stored()[0]["series"]["lastObservedTime"].clone();
    // One that came once is forgotten, and nothing is written of it.
    bench.recorder.event(&pod(), EventType::Normal, "single", "once");
    assert_eq!(bench.methods(), [Method::POST]);
    bench.advance(FINISH.saturating_sub(SECOND));
    assert_eq!(bench.sent(), []);
    bench.advance(SECOND);
    let [(method, patch)]: [_; 1] = bench.sent().try_into().unwrap();
    assert_eq!((method, &patch["series"]["count"]), (Method::PATCH, &Value::from(10)));
    assert!(patch["series"]["lastObservedTime"].as_str() >= last.as_str());
    assert_eq!(bench.platform.pending_timers(), 0, "nothing is remembered");
    // What comes now is another event.
    tell(&bench);
    assert_eq!((bench.methods(), bench.stored().len()), (vec![Method::POST], 3));
}

#[test]
fn a_series_that_is_over_and_cannot_be_written_is_tried_again_later() {
    let bench = Bench::new(EventApi::EventsV1);
    for _ in 0..3 {
        tell(&bench);
    }
    bench.sent();
    bench.fail(FaultKind::Unreachable, 1);
    bench.advance(FINISH);
    assert_eq!(bench.methods(), [Method::PATCH]);
    bench.advance(FINISH);
    assert_eq!((bench.methods(), bench.told.lost().len()), (vec![Method::PATCH], 0));
    assert_eq!(bench.stored()[0]["series"]["count"], 3);
    assert_eq!(bench.platform.pending_timers(), 0);
}

#[test]
fn a_series_that_goes_on_is_written_every_half_hour_and_kept_whatever_the_server_says() {
    for refused in [false, true] {
        let bench = Bench::new(EventApi::EventsV1);
        tell(&bench);
        tell(&bench);
        bench.sent();
        let five_minutes = Duration::from_secs(300);
        for _ in 0..5 {
            bench.advance(five_minutes);
            tell(&bench);
            assert_eq!(bench.sent(), []);
        }
        if refused {
            bench.fail(FaultKind::Refuse(Box::new(Status::forbidden(&"events".into(), "a", "no"))), 1);
        }
        bench.advance(REFRESH.saturating_sub(5 * five_minutes));
        let [(method, patch)]: [_; 1] = bench.sent().try_into().unwrap();
        assert_eq!((method, &patch["series"]["count"]), (Method::PATCH, &Value::from(7)));
        assert_eq!(bench.told.lost().len(), usize::from(refused));
        // It goes on.
        tell(&bench);
        assert_eq!(bench.sent(), []);
        bench.advance(FINISH);
        let [(_, patch)]: [_; 1] = bench.sent().try_into().unwrap();
        assert_eq!(patch["series"]["count"], 8);
    }
}

#[test]
fn a_cache_remembers_single_events_for_six_minutes() {
    let platform = FakePlatform::default();
    let mut cache = SeriesCache::default();
    let event = |reason: &str| {
        let event = Event::new(&pod(), EventType::Normal, reason, "");
        let (name, namespace) = ("test".into(), "default".into());
        Arc::new(RecordedEvent { event, reporter: Reporter::new("c"), time: platform.wall_time().into(), name, namespace })
    };
    assert_eq!(cache.next_check(), None);
    cache.observe(event("a"), platform.now()).unwrap();
    platform.advance(MINUTE);
    cache.observe(event("b"), platform.now()).unwrap();
    platform.advance(FINISH.saturating_sub(MINUTE));
    assert!(cache.next_check() == Some(platform.now()) && cache.due(platform.now()).is_empty());
    assert_eq!((cache.len(), cache.next_check()), (1, Some(platform.now() + MINUTE)));
    platform.advance(MINUTE);
    assert!(cache.due(platform.now()).is_empty());
    assert_eq!((cache.len(), cache.next_check()), (0, None));
}
