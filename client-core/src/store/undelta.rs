//! A store that hands out all that it has after each change.

use std::sync::Arc;

use super::{Entry, Indexer, Transaction};
use crate::{
    meta::ResourceVersion,
    object::Object,
    platform::{MaybeSend, MaybeSync},
};

/// A store for those who want to know what there is, not what changed: after each change it hands all objects to a function
/// (client-go `tools/cache/undelta_store.go`).
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::PartialObjectMetadata,
///     store::{Entry, UndeltaStore},
/// };
///
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let mut store = UndeltaStore::new({
///     let seen = Arc::clone(&seen);
///     move |objects| *seen.lock().unwrap() = objects
/// });
/// let metadata = ObjectMeta { name: "a".into(), ..ObjectMeta::default() };
/// store.insert(Entry::of(PartialObjectMetadata::new(metadata)));
/// assert_eq!(seen.lock().unwrap().len(), 1);
/// ```
pub struct UndeltaStore<T> {
    indexer: Indexer<T>,
    push: Box<dyn Push<T>>,
}

opaque_debug!(UndeltaStore<T>);

trait Push<T>: MaybeSend + MaybeSync {
    fn push(&mut self, objects: Vec<Arc<T>>);
}

impl<T, F: FnMut(Vec<Arc<T>>) + MaybeSend + MaybeSync> Push<T> for F {
    fn push(&mut self, objects: Vec<Arc<T>>) {
        self(objects);
    }
}

impl<T: Object> UndeltaStore<T> {
    /// An empty one, with whom to tell.
    #[must_use]
    pub fn new(push: impl FnMut(Vec<Arc<T>>) + MaybeSend + MaybeSync + 'static) -> Self {
        Self { indexer: Indexer::default(), push: Box::new(push) }
    }

    /// What there is.
    #[must_use]
    pub const fn indexer(&self) -> &Indexer<T> {
        &self.indexer
    }

    /// [`Indexer::insert`]
    pub fn insert(&mut self, entry: Entry<T>) -> Option<Arc<T>> {
        self.change(|indexer| indexer.insert(entry))
    }

    /// [`Indexer::remove_with_object`]
    pub fn remove_with_object(&mut self, last: &Entry<T>) -> Option<Arc<T>> {
        self.change(|indexer| indexer.remove_with_object(last))
    }

    /// [`Indexer::transact`], of which is told once.
    pub fn transact(&mut self, changes: impl IntoIterator<Item = Transaction<T>>) -> Vec<Option<Arc<T>>> {
        self.change(|indexer| indexer.transact(changes))
    }

    /// [`Indexer::replace`]
    pub fn replace(&mut self, entries: impl IntoIterator<Item = Entry<T>>, resource_version: &ResourceVersion) {
        self.change(|indexer| drop(indexer.replace(entries, resource_version)));
    }

    fn change<R>(&mut self, change: impl FnOnce(&mut Indexer<T>) -> R) -> R {
        let changed = change(&mut self.indexer);
        self.push.push(self.indexer.list());
        changed
    }
}
