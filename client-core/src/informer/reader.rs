//! Who is told by an informer, in its own turn.

use std::sync::{Arc, Mutex};

use super::{Change, lock::lock};
use crate::{platform::MaybeSend, reflector::Health, store::SharedIndexer};

/// What a reader is told.
pub struct News<'a, T> {
    /// What changed, in order. The cache has all of it.
    pub changes: &'a Arc<Vec<Change<T>>>,
    /// How the watch is.
    pub health: &'a Health,
    /// The cache. It may be looked at from within a reader.
    pub cache: &'a SharedIndexer<T>,
    /// Whether it is told because handlers want to hear of every object again now and then.
    pub is_resync: bool,
    /// Whether all that was there at the start has been told.
    pub is_synced: bool,
}

/// A reader: is called with each batch of changes, after the cache has them, and with each change of health, in the informer's own
/// turn. So it is to be quick; who takes time is a handler. What it asks of the informer is done after its turn.
pub trait Reader<T>: FnMut(&News<'_, T>) + MaybeSend + 'static {}
impl<T, F: FnMut(&News<'_, T>) + MaybeSend + 'static> Reader<T> for F {}

/// The readers there are, by number, whether they have been told anything yet or not.
#[derive(Default)]
pub(super) struct Roll(Mutex<Numbers>);

#[derive(Default)]
struct Numbers {
    present: Vec<u64>,
    next: u64,
}

impl Roll {
    pub(super) fn enter(&self) -> u64 {
        let mut numbers = lock(&self.0);
        let number = numbers.next;
        numbers.next += 1;
        numbers.present.push(number);
        number
    }

    /// Gives back how many are left.
    pub(super) fn leave(&self, number: u64) -> usize {
        let mut numbers = lock(&self.0);
        numbers.present.retain(|other| *other != number);
        numbers.present.len()
    }

    pub(super) fn has(&self, number: u64) -> bool {
        lock(&self.0).present.contains(&number)
    }
}
