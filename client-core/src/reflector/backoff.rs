//! Growing delays.

use std::time::Duration;

use crate::platform::Instant;

const FIRST: Duration = Duration::from_millis(800);
const CAP: Duration = Duration::from_secs(30);
/// Without a call for this long, the next delay is the first again.
const RESET_AFTER: Duration = Duration::from_secs(120);

/// The reflector's backoff (client-go `NewReflector`): 800 ms doubling to 30 s, each delay stretched by up to
/// its own length, so that clients which lost one server together come back apart.
#[derive(Debug, Default)]
pub struct Backoff {
    attempts: u32,
    last: Option<Instant>,
}

impl Backoff {
    /// How long to wait from `now`; `random` is in `0.0..1.0`.
    pub fn delay(&mut self, now: Instant, random: f64) -> Duration {
        if self.last.is_some_and(|last| now.since(last) >= RESET_AFTER) {
            self.attempts = 0;
        }
        self.last = Some(now);
        let plain = FIRST.saturating_mul(1 << self.attempts.min(16)).min(CAP);
        self.attempts = self.attempts.saturating_add(1);
        plain.mul_f64(1.0 + random)
    }

    /// Makes the next delay the first again.
    pub fn reset(&mut self) {
        self.attempts = 0;
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
        now = now + RESET_AFTER;
        assert_eq!(backoff.delay(now, 0.0).as_millis(), 800);
        assert_eq!(Backoff::default().delay(now, 0.999).as_millis(), 1599);
    }
}
