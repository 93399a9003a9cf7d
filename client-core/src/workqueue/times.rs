//! Since when items wait and are processed, where somebody wants to know.

use std::{hash::Hash, time::Duration};

use rustc_hash::FxHashMap;

use crate::platform::Instant;

/// Since when items wait and are processed (client-go `util/workqueue/metrics.go`, `defaultQueueMetrics`).
pub(super) struct Times<T> {
    added: FxHashMap<T, Instant>,
    taken: FxHashMap<T, Instant>,
}

impl<T> Default for Times<T> {
    fn default() -> Self {
        Self { added: FxHashMap::default(), taken: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Times<T> {
    pub(super) fn added(&mut self, item: &T, now: Instant) {
        self.added.insert(item.clone(), now);
    }

    /// Gives back how long the item waited.
    pub(super) fn taken(&mut self, item: &T, now: Instant) -> Option<Duration> {
        let (item, added) = self.added.remove_entry(item)?;
        self.taken.insert(item, now);
        Some(now.since(added))
    }

    /// Gives back how long the item was processed.
    pub(super) fn done(&mut self, item: &T, now: Instant) -> Option<Duration> {
        self.taken.remove(item).map(|taken| now.since(taken))
    }

    /// For how long the items that are being processed have been, all together, and the longest of them.
    pub(super) fn unfinished(&self, now: Instant) -> (Duration, Duration) {
        let ages = || self.taken.values().map(|taken| now.since(*taken));
        (ages().fold(Duration::ZERO, Duration::saturating_add), ages().max().unwrap_or_default())
    }
}
