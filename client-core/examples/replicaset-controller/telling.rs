//! What people are told: events at the sets, and lines about what got lost.

use std::error::Error;

use porthole_client_core::{
    events::{EventError, EventObserver, EventRecorder, EventType, ObjectReference, RecordedEvent},
    k8s_openapi::api::apps::v1::ReplicaSet,
    leader_election::{LeaderElectionObserver, LockError},
    reflector::Failure,
};

use crate::replica_sets::Told;

/// Records an event at a set.
pub(crate) fn record(recorder: &EventRecorder, set: &ReplicaSet, told: Told) {
    let event_type = if told.is_warning { EventType::Warning } else { EventType::Normal };
    recorder.event(ObjectReference::from(set), event_type, told.reason, told.message);
}

/// Says what keeps the controller from hearing of changes.
pub(crate) fn watch_failed(resource: &str, failure: &Failure) {
    eprintln!("the watch of {resource}: {failure:?}");
}

/// Writes a line for what nobody else is told.
pub(crate) struct Failures;

impl EventObserver for Failures {
    fn lost(&self, event: &RecordedEvent, error: &EventError) {
        eprintln!("an event got lost: {event}: {}", with_causes(error));
    }
}

impl LeaderElectionObserver for Failures {
    fn failed(&self, error: &LockError) {
        eprintln!("the lease: {}", with_causes(error));
    }
}

/// The words of an error and of what caused it.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let more = source.to_string();
        if !words.contains(&more) {
            words = [words, more].join(": ");
        }
        cause = source.source();
    }
    words
}
