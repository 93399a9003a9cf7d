//! Too many events about one object.

use super::{CorrelatorOptions, RecordedEvent, lru::Lru};
use crate::{
    flowcontrol::{RateLimiter as _, TokenBucket},
    platform::Instant,
};

/// Holds back events of a source about an object that come too often (client-go `tools/record/events_cache.go`,
/// `EventSourceObjectSpamFilter`).
pub(super) struct SpamFilter {
    buckets: Lru<TokenBucket>,
}

impl SpamFilter {
    pub(super) fn new(options: &CorrelatorOptions) -> Self {
        Self { buckets: Lru::new(options.cache_size) }
    }

    /// Whether it is to be held back.
    pub(super) fn holds_back(&mut self, event: &RecordedEvent, options: &CorrelatorOptions, now: Instant) -> bool {
        let make = || TokenBucket::new(options.spam_rate, options.spam_burst);
        !self.buckets.entry(&(options.spam_key)(event), make).try_take(now)
    }
}
