//! A token bucket: so many a second on average, so many at once (client-go `util/flowcontrol/throttle.go` over
//! `golang.org/x/time/rate`).

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::platform::{Instant, Platform};

/// Lets `rate` through a second on average, and `burst` at once.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::{flowcontrol::TokenBucket, platform::{FakePlatform, Platform}};
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

    /// Takes a token where there is one (`TryAccept`).
    #[must_use]
    pub fn try_take(&self, now: Instant) -> bool {
        self.reserve(now, Duration::ZERO).is_some()
    }

    /// Takes a token, waiting for it where there is none (`Accept`). One that is given up while it waits has taken it all the
    /// same.
    pub async fn take(&self, platform: &Arc<dyn Platform>) {
        match self.reserve(platform.now(), Duration::MAX) {
            Some(Duration::ZERO) => {}
            Some(wait) => platform.sleep(wait).await,
            None => futures::future::pending().await,
        }
    }

    /// Takes a token that is there within `limit`, and says how long that takes; where it is longer, takes none
    /// (`Wait` with a deadline).
    #[must_use]
    pub fn reserve(&self, now: Instant, limit: Duration) -> Option<Duration> {
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

    fn refill(&self, state: &mut State, now: Instant) {
        let since = state.counted.map_or(Duration::ZERO, |counted| now.since(counted));
        state.counted = Some(now);
        state.tokens = since.as_secs_f64().mul_add(self.rate, state.tokens).min(f64::from(self.burst));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::{FakePlatform, is_ready, ready};
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
    fn small_rates_do_not_lose_time_to_rounding() {
        let bucket = TokenBucket::new(0.001, 1);
        assert!(bucket.try_take(at(0)));
        assert_eq!((1..=1000).filter(|second| bucket.try_take(at(second * 1000))).count(), 1);
    }
}
