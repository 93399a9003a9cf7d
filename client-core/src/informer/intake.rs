//! From a reflector to a queue.

use crate::{
    object::Object,
    platform::MaybeSend,
    queue::{Fifo, Popped, Queue},
    reflector::Output,
    store::{Fresh, Key, SharedIndexer},
};

use super::gather::Gather;

/// How what a reflector brings gets into the queue of an informer, and which queue that is.
pub struct Intake<T>(pub(super) Box<dyn TakeIn<T>>);

opaque_debug!(Intake<T>);

impl<T: Object> Default for Intake<T> {
    /// As in client-go: [whole](Self::whole) lists, and every event in order.
    fn default() -> Self {
        Self::whole(Fifo::default())
    }
}

impl<T: Object> Intake<T> {
    /// A list gets into `queue` once it is whole, all at once: no reader ever sees a part of it.
    #[must_use]
    pub fn whole(queue: impl Queue<T> + 'static) -> Self {
        Self(Box::new(Whole { queue, gather: None }))
    }

    /// The objects of a list get into `queue` as they come: the first rows are on a screen before the last have arrived. A list is
    /// never older than the cache, so nothing goes back in time; what it does not bring goes at its end.
    #[must_use]
    pub fn as_they_come(queue: impl Queue<T> + 'static) -> Self {
        Self(Box::new(AsTheyCome(queue)))
    }
}

pub(super) trait TakeIn<T>: MaybeSend {
    /// Takes in what the reflector brought; `known` is what has come out.
    fn take_in(&mut self, output: Output<Fresh<T>>, known: &SharedIndexer<T>);

    /// What the object of this key is now is not known: it cannot be read, or went unseen.
    fn lose(&mut self, key: Key, known: &SharedIndexer<T>);

    fn pop(&mut self) -> Option<Popped<T>>;

    fn has_synced(&self) -> bool;

    fn resync(&mut self, known: &SharedIndexer<T>);
}

struct AsTheyCome<Q>(Q);

impl<T: Object, Q: Queue<T>> TakeIn<T> for AsTheyCome<Q> {
    fn take_in(&mut self, output: Output<Fresh<T>>, known: &SharedIndexer<T>) {
        match output {
            Output::Begin => self.0.begin_replace(),
            Output::Listed(object) => self.0.replace_item(object),
            Output::Synced(resource_version) => self.0.end_replace(resource_version, known),
            other => change(&mut self.0, other, known),
        }
    }

    fn lose(&mut self, key: Key, known: &SharedIndexer<T>) {
        self.0.delete_unseen(key, None, known);
    }

    fn pop(&mut self) -> Option<Popped<T>> {
        self.0.pop()
    }

    fn has_synced(&self) -> bool {
        self.0.has_synced()
    }

    fn resync(&mut self, known: &SharedIndexer<T>) {
        self.0.resync(known);
    }
}

struct Whole<T, Q> {
    queue: Q,
    /// The list that is on its way.
    gather: Option<Gather<T>>,
}

impl<T: Object, Q: Queue<T>> TakeIn<T> for Whole<T, Q> {
    fn take_in(&mut self, output: Output<Fresh<T>>, known: &SharedIndexer<T>) {
        match (&mut self.gather, output) {
            (_, Output::Begin) => self.gather = Some(Gather::default()),
            (Some(gather), Output::Listed(object) | Output::Added(object) | Output::Modified(object)) => gather.put(object),
            (Some(gather), Output::Deleted(object)) => gather.remove(&Key::of(&*object)),
            (gather @ Some(_), Output::Synced(resource_version)) => {
                let objects = gather.take().into_iter().flat_map(Gather::into_objects);
                self.queue.replace(objects, resource_version, known);
            }
            (gather, other) => {
                if matches!(other, Output::Clear) {
                    *gather = None;
                }
                change(&mut self.queue, other, known);
            }
        }
    }

    fn lose(&mut self, key: Key, known: &SharedIndexer<T>) {
        match &mut self.gather {
            Some(gather) => gather.remove(&key),
            None => self.queue.delete_unseen(key, None, known),
        }
    }

    fn pop(&mut self) -> Option<Popped<T>> {
        self.queue.pop()
    }

    fn has_synced(&self) -> bool {
        self.queue.has_synced()
    }

    fn resync(&mut self, known: &SharedIndexer<T>) {
        self.queue.resync(known);
    }
}

/// Takes in what is no part of a list.
fn change<T: Object>(queue: &mut impl Queue<T>, output: Output<Fresh<T>>, known: &SharedIndexer<T>) {
    match output {
        Output::Added(object) => queue.add(object),
        Output::Modified(object) => queue.update(object),
        Output::Deleted(object) => queue.delete(object, known),
        Output::Bookmark(resource_version) => queue.bookmark(resource_version),
        Output::Clear => queue.clear(known),
        // A list begins before anything of it comes.
        Output::Begin | Output::Listed(_) | Output::Synced(_) => {}
    }
}
