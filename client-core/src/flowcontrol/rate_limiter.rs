//! What lets things through at a rate.

use std::{sync::Arc, time::Duration};

use crate::platform::{BoxFuture, Instant, MaybeSend, MaybeSync, Platform};

/// Lets things through at a rate (client-go `util/flowcontrol/throttle.go`, `RateLimiter`): a
/// [`TokenBucket`](super::TokenBucket), or a caller's own.
pub trait RateLimiter: MaybeSend + MaybeSync + 'static {
    /// Takes a turn that comes within `limit`, and says how long that takes; where it takes longer, takes none and says `None`.
    fn reserve(&self, now: Instant, limit: Duration) -> Option<Duration>;

    /// Gives back a turn that was taken and not used, because who waited for it gave up (`Reservation.Cancel` of
    /// `golang.org/x/time/rate`). A limiter for which that makes no difference does nothing.
    fn give_back(&self) {}

    /// Takes a turn where there is one now (`TryAccept`).
    fn try_take(&self, now: Instant) -> bool {
        self.reserve(now, Duration::ZERO).is_some()
    }

    /// Takes a turn, waiting for it (`Accept`); for ever, where none comes. One that is given up while it waits
    /// [gives it back](Self::give_back).
    fn take<'a>(&'a self, platform: &'a Arc<dyn Platform>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if !self.take_within(platform, Duration::MAX).await {
                futures::future::pending::<()>().await;
            }
        })
    }

    /// As [`take`](Self::take), where the turn comes within `limit`. Where it does not, the answer is `false`, at once and
    /// without a turn taken (`Wait` with a deadline).
    fn take_within<'a>(&'a self, platform: &'a Arc<dyn Platform>, limit: Duration) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let Some(wait) = self.reserve(platform.now(), limit) else { return false };
            if !wait.is_zero() {
                let mut turn = Turn(Some(self));
                platform.sleep(wait).await;
                turn.0 = None;
            }
            true
        })
    }
}

/// A turn that goes back unless it is used.
struct Turn<'a, L: RateLimiter + ?Sized>(Option<&'a L>);

impl<L: RateLimiter + ?Sized> Drop for Turn<'_, L> {
    fn drop(&mut self) {
        if let Some(limiter) = self.0 {
            limiter.give_back();
        }
    }
}
