//! What a queue holds, and what is done to it; without locks, tasks and clocks.

use std::{mem, time::Duration};

use rustc_hash::FxHashMap;

use super::{Order, WorkItem, delayed::Delayed, times::Times};
use crate::{platform::Instant, queue::Closed};

/// What a queue holds (client-go `util/workqueue/queue.go`, `Typed`). What it lets go of it gives back, so that it is dropped
/// after the lock. Times are given as `None` where nobody wants to know them.
pub(super) struct State<T> {
    order: Box<dyn Order<T>>,
    items: FxHashMap<T, Place>,
    /// How many of the items are being processed.
    processing: usize,
    delayed: Delayed<T>,
    phase: Phase,
    times: Option<Times<T>>,
}

/// Where an item is. Client-go has a set of those that are dirty and one of those in processing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the order.
    Queued,
    /// With a worker.
    Processing,
    /// With a worker, and added since.
    Dirty,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    ShuttingDown,
    /// Shutting down, and whoever asked for that waits until all is done.
    Draining,
}

/// What became of an item that was added.
pub(super) enum Added<T> {
    /// It is queued, and who waits for work is to be woken.
    Queued,
    /// It is to be queued when the worker that has it is done.
    Marked(T),
    /// Nothing: it is queued already, or none is taken any more.
    Ignored(T),
}

/// What became of an item that is to be added later.
pub(super) enum Put<T> {
    /// None is taken any more.
    Refused(T),
    /// It had not to wait.
    Added(Added<T>),
    /// It waits. What it was already waiting as is given back.
    Waits { _duplicate: Option<T>, timer: Timer },
}

/// What is to be done with the timer of the items that wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Timer {
    /// Nothing.
    Runs,
    /// It rings too late.
    Late,
    /// There is none.
    Missing,
}

/// Items whose time has come.
pub(super) struct Delivered<T> {
    /// When the next is due, where there is one.
    pub(super) next: Option<Instant>,
    pub(super) added: Vec<Added<T>>,
}

/// An item for a worker.
pub(super) struct Taken<T> {
    pub(super) item: T,
    pub(super) waited: Option<Duration>,
}

/// A worker is done with an item.
pub(super) struct Done<T> {
    /// Whether that concerns who waits.
    pub(super) wakes: bool,
    pub(super) took: Option<Duration>,
    /// What is dropped after the lock.
    pub(super) _gone: Option<T>,
}

impl<T: WorkItem> State<T> {
    pub(super) fn new(order: Box<dyn Order<T>>, timed: bool) -> Self {
        Self {
            order,
            items: FxHashMap::default(),
            processing: 0,
            delayed: Delayed::new(),
            phase: Phase::Open,
            times: timed.then(Times::default),
        }
    }

    pub(super) fn add(&mut self, item: T, now: Option<Instant>) -> Added<T> {
        if self.is_shutting_down() {
            return Added::Ignored(item);
        }
        match self.items.get_mut(&item) {
            Some(Place::Queued) => {
                self.order.touch(&item);
                Added::Ignored(item)
            }
            Some(Place::Dirty) => Added::Ignored(item),
            Some(place @ Place::Processing) => {
                *place = Place::Dirty;
                self.note_added(&item, now);
                Added::Marked(item)
            }
            None => {
                self.note_added(&item, now);
                self.items.insert(item.clone(), Place::Queued);
                self.order.push(item);
                Added::Queued
            }
        }
    }

    /// Adds an item at `at`, or now where that is not later.
    pub(super) fn add_at(&mut self, item: T, at: Instant, now: Instant) -> Put<T> {
        if self.is_shutting_down() {
            return Put::Refused(item);
        }
        if at <= now {
            return Put::Added(self.add(item, Some(now)));
        }
        let before = self.delayed.next();
        let duplicate = self.delayed.put(item, at);
        let timer = match before {
            None => Timer::Missing,
            Some(before) if at < before => Timer::Late,
            Some(_) => Timer::Runs,
        };
        Put::Waits { _duplicate: duplicate, timer }
    }

    /// Adds up to `most` items that are due.
    pub(super) fn deliver(&mut self, now: Instant, most: usize) -> Delivered<T> {
        let mut added = Vec::new();
        while added.len() < most
            && let Some(item) = self.delayed.pop_due(now)
        {
            added.push(self.add(item, Some(now)));
        }
        Delivered { next: self.delayed.next(), added }
    }

    /// Hands out the next item, and how long it waited; or says that there will be no more. What an order makes up or hands out
    /// twice is passed over.
    pub(super) fn take(&mut self, now: Option<Instant>) -> Option<Result<Taken<T>, Closed>> {
        while let Some(item) = self.order.pop() {
            if let Some(place @ Place::Queued) = self.items.get_mut(&item) {
                *place = Place::Processing;
                self.processing += 1;
                let waited = self.times.as_mut().zip(now).and_then(|(times, now)| times.taken(&item, now));
                return Some(Ok(Taken { item, waited }));
            }
        }
        self.is_shutting_down().then_some(Err(Closed))
    }

    pub(super) fn done(&mut self, item: &T, now: Option<Instant>) -> Done<T> {
        let took = self.times.as_mut().zip(now).and_then(|(times, now)| times.done(item, now));
        self.processing = self.processing.saturating_sub(1);
        if let Some(place @ Place::Dirty) = self.items.get_mut(item) {
            *place = Place::Queued;
            self.order.push(item.clone());
            return Done { wakes: true, took, _gone: None };
        }
        let gone = self.items.remove_entry(item).map(|(item, _)| item);
        Done { wakes: self.is_drained(), took, _gone: gone }
    }

    /// Takes nothing more, and gives back what waited for its time.
    pub(super) fn shut_down(&mut self, drain: bool) -> Delayed<T> {
        self.phase = if drain { Phase::Draining } else { Phase::ShuttingDown };
        mem::replace(&mut self.delayed, Delayed::new())
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.phase != Phase::Open
    }

    /// Whether nobody has to wait any longer for all to be done.
    pub(super) fn is_drained(&self) -> bool {
        match self.phase {
            Phase::Open => false,
            Phase::ShuttingDown => true,
            Phase::Draining => self.items.is_empty(),
        }
    }

    /// How many items are queued.
    pub(super) fn len(&self) -> usize {
        self.items.len() - self.processing
    }

    /// For how long the items that are being processed have been, all together, and the longest of them; until it is shut down.
    pub(super) fn unfinished(&self, now: Instant) -> Option<(Duration, Duration)> {
        self.times.as_ref().filter(|_| !self.is_shutting_down()).map(|times| times.unfinished(now))
    }

    fn note_added(&mut self, item: &T, now: Option<Instant>) {
        if let Some((times, now)) = self.times.as_mut().zip(now) {
            times.added(item, now);
        }
    }
}

impl<T> Added<T> {
    /// Whether there is work for who waits for it.
    pub(super) const fn wakes(&self) -> bool {
        matches!(self, Self::Queued)
    }

    /// Whether it counts as added.
    pub(super) const fn counts(&self) -> bool {
        matches!(self, Self::Queued | Self::Marked(_))
    }
}
