//! A host whose time stands still until a test moves it.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use futures::{channel::oneshot, task::noop_waker};

use super::{BoxFuture, Instant, Platform, WallTime};

/// A platform for tests: time moves by [`advance`](Self::advance), random numbers are all one half, and
/// spawned tasks wait in a list until [`tasks`](Self::tasks) hands them out.
#[derive(Clone, Default)]
pub struct FakePlatform(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    elapsed: Duration,
    timers: BTreeMap<(Duration, usize), oneshot::Sender<()>>,
    started: usize,
    tasks: Vec<BoxFuture<'static, ()>>,
}

opaque_debug!(FakePlatform);

impl FakePlatform {
    /// Moves both clocks on and fires the timers that fall due.
    pub fn advance(&self, by: Duration) {
        let due = {
            let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            inner.elapsed += by;
            let elapsed = inner.elapsed;
            let later = inner.timers.split_off(&(elapsed + Duration::from_nanos(1), 0));
            std::mem::replace(&mut inner.timers, later)
        };
        for sender in due.into_values() {
            // A dropped sleep has nobody to tell.
            sender.send(()).ok();
        }
    }

    /// The tasks spawned since the last call.
    #[must_use]
    pub fn tasks(&self) -> Vec<BoxFuture<'static, ()>> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).tasks)
    }
}

impl Platform for FakePlatform {
    fn now(&self) -> Instant {
        Instant::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed)
    }

    fn wall_time(&self) -> WallTime {
        let elapsed = self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed;
        WallTime(1_800_000_000_000 + i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    fn random(&self) -> f64 {
        0.5
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let (sender, receiver) = oneshot::channel();
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.started += 1;
        let at = (inner.elapsed + duration, inner.started);
        inner.timers.insert(at, sender);
        Box::pin(async move {
            receiver.await.ok();
        })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).tasks.push(task);
    }
}

/// The answer of `work`, which may wait for nothing that takes time: a test's own server and storage answer at once.
/// It runs in a browser too, where nothing can be waited for by blocking.
///
/// # Panics
/// Where `work` still waits after a hundred turns.
#[expect(clippy::panic, reason = "a test that would wait for ever has failed")]
pub fn ready<T>(work: impl Future<Output = T>) -> T {
    let (mut work, waker) = (pin!(work), noop_waker());
    for _ in 0..100 {
        if let Poll::Ready(answer) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            return answer;
        }
    }
    panic!(
        "the future waits for what nobody does: for time that is not advanced, a task that is not run, or a peer that says nothing"
    )
}

/// Whether `work` is done now. Once it is, it must not be asked again.
pub fn is_ready(work: &mut (impl Future<Output = ()> + Unpin)) -> bool {
    pin!(work).poll(&mut Context::from_waker(&noop_waker())).is_ready()
}
