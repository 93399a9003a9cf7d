//! The queue that keeps every event.

use std::{collections::VecDeque, sync::Arc};

use rustc_hash::FxHashSet;

use super::{Deleted, Delta, KnownObjects, Popped, Queue, Transform, intake::Intake};
use crate::{
    meta::ResourceVersion,
    object::Object,
    store::{Entry, Fresh, Key},
};

/// The most that comes out at once (client-go `tools/cache/the_real_fifo.go`, `defaultBatchSize`).
const BATCH_SIZE: usize = 1000;

/// How a [`Fifo`] works (client-go `tools/cache/the_real_fifo.go`, `RealFIFOOptions`).
pub struct FifoOptions<T> {
    /// Changes each object before it is queued.
    pub transform: Option<Box<dyn Transform<T>>>,
    /// Whether a whole list and a resync are one delta each, and bookmarks are handed on; true by default. Otherwise they are a
    /// delta for each object, made against what is known.
    pub atomic: bool,
    /// The most deltas that come out at once, 1000 by default; at least one does.
    pub batch_size: usize,
}

impl<T> Default for FifoOptions<T> {
    fn default() -> Self {
        Self { transform: None, atomic: true, batch_size: BATCH_SIZE }
    }
}

/// Every event in the order of all, none merged with another (client-go `tools/cache/the_real_fifo.go`, `RealFIFO`).
///
/// What comes out at once is about different objects, of the first list or after it, and at most
/// [`batch_size`](FifoOptions::batch_size); what is about all objects comes alone.
///
/// A list that is put in as it comes is a [`Delta::Replaced`] for each object, then a tombstone for each object that it did not
/// bring, then a bookmark of its version; that needs to know what the consumer has. client-go knows lists as a whole only.
///
/// ```
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::PartialObjectMetadata,
///     queue::{Delta, Fifo, Queue as _},
/// };
///
/// let pod = |name: &str| PartialObjectMetadata::new(ObjectMeta { name: name.into(), ..ObjectMeta::default() });
/// let mut queue = Fifo::default();
/// queue.replace(vec![pod("a"), pod("b")], "7".into(), &());
/// queue.update(pod("b"));
///
/// let list = queue.pop().unwrap();
/// assert!(list.is_in_initial_list);
/// assert!(matches!(&list.deltas[..], [Delta::ReplacedAll { entries, .. }] if entries.len() == 2));
/// let change = queue.pop().unwrap();
/// assert!(matches!(&change.deltas[..], [Delta::Updated(entry)] if entry.key.as_str() == "b"));
/// assert!(queue.pop().is_none());
/// ```
pub struct Fifo<T> {
    intake: Intake<T>,
    items: VecDeque<Delta<T>>,
    atomic: bool,
    batch_size: usize,
}

opaque_debug!(FifoOptions<T>, Fifo<T>);

impl<T: Object> Default for Fifo<T> {
    fn default() -> Self {
        Self::new(FifoOptions::default())
    }
}

impl<T: Object> Fifo<T> {
    /// An empty queue.
    #[must_use]
    pub fn new(options: FifoOptions<T>) -> Self {
        Self {
            intake: Intake::new(options.transform),
            items: VecDeque::new(),
            atomic: options.atomic,
            batch_size: options.batch_size.max(1),
        }
    }

    /// Queues a tombstone for each object that is there once all that is queued is taken out, and is not kept. One walk, from
    /// the newest: what comes first for a key is what it is last.
    fn delete_others(&mut self, kept: &FxHashSet<Key>, known: &dyn KnownObjects<T>) {
        let mut decided = FxHashSet::<Key>::default();
        let mut gone = Vec::new();
        let mut replaced = false;
        for delta in self.items.iter().rev() {
            if let Delta::ReplacedAll { entries, .. } = delta {
                for entry in entries.iter().rev() {
                    if !kept.contains(&entry.key) && decided.insert(entry.key.clone()) {
                        gone.push((entry.key.clone(), Some(Arc::clone(&entry.object))));
                    }
                }
                // Nothing that was there before it is there after it.
                replaced = true;
                break;
            }
            let Some(key) = delta.key() else { continue };
            if !kept.contains(key) && decided.insert(key.clone()) && !matches!(delta, Delta::Deleted(_)) {
                gone.push((key.clone(), delta.object().cloned()));
            }
        }
        gone.reverse();
        if !replaced {
            let mut others = known.keys();
            others.retain(|key| !kept.contains(key) && !decided.contains(key));
            gone.extend(others.into_iter().map(|key| (key.clone(), known.find(&key))));
        }
        let tombstone = |(key, last)| Delta::Deleted(Deleted::FinalStateUnknown { key, last });
        self.items.extend(gone.into_iter().map(tombstone));
    }

    /// How much comes out next.
    fn batch(&self) -> usize {
        let limit = self.intake.initial_left().map_or(self.batch_size, |left| left.min(self.batch_size));
        let mut keys = FxHashSet::<Key>::default();
        let mut is_new = |key: &Key| keys.insert(key.clone());
        let alike = self.items.iter().take(limit).map_while(Delta::key).take_while(|key| is_new(key)).count();
        // None at the head: what is there is about all objects.
        alike.max(1).min(self.items.len())
    }
}

impl<T: Object> Queue<T> for Fifo<T> {
    fn add(&mut self, object: impl Into<Fresh<T>>) {
        let entry = self.intake.present(object.into());
        self.items.push_back(Delta::Added(entry));
    }

    fn update(&mut self, object: impl Into<Fresh<T>>) {
        let entry = self.intake.present(object.into());
        self.items.push_back(Delta::Updated(entry));
    }

    fn delete(&mut self, object: impl Into<Fresh<T>>, _known: &dyn KnownObjects<T>) {
        let entry = self.intake.entry(object.into());
        self.intake.gone(&entry.key);
        self.items.push_back(Delta::Deleted(Deleted::Seen(entry)));
    }

    fn delete_unseen(&mut self, key: Key, last: Option<Arc<T>>, _known: &dyn KnownObjects<T>) {
        self.intake.gone(&key);
        self.items.push_back(Delta::Deleted(Deleted::FinalStateUnknown { key, last }));
    }

    fn replace(
        &mut self,
        objects: impl IntoIterator<Item = impl Into<Fresh<T>>>,
        resource_version: ResourceVersion,
        known: &dyn KnownObjects<T>,
    ) {
        self.intake.end();
        let entries: Vec<_> = objects.into_iter().map(|object| self.intake.entry(object.into())).collect();
        if self.atomic {
            self.items.push_back(Delta::ReplacedAll { entries, resource_version });
        } else {
            let kept = entries.iter().map(|entry| entry.key.clone()).collect();
            self.delete_others(&kept, known);
            self.items.extend(entries.into_iter().map(Delta::Replaced));
        }
        self.intake.listed(self.items.len());
    }

    fn begin_replace(&mut self) {
        self.intake.begin();
    }

    fn replace_item(&mut self, object: impl Into<Fresh<T>>) {
        let entry = self.intake.present(object.into());
        self.items.push_back(Delta::Replaced(entry));
    }

    fn end_replace(&mut self, resource_version: ResourceVersion, known: &dyn KnownObjects<T>) {
        let Some(kept) = self.intake.end() else { return };
        self.delete_others(&kept, known);
        self.bookmark(resource_version);
        self.intake.listed(self.items.len());
    }

    fn bookmark(&mut self, resource_version: ResourceVersion) {
        // As in client-go, where otherwise a version could come out before all deltas up to it.
        if self.atomic {
            self.items.push_back(Delta::Bookmark(resource_version));
        }
    }

    fn resync(&mut self, known: &dyn KnownObjects<T>) {
        if self.atomic {
            self.items.push_back(Delta::SyncAll);
            return;
        }
        // What the consumer has is older than what is queued: that would go back in time.
        let queued: FxHashSet<Key> = self.items.iter().filter_map(Delta::key).cloned().collect();
        for key in known.keys() {
            if !queued.contains(&key)
                && let Some(object) = known.find(&key)
            {
                self.items.push_back(Delta::Sync(Entry { key, object }));
            }
        }
    }

    fn clear(&mut self, known: &dyn KnownObjects<T>) {
        self.intake.end();
        self.delete_others(&FxHashSet::default(), known);
    }

    fn pop(&mut self) -> Option<Popped<T>> {
        let count = self.batch();
        if count == 0 {
            return None;
        }
        let is_in_initial_list = !self.intake.has_synced();
        let deltas = self.items.drain(..count).collect();
        self.intake.popped(count);
        if self.items.is_empty() {
            // The room that a long list took is not needed again for long.
            self.items.shrink_to(BATCH_SIZE);
        }
        Some(Popped { deltas, is_in_initial_list })
    }

    fn has_synced(&self) -> bool {
        self.intake.has_synced()
    }

    fn len(&self) -> usize {
        self.items.len()
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
