//! Some quick tries, then slow ones.

use std::time::Duration;

use super::{ItemRateLimiter, WorkItem, failures::Failures};
use crate::platform::Instant;

/// A short delay for the first failures of an item, a long one for those that follow (client-go `TypedItemFastSlowRateLimiter`).
#[derive(Clone, Debug)]
pub struct FastSlowRateLimiter<T> {
    fast: Duration,
    slow: Duration,
    fast_tries: u32,
    failures: Failures<T>,
}

impl<T> FastSlowRateLimiter<T> {
    /// So many delays of `fast`, then `slow` ones.
    #[must_use]
    pub fn new(fast: Duration, slow: Duration, fast_tries: u32) -> Self {
        Self { fast, slow, fast_tries, failures: Failures::default() }
    }
}

impl<T: WorkItem> ItemRateLimiter<T> for FastSlowRateLimiter<T> {
    fn when(&mut self, item: &T, _now: Instant) -> Duration {
        if self.failures.count(item) <= self.fast_tries { self.fast } else { self.slow }
    }

    fn forget(&mut self, item: &T) {
        self.failures.forget(item);
    }

    fn retries(&self, item: &T) -> u32 {
        self.failures.of(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_first_failures_of_an_item_wait_shortly_and_the_others_long() {
        let mut limiter = FastSlowRateLimiter::new(Duration::from_millis(5), Duration::from_secs(10), 3);
        let mut when = |item| limiter.when(&item, Instant::default()).as_millis();
        assert_eq!([(); 5].map(|()| when("one")), [5, 5, 5, 10_000, 10_000]);
        assert_eq!([(); 2].map(|()| when("two")), [5, 5]);
        assert_eq!((limiter.retries(&"one"), limiter.retries(&"two"), limiter.retries(&"three")), (5, 2, 0));
        limiter.forget(&"one");
        assert_eq!((limiter.retries(&"one"), limiter.retries(&"two")), (0, 2));
        assert_eq!(limiter.when(&"one", Instant::default()).as_millis(), 5);
    }
}
