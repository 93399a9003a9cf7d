//! Limiters that decide nothing by time.

use std::time::Duration;

use super::RateLimiter;
use crate::platform::Instant;

/// A limiter for tests (client-go's `NewFakeAlwaysRateLimiter` and `NewFakeNeverRateLimiter`). Who waits for the one that lets
/// nothing through waits until the wait is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FakeRateLimiter {
    /// Lets all through, at once.
    Always,
    /// Lets nothing through, ever.
    Never,
}

impl RateLimiter for FakeRateLimiter {
    fn reserve(&self, _now: Instant, _limit: Duration) -> Option<Duration> {
        (*self == Self::Always).then_some(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::platform::{FakePlatform, Platform, is_ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_limiter_that_lets_all_through_makes_nobody_wait() {
        let platform: Arc<dyn Platform> = Arc::new(FakePlatform::default());
        for _ in 0..1000 {
            assert!(FakeRateLimiter::Always.try_take(platform.now()));
            assert!(is_ready(&mut FakeRateLimiter::Always.take(&platform)));
        }
    }

    #[test]
    fn a_limiter_that_lets_nothing_through_keeps_all_waiting() {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        assert!(!FakeRateLimiter::Never.try_take(platform.now()));
        let mut waiting = FakeRateLimiter::Never.take(&platform);
        for _ in 0..10 {
            assert!(!is_ready(&mut waiting));
            clock.advance(Duration::from_secs(3600));
        }
        assert_eq!(futures::FutureExt::now_or_never(FakeRateLimiter::Never.take_within(&platform, Duration::MAX)), Some(false));
    }
}
