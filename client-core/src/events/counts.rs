//! Events that come again.

use super::{RecordedEvent, lru::Lru, moments::timestamp};
use crate::meta::{ObjectName, Timestamp};

/// Counts events by key (client-go `tools/record/events_cache.go`, `eventLogger`).
pub(super) struct Counts(Lru<Seen>);

/// An event that was seen.
struct Seen {
    times: u32,
    first: Timestamp,
    name: ObjectName,
}

/// An event, and how often it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// Under the name it had the first time.
    pub(super) event: RecordedEvent,
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
    pub(super) count: u32,
}

impl Counts {
    pub(super) fn new(limit: usize) -> Self {
        Self(Lru::new(limit))
    }

    pub(super) fn count(&mut self, mut event: RecordedEvent, key: &str) -> Counted {
        let last = timestamp(event.time);
        let seen = self.0.entry(key, || Seen { times: 0, first: last, name: event.name.clone() });
        seen.times = seen.times.saturating_add(1);
        event.name.clone_from(&seen.name);
        Counted { event, first: seen.first, last, count: seen.times }
    }
}
