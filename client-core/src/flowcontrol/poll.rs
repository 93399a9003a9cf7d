//! Asking again and again.

use std::{
    convert::Infallible,
    fmt,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

use futures::{
    future::{Either, pending, select},
    poll,
};

use super::{BackoffSteps, Delays, Pace};
use crate::platform::{BoxFuture, Platform};

/// Why nobody asks any more, though what was asked for does not hold: `E` is how the condition fails, `C` is what is said by whoever
/// gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollError<E, C> {
    /// The condition failed.
    Failed(E),
    /// It was given up before (apimachinery `util/wait/error.go`, `ErrorInterrupted`).
    Interrupted(C),
    /// It was asked as often as it may be.
    Exhausted,
}

impl<E, C> PollError<E, C> {
    /// Whether it ended without an answer: by whoever gave up, or because all steps were taken (`wait.Interrupted`).
    #[must_use]
    pub const fn is_interrupted(&self) -> bool {
        !matches!(self, Self::Failed(_))
    }
}

/// The words of what failed, and of who gave up.
impl<E: fmt::Display, C: fmt::Display> fmt::Display for PollError<E, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(formatter),
            Self::Interrupted(cause) => write!(formatter, "gave up waiting for the condition: {cause}"),
            Self::Exhausted => formatter.write_str("gave up waiting for the condition: it did not hold in any of its steps"),
        }
    }
}

impl<E: std::error::Error + 'static, C: std::error::Error + 'static> std::error::Error for PollError<E, C> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its words are those of the error.
            Self::Failed(error) => error.source(),
            Self::Interrupted(cause) => Some(cause),
            Self::Exhausted => None,
        }
    }
}

/// Asks `condition` at this pace until it gives something, fails, or `give_up` ends (apimachinery `util/wait/loop.go`,
/// `loopConditionUntilContext`, which is all of `PollUntilContextCancel` and `PollUntilContextTimeout`). Dropping it ends it too.
///
/// Where it is asked at once it is asked once, even if `give_up` has ended already. client-go leaves it to a condition that is
/// being asked whether it stops when somebody gives up; here it is dropped where it waits.
///
/// ```
/// use std::{cell::Cell, convert::Infallible, sync::Arc, time::Duration};
/// use futures::FutureExt as _;
/// use porthole_client_core::{
///     flowcontrol::{Pace, poll_until},
///     platform::{FakePlatform, Platform, time_limit},
/// };
///
/// const SECOND: Duration = Duration::from_secs(1);
/// let clock = FakePlatform::default();
/// let platform: Arc<dyn Platform> = Arc::new(clock.clone());
/// let asked = Cell::new(0);
/// let third_time = async || {
///     asked.set(asked.get() + 1);
///     Ok::<_, Infallible>((asked.get() == 3).then_some("there it is"))
/// };
/// let mut answer = Box::pin(poll_until(&platform, Pace::every(SECOND), time_limit(&platform, 60 * SECOND), third_time));
/// for _ in 0..2 {
///     assert!((&mut answer).now_or_never().is_none());
///     clock.advance(SECOND);
/// }
/// assert_eq!(answer.now_or_never(), Some(Ok("there it is")));
/// ```
///
/// # Errors
/// What `condition` fails with, or what `give_up` ends with.
pub async fn poll_until<T, E, C, F: Future<Output = Result<Option<T>, E>>>(
    platform: &Arc<dyn Platform>,
    pace: Pace<impl Delays>,
    give_up: impl Future<Output = C>,
    mut condition: impl FnMut() -> F,
) -> Result<T, PollError<E, C>> {
    let Pace { mut delays, immediate, sliding } = pace;
    let mut give_up = pin!(give_up);
    let mut delay = |host: &Arc<dyn Platform>| host.sleep(delays.next_delay(&**host));
    let mut timer = (!sliding || !immediate).then(|| delay(platform));
    if immediate && let Some(value) = ask(condition(), give_up.as_mut()).await? {
        return Ok(value);
    }
    loop {
        let due = timer.take().unwrap_or_else(|| delay(platform));
        wait(due, give_up.as_mut()).await?;
        if !sliding {
            timer = Some(delay(platform));
        }
        if let Some(value) = ask(condition(), give_up.as_mut()).await? {
            return Ok(value);
        }
    }
}

/// Asks `condition` at once and then after each delay of `backoff`, at most as often as that has steps, until it gives something,
/// fails, or `give_up` ends (apimachinery `util/wait/backoff.go`, `ExponentialBackoffWithContext`). With no steps it is not asked at
/// all. Where the delays reach their cap, that delay is waited for, and then it is over.
///
/// ```
/// use std::{convert::Infallible, future::pending, sync::Arc};
/// use porthole_client_core::{
///     flowcontrol::{BackoffSteps, PollError, poll_steps},
///     platform::{FakePlatform, Platform, ready},
/// };
///
/// let platform: Arc<dyn Platform> = Arc::new(FakePlatform::default());
/// let once = BackoffSteps { steps: 1, ..BackoffSteps::default() };
/// let never = poll_steps(&platform, once, pending::<Infallible>(), async || Ok::<Option<()>, Infallible>(None));
/// assert_eq!(ready(never), Err(PollError::Exhausted));
/// ```
///
/// # Errors
/// What `condition` fails with, what `give_up` ends with, or that all steps were taken.
pub async fn poll_steps<T, E, C, F: Future<Output = Result<Option<T>, E>>>(
    platform: &Arc<dyn Platform>,
    mut backoff: BackoffSteps,
    give_up: impl Future<Output = C>,
    mut condition: impl FnMut() -> F,
) -> Result<T, PollError<E, C>> {
    let mut give_up = pin!(give_up);
    while backoff.steps > 0 {
        // Unlike the first time of `poll_until`, not even once where it was given up before.
        wait(Box::pin(std::future::ready(())), give_up.as_mut()).await?;
        if let Some(value) = ask(condition(), give_up.as_mut()).await? {
            return Ok(value);
        }
        if backoff.steps == 1 {
            break;
        }
        wait(platform.sleep(backoff.next_delay(&**platform)), give_up.as_mut()).await?;
    }
    Err(PollError::Exhausted)
}

/// Does `work` at this pace until `stop` ends, and gives back what that ended with (apimachinery `util/wait/backoff.go`,
/// `BackoffUntilWithContext`, which is all of `Until`, `NonSlidingUntil` and `JitterUntil`). Once it has ended no work begins, and
/// what waits is dropped. A panic of the work ends it all; client-go tells of it and goes on.
///
/// ```
/// use std::{cell::Cell, sync::Arc, time::Duration};
/// use porthole_client_core::{
///     flowcontrol::{Pace, repeat},
///     platform::{FakePlatform, Platform, is_ready, time_limit},
/// };
///
/// let clock = FakePlatform::default();
/// let platform: Arc<dyn Platform> = Arc::new(clock.clone());
/// let done = Cell::new(0);
/// let stop = time_limit(&platform, Duration::from_millis(2500));
/// let mut task = Box::pin(async {
///     repeat(&platform, Pace::every(Duration::from_secs(1)), stop, async || done.set(done.get() + 1)).await;
/// });
/// while !is_ready(&mut task) {
///     clock.advance(Duration::from_millis(500));
/// }
/// assert_eq!(done.get(), 3);
/// ```
pub async fn repeat<C, F: Future<Output = ()>>(
    platform: &Arc<dyn Platform>,
    pace: Pace<impl Delays>,
    stop: impl Future<Output = C>,
    mut work: impl FnMut() -> F,
) -> C {
    let mut stop = pin!(stop);
    // Before each delay ends it is asked anyway.
    if let Poll::Ready(cause) = poll!(stop.as_mut()) {
        return cause;
    }
    let done = poll_until(platform, pace, stop, || {
        let work = work();
        async move {
            work.await;
            Ok::<Option<Infallible>, Infallible>(None)
        }
    });
    match done.await {
        Err(PollError::Interrupted(cause)) => cause,
        Ok(never) | Err(PollError::Failed(never)) => match never {},
        Err(PollError::Exhausted) => pending().await,
    }
}

/// What the condition says, if it says it before somebody gives up. What it says counts, even if that is now.
async fn ask<T, E, C>(
    condition: impl Future<Output = Result<Option<T>, E>>,
    give_up: Pin<&mut impl Future<Output = C>>,
) -> Result<Option<T>, PollError<E, C>> {
    match select(pin!(condition), give_up).await {
        Either::Left((answer, _)) => answer.map_err(PollError::Failed),
        Either::Right((cause, _)) => Err(PollError::Interrupted(cause)),
    }
}

/// Waits for `due`. Who gives up counts, even if it is due now: short delays must not outrun it.
async fn wait<E, C>(due: BoxFuture<'static, ()>, give_up: Pin<&mut impl Future<Output = C>>) -> Result<(), PollError<E, C>> {
    match select(give_up, due).await {
        Either::Left((cause, _)) => Err(PollError::Interrupted(cause)),
        Either::Right(((), _)) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
