//! The seam itself.

use std::{sync::Arc, time::Duration};

use futures::future::{Either, select};

use super::{BoxFuture, Instant, MaybeSend, MaybeSync, WallTime};

/// What a host gives the client.
pub trait Platform: MaybeSend + MaybeSync + 'static {
    /// The monotonic clock.
    fn now(&self) -> Instant;

    /// The calendar clock.
    fn wall_time(&self) -> WallTime;

    /// A uniform random number in `0.0..1.0`; for jitter, not for secrets.
    fn random(&self) -> f64;

    /// Ends after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Runs `task` to its end, whoever started it.
    fn spawn(&self, task: BoxFuture<'static, ()>);
}

/// The answer of `work`, or `None` where `limit` passes first; `work` is then dropped, which aborts it.
pub async fn timeout<T>(platform: &Arc<dyn Platform>, limit: Duration, work: BoxFuture<'_, T>) -> Option<T> {
    match select(work, platform.sleep(limit)).await {
        Either::Left((answer, _)) => Some(answer),
        Either::Right(((), _)) => None,
    }
}
