//! The indexer.

use std::{collections::hash_map, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Entry, IndexError, IndexFailure, IndexName, IndexValue, Indexers, Key, indices::Indices};
use crate::{meta::ResourceVersion, object::Object};

/// Objects by key, and by what else they are asked for (client-go `tools/cache/thread_safe_store.go`, `index.go`).
///
/// A plain structure without a lock: who writes owns it; readers beside a writer have a
/// [`SharedIndexer`](super::SharedIndexer). An object costs its key and a pointer, and a key in each index for each of its values.
///
/// An index's function that fails of an object, which stops a program of client-go, leaves the object out of that index alone:
/// the cache goes on saying what the server said, no index says what is wrong, and [`index_failures`](Self::index_failures)
/// has what is missing.
///
/// ```
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::PartialObjectMetadata,
///     store::{Entry, Indexer, NAMESPACE_INDEX, namespace_index},
/// };
///
/// let mut indexer = Indexer::new(namespace_index().into());
/// for (namespace, name) in [("shop", "web-0"), ("shop", "web-1"), ("bank", "web-0")] {
///     let metadata = ObjectMeta { namespace: namespace.into(), name: name.into(), ..ObjectMeta::default() };
///     indexer.insert(Entry::of(PartialObjectMetadata::new(metadata)));
/// }
/// assert!(indexer.find("bank/web-0").is_some());
/// assert_eq!(indexer.by_index(&NAMESPACE_INDEX, "shop")?.count(), 2);
/// # Ok::<(), porthole_client_core::store::IndexError>(())
/// ```
pub struct Indexer<T> {
    objects: FxHashMap<Key, Arc<T>>,
    indices: Indices<T>,
    /// A text that is written over: an object's version is copied at each change, and seldom asked for.
    resource_version: String,
}

opaque_debug!(Indexer<T>);

/// One change of several that are made at once (client-go `tools/cache/store.go`, `Transaction`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transaction<T> {
    /// An object comes or changes.
    Insert(Entry<T>),
    /// An object goes; what it was last.
    Remove(Entry<T>),
}

impl<T> Default for Indexer<T> {
    fn default() -> Self {
        Self { objects: FxHashMap::default(), indices: Indices::default(), resource_version: String::new() }
    }
}

impl<T: Object> Indexer<T> {
    /// An empty one with these indexes.
    #[must_use]
    pub fn new(indexers: Indexers<T>) -> Self {
        let mut indexer = Self::default();
        // Nothing is there that they could be in conflict with.
        indexer.add_indexers(indexers).ok();
        indexer
    }

    /// Takes in an object that is new or has changed; gives back what was there.
    pub fn insert(&mut self, entry: Entry<T>) -> Option<Arc<T>> {
        self.follow(&entry.object);
        // The key that is there stays, so that the indexes have no other text of it.
        match self.objects.entry(entry.key) {
            hash_map::Entry::Occupied(mut place) => {
                let before = place.insert(entry.object);
                self.indices.update(place.key(), Some(&before), Some(place.get()));
                Some(before)
            }
            hash_map::Entry::Vacant(place) => {
                let place = place.insert_entry(entry.object);
                self.indices.update(place.key(), None, Some(place.get()));
                None
            }
        }
    }

    /// Takes an object out; gives it back. Its version is that of its last change, not of its end, so the
    /// [`resource_version`](Self::resource_version) stays.
    pub fn remove(&mut self, key: &str) -> Option<Arc<T>> {
        let (key, object) = self.objects.remove_entry(key)?;
        self.indices.update(&key, Some(&object), None);
        Some(object)
    }

    /// As [`remove`](Self::remove), with what the object was at its end, which has the version of that
    /// (client-go `DeleteWithObject`).
    pub fn remove_with_object(&mut self, last: &Entry<T>) -> Option<Arc<T>> {
        self.follow(&last.object);
        self.remove(last.key.as_str())
    }

    /// Makes several changes, in order; gives back what was there before each.
    pub fn transact(&mut self, changes: impl IntoIterator<Item = Transaction<T>>) -> Vec<Option<Arc<T>>> {
        let change = |change| match change {
            Transaction::Insert(entry) => self.insert(entry),
            Transaction::Remove(last) => self.remove_with_object(&last),
        };
        changes.into_iter().map(change).collect()
    }

    /// Puts a whole list in place of all that is there; gives back what was there, without indexes. Of two entries of one key the
    /// later counts.
    ///
    /// Under a lock, let go of what is given back when the lock is free: there can be much to take down.
    #[expect(clippy::return_self_not_must_use, reason = "few need what was there")]
    pub fn replace(&mut self, entries: impl IntoIterator<Item = Entry<T>>, resource_version: &ResourceVersion) -> Self {
        let objects = entries.into_iter().map(|entry| (entry.key, entry.object)).collect();
        let before = Self { objects: std::mem::replace(&mut self.objects, objects), ..Self::default() };
        self.indices.rebuild(by_key(&self.objects));
        self.bookmark(resource_version);
        before
    }

    /// Takes in that all changes up to this version are here.
    pub fn bookmark(&mut self, resource_version: &ResourceVersion) {
        resource_version.as_str().clone_into(&mut self.resource_version);
    }

    /// The last version that was seen: of an object, of a list or of a bookmark; empty where there was none (client-go
    /// `LastStoreSyncResourceVersion`). An object without a version, such as a row of a table can be, leaves it.
    #[must_use]
    pub fn resource_version(&self) -> ResourceVersion {
        self.resource_version.as_str().into()
    }

    /// The object of this key.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Arc<T>> {
        self.objects.get(key)
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// All objects, in no order.
    #[must_use]
    pub fn iter_unsorted(&self) -> impl ExactSizeIterator<Item = (&Key, &Arc<T>)> {
        self.objects.iter()
    }

    /// The keys of all objects, in no order.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> {
        self.objects.keys()
    }

    /// All objects, in no order, to keep.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<T>> {
        self.objects.values().cloned().collect()
    }

    /// The objects that have one of the values of `object` in an index, each once, in no order. `object` itself need not be here.
    ///
    /// # Errors
    ///
    /// Where there is no such index, or its function fails of `object`.
    pub fn index(&self, index: &IndexName, object: &T) -> Result<Vec<(&Key, &Arc<T>)>, IndexError> {
        let (index, values) = self.indices.values_of(index, object)?;
        if let Some(value) = values.single() {
            return Ok(self.entries(index.keys(value)).collect());
        }
        let keys: FxHashSet<_> = values.iter().flat_map(|value| index.keys(value)).collect();
        Ok(self.entries(keys.into_iter()).collect())
    }

    /// The objects that have a value in an index, in no order.
    ///
    /// # Errors
    ///
    /// Where there is no such index.
    pub fn by_index(
        &self,
        index: &IndexName,
        value: &str,
    ) -> Result<impl Iterator<Item = (&Key, &Arc<T>)> + use<'_, T>, IndexError> {
        Ok(self.entries(self.indices.find(index)?.keys(value)))
    }

    /// The keys of the objects that have a value in an index, in order.
    ///
    /// # Errors
    ///
    /// Where there is no such index.
    pub fn index_keys(&self, index: &IndexName, value: &str) -> Result<Vec<Key>, IndexError> {
        let mut keys: Vec<_> = self.indices.find(index)?.keys(value).cloned().collect();
        keys.sort_unstable();
        Ok(keys)
    }

    /// The values that objects have in an index, each once, in no order (client-go `ListIndexFuncValues`, which has none where
    /// there is no such index).
    ///
    /// # Errors
    ///
    /// Where there is no such index.
    pub fn index_values(&self, index: &IndexName) -> Result<impl ExactSizeIterator<Item = &IndexValue> + use<'_, T>, IndexError> {
        Ok(self.indices.find(index)?.values())
    }

    /// The objects that are nowhere in an index because its function failed of them, and what it said.
    ///
    /// # Errors
    ///
    /// Where there is no such index.
    pub fn index_failures(
        &self,
        index: &IndexName,
    ) -> Result<impl ExactSizeIterator<Item = (&Key, &IndexFailure)> + use<'_, T>, IndexError> {
        Ok(self.indices.find(index)?.failures())
    }

    /// Adds indexes; objects that are here are in them at once.
    ///
    /// # Errors
    ///
    /// Where an index has one of the names already; then none is added.
    pub fn add_indexers(&mut self, indexers: Indexers<T>) -> Result<(), IndexError> {
        self.indices.add(indexers, by_key(&self.objects))
    }

    /// The indexes and their functions (client-go `GetIndexers`).
    #[must_use]
    pub fn indexers(&self) -> Indexers<T> {
        self.indices.indexers()
    }

    /// Whether an object, here or not, has a value in an index. Where the index's function fails it has none.
    pub(super) fn has_value(&self, index: &IndexName, object: &T, value: &str) -> Result<bool, IndexError> {
        match self.indices.values_of(index, object) {
            Ok((_, values)) => Ok(values.iter().any(|other| other == value)),
            Err(IndexError::Function { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn entries<'a>(&'a self, keys: impl Iterator<Item = &'a Key>) -> impl Iterator<Item = (&'a Key, &'a Arc<T>)> {
        keys.filter_map(|key| self.objects.get_key_value(key))
    }

    fn follow(&mut self, object: &T) {
        let version = object.resource_version();
        if !version.is_empty() {
            version.clone_into(&mut self.resource_version);
        }
    }
}

fn by_key<T>(objects: &FxHashMap<Key, Arc<T>>) -> impl Iterator<Item = (&Key, &T)> + Clone {
    objects.iter().map(|(key, object)| (key, &**object))
}
