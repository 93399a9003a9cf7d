//! Something that happens once.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex, PoisonError},
    task::{Poll, Waker},
};

/// Something that happens once and is waited for by many (a channel that Go closes).
#[derive(Clone, Default)]
pub(super) struct Latch(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    open: bool,
    waiting: Vec<Waker>,
}

impl Latch {
    /// It has happened.
    pub(super) fn open(&self) {
        let waiting = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.open = true;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Whether it has.
    pub(super) fn is_open(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).open
    }

    /// Ends when it has.
    pub(super) async fn wait(&self) {
        poll_fn(|context| {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if state.open {
                return Poll::Ready(());
            }
            if !state.waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                state.waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}
