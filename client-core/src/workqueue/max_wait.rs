//! A longest wait.

use std::time::Duration;

use super::ItemRateLimiter;
use crate::platform::Instant;

/// Lets nothing wait longer than the most there may be, whatever another limiter says (client-go `TypedWithMaxWaitRateLimiter`).
#[derive(Clone, Debug)]
pub struct MaxWaitRateLimiter<L> {
    limiter: L,
    most: Duration,
}

impl<L> MaxWaitRateLimiter<L> {
    /// The delays of `limiter`, but none longer than `most`.
    #[must_use]
    pub const fn new(limiter: L, most: Duration) -> Self {
        Self { limiter, most }
    }
}

impl<T, L: ItemRateLimiter<T>> ItemRateLimiter<T> for MaxWaitRateLimiter<L> {
    fn when(&mut self, item: &T, now: Instant) -> Duration {
        self.limiter.when(item, now).min(self.most)
    }

    fn forget(&mut self, item: &T) {
        self.limiter.forget(item);
    }

    fn retries(&self, item: &T) -> u32 {
        self.limiter.retries(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workqueue::FastSlowRateLimiter;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_longer_delay_is_cut_and_the_others_are_as_they_are() {
        let steps = FastSlowRateLimiter::new(Duration::from_millis(5), Duration::from_secs(1000), 100);
        let mut limiter = MaxWaitRateLimiter::new(steps, Duration::from_secs(500));
        let delays: Vec<_> = (0..200).map(|_| limiter.when(&"one", Instant::default())).collect();
        assert_eq!(delays[..100], [Duration::from_millis(5); 100]);
        assert_eq!(delays[100..], [Duration::from_secs(500); 100]);
        assert_eq!(limiter.retries(&"one"), 200);
        limiter.forget(&"one");
        assert_eq!(limiter.retries(&"one"), 0);
    }
}
