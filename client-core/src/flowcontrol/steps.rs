//! A few growing delays.

use std::time::Duration;

/// So many delays, each longer than the one before (apimachinery `util/wait/backoff.go`, `Backoff`). Taking a step changes it;
/// a copy begins anew.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::flowcontrol::BackoffSteps;
///
/// let mut backoff = BackoffSteps { duration: Duration::from_millis(10), factor: 5.0, steps: 4, ..BackoffSteps::default() };
/// let delays: Vec<_> = (0..5).map(|_| backoff.step(0.5).as_millis()).collect();
/// assert_eq!(delays, [10, 50, 250, 1250, 6250]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackoffSteps {
    /// The next delay.
    pub duration: Duration,
    /// What a step multiplies it with.
    pub factor: f64,
    /// A delay is made longer by up to this part of itself. The delays after it do not grow by that.
    pub jitter: f64,
    /// How many more steps multiply; with 0 left the delay stays as it is. For tries it is how many may be made.
    pub steps: u32,
    /// What the delay does not grow over; reaching it ends the growth, and tries.
    pub cap: Option<Duration>,
}

/// No delay and no growth.
impl Default for BackoffSteps {
    fn default() -> Self {
        Self { duration: Duration::ZERO, factor: 1.0, jitter: 0.0, steps: 0, cap: None }
    }
}

impl BackoffSteps {
    /// The delay to wait now (`Step`); `random` is in `0.0..1.0`.
    pub fn step(&mut self, random: f64) -> Duration {
        let delay = self.duration.saturating_add(times(self.duration, self.jitter * random));
        if let Some(steps) = self.steps.checked_sub(1) {
            self.steps = steps;
            self.duration = times(self.duration, self.factor);
            if let Some(cap) = self.cap.filter(|cap| *cap < self.duration) {
                (self.duration, self.steps) = (cap, 0);
            }
        }
        delay
    }
}

/// `duration` times `factor`, where zero is the least factor; the longest there is where that is too long.
pub(crate) fn times(duration: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(duration.as_secs_f64() * factor.max(0.0)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const SECOND: Duration = Duration::from_secs(1);

    /// In milliseconds.
    fn delays<const N: usize>(mut backoff: BackoffSteps, random: f64) -> [u128; N] {
        std::array::from_fn(|_| backoff.step(random).as_millis())
    }

    #[test]
    fn delays_grow_by_the_factor_while_there_are_steps_and_up_to_the_cap() {
        let backoff = BackoffSteps { duration: SECOND, ..BackoffSteps::default() };
        assert_eq!(delays(BackoffSteps::default(), 0.5), [0; 4]);
        assert_eq!(delays(backoff, 0.5), [1000; 3]);
        assert_eq!(delays(BackoffSteps { steps: 1, ..backoff }, 0.5), [1000; 3]);
        assert_eq!(delays(BackoffSteps { factor: 2.0, ..backoff }, 0.5), [1000; 3]);
        let growing = BackoffSteps { factor: 2.0, steps: 3, ..backoff };
        assert_eq!(delays(growing, 0.5), [1000, 2000, 4000, 8000, 8000]);
        let capped = BackoffSteps { cap: Some(3 * SECOND), ..growing };
        assert_eq!(delays(capped, 0.5), [1000, 2000, 3000, 3000]);
        assert_eq!(delays(BackoffSteps { steps: 2, cap: Some(4 * SECOND), ..growing }, 0.5), [1000, 2000, 4000, 4000]);
    }

    #[test]
    fn a_delay_is_stretched_by_chance_and_the_next_one_not_by_that() {
        let backoff = BackoffSteps { duration: SECOND, factor: 2.0, jitter: 4.0, steps: 6, cap: None };
        assert_eq!(delays(backoff, 0.0), [1000, 2000, 4000, 8000, 16_000, 32_000]);
        assert_eq!(delays(backoff, 0.5), [3000, 6000, 12_000, 24_000, 48_000, 96_000]);
        let capped = BackoffSteps { jitter: 0.5, steps: 2, cap: Some(3 * SECOND), ..backoff };
        assert_eq!(delays(capped, 0.5), [1250, 2500, 3750, 3750]);
    }

    #[test]
    fn a_delay_never_grows_over_what_a_duration_holds() {
        let mut backoff = BackoffSteps { duration: Duration::MAX, factor: f64::MAX, jitter: f64::MAX, steps: 9, cap: None };
        for _ in 0..9 {
            assert_eq!(backoff.step(0.9), Duration::MAX);
        }
        let capped =
            &mut BackoffSteps { steps: 9, cap: Some(SECOND), ..BackoffSteps { duration: SECOND, factor: f64::MAX, ..backoff } };
        capped.step(0.0);
        assert_eq!((capped.duration, capped.steps), (SECOND, 0));
    }
}
