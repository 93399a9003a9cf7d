//! What events have to do with each other (client-go `tools/record/events_cache_test.go`).

use crate::{
    events::{
        correlator::{Correlator, event_key},
        counts::Counted,
        moments::Moments,
    },
    platform::Platform as _,
};

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// An event of kubelet about this container of `my-ns/my-pod`.
fn event(reason: &str, note: &str, container: &str) -> RecordedEvent {
    let regarding = ObjectReference::from(&object("Pod", "my-ns", "my-pod", "C934D34AFB20242")).at(container);
    RecordedEvent {
        event: Event::new(regarding, EventType::Normal, reason, note),
        reporter: Reporter::new("kubelet").instance("kublet.node1"),
        time: FakePlatform::default().wall_time().into(),
        name: "my-pod.1".into(),
        namespace: "my-ns".into(),
    }
}

/// A correlator and its clock.
struct Correlating {
    platform: FakePlatform,
    correlator: Correlator,
}

impl Correlating {
    fn new(options: CorrelatorOptions) -> Self {
        let platform = FakePlatform::default();
        let moments = Arc::new(Moments::new(Arc::new(platform.clone())));
        Self { correlator: Correlator::new(options, moments, Arc::new(platform.clone())), platform }
    }

    fn take(&mut self, event: &RecordedEvent) -> Option<Counted> {
        let event = RecordedEvent { time: self.platform.wall_time().into(), ..event.clone() };
        self.correlator.correlate(&event, self.platform.now())
    }
}

/// What becomes of the last of these events, which come so far apart: its text, and how often it came.
fn last_of(events: &[RecordedEvent], apart: Duration) -> Option<(String, u32)> {
    let mut correlating = Correlating::new(CorrelatorOptions::default());
    let mut last = None;
    for event in events {
        correlating.platform.advance(apart);
        last = correlating.take(event);
    }
    let last = last?;
    assert_eq!(last.event.event.reason, events.last().unwrap().event.reason);
    assert_eq!(last.count > 1, last.first < last.last, "the first time and the last are apart where it came more than once");
    Some((last.event.event.note, last.count))
}

#[test]
fn events_are_alike_that_differ_in_their_text_alone() {
    let keys = |reason, note| aggregate_by_reason(&event(reason, note, ""));
    let (fun, awful, bug) =
        (keys("end-of-world", "it was fun"), keys("end-of-world", "it was awful"), keys("nevermind", "it was a bug"));
    assert_eq!(fun.0, awful.0);
    assert_ne!(fun.1, awful.1);
    assert_ne!(fun.0, bug.0);
}

#[test]
fn the_text_of_a_combined_event_says_that_it_is_one() {
    let event = event("end-of-world", "it was fun", "");
    assert_eq!(combined_message(&event), "(combined from similar events): it was fun");
}

#[test]
fn no_two_events_have_one_key_because_their_parts_are_cut_elsewhere() {
    let (mut one, mut other) = (event("ab", "c", ""), event("a", "bc", ""));
    assert_ne!(event_key(&one), event_key(&other));
    one.reporter = Reporter::new("a").instance("b");
    other.reporter = Reporter::new("ab");
    assert_ne!(spam_key(&one), spam_key(&other));
}

#[test]
fn an_event_that_comes_again_is_counted() {
    let duplicate = event("duplicate", "me again", "");
    let times = |count: usize| vec![duplicate.clone(); count];
    assert_eq!(last_of(&times(1), 5 * SECOND), Some(("me again".into(), 1)));
    assert_eq!(last_of(&times(2), 5 * SECOND), Some(("me again".into(), 2)));
    // As it is always the same text, there is nothing to combine.
    assert_eq!(last_of(&times(11), 60 * SECOND), Some(("me again".into(), 11)));
    assert_eq!(last_of(&times(25), SECOND), Some(("me again".into(), 25)));
    assert_eq!(last_of(&times(27), SECOND), None, "it is spam");
}

#[test]
fn many_events_about_many_objects_are_neither_combined_nor_held_back() {
    let mut events = Vec::new();
    for number in 0..30 {
        let mut unique = event(&format!("reason-{number}"), &format!("message-{number}"), "");
        unique.event.regarding.name = format!("pod-{number}").into();
        events.push(unique);
    }
    events.push(event("unique", "snowflake", ""));
    assert_eq!(last_of(&events, 5 * SECOND), Some(("snowflake".into(), 1)));
}

#[test]
fn ten_events_that_are_alike_are_combined_and_counted_from_then_on() {
    let alike = |count: usize| {
        let before = (1..count).map(|number| event("similar", &format!("{number} similar message"), "spec.containers{a}"));
        before.chain([event("similar", "similar message", "spec.containers{a}")]).collect::<Vec<_>>()
    };
    let combined = "(combined from similar events): similar message";
    assert_eq!(last_of(&alike(9), 5 * SECOND), Some(("similar message".into(), 1)));
    assert_eq!(last_of(&alike(10), 5 * SECOND), Some((combined.into(), 1)));
    assert_eq!(last_of(&alike(11), 5 * SECOND), Some((combined.into(), 2)));
    // Ten minutes are not too long, but what is longer is.
    assert_eq!(last_of(&alike(10), 600 * SECOND), Some((combined.into(), 1)));
    assert_eq!(last_of(&alike(10), 601 * SECOND), Some(("similar message".into(), 1)));
}

#[test]
fn a_combined_event_has_a_name_of_its_own_which_it_keeps() {
    let mut correlating = Correlating::new(CorrelatorOptions::default());
    let taken: Vec<_> =
        (0..12).map(|number| correlating.take(&event("similar", &number.to_string(), "")).unwrap().event.name).collect();
    assert!(taken[..9].iter().all(|name| name.as_str() == "my-pod.1"), "{taken:?}");
    assert!(taken[9] != taken[0] && taken[9] == taken[10] && taken[10] == taken[11], "{taken:?}");
}

#[test]
fn events_about_two_containers_are_two() {
    let events =
        [event("similar", "similar message", "spec.containers{b}"), event("similar", "similar message", "spec.containers{a}")];
    assert_eq!(last_of(&events, 5 * SECOND), Some(("similar message".into(), 1)));
}

#[test]
fn what_is_held_back_together_can_be_chosen() {
    let by_reason: fn(&RecordedEvent) -> String = |event| format!("{} {}", spam_key(event), event.event.reason);
    for (spam_key, reason, note, passes) in [
        (spam_key as fn(&RecordedEvent) -> String, "duplicate", "me again", false),
        (by_reason, "duplicate", "me again", true),
        (by_reason, "original", "me again", false),
    ] {
        let mut correlating = Correlating::new(CorrelatorOptions { spam_key, spam_burst: 1, ..CorrelatorOptions::default() });
        assert!(correlating.take(&event("original", "i am first", "")).is_some());
        correlating.platform.advance(SECOND);
        assert_eq!(correlating.take(&event(reason, note, "")).is_some(), passes, "{reason} {note}");
    }
}
