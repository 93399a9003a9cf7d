//! Growing delays.

use std::time::Duration;

use crate::{
    flowcontrol::Delays,
    platform::{Instant, Platform},
};

/// When no delay was asked for in this time after the last one ended, the next is the first again.
const RESET_AFTER: Duration = Duration::from_secs(120);

/// How delays grow (apimachinery `wait.Backoff`). The default is that of client-go's reflector: 800 ms doubling to 30 s, each
/// stretched by up to its own length, so that clients which lost one server together come back apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackoffOptions {
    /// The first delay.
    pub first: Duration,
    /// What each delay is of the one before.
    pub factor: f64,
    /// The longest delay, before it is stretched.
    pub longest: Duration,
    /// By how much of its length a delay is stretched at most.
    pub jitter: f64,
}

impl Default for BackoffOptions {
    fn default() -> Self {
        Self { first: Duration::from_millis(800), factor: 2.0, longest: Duration::from_secs(30), jitter: 1.0 }
    }
}

/// Delays that grow while things go wrong (apimachinery `wait.NewExponentialBackoffManager`). Two minutes without a call make
/// them start over. client-go counts those from the last call on; here from the end of its delay, so that no wait counts as
/// health.
#[derive(Debug)]
pub struct Backoff {
    options: BackoffOptions,
    reset_after: Duration,
    /// What the next delay is before it is stretched; `None` for the first.
    next: Option<Duration>,
    /// When the last delay ends.
    end: Option<Instant>,
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(BackoffOptions::default())
    }
}

impl Backoff {
    /// Delays that grow as `options` say.
    #[must_use]
    pub const fn new(options: BackoffOptions) -> Self {
        Self { options, reset_after: RESET_AFTER, next: None, end: None }
    }

    /// The same, starting over after this time without a call in place of two minutes (apimachinery `util/wait/backoff.go`,
    /// `DelayWithReset`). With zero none grows, as long as each is waited for.
    #[must_use]
    pub const fn with_reset_after(mut self, quiet: Duration) -> Self {
        self.reset_after = quiet;
        self
    }

    /// How long to wait from `now`; `random` is in `0.0..1.0`.
    pub fn delay(&mut self, now: Instant, random: f64) -> Duration {
        let BackoffOptions { first, factor, longest, jitter } = self.options;
        if self.end.is_some_and(|end| now >= end && now.since(end) >= self.reset_after) {
            self.reset();
        }
        let plain = self.next.unwrap_or(first).min(longest);
        self.next = Some(plain.mul_f64(factor).min(longest));
        let delay = plain.mul_f64(jitter.mul_add(random, 1.0));
        self.end = Some(now + delay);
        delay
    }

    /// Makes the next delay the first again.
    pub const fn reset(&mut self) {
        self.next = None;
    }
}

impl Delays for Backoff {
    fn next_delay(&mut self, platform: &dyn Platform) -> Duration {
        self.delay(platform.now(), platform.random())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn delays_double_to_the_cap_and_start_over_after_two_quiet_minutes() {
        let mut backoff = Backoff::default();
        let mut now = Instant::default();
        let mut seen = Vec::new();
        for _ in 0..8 {
            let delay = backoff.delay(now, 0.0);
            seen.push(delay.as_millis());
            now = now + delay;
        }
        assert_eq!(seen, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
        assert_eq!(backoff.delay(now + Duration::from_secs(119), 0.0).as_millis(), 30_000);
        now = now + Duration::from_secs(119 + 30 + 120);
        assert_eq!(backoff.delay(now, 0.0).as_millis(), 800);
        assert_eq!(Backoff::default().delay(now, 0.999).as_millis(), 1599);
    }

    #[test]
    fn delays_grow_as_their_options_say() {
        let options =
            BackoffOptions { first: Duration::from_millis(10), factor: 2.0, longest: Duration::from_millis(100), jitter: 0.0 };
        let mut backoff = Backoff::new(options);
        let delays: Vec<_> = (0..5).map(|_| backoff.delay(Instant::default(), 0.7).as_millis()).collect();
        assert_eq!(delays, [10, 20, 40, 80, 100]);
    }

    /// One to ten seconds, doubling.
    fn doubling(reset_after: Duration) -> Backoff {
        let options =
            BackoffOptions { first: Duration::from_secs(1), factor: 2.0, longest: Duration::from_secs(10), jitter: 0.0 };
        Backoff::new(options).with_reset_after(reset_after)
    }

    /// The next delays in seconds, each waited for.
    fn waited(backoff: &mut Backoff, now: &mut Instant, count: usize) -> Vec<u64> {
        let next = |_| {
            let delay = backoff.delay(*now, 0.5);
            *now = *now + delay;
            delay.as_secs()
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn delays_grow_to_the_longest_and_start_over_after_the_quiet_time_that_was_asked_for() {
        for seconds in [10, 3600] {
            let (quiet, almost) = (Duration::from_secs(seconds), Duration::from_secs(seconds - 1));
            let (mut backoff, mut now) = (doubling(quiet), Instant::default());
            assert_eq!(waited(&mut backoff, &mut now, 7), [1, 2, 4, 8, 10, 10, 10]);
            now = now + almost;
            assert_eq!(waited(&mut backoff, &mut now, 1), [10]);
            now = now + quiet;
            assert_eq!(waited(&mut backoff, &mut now, 2), [1, 2]);
        }
    }

    #[test]
    fn without_a_quiet_time_each_delay_is_the_first() {
        let (mut backoff, mut now) = (doubling(Duration::ZERO), Instant::default());
        assert_eq!(waited(&mut backoff, &mut now, 7), [1; 7]);
        now = now + Duration::from_secs(11);
        assert_eq!(waited(&mut backoff, &mut now, 1), [1]);
    }
}
