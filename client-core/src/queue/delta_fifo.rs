//! The queue that gathers events by object.

use std::{collections::VecDeque, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Deleted, Delta, KnownObjects, Popped, Queue, Transform, intake::Intake};
use crate::{
    meta::ResourceVersion,
    object::Object,
    store::{Entry, Fresh, Key},
};

/// How a [`DeltaFifo`] works (client-go `tools/cache/delta_fifo.go`, `DeltaFIFOOptions`).
pub struct DeltaFifoOptions<T> {
    /// Changes each object before it is queued.
    pub transform: Option<Box<dyn Transform<T>>>,
    /// Whether an object of a list is a [`Delta::Replaced`], and not a [`Delta::Sync`] as if nothing had happened to it; true by
    /// default, as client-go's informers have it.
    pub emit_replaced: bool,
}

impl<T> Default for DeltaFifoOptions<T> {
    fn default() -> Self {
        Self { transform: None, emit_replaced: true }
    }
}

/// The deltas of each object, in the order in which the objects came (client-go `tools/cache/delta_fifo.go`, `DeltaFIFO`).
///
/// What comes out at once is all that happened to one object since it last came out. Nothing is merged but one deletion with
/// another right before it; of those the one that tells more stays. A deletion of what is neither queued nor known is dropped.
/// It knows no bookmarks and no deltas about all objects.
///
/// ```
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::PartialObjectMetadata,
///     queue::{Delta, DeltaFifo, Queue as _},
/// };
///
/// let pod = |name: &str| PartialObjectMetadata::new(ObjectMeta { name: name.into(), ..ObjectMeta::default() });
/// let mut queue = DeltaFifo::default();
/// queue.add(pod("a"));
/// queue.add(pod("b"));
/// queue.update(pod("a"));
///
/// assert!(matches!(&queue.pop().unwrap().deltas[..], [Delta::Added(_), Delta::Updated(a)] if a.key.as_str() == "a"));
/// assert!(matches!(&queue.pop().unwrap().deltas[..], [Delta::Added(b)] if b.key.as_str() == "b"));
/// ```
pub struct DeltaFifo<T> {
    intake: Intake<T>,
    /// Of each key in `order`, and of no other; none is empty.
    deltas: FxHashMap<Key, Vec<Delta<T>>>,
    order: VecDeque<Key>,
    emit_replaced: bool,
}

opaque_debug!(DeltaFifoOptions<T>, DeltaFifo<T>);

impl<T: Object> Default for DeltaFifo<T> {
    fn default() -> Self {
        Self::new(DeltaFifoOptions::default())
    }
}

impl<T: Object> DeltaFifo<T> {
    /// An empty queue.
    #[must_use]
    pub fn new(options: DeltaFifoOptions<T>) -> Self {
        Self {
            intake: Intake::new(options.transform),
            deltas: FxHashMap::default(),
            order: VecDeque::new(),
            emit_replaced: options.emit_replaced,
        }
    }

    /// What is queued for this key, the oldest first; empty where nothing is.
    #[must_use]
    pub fn deltas(&self, key: &Key) -> &[Delta<T>] {
        self.deltas.get(key).map_or(&[], Vec::as_slice)
    }

    /// The keys for which something is queued, in the order in which they come out.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.order.iter()
    }

    fn push(&mut self, key: Key, delta: Delta<T>) {
        let Some(deltas) = self.deltas.get_mut(&key) else {
            self.deltas.insert(key.clone(), vec![delta]);
            self.order.push_back(key);
            return;
        };
        if let (Delta::Deleted(new), Some(Delta::Deleted(old))) = (&delta, deltas.last()) {
            if tells_more(new, old) {
                deltas.pop();
            } else {
                return;
            }
        }
        deltas.push(delta);
    }

    fn bury(&mut self, key: Key, last: Option<Arc<T>>) {
        self.push(key.clone(), Delta::Deleted(Deleted::FinalStateUnknown { key, last }));
    }

    fn delete_others(&mut self, kept: &FxHashSet<Key>, known: &dyn KnownObjects<T>) {
        // Of what is deleted already only one deletion stays.
        let gone: Vec<_> = (self.order.iter().filter(|key| !kept.contains(*key)))
            .map(|key| (key.clone(), self.deltas(key).last().and_then(Delta::object).cloned()))
            .collect();
        for (key, last) in gone {
            self.bury(key, last);
        }
        for key in known.keys() {
            if !kept.contains(&key) && !self.deltas.contains_key(&key) {
                let last = known.find(&key);
                self.bury(key, last);
            }
        }
    }

    fn delete_if_there(&mut self, deleted: Deleted<T>, known: &dyn KnownObjects<T>) {
        let key = deleted.key().clone();
        self.intake.gone(&key);
        // What is neither here nor there was deleted already, by a list perhaps: it is not told twice.
        if self.deltas.contains_key(&key) || known.find(&key).is_some() {
            self.push(key, Delta::Deleted(deleted));
        }
    }
}

/// Which of two deletions in a row to keep: what the server said rather than what was concluded, the newer tombstone rather than
/// the older one (client-go `isDeletionDup`), unless only the older one has a state.
const fn tells_more<T>(new: &Deleted<T>, old: &Deleted<T>) -> bool {
    matches!(old, Deleted::FinalStateUnknown { .. }) && (new.object().is_some() || old.object().is_none())
}

impl<T: Object> Queue<T> for DeltaFifo<T> {
    fn add(&mut self, object: impl Into<Fresh<T>>) {
        let entry = self.intake.present(object.into());
        self.push(entry.key.clone(), Delta::Added(entry));
    }

    fn update(&mut self, object: impl Into<Fresh<T>>) {
        let entry = self.intake.present(object.into());
        self.push(entry.key.clone(), Delta::Updated(entry));
    }

    fn delete(&mut self, object: impl Into<Fresh<T>>, known: &dyn KnownObjects<T>) {
        let entry = self.intake.entry(object.into());
        self.delete_if_there(Deleted::Seen(entry), known);
    }

    fn delete_unseen(&mut self, key: Key, last: Option<Arc<T>>, known: &dyn KnownObjects<T>) {
        self.delete_if_there(Deleted::FinalStateUnknown { key, last }, known);
    }

    fn begin_replace(&mut self) {
        self.intake.begin();
    }

    fn replace_item(&mut self, object: impl Into<Fresh<T>>) {
        let entry = self.intake.present(object.into());
        self.push(entry.key.clone(), if self.emit_replaced { Delta::Replaced(entry) } else { Delta::Sync(entry) });
    }

    fn end_replace(&mut self, _resource_version: ResourceVersion, known: &dyn KnownObjects<T>) {
        let Some(kept) = self.intake.end() else { return };
        self.delete_others(&kept, known);
        self.intake.listed(self.order.len());
    }

    fn bookmark(&mut self, _resource_version: ResourceVersion) {
        // Objects do not come out in the order of their events, so no version has a place among them.
    }

    fn resync(&mut self, known: &dyn KnownObjects<T>) {
        for key in known.keys() {
            // What the consumer has is older than what is queued: that would go back in time.
            if !self.deltas.contains_key(&key)
                && let Some(object) = known.find(&key)
            {
                self.push(key.clone(), Delta::Sync(Entry { key, object }));
            }
        }
    }

    fn clear(&mut self, known: &dyn KnownObjects<T>) {
        self.intake.end();
        self.delete_others(&FxHashSet::default(), known);
    }

    fn pop(&mut self) -> Option<Popped<T>> {
        let is_in_initial_list = !self.intake.has_synced();
        let deltas = self.deltas.remove(&self.order.pop_front()?)?;
        self.intake.popped(1);
        Some(Popped { deltas, is_in_initial_list })
    }

    fn has_synced(&self) -> bool {
        self.intake.has_synced()
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn close(&mut self) {
        self.intake.closed = true;
    }

    fn is_closed(&self) -> bool {
        self.intake.closed
    }
}

#[cfg(test)]
mod tests;
