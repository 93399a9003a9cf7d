//! A token bucket: so many a second on average, so many at once (client-go `util/flowcontrol/throttle.go` over
//! `golang.org/x/time/rate`).

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::RateLimiter;
use crate::platform::Instant;

/// Lets `rate` through a second on average, and `burst` at once.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::{flowcontrol::{RateLimiter as _, TokenBucket}, platform::{FakePlatform, Platform}};
///
/// let clock = FakePlatform::default();
/// let bucket = TokenBucket::new(10.0, 2);
/// assert!(bucket.try_take(clock.now()) && bucket.try_take(clock.now()));
/// assert!(!bucket.try_take(clock.now()));
/// clock.advance(Duration::from_millis(100));
/// assert!(bucket.try_take(clock.now()));
/// ```
#[derive(Debug)]
pub struct TokenBucket {
    rate: f64,
    burst: u32,
    state: Mutex<State>,
}

/// Tokens may be owed: who waits has taken one that will be there when the wait is over.
#[derive(Debug)]
struct State {
    tokens: f64,
    counted: Option<Instant>,
}

impl TokenBucket {
    /// A full bucket. A `rate` of zero or less lets the burst through and nothing after it.
    #[must_use]
    pub fn new(rate: f64, burst: u32) -> Self {
        Self { rate: rate.max(0.0), burst, state: Mutex::new(State { tokens: f64::from(burst), counted: None }) }
    }

    /// What is let through a second.
    #[must_use]
    pub const fn rate(&self) -> f64 {
        self.rate
    }

    /// What is let through at once.
    #[must_use]
    pub const fn burst(&self) -> u32 {
        self.burst
    }

    fn refill(&self, state: &mut State, now: Instant) {
        let counted = state.counted.unwrap_or(now);
        let since = now.since(counted);
        // Threads do not come in the order in which they read the clock.
        state.counted = Some(now.max(counted));
        state.tokens = since.as_secs_f64().mul_add(self.rate, state.tokens).min(f64::from(self.burst));
    }
}

impl RateLimiter for TokenBucket {
    fn reserve(&self, now: Instant, limit: Duration) -> Option<Duration> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.refill(&mut state, now);
        // Sums of tenths are not quite whole.
        let missing = 1.0 - state.tokens;
        let wait = if missing < 1e-9 {
            Duration::ZERO
        } else {
            Duration::try_from_secs_f64(missing / self.rate).unwrap_or(Duration::MAX)
        };
        let given = wait <= limit && wait < Duration::MAX;
        if given {
            state.tokens -= 1.0;
        }
        given.then_some(wait)
    }

    fn give_back(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.tokens = (state.tokens + 1.0).min(f64::from(self.burst));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::platform::{FakePlatform, Platform, is_ready, ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn at(milliseconds: u64) -> Instant {
        Instant::new(Duration::from_millis(milliseconds))
    }

    #[test]
    fn a_burst_goes_through_and_then_one_at_a_time() {
        let bucket = TokenBucket::new(10.0, 3);
        assert_eq!((0..5).filter(|_| bucket.try_take(at(1000))).count(), 3);
        assert!(!bucket.try_take(at(1099)));
        assert!(bucket.try_take(at(1100)) && !bucket.try_take(at(1100)));
        // A long rest fills it to the burst and no further.
        assert_eq!((0..9).filter(|_| bucket.try_take(at(60_000))).count(), 3);
    }

    #[test]
    fn a_token_comes_back_with_time() {
        let bucket = TokenBucket::new(1.0, 1);
        assert!(bucket.try_take(at(0)) && !bucket.try_take(at(0)) && !bucket.try_take(at(999)));
        assert!(bucket.try_take(at(2000)) && !bucket.try_take(at(2000)));
    }

    #[test]
    fn over_a_long_time_the_rate_holds() {
        let bucket = TokenBucket::new(100.0, 1);
        let taken = (0..=10_000).filter(|millisecond| bucket.try_take(at(*millisecond))).count();
        assert!((1000..=1001).contains(&taken), "{taken} in ten seconds");
    }

    #[test]
    fn waiters_wait_in_turn() {
        let bucket = TokenBucket::new(10.0, 1);
        let waits: Vec<_> = (0..4).map(|_| bucket.reserve(at(0), Duration::MAX).unwrap().as_millis()).collect();
        assert_eq!(waits, [0, 100, 200, 300]);
        assert_eq!(bucket.reserve(at(400), Duration::MAX), Some(Duration::ZERO));
    }

    #[test]
    fn a_token_that_comes_too_late_is_not_taken() {
        let bucket = TokenBucket::new(10.0, 1);
        assert!(bucket.try_take(at(0)));
        assert_eq!(bucket.reserve(at(0), Duration::from_millis(50)), None);
        assert_eq!(bucket.reserve(at(0), Duration::from_millis(100)), Some(Duration::from_millis(100)));
        let never = TokenBucket::new(0.0, 1);
        assert!(never.try_take(at(0)));
        assert_eq!(never.reserve(at(1_000_000), Duration::MAX), None);
    }

    #[test]
    fn who_takes_a_token_sleeps_until_it_is_there() {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        let bucket = TokenBucket::new(10.0, 1);
        ready(bucket.take(&platform));
        let mut second = Box::pin(bucket.take(&platform));
        assert!(!is_ready(&mut second));
        clock.advance(Duration::from_millis(99));
        assert!(!is_ready(&mut second));
        clock.advance(Duration::from_millis(1));
        assert!(is_ready(&mut second));
    }

    #[test]
    fn who_gives_up_leaves_the_token_to_others() {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        // From the first to the last and from the last to the first, all of them and all but one.
        for (kept, backwards) in [(0, false), (0, true), (1, false), (1, true)] {
            let bucket = TokenBucket::new(10.0, 1);
            ready(bucket.take(&platform));
            let mut waiting: Vec<_> = (0..100).map(|_| bucket.take(&platform)).collect();
            assert!(waiting.iter_mut().all(|take| !is_ready(take)));
            if backwards {
                waiting.reverse();
            }
            waiting.drain(..100 - kept);
            let mut next = bucket.take(&platform);
            assert!(!is_ready(&mut next));
            clock.advance(Duration::from_millis(100 * (u64::try_from(kept).unwrap() + 1)));
            assert!(is_ready(&mut next), "{kept} {backwards}");
        }
    }

    #[test]
    fn who_took_its_token_gives_none_back() {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        let bucket = TokenBucket::new(10.0, 1);
        ready(bucket.take(&platform));
        let mut second = bucket.take(&platform);
        assert!(!is_ready(&mut second));
        clock.advance(Duration::from_millis(100));
        assert!(is_ready(&mut second));
        drop(second);
        assert!(!bucket.try_take(clock.now()));
    }

    /// How many milliseconds `tasks` take who together take `tokens`.
    fn taking(bucket: &TokenBucket, tasks: usize, tokens: usize) -> u128 {
        let (clock, taken) = (FakePlatform::default(), std::cell::Cell::new(0));
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        let mut tasks: Vec<_> = (0..tasks)
            .map(|_| {
                Box::pin(async {
                    while taken.get() < tokens {
                        bucket.take(&platform).await;
                        taken.set(taken.get() + 1);
                    }
                })
            })
            .collect();
        loop {
            for task in &mut tasks {
                if is_ready(task) {
                    return platform.now().since(Instant::default()).as_millis();
                }
            }
            clock.advance(Duration::from_millis(1));
        }
    }

    #[test]
    fn many_who_take_at_once_do_not_get_more_than_the_rate() {
        let bucket = TokenBucket::new(100.0, 1);
        assert!(bucket.try_take(at(0)));
        assert_eq!(taking(&bucket, 10, 100), 1000);
    }

    #[test]
    fn a_burst_is_taken_at_once_and_the_rest_at_the_rate() {
        assert_eq!(taking(&TokenBucket::new(10.0, 5), 1, 16), 1100);
    }

    #[test]
    fn who_cannot_wait_long_enough_does_not_wait() {
        let platform: Arc<dyn Platform> = Arc::new(FakePlatform::default());
        let bucket = TokenBucket::new(0.0001, 1);
        let second = Duration::from_secs(1);
        assert!(ready(bucket.take_within(&platform, second)));
        assert!(!ready(bucket.take_within(&platform, second)));
    }

    #[test]
    fn a_clock_that_is_read_out_of_order_makes_no_tokens() {
        let bucket = TokenBucket::new(1.0, 1);
        assert!(bucket.try_take(at(1000)));
        assert!(!bucket.try_take(at(500)) && !bucket.try_take(at(1500)) && !bucket.try_take(at(600)));
        assert!(!bucket.try_take(at(1999)) && bucket.try_take(at(2000)));
    }

    #[test]
    fn a_rate_that_is_no_whole_number_keeps_step_with_the_clock() {
        let bucket = TokenBucket::new(1.0 / 1.031_425, 1);
        for second in (0..120).step_by(2) {
            assert!(bucket.try_take(at(second * 1000)), "after {second} seconds");
        }
    }

    #[test]
    fn small_rates_do_not_lose_time_to_rounding() {
        let bucket = TokenBucket::new(0.001, 1);
        assert!(bucket.try_take(at(0)));
        assert_eq!((1..=1000).filter(|second| bucket.try_take(at(second * 1000))).count(), 1);
    }
}
