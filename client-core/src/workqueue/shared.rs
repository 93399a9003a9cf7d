//! What the clones of a queue share.

use std::{mem, sync::Arc, time::Duration};

use super::{
    WorkItem, WorkQueueMetrics,
    state::{Added, Put, State, Timer},
};
use crate::{
    platform::{Instant, Platform},
    queue::Waiting,
};

/// How many items whose time has come are added without letting others at the queue.
const BATCH: usize = 256;

/// What the clones of a queue share, and the items that are being processed. Each operation locks it once.
pub(super) struct Shared<T> {
    pub(super) state: Waiting<State<T>>,
    pub(super) platform: Arc<dyn Platform>,
    pub(super) metrics: Option<Arc<dyn WorkQueueMetrics>>,
    pub(super) signal: Arc<Waiting<Signal>>,
}

/// What the tasks of a queue are told. They have no part in the queue itself, which is gone when nobody else has.
#[derive(Default)]
pub(super) struct Signal {
    /// An item comes sooner than the timer.
    sooner: bool,
    /// The queue is shut down, or gone.
    over: bool,
}

impl Signal {
    /// Whether it is over.
    pub(super) fn over(&mut self) -> Option<()> {
        self.over.then_some(())
    }

    /// Whether it is to be looked which item comes next.
    pub(super) fn look(&mut self) -> Option<()> {
        (mem::take(&mut self.sooner) || self.over).then_some(())
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        self.signal.change(|signal| signal.over = true);
    }
}

impl<T: WorkItem> Shared<T> {
    /// The time, where somebody wants to know it.
    pub(super) fn now(&self) -> Option<Instant> {
        self.metrics.as_ref().map(|_| self.platform.now())
    }

    pub(super) fn add(&self, item: T) {
        let now = self.now();
        let added = self.state.change_for(|state| state.add(item, now), Added::wakes);
        self.count(&added);
    }

    /// Adds an item after `delay`, and calls `begin` where a timer is missing: before metrics are told, which may panic.
    pub(super) fn add_after(&self, item: T, delay: Duration, begin: impl FnOnce()) {
        let now = self.platform.now();
        let wakes = |put: &Put<T>| matches!(put, Put::Added(added) if added.wakes());
        let put = self.state.change_for(|state| state.add_at(item, now + delay, now), wakes);
        match &put {
            Put::Waits { timer: Timer::Missing, .. } => begin(),
            Put::Waits { timer: Timer::Late, .. } => self.signal.change(|signal| signal.sooner = true),
            Put::Waits { timer: Timer::Runs, .. } | Put::Added(_) | Put::Refused(_) => {}
        }
        if let (Some(metrics), Put::Added(_) | Put::Waits { .. }) = (&self.metrics, &put) {
            metrics.retried();
        }
        if let Put::Added(added) = &put {
            self.count(added);
        }
    }

    /// Adds the items that are due at `now`; gives back how long it is until the next one, where there is one. Nothing else is
    /// to be done where there is none: whoever puts the next in has a timer begin.
    pub(super) fn deliver(&self, now: Instant) -> Option<Duration> {
        loop {
            let delivered =
                self.state.change_for(|state| state.deliver(now, BATCH), |delivered| delivered.added.iter().any(Added::wakes));
            for added in &delivered.added {
                self.count(added);
            }
            let wait = delivered.next?.since(now);
            if !wait.is_zero() {
                return Some(wait);
            }
        }
    }

    pub(super) fn done(&self, item: &T) {
        let now = self.now();
        let done = self.state.change_for(|state| state.done(item, now), |done| done.wakes);
        if let Some((metrics, took)) = self.metrics.as_ref().zip(done.took) {
            metrics.done(took);
        }
    }

    pub(super) fn shut_down(&self, drain: bool) {
        let delayed = self.state.change(|state| state.shut_down(drain));
        self.signal.change(|signal| signal.over = true);
        drop(delayed);
    }

    pub(super) fn report(&self, now: Instant) {
        if let Some((metrics, (total, longest))) = self.metrics.as_ref().zip(self.state.read(|state| state.unfinished(now))) {
            metrics.unfinished(total, longest);
        }
    }

    fn count(&self, added: &Added<T>) {
        if let Some(metrics) = self.metrics.as_ref().filter(|_| added.counts()) {
            metrics.added();
        }
    }
}
