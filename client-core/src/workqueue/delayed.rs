//! Items that wait for their time.

use std::hash::Hash;

use crate::{
    platform::Instant,
    queue::{Before, PlacedHeap},
};

/// Items that wait for their time, each once, the next at hand (client-go `util/workqueue/delaying_queue.go`,
/// `waitForPriorityQueue`). Of those with the same time the one that was put in first comes first.
pub(super) struct Delayed<T> {
    heap: PlacedHeap<T, Due, Soonest>,
    count: u64,
}

#[derive(Clone, Copy)]
struct Due {
    at: Instant,
    number: u64,
}

/// Known when it is compiled, so that comparing calls nothing.
struct Soonest;

impl Before<Due> for Soonest {
    fn before(&self, one: &Due, other: &Due) -> bool {
        (one.at, one.number) < (other.at, other.number)
    }
}

impl<T: Clone + Eq + Hash> Delayed<T> {
    pub(super) fn new() -> Self {
        Self { heap: PlacedHeap::new(Soonest), count: 0 }
    }

    /// Lets an item wait until `at`. One that waits already gets the earlier time, and is given back.
    pub(super) fn put(&mut self, item: T, at: Instant) -> Option<T> {
        self.count += 1;
        let due = Due { at, number: self.count };
        if let Some(known) = self.heap.get(&item) {
            if at < known.at {
                self.heap.replace(&item, due).ok();
            }
            return Some(item);
        }
        self.heap.insert(item, due);
        None
    }

    /// When the next item is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.heap.peek().map(|due| due.at)
    }

    /// Takes out the next item that is due at `now`.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<T> {
        self.next().filter(|at| *at <= now)?;
        self.heap.pop().map(|(item, _)| item)
    }
}
