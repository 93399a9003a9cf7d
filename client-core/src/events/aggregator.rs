//! Events that differ in their text alone.

use std::{borrow::Cow, collections::BTreeSet};

use super::{CorrelatorOptions, RecordedEvent, correlator::event_key, lru::Lru, moments::Moments, name::event_name};
use crate::platform::{Instant, Platform};

/// Combines events that are alike: so many of them within a time, and they become one (client-go
/// `tools/record/events_cache.go`, `EventAggregator`).
pub(super) struct Aggregator {
    alike: Lru<Alike>,
}

/// Events that are alike.
struct Alike {
    texts: BTreeSet<String>,
    last: Instant,
}

impl Aggregator {
    pub(super) fn new(options: &CorrelatorOptions) -> Self {
        Self { alike: Lru::new(options.cache_size) }
    }

    /// What to write for an event: itself, or one that combines it with others; and the key that it is counted by.
    pub(super) fn aggregate<'e>(
        &mut self,
        event: &'e RecordedEvent,
        options: &CorrelatorOptions,
        now: Instant,
        moments: &Moments,
        platform: &dyn Platform,
    ) -> (Cow<'e, RecordedEvent>, String) {
        let (key, text) = (options.aggregate_key)(event);
        let alike = self.alike.entry(&key, || Alike { texts: BTreeSet::new(), last: now });
        if now.since(alike.last) > options.aggregate_interval {
            alike.texts.clear();
        }
        alike.texts.insert(text);
        alike.last = now;
        if alike.texts.len() < options.aggregate_from {
            return (Cow::Borrowed(event), event_key(event));
        }
        // The set stays as small as it needs to be.
        alike.texts.pop_first();
        let moment = moments.next();
        let mut combined = event.clone();
        combined.event.note = (options.aggregate_message)(event);
        combined.event.annotations.clear();
        combined.name = event_name(&event.event.regarding.name, moment, platform);
        combined.time = moment.micro_time();
        (Cow::Owned(combined), key)
    }
}
