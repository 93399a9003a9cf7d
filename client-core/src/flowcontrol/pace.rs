//! How far apart in time things are done.

use std::time::Duration;

use super::BackoffSteps;
use crate::platform::Platform;

/// How long to wait before the next time (apimachinery `util/wait/delay.go`, `DelayFunc`). A [`Duration`] is always the same one;
/// [`BackoffSteps`] grow for some steps; a reflector's [`Backoff`](crate::reflector::Backoff) grows and starts over.
pub trait Delays {
    /// The next delay, from now on.
    fn next_delay(&mut self, platform: &dyn Platform) -> Duration;
}

impl Delays for Duration {
    fn next_delay(&mut self, _platform: &dyn Platform) -> Duration {
        *self
    }
}

impl Delays for BackoffSteps {
    fn next_delay(&mut self, platform: &dyn Platform) -> Duration {
        self.step(platform.random())
    }
}

/// How far apart in time something is done (the arguments of apimachinery `util/wait/loop.go`). Unless more is said it is done at
/// once, and a delay counts from the beginning of each time on, so that it takes place at regular times.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::flowcontrol::Pace;
///
/// let often = Pace::every(Duration::from_secs(1));
/// let calmly = Pace::jittered(Duration::from_secs(30), 0.2).after_a_delay().from_end_to_beginning();
/// # drop((often, calmly));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace<D> {
    pub(super) delays: D,
    pub(super) immediate: bool,
    pub(super) sliding: bool,
}

impl Pace<Duration> {
    /// Once an `interval`. With zero it is done again as soon as others had their turn.
    #[must_use]
    pub const fn every(interval: Duration) -> Self {
        Self::of(interval)
    }
}

impl Pace<BackoffSteps> {
    /// Once an `interval`, which is made longer each time by up to this part of itself; by nothing where that is negative.
    #[must_use]
    pub const fn jittered(interval: Duration, jitter: f64) -> Self {
        Self::of(BackoffSteps { duration: interval, factor: 1.0, jitter, steps: 0, cap: None })
    }
}

impl<D> Pace<D> {
    /// With these delays.
    #[must_use]
    pub const fn of(delays: D) -> Self {
        Self { delays, immediate: true, sliding: false }
    }

    /// The same, where the first time is after a delay, and not at once (`immediate` of `util/wait`).
    #[must_use]
    pub fn after_a_delay(self) -> Self {
        Self { immediate: false, ..self }
    }

    /// The same, where a delay counts from the end of each time on, however long it took (`sliding` of `util/wait`).
    #[must_use]
    pub fn from_end_to_beginning(self) -> Self {
        Self { sliding: true, ..self }
    }
}
