//! `v1` events (client-go `tools/record/event_test.go`).

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Events of two pods and their containers; how often each has come then, and for which object.
fn story() -> Vec<(ObjectReference, &'static str, &'static str, u64)> {
    let container = ObjectReference::from(&pod()).at("spec.containers[2]");
    let other = ObjectReference::from(&object("Pod", "baz", "foo", "differentUid")).at("spec.containers[3]");
    vec![
        (container.clone(), "Started", "some verbose message: 1", 1),
        (ObjectReference::from(&pod()), "Killed", "some other verbose message: 1", 1),
        (container.clone(), "Started", "some verbose message: 1", 2),
        (other.clone(), "Started", "some verbose message: 1", 1),
        (container, "Started", "some verbose message: 1", 3),
        (other.clone(), "Stopped", "some verbose message: 1", 1),
        (other, "Stopped", "some verbose message: 1", 2),
    ]
}

#[test]
fn an_event_is_created_and_one_that_comes_again_is_counted() {
    let bench = Bench::new(EventApi::CoreV1);
    for (regarding, reason, message, count) in story() {
        bench.advance(SECOND);
        let before = bench.stored().len();
        bench.recorder.event(&regarding, EventType::Normal, reason, message);
        let [(method, body)]: [_; 1] = bench.sent().try_into().unwrap();
        let stored = bench.stored();
        let stored = stored.iter().find(|event| event["lastTimestamp"] == body["lastTimestamp"]).unwrap();
        if count == 1 {
            assert_eq!((&method, bench.stored().len()), (&Method::POST, before + 1));
            let namespace = (&stored["metadata"]["namespace"], &stored["metadata"]["resourceVersion"].is_string());
            assert_eq!(namespace, (&Value::from("baz"), &true));
            assert_eq!(stored["firstTimestamp"], stored["lastTimestamp"]);
        } else {
            assert_eq!((&method, bench.stored().len()), (&Method::PATCH, before));
            let fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(fields, ["count", "lastTimestamp", "message"]);
            assert_ne!(stored["firstTimestamp"], stored["lastTimestamp"]);
        }
        let wanted = serde_json::json!({
            "involvedObject": serde_json::to_value(&regarding).unwrap(),
            "reason": reason, "message": message, "count": count, "type": "Normal",
            "source": { "component": "eventTest", "host": "i1" },
            "reportingComponent": "eventTest", "reportingInstance": "i1",
        });
        for (field, value) in wanted.as_object().unwrap() {
            assert_eq!(&stored[field], value, "{field}");
        }
        let name = stored["metadata"]["name"].as_str().unwrap();
        let nanos = name.strip_prefix("foo.").and_then(|nanos| i64::from_str_radix(nanos, 16).ok());
        assert!(nanos.is_some_and(|nanos| nanos > 1_800_000_000_000_000_000), "{name}");
        assert_eq!(bench.told.take(), [format!("recorded {regarding}: Normal {reason}: {message}")]);
    }
}

#[test]
fn each_recorder_counts_for_itself() {
    let bench = Bench::new(EventApi::CoreV1);
    let tell = |recorder: &EventRecorder| {
        for (regarding, reason, message, count) in story() {
            bench.advance(SECOND);
            recorder.event(&regarding, EventType::Normal, reason, message);
            let [(_, body)]: [_; 1] = bench.sent().try_into().unwrap();
            assert_eq!(body["count"], count);
        }
    };
    tell(&bench.recorder);
    tell(&EventRecorder::with_options(
        bench.server.client(),
        "eventTest",
        RecorderOptions::of(EventApi::CoreV1),
        bench.told.clone(),
    ));
    assert_eq!(bench.told.lost(), [""; 0]);
}

#[test]
fn an_event_about_what_has_no_namespace_is_in_the_namespace_default() {
    let bench = Bench::new(EventApi::CoreV1);
    let node = ObjectReference::from(&object("Node", "", "foo", "bar")).at("spec.containers[2]");
    bench.recorder.event(&node, EventType::Normal, "Started", "some verbose message: 1");
    bench.sent();
    let [event]: [_; 1] = bench.stored().try_into().unwrap();
    assert_eq!(event["metadata"]["namespace"], "default");
    assert_eq!(event["involvedObject"], serde_json::to_value(&node).unwrap());
    assert_eq!(event["involvedObject"]["namespace"], Value::Null);
}

#[test]
fn a_counted_event_that_is_gone_is_created_again_without_a_version() {
    let bench = Bench::new(EventApi::CoreV1);
    let tell = || bench.recorder.event(&pod(), EventType::Warning, "Failed", "no luck");
    tell();
    tell();
    bench.sent();
    bench.forget_events();
    tell();
    let [(patched, _), (created, body)]: [_; 2] = bench.sent().try_into().unwrap();
    assert_eq!((patched, created), (Method::PATCH, Method::POST));
    assert_eq!((&body["count"], &body["metadata"]["resourceVersion"]), (&Value::from(3), &Value::Null));
    let [stored]: [_; 1] = bench.stored().try_into().unwrap();
    assert_eq!(stored["count"], 3);
    // It is changed from then on.
    tell();
    assert_eq!(bench.methods(), [Method::PATCH]);
    assert_eq!(bench.told.lost(), [""; 0]);
}

#[test]
fn events_that_are_alike_are_combined_and_those_of_an_object_that_never_end_are_held_back() {
    let bench = Bench::new(EventApi::CoreV1);
    for number in 0..30 {
        bench.recorder.event(&pod(), EventType::Warning, "Failed", number.to_string());
    }
    bench.sent();
    let messages: Vec<_> = bench.stored().iter().map(|event| event["message"].as_str().unwrap().to_owned()).collect();
    assert_eq!((messages.len(), messages[8].as_str()), (10, "8"));
    assert_eq!(messages[9], "(combined from similar events): 24");
    let told = bench.told.take();
    let filtered: Vec<_> = told.iter().filter(|told| told.starts_with("filtered")).collect();
    assert_eq!(filtered.len(), 5, "25 at once");
    assert_eq!(filtered[0], "filtered Pod baz/foo: Warning Failed: 25");
    // One in five minutes is let through after that, and has been counted meanwhile.
    bench.advance(5 * MINUTE);
    bench.recorder.event(&pod(), EventType::Warning, "Failed", "30");
    bench.recorder.event(&pod(), EventType::Warning, "Failed", "31");
    let [(method, body)]: [_; 1] = bench.sent().try_into().unwrap();
    assert_eq!((method, &body["count"]), (Method::PATCH, &Value::from(22)));
    assert_eq!(body["message"], "(combined from similar events): 30");
}

#[test]
fn an_event_has_all_that_was_said_of_it() {
    let bench = Bench::new(EventApi::CoreV1);
    let event = Event::new(&pod(), EventType::Warning, "Failed", "no luck")
        .action("Binding")
        .related(&object("Node", "", "n1", "u"))
        .annotation("a", "b");
    bench.recorder.reporting_as("other").record(event);
    bench.sent();
    let [stored]: [_; 1] = bench.stored().try_into().unwrap();
    assert_eq!((&stored["action"], &stored["related"]["name"]), (&"Binding".into(), &"n1".into()));
    assert_eq!(stored["metadata"]["annotations"], serde_json::json!({ "a": "b" }));
    assert_eq!(stored["source"], serde_json::json!({ "component": "other" }));
}
