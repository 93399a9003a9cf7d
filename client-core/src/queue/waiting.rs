//! Something that tasks wait for.

use std::{
    future::poll_fn,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

/// A value, and who waits for it to change. Woken are all, each looks for itself, and none while the lock is held: a task that
/// gave up waiting then takes no change away from another, and a waker may do as it likes.
pub(crate) struct Waiting<S>(Mutex<State<S>>);

struct State<S> {
    value: S,
    wakers: Vec<Waker>,
}

impl<S> Waiting<S> {
    pub(crate) const fn new(value: S) -> Self {
        Self(Mutex::new(State { value, wakers: Vec::new() }))
    }

    /// Looks at the value.
    pub(crate) fn read<R>(&self, look: impl FnOnce(&S) -> R) -> R {
        look(&self.lock().value)
    }

    /// Changes the value and wakes all who wait.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        self.change_for(change, |_| true)
    }

    /// Changes the value, and wakes all who wait where what came of it is something `for_them`.
    pub(crate) fn change_for<R>(&self, change: impl FnOnce(&mut S) -> R, for_them: impl FnOnce(&R) -> bool) -> R {
        let mut state = self.lock();
        let result = change(&mut state.value);
        let wakers = if for_them(&result) { mem::take(&mut state.wakers) } else { Vec::new() };
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
        result
    }

    /// Waits until `take` finds something.
    pub(crate) async fn wait<R>(&self, mut take: impl FnMut(&mut S) -> Option<R>) -> R {
        poll_fn(|context| {
            let mut state = self.lock();
            if let Some(found) = take(&mut state.value) {
                return Poll::Ready(found);
            }
            if !state.wakers.iter().any(|known| known.will_wake(context.waker())) {
                state.wakers.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
