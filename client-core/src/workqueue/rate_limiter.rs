//! How long an item waits before it is tried again.

use std::{sync::Arc, time::Duration};

use super::{BucketRateLimiter, ExponentialRateLimiter, MaxOfRateLimiter, WorkItem};
use crate::{
    flowcontrol::TokenBucket,
    platform::{Instant, MaybeSend},
};

/// Decides how long an item waits before it is tried again (client-go `util/workqueue/default_rate_limiters.go`,
/// `TypedRateLimiter`).
///
/// It is called while nobody else is, under a lock, so it must not use a queue that it belongs to.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::{platform::Instant, workqueue::{ExponentialRateLimiter, ItemRateLimiter as _}};
///
/// let mut limiter = ExponentialRateLimiter::new(Duration::from_millis(5), Duration::from_secs(1));
/// let delays = [(); 3].map(|()| limiter.when(&"pod", Instant::default()).as_millis());
/// assert_eq!(delays, [5, 10, 20]);
/// assert_eq!(limiter.retries(&"pod"), 3);
/// limiter.forget(&"pod");
/// assert_eq!(limiter.retries(&"pod"), 0);
/// ```
pub trait ItemRateLimiter<T>: MaybeSend + 'static {
    /// Notes that an item failed, at `now`, and decides how long it waits (`When`).
    fn when(&mut self, item: &T, now: Instant) -> Duration;

    /// Notes that an item is not tried again, be it for success or for good (`Forget`).
    fn forget(&mut self, item: &T);

    /// How often the item failed (`NumRequeues`); zero where that makes no difference.
    fn retries(&self, item: &T) -> u32;
}

impl<T: 'static> ItemRateLimiter<T> for Box<dyn ItemRateLimiter<T>> {
    fn when(&mut self, item: &T, now: Instant) -> Duration {
        (**self).when(item, now)
    }

    fn forget(&mut self, item: &T) {
        (**self).forget(item);
    }

    fn retries(&self, item: &T) -> u32 {
        (**self).retries(item)
    }
}

/// What controllers have (client-go `DefaultTypedControllerRateLimiter`): 5 ms for the first failure of an item, double for each
/// that follows, up to 1000 s; and for all items together ten retries a second, after a hundred at once.
#[must_use]
pub fn default_controller_rate_limiter<T: WorkItem>() -> MaxOfRateLimiter<T> {
    MaxOfRateLimiter::new(vec![
        Box::new(ExponentialRateLimiter::new(Duration::from_millis(5), Duration::from_secs(1000))),
        Box::new(BucketRateLimiter::new(Arc::new(TokenBucket::new(10.0, 100)))),
    ])
}

/// 1 ms for the first failure of an item, double for each that follows, up to 1000 s (client-go
/// `DefaultTypedItemBasedRateLimiter`).
#[must_use]
pub fn default_item_based_rate_limiter<T: WorkItem>() -> ExponentialRateLimiter<T> {
    ExponentialRateLimiter::new(Duration::from_millis(1), Duration::from_secs(1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW: Instant = Instant::new(Duration::ZERO);

    #[test]
    fn the_limiter_of_controllers_limits_each_item_and_all_together() {
        let mut limiter = default_controller_rate_limiter();
        let of_one: Vec<_> = (0..20).map(|_| limiter.when(&1000, NOW).as_millis()).collect();
        assert_eq!(of_one, (0..20).map(|times| 5_u128 << times).map(|delay| delay.min(1_000_000)).collect::<Vec<_>>());
        assert_eq!(limiter.retries(&1000), 20);
        let others: Vec<_> = (0..82).map(|item| limiter.when(&item, NOW).as_millis()).collect();
        assert_eq!(others[..80], [5; 80]);
        assert_eq!(others[80..], [100, 200]);
        limiter.forget(&1000);
        assert_eq!((limiter.retries(&1000), limiter.retries(&0)), (0, 1));
        assert_eq!(limiter.when(&1000, NOW + Duration::from_secs(60)).as_millis(), 5);
    }

    #[test]
    fn the_limiter_by_items_lets_each_wait_for_itself() {
        let mut limiter = default_item_based_rate_limiter();
        assert!((0..1000).all(|item| limiter.when(&item, NOW) == Duration::from_millis(1)));
        assert_eq!((1..30).map(|_| limiter.when(&7, NOW)).last(), Some(Duration::from_secs(1000)));
    }
}
