//! Events as `v1` has them.

use serde::Serialize;

use super::{
    EventType, ObjectReference,
    counts::Counted,
    writer::{Metadata, Write},
};
use crate::meta::Timestamp;

/// A `v1` event as it is created.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CoreEvent<'e> {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata<'e>,
    involved_object: &'e ObjectReference,
    #[serde(skip_serializing_if = "Option::is_none")]
    related: Option<&'e ObjectReference>,
    #[serde(rename = "type")]
    event_type: EventType,
    reason: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    action: &'e str,
    source: Source<'e>,
    reporting_component: &'e str,
    reporting_instance: &'e str,
    #[serde(flatten)]
    changes: Changes<'e>,
    first_timestamp: Timestamp,
}

#[derive(Serialize)]
struct Source<'e> {
    #[serde(skip_serializing_if = "str::is_empty")]
    component: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    host: &'e str,
}

/// What changes when it comes again.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changes<'e> {
    message: &'e str,
    count: u32,
    last_timestamp: Timestamp,
}

/// What is sent of an event: that it came again, where it is there (client-go `tools/record/event.go`, `recordEvent`).
pub(super) fn write(counted: &Counted) -> Write<'_, CoreEvent<'_>, Changes<'_>> {
    let (event, reporter) = (&counted.event.event, &counted.event.reporter);
    let changes = Changes { message: &event.note, count: counted.count, last_timestamp: counted.last };
    let body = CoreEvent {
        api_version: "v1",
        kind: "Event",
        metadata: Metadata::of(&counted.event),
        involved_object: &event.regarding,
        related: event.related.as_ref(),
        event_type: event.event_type,
        reason: &event.reason,
        action: &event.action,
        source: Source { component: &reporter.controller, host: &reporter.instance },
        reporting_component: &reporter.controller,
        reporting_instance: &reporter.instance,
        changes,
        first_timestamp: counted.first,
    };
    Write { event: &counted.event, body, patch: (counted.count > 1).then_some(changes) }
}
