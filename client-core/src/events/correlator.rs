//! What events have to do with each other.

use std::{sync::Arc, time::Duration};

use super::{
    Event, RecordedEvent,
    aggregator::Aggregator,
    counts::{Counted, Counts},
    moments::Moments,
    spam_filter::SpamFilter,
};
use crate::platform::{Instant, Platform};

/// What is counted, combined and held back of the events that are written to `v1` (client-go `tools/record`,
/// `CorrelatorOptions`); what client-go has where nothing is said.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::events::CorrelatorOptions;
///
/// // Fewer at once, but one a minute; and what differs in its reason is held back apart.
/// let options = CorrelatorOptions {
///     spam_burst: 5,
///     spam_rate: 1.0 / 60.0,
///     spam_key: |event| format!("{} {}", event.event.regarding, event.event.reason),
///     ..CorrelatorOptions::default()
/// };
/// assert_eq!((options.aggregate_from, options.aggregate_interval), (10, Duration::from_secs(600)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CorrelatorOptions {
    /// How many events, and groups of them, are remembered: 4096. It is one at least.
    pub cache_size: usize,
    /// Which events are alike: a key of theirs, and what they differ in. [`aggregate_by_reason`].
    pub aggregate_key: fn(&RecordedEvent) -> (String, String),
    /// The text of an event that combines others, made from the last of them. [`combined_message`].
    pub aggregate_message: fn(&RecordedEvent) -> String,
    /// From how many events on that are alike they are combined: 10.
    pub aggregate_from: usize,
    /// How long after the last that was alike an event is new: 10 min.
    pub aggregate_interval: Duration,
    /// Which events share the limit that holds them back. [`spam_key`].
    pub spam_key: fn(&RecordedEvent) -> String,
    /// How many of these are let through at once: 25.
    pub spam_burst: u32,
    /// How many of these are let through in a second after that: one in 5 min.
    pub spam_rate: f64,
}

impl Default for CorrelatorOptions {
    fn default() -> Self {
        Self {
            cache_size: 4096,
            aggregate_key: aggregate_by_reason,
            aggregate_message: combined_message,
            aggregate_from: 10,
            aggregate_interval: Duration::from_secs(600),
            spam_key,
            spam_burst: 25,
            spam_rate: 1.0 / 300.0,
        }
    }
}

/// Those are alike that differ in their text alone, and in the part of the object (client-go `EventAggregatorByReasonFunc`).
#[must_use]
pub fn aggregate_by_reason(event: &RecordedEvent) -> (String, String) {
    (key(event, &[&event.event.reason]), event.event.note.clone())
}

/// `(combined from similar events): ` and the text of the last (client-go `EventAggregatorByReasonMessageFunc`).
#[must_use]
pub fn combined_message(event: &RecordedEvent) -> String {
    format!("(combined from similar events): {}", event.event.note)
}

/// By who tells of what object, and by the sort of the event (client-go `getSpamKey`).
#[must_use]
pub fn spam_key(event: &RecordedEvent) -> String {
    key(event, &[])
}

/// Those are the same that have the same text as well (client-go `getEventKey`).
pub(super) fn event_key(event: &RecordedEvent) -> String {
    key(event, &[&event.event.reason, &event.event.regarding.field_path, &event.event.note])
}

/// Who tells of what object, what sort of event it is, and what else counts. Between the parts is what none of them has.
fn key(event: &RecordedEvent, more: &[&str]) -> String {
    let RecordedEvent { event: Event { regarding, event_type, .. }, reporter, .. } = event;
    let parts = [
        reporter.controller.as_str(),
        &reporter.instance,
        &regarding.kind,
        regarding.namespace.as_str(),
        regarding.name.as_str(),
        regarding.uid.as_str(),
        &regarding.api_version,
        event_type.as_str(),
    ];
    parts.iter().chain(more).copied().collect::<Vec<_>>().join("\0")
}

/// Counts, combines and holds back events (client-go `tools/record/events_cache.go`, `EventCorrelator`).
pub(super) struct Correlator {
    options: CorrelatorOptions,
    aggregator: Aggregator,
    counts: Counts,
    filter: SpamFilter,
    moments: Arc<Moments>,
    platform: Arc<dyn Platform>,
}

impl Correlator {
    pub(super) fn new(options: CorrelatorOptions, moments: Arc<Moments>, platform: Arc<dyn Platform>) -> Self {
        Self {
            aggregator: Aggregator::new(&options),
            counts: Counts::new(options.cache_size),
            filter: SpamFilter::new(&options),
            options,
            moments,
            platform,
        }
    }

    /// What is to be written for an event, if anything. One that is held back has been counted nevertheless.
    pub(super) fn correlate(&mut self, event: &RecordedEvent, now: Instant) -> Option<Counted> {
        let (event, key) = self.aggregator.aggregate(event, &self.options, now, &self.moments, &*self.platform);
        let counted = self.counts.count(event.into_owned(), &key);
        (!self.filter.holds_back(&counted.event, &self.options, now)).then_some(counted)
    }
}
