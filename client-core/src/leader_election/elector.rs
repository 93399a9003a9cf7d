//! The elector.

use std::{
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex},
    task::Poll,
    time::Duration,
};

use futures::future::{Either, select};

use super::{
    ElectionError, InvalidElection, LeaderElectionOptions, LeaseLock, Loss, NotRenewed,
    attempt::Attempt,
    inner::{Inner, State},
    options::JITTER,
};
use crate::{
    flowcontrol::times,
    informer::lock::lock,
    platform::{Instant, timeout},
};

/// A candidate of an election, which does its work while it leads (client-go `tools/leaderelection/leaderelection.go`,
/// `LeaderElector`). Clones are the same candidate. What it promises is said in the [module](super).
///
/// ```
/// use std::{future::pending, sync::Arc};
/// use porthole_client_core::{
///     fake::FakeApiServer,
///     leader_election::{ElectionError, LeaderElectionOptions, LeaderElector, LeaseLock},
///     platform::{FakePlatform, ready},
/// };
///
/// let server = FakeApiServer::new(Arc::new(FakePlatform::default()));
/// let options = LeaderElectionOptions { release_on_cancel: true, ..LeaderElectionOptions::default() };
/// let elector = LeaderElector::new(LeaseLock::new(server.client(), "default", "shop", "web-0"), options)?;
///
/// // A program passes what ends when it is to stop, and work that does not end by itself.
/// let stop = pending::<std::convert::Infallible>();
/// let answer = ready(elector.run(stop, || async {
///     assert!(elector.is_leader());
///     "done"
/// }));
/// assert_eq!(answer, Ok("done"));
/// assert_eq!((elector.is_leader(), elector.leader()), (false, None));
/// # Ok::<(), porthole_client_core::leader_election::InvalidElection>(())
/// ```
#[derive(Clone)]
pub struct LeaderElector {
    pub(super) inner: Arc<Inner>,
}

opaque_debug!(LeaderElector);

impl LeaderElector {
    /// A candidate for the lease of `lock`. Nothing is asked before it runs.
    ///
    /// # Errors
    /// Where the candidate has no identity, or the times do not fit each other.
    pub fn new(lock: LeaseLock, options: LeaderElectionOptions) -> Result<Self, InvalidElection> {
        options.validate()?;
        if lock.identity().is_empty() {
            return Err(InvalidElection::NoIdentity);
        }
        let platform = Arc::clone(lock.client().platform());
        Ok(Self { inner: Arc::new(Inner { platform, lease: lock, options, state: Mutex::default() }) })
    }

    /// Waits for the lease, then does what `lead` gives while it renews the lease, and gives back the answer of that.
    ///
    /// The work is dropped where the leadership is lost, and where `stop` ends. What it has spawned is not: that must end with it.
    /// Work that is to end in its own time listens for that itself, and then returns. After that, and only after that, the lease
    /// is released, where the options say so. It is given up at once by dropping this; the lease is not released then.
    ///
    /// An elector can run again after it ended.
    ///
    /// # Errors
    /// What `stop` ends with; how the leadership was lost; or that another run has not ended.
    pub async fn run<T, C, F: Future<Output = T>>(
        &self,
        stop: impl Future<Output = C>,
        lead: impl FnOnce() -> F,
    ) -> Result<T, ElectionError<C>> {
        let inner = &*self.inner;
        let mut run = Run::begin(inner).ok_or(ElectionError::Running)?;
        let mut stop = pin!(stop);
        let stopped = match select(stop.as_mut(), pin!(inner.acquire())).await {
            Either::Left((cause, _)) => Some(cause),
            Either::Right(((), _)) => None,
        };
        if let Some(cause) = stopped {
            // An answer may be on its way that says that it leads.
            if lock(&inner.state).claimed {
                run.end(inner.platform.now() + inner.options.lease_duration).await;
            }
            return Err(ElectionError::Interrupted(cause));
        }
        run.led = true;
        inner.tell(true);
        let end = {
            let (mut renewing, mut work) = (pin!(inner.renew()), pin!(lead()));
            poll_fn(|context| {
                if let Poll::Ready(loss) = renewing.as_mut().poll(context) {
                    return Poll::Ready(Err(ElectionError::Lost(loss)));
                }
                // A timer can be late, where a browser slows a page down or a thread is busy.
                if !inner.leads() {
                    return Poll::Ready(Err(ElectionError::Lost(inner.expired())));
                }
                if let Poll::Ready(cause) = stop.as_mut().poll(context) {
                    return Poll::Ready(Err(ElectionError::Interrupted(cause)));
                }
                work.as_mut().poll(context).map(Ok)
            })
            .await
        };
        let renewed = lock(&inner.state).renewed;
        if let (false, Some(renewed)) = (matches!(end, Err(ElectionError::Lost(Loss::Taken { .. }))), renewed) {
            run.end(renewed + inner.options.lease_duration).await;
        }
        end
    }

    /// Whether it leads at this moment. Asked from elsewhere than from within its work, the answer may be old when it is there.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.inner.leads()
    }

    /// Who led when it last looked; `None` where nobody did, or it never looked (`GetLeader`).
    #[must_use]
    pub fn leader(&self) -> Option<String> {
        Some(lock(&self.inner.state).holder().to_owned()).filter(|holder| !holder.is_empty())
    }

    /// The lease it wants.
    #[must_use]
    pub fn lock(&self) -> &LeaseLock {
        &self.inner.lease
    }

    /// Looks whether it is well (client-go `tools/leaderelection/healthzadaptor.go`): for a liveness probe, which restarts a program
    /// that hangs.
    ///
    /// # Errors
    /// Where a run leads and has not ended, though the lease has not been renewed for its duration and the `tolerance`.
    pub fn check(&self, tolerance: Duration) -> Result<(), NotRenewed> {
        let limit = self.inner.options.lease_duration.saturating_add(tolerance);
        let renewed = lock(&self.inner.state).renewed;
        match renewed {
            Some(renewed) if self.inner.platform.now().since(renewed) > limit => {
                Err(NotRenewed { lease: self.inner.lease.to_string() })
            }
            _ => Ok(()),
        }
    }
}

impl Inner {
    /// Tries until the lease is its own. The waits between are of different lengths, so that not all candidates try together.
    async fn acquire(&self) {
        while self.attempt(false).await != Attempt::Held || !self.leads() {
            // What came too late to lead by is none that a probe has to know of.
            lock(&self.state).renewed = None;
            let wait = self.options.retry_period;
            self.platform.sleep(wait.saturating_add(times(wait, self.platform.random() * JITTER))).await;
        }
    }

    /// Renews the lease again and again, until it is lost.
    async fn renew(&self) -> Loss {
        loop {
            let since = |renewed: Instant| self.platform.now().since(renewed);
            let past = lock(&self.state).renewed.map(since).unwrap_or_default();
            self.platform.sleep(self.options.retry_period.saturating_sub(past)).await;
            let left = self.deadline().map(|deadline| deadline.since(self.platform.now())).unwrap_or_default();
            if left.is_zero() {
                return self.expired();
            }
            match timeout(&self.platform, left, Box::pin(self.renew_once())).await {
                None => return self.expired(),
                Some(Some(loss)) => return loss,
                Some(None) => {}
            }
        }
    }

    /// Tries until the lease is renewed, or is not its own any more.
    async fn renew_once(&self) -> Option<Loss> {
        loop {
            match self.attempt(true).await {
                Attempt::Held => return None,
                Attempt::Lost(loss) => return Some(loss),
                Attempt::NotHeld => self.platform.sleep(self.options.retry_period).await,
            }
        }
    }

    const fn expired(&self) -> Loss {
        Loss::Expired(self.options.renew_deadline)
    }
}

/// A run that has not ended.
struct Run<'a> {
    inner: &'a Inner,
    led: bool,
}

impl<'a> Run<'a> {
    fn begin(inner: &'a Inner) -> Option<Self> {
        let mut state = lock(&inner.state);
        if state.running {
            return None;
        }
        let State { running, claimed, .. } = &mut *state;
        (*running, *claimed) = (true, false);
        Some(Self { inner, led: false })
    }

    /// It leads no more; gives the lease back where that is wanted.
    async fn end(&mut self, until: Instant) {
        lock(&self.inner.state).renewed = None;
        if self.inner.options.release_on_cancel {
            self.inner.release(until).await;
        }
    }
}

/// Also where the run was dropped, or its work panicked.
impl Drop for Run<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.inner.state);
        (state.running, state.renewed) = (false, None);
        drop(state);
        if self.led {
            self.inner.tell(false);
        }
    }
}
