//! Clocks, timers and tasks of a tokio runtime.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{runtime::Handle, time::sleep};

use crate::platform::{BoxFuture, Instant, Platform, WallTime};

/// The clocks of the process, and timers and tasks of a tokio runtime.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{host::native::NativePlatform, platform::Platform};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let platform: Arc<dyn Platform> = Arc::new(NativePlatform::new(tokio::runtime::Handle::current()));
/// let before = platform.now();
/// platform.sleep(Duration::from_millis(1)).await;
/// assert!(platform.now().since(before) >= Duration::from_millis(1));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct NativePlatform {
    origin: std::time::Instant,
    runtime: Handle,
}

impl NativePlatform {
    /// A platform on `runtime`.
    #[must_use]
    pub fn new(runtime: Handle) -> Self {
        Self { origin: std::time::Instant::now(), runtime }
    }
}

impl Platform for NativePlatform {
    fn now(&self) -> Instant {
        Instant::new(self.origin.elapsed())
    }

    fn wall_time(&self) -> WallTime {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        WallTime(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    fn random(&self) -> f64 {
        // The standard library seeds each hasher anew, which is all that jitter needs.
        (RandomState::new().build_hasher().finish() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let _entered = self.runtime.enter();
        Box::pin(sleep(duration))
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.runtime.spawn(task);
    }
}

#[cfg(test)]
mod tests {
    use futures::future::{Either, select};

    use super::*;

    #[tokio::test]
    async fn a_sleep_begins_when_it_is_asked_for_and_not_when_it_is_waited_for() {
        let platform = NativePlatform::new(Handle::current());
        let first = platform.sleep(Duration::from_millis(60));
        let now = platform.now();
        while platform.now() < now + Duration::from_millis(60) {
            std::hint::spin_loop();
        }
        let second = platform.sleep(Duration::from_millis(30));
        assert!(matches!(select(second, first).await, Either::Right(_)));
    }
}
