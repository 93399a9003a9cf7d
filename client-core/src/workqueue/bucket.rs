//! A rate for all items together.

use std::{sync::Arc, time::Duration};

use super::ItemRateLimiter;
use crate::{flowcontrol::RateLimiter, platform::Instant};

/// A rate for all items together, whichever they are (client-go `TypedBucketRateLimiter`). Several queues may share the limiter,
/// such as a [`TokenBucket`](crate::flowcontrol::TokenBucket). It drops nothing: each item waits for a turn of its own. Where the
/// limiter gives no turn, ever, an item waits for ever.
pub struct BucketRateLimiter(Arc<dyn RateLimiter>);

opaque_debug!(BucketRateLimiter);

impl BucketRateLimiter {
    /// Lets items through as `limiter` does.
    #[must_use]
    pub const fn new(limiter: Arc<dyn RateLimiter>) -> Self {
        Self(limiter)
    }
}

impl<T> ItemRateLimiter<T> for BucketRateLimiter {
    fn when(&mut self, _item: &T, now: Instant) -> Duration {
        self.0.reserve(now, Duration::MAX).unwrap_or(Duration::MAX)
    }

    fn forget(&mut self, _item: &T) {}

    fn retries(&self, _item: &T) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowcontrol::TokenBucket;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn limiters_that_share_a_bucket_share_its_rate() {
        let bucket = Arc::new(TokenBucket::new(10.0, 2));
        let (mut one, mut other) = (BucketRateLimiter::new(bucket.clone()), BucketRateLimiter::new(bucket));
        let now = Instant::default();
        let delays = [one.when(&1, now), other.when(&"a", now), one.when(&1, now), other.when(&"b", now)];
        assert_eq!(delays.map(|delay| delay.as_millis()), [0, 0, 100, 200]);
        assert_eq!(one.when(&2, now + Duration::from_secs(9)), Duration::ZERO);
        one.forget(&1);
        assert_eq!(one.retries(&1), 0);
    }

    #[test]
    fn an_item_without_a_turn_waits_for_ever() {
        let mut limiter = BucketRateLimiter::new(Arc::new(TokenBucket::new(0.0, 0)));
        assert_eq!(limiter.when(&1, Instant::default()), Duration::MAX);
    }
}
