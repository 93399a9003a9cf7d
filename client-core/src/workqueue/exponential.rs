//! A delay that doubles with each failure.

use std::time::Duration;

use super::{ItemRateLimiter, WorkItem, failures::Failures};
use crate::{flowcontrol::times, platform::Instant};

/// A delay for each item that doubles with each failure, up to the most there may be (client-go
/// `TypedItemExponentialFailureRateLimiter`). What fails for ever is counted for ever, unless it is forgotten.
#[derive(Clone, Debug)]
pub struct ExponentialRateLimiter<T> {
    base: Duration,
    most: Duration,
    failures: Failures<T>,
}

impl<T> ExponentialRateLimiter<T> {
    /// Delays that begin with `base` and do not grow over `most`.
    #[must_use]
    pub fn new(base: Duration, most: Duration) -> Self {
        Self { base, most, failures: Failures::default() }
    }
}

impl<T: WorkItem> ItemRateLimiter<T> for ExponentialRateLimiter<T> {
    fn when(&mut self, item: &T, _now: Instant) -> Duration {
        let failures = self.failures.count(item);
        // The factor stays finite, and the shortest delay there is times this one is longer than the longest.
        let factor = 2_f64.powi(failures.saturating_sub(1).min(512).cast_signed());
        times(self.base, factor).min(self.most)
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

    fn milliseconds<const N: usize>(limiter: &mut ExponentialRateLimiter<&'static str>, item: &'static str) -> [u128; N] {
        [(); N].map(|()| limiter.when(&item, Instant::default()).as_millis())
    }

    #[test]
    fn each_item_has_a_delay_that_doubles_until_it_is_forgotten() {
        let mut limiter = ExponentialRateLimiter::new(Duration::from_millis(1), Duration::from_secs(1));
        assert_eq!(milliseconds(&mut limiter, "one"), [1, 2, 4, 8, 16]);
        assert_eq!(milliseconds(&mut limiter, "two"), [1, 2]);
        assert_eq!((limiter.retries(&"one"), limiter.retries(&"two"), limiter.retries(&"three")), (5, 2, 0));
        limiter.forget(&"one");
        assert_eq!((limiter.retries(&"one"), limiter.retries(&"two")), (0, 2));
        assert_eq!(milliseconds(&mut limiter, "one"), [1]);
        assert_eq!(milliseconds(&mut limiter, "two"), [4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000]);
    }

    #[test]
    fn a_delay_does_not_overflow() {
        let most = Duration::from_secs(1000);
        let mut limiter = ExponentialRateLimiter::new(Duration::from_millis(1), most);
        assert_eq!(milliseconds(&mut limiter, "one"), [1, 2, 4, 8, 16, 32]);
        for (base, most) in [
            (Duration::from_millis(1), most),
            (Duration::from_secs(60), Duration::from_secs(1000 * 3600)),
            (Duration::from_nanos(1), Duration::MAX),
            (Duration::MAX, Duration::MAX),
            (Duration::ZERO, Duration::ZERO),
        ] {
            let mut limiter = ExponentialRateLimiter::new(base, most);
            let delays: Vec<_> = (0..2000).map(|_| limiter.when(&"overflow", Instant::default())).collect();
            assert!(delays.is_sorted() && delays.first() == Some(&base.min(most)) && delays.last() == Some(&most), "{base:?}");
        }
        let mut never = ExponentialRateLimiter::new(Duration::ZERO, most);
        assert!((0..2000).all(|_| never.when(&"zero", Instant::default()).is_zero()));
        let mut limiter = ExponentialRateLimiter::new(Duration::from_secs(60), Duration::from_secs(1000 * 3600));
        assert_eq!(milliseconds(&mut limiter, "two"), [60_000, 120_000, 240_000]);
    }
}
