//! The seam itself.

use std::{sync::Arc, time::Duration};

use futures::future::{Either, select};

use super::{BoxFuture, Instant, MaybeSend, MaybeSync, WallTime};

/// What a host gives the client: what client-go has of Go's runtime and of `k8s.io/utils/clock`. Each host has one; a test has
/// `FakePlatform` (feature `test-util`), whose time stands still until it is moved.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::platform::{FakePlatform, Platform, is_ready};
///
/// let clock = FakePlatform::default();
/// let platform: Arc<dyn Platform> = Arc::new(clock.clone());
/// let mut tea = platform.sleep(Duration::from_secs(180));
/// assert!(!is_ready(&mut tea));
/// clock.advance(Duration::from_secs(180));
/// assert!(is_ready(&mut tea));
/// ```
pub trait Platform: MaybeSend + MaybeSync + 'static {
    /// The monotonic clock.
    fn now(&self) -> Instant;

    /// The calendar clock.
    fn wall_time(&self) -> WallTime;

    /// A uniform random number in `0.0..1.0`; for jitter, not for secrets.
    fn random(&self) -> f64;

    /// Ends when `duration` has passed since this call, whenever it is first waited for; dropping it ends the timer.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Runs `task` to its end, whoever started it (Go's `go`).
    fn spawn(&self, task: BoxFuture<'static, ()>);
}

/// Why something was given up: its time ran out (Go's `context.DeadlineExceeded`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("timed out after {0:?}")]
pub struct TimedOut(pub Duration);

/// Ends once `limit` has passed from now on, and says so: for whoever waits until something ends, such as
/// [`poll_until`](crate::flowcontrol::poll_until). Whoever waits for ever has [`std::future::pending`], and several can wait for
/// one end by [`futures::FutureExt::shared`].
pub fn time_limit(platform: &Arc<dyn Platform>, limit: Duration) -> impl Future<Output = TimedOut> + MaybeSend + use<> {
    let sleep = platform.sleep(limit);
    async move {
        sleep.await;
        TimedOut(limit)
    }
}

/// The answer of `work`, or `None` where `limit` passes first; `work` is then dropped, which aborts it (Go's
/// `context.WithTimeout`).
pub async fn timeout<T>(platform: &Arc<dyn Platform>, limit: Duration, work: BoxFuture<'_, T>) -> Option<T> {
    match select(work, platform.sleep(limit)).await {
        Either::Left((answer, _)) => Some(answer),
        Either::Right(((), _)) => None,
    }
}
