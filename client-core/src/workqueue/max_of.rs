//! The strictest of several.

use std::time::Duration;

use super::ItemRateLimiter;
use crate::platform::Instant;

/// Asks several limiters, all of them each time, and takes the longest delay (client-go `TypedMaxOfRateLimiter`). Beside a token
/// bucket its burst may be exceeded, where items that had their turns waited longer for another limiter.
pub struct MaxOfRateLimiter<T>(Vec<Box<dyn ItemRateLimiter<T>>>);

opaque_debug!(MaxOfRateLimiter<T>);

impl<T> MaxOfRateLimiter<T> {
    /// The longest delay of these; none where there are none.
    #[must_use]
    pub const fn new(limiters: Vec<Box<dyn ItemRateLimiter<T>>>) -> Self {
        Self(limiters)
    }
}

impl<T: 'static> ItemRateLimiter<T> for MaxOfRateLimiter<T> {
    fn when(&mut self, item: &T, now: Instant) -> Duration {
        self.0.iter_mut().map(|limiter| limiter.when(item, now)).max().unwrap_or_default()
    }

    fn forget(&mut self, item: &T) {
        for limiter in &mut self.0 {
            limiter.forget(item);
        }
    }

    fn retries(&self, item: &T) -> u32 {
        self.0.iter().map(|limiter| limiter.retries(item)).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workqueue::{ExponentialRateLimiter, FastSlowRateLimiter};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_longest_delay_of_several_limiters_holds_and_all_are_asked() {
        let mut limiter = MaxOfRateLimiter::new(vec![
            Box::new(FastSlowRateLimiter::new(Duration::from_millis(5), Duration::from_secs(3), 3)),
            Box::new(ExponentialRateLimiter::new(Duration::from_millis(2), Duration::from_secs(10))),
        ]);
        let mut when = |item| limiter.when(&item, Instant::default()).as_millis();
        assert_eq!([(); 6].map(|()| when("one")), [5, 5, 8, 3000, 3000, 3000]);
        assert_eq!([(); 2].map(|()| when("two")), [5, 5]);
        assert_eq!((0..9).map(|_| when("one")).last(), Some(10_000));
        assert_eq!((limiter.retries(&"one"), limiter.retries(&"two")), (15, 2));
        limiter.forget(&"one");
        assert_eq!((limiter.retries(&"one"), limiter.retries(&"two")), (0, 2));
        assert_eq!(limiter.when(&"one", Instant::default()).as_millis(), 5);
    }

    #[test]
    fn no_limiter_lets_nothing_wait() {
        let mut limiter = MaxOfRateLimiter::new(Vec::new());
        assert_eq!((limiter.when(&1, Instant::default()), limiter.retries(&1)), (Duration::ZERO, 0));
    }
}
