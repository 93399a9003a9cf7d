//! What all queues do with what is put in.

use rustc_hash::FxHashSet;

use super::Transform;
use crate::{
    object::Object,
    store::{Entry, Fresh, Key},
};

/// Takes objects in, and keeps account of lists.
pub(super) struct Intake<T> {
    transform: Option<Box<dyn Transform<T>>>,
    /// While a list arrives: what is there.
    seen: Option<FxHashSet<Key>>,
    initial: Initial,
    pub(super) closed: bool,
}

/// How far the first list has been taken out.
#[derive(Clone, Copy)]
enum Initial {
    /// It is not whole yet.
    Expected,
    /// So much of it is left at the head of the queue.
    Left(usize),
    /// It has been taken out, or there was none.
    Done,
}

impl<T: Object> Intake<T> {
    pub(super) const fn new(transform: Option<Box<dyn Transform<T>>>) -> Self {
        Self { transform, seen: None, initial: Initial::Expected, closed: false }
    }

    /// Takes in an object, to no account.
    pub(super) fn entry(&self, mut object: Fresh<T>) -> Entry<T> {
        let key = Key::of(&*object);
        if let Some(transform) = &self.transform {
            object.change(transform);
        }
        Entry { key, object: object.share() }
    }

    /// Takes in an object that is there.
    pub(super) fn present(&mut self, object: Fresh<T>) -> Entry<T> {
        let entry = self.entry(object);
        match &mut self.seen {
            Some(seen) => {
                seen.insert(entry.key.clone());
            }
            None => self.changed(),
        }
        entry
    }

    /// Notes that an object is gone.
    pub(super) fn gone(&mut self, key: &Key) {
        match &mut self.seen {
            Some(seen) => {
                seen.remove(key);
            }
            None => self.changed(),
        }
    }

    /// Something came outside of lists: where it is the first there is, nobody waits for a list.
    const fn changed(&mut self) {
        if matches!(self.initial, Initial::Expected) {
            self.initial = Initial::Done;
        }
    }

    pub(super) fn begin(&mut self) {
        self.seen = Some(FxHashSet::default());
    }

    /// What the open list brought, which is open no more.
    pub(super) const fn end(&mut self) -> Option<FxHashSet<Key>> {
        self.seen.take()
    }

    /// A list is whole, and so much is queued.
    pub(super) const fn listed(&mut self, queued: usize) {
        if matches!(self.initial, Initial::Expected) {
            self.initial = Initial::left(queued);
        }
    }

    /// So much has been taken out.
    pub(super) const fn popped(&mut self, count: usize) {
        if let Initial::Left(left) = self.initial {
            self.initial = Initial::left(left.saturating_sub(count));
        }
    }

    pub(super) const fn has_synced(&self) -> bool {
        matches!(self.initial, Initial::Done)
    }

    /// How much of what is queued belongs to the first list, where something else may follow it.
    pub(super) const fn initial_left(&self) -> Option<usize> {
        if let Initial::Left(left) = self.initial { Some(left) } else { None }
    }
}

impl Initial {
    const fn left(count: usize) -> Self {
        if count == 0 { Self::Done } else { Self::Left(count) }
    }
}
