//! Events as `events.k8s.io/v1` has them.

use serde::Serialize;

use super::{
    EventType, ObjectReference,
    series::{Observed, Series},
    writer::{Metadata, Write},
};
use crate::meta::MicroTime;

/// An `events.k8s.io/v1` event as it is created.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SeriesEvent<'e> {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata<'e>,
    event_time: MicroTime,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<Observed>,
    reporting_controller: &'e str,
    reporting_instance: &'e str,
    action: &'e str,
    reason: &'e str,
    regarding: &'e ObjectReference,
    #[serde(skip_serializing_if = "Option::is_none")]
    related: Option<&'e ObjectReference>,
    note: &'e str,
    #[serde(rename = "type")]
    event_type: EventType,
}

/// What changes when it comes again.
#[derive(Serialize)]
pub(super) struct Changes {
    series: Observed,
}

/// What is sent of an event: how often it came, where it is a series (client-go `tools/events/event_broadcaster.go`,
/// `recordEvent`).
pub(super) fn write(series: &Series) -> Write<'_, SeriesEvent<'_>, Changes> {
    let recorded = &*series.first;
    let (event, reporter) = (&recorded.event, &recorded.reporter);
    let or = |text, other| if str::is_empty(text) { other } else { text };
    let body = SeriesEvent {
        api_version: "events.k8s.io/v1",
        kind: "Event",
        metadata: Metadata::of(recorded),
        event_time: recorded.time,
        series: series.observed,
        reporting_controller: &reporter.controller,
        reporting_instance: or(&reporter.instance, &reporter.controller),
        action: or(&event.action, &event.reason),
        reason: &event.reason,
        regarding: &event.regarding,
        related: event.related.as_ref(),
        note: &event.note,
        event_type: event.event_type,
    };
    Write { event: recorded, body, patch: series.observed.map(|series| Changes { series }) }
}
