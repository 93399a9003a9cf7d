//! An indexer with one writer and many readers.

use std::sync::{Arc, PoisonError, RwLock};

use super::{IndexError, IndexName, IndexValue, Indexer, Indexers, Key};
use crate::{meta::ResourceVersion, object::Object};

/// An [`Indexer`] that is read while it is written (client-go `tools/cache/thread_safe_store.go`, `ThreadSafeStore`). A copy is
/// the same indexer.
///
/// Readers are given pointers to objects, which nobody changes, and hold no lock after a call; natively many read at once.
///
/// ```
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::{Object as _, PartialObjectMetadata},
///     store::{Entry, SharedIndexer},
/// };
///
/// let indexer = SharedIndexer::default();
/// let reader = indexer.clone();
/// let metadata = ObjectMeta { name: "node-1".into(), ..ObjectMeta::default() };
/// indexer.write(|indexer| indexer.insert(Entry::of(PartialObjectMetadata::new(metadata))));
/// assert_eq!(reader.find("node-1").map(|node| node.name().to_owned()).as_deref(), Some("node-1"));
/// ```
pub struct SharedIndexer<T>(Arc<RwLock<Indexer<T>>>);

opaque_debug!(SharedIndexer<T>);

impl<T> Clone for SharedIndexer<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for SharedIndexer<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Object> SharedIndexer<T> {
    /// An empty one with these indexes.
    #[must_use]
    pub fn new(indexers: Indexers<T>) -> Self {
        Self(Arc::new(RwLock::new(Indexer::new(indexers))))
    }

    /// Looks at all of it at one moment. The writer waits meanwhile, and a call of this from within can wait for ever.
    pub fn read<R>(&self, look: impl FnOnce(&Indexer<T>) -> R) -> R {
        // A look cannot leave anything half done; a writer that panicked left what client-go would have.
        look(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes it: for the one that fills it, such as an informer. Readers wait meanwhile.
    pub fn write<R>(&self, change: impl FnOnce(&mut Indexer<T>) -> R) -> R {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// [`Indexer::find`]
    #[must_use]
    pub fn find(&self, key: &str) -> Option<Arc<T>> {
        self.read(|indexer| indexer.find(key).cloned())
    }

    /// [`Indexer::list`]
    #[must_use]
    pub fn list(&self) -> Vec<Arc<T>> {
        self.read(Indexer::list)
    }

    /// [`Indexer::keys`]
    #[must_use]
    pub fn keys(&self) -> Vec<Key> {
        self.read(|indexer| indexer.keys().cloned().collect())
    }

    /// [`Indexer::len`]
    #[must_use]
    pub fn len(&self) -> usize {
        self.read(Indexer::len)
    }

    /// [`Indexer::is_empty`]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read(Indexer::is_empty)
    }

    /// [`Indexer::resource_version`]
    #[must_use]
    pub fn resource_version(&self) -> ResourceVersion {
        self.read(Indexer::resource_version)
    }

    /// [`Indexer::index`]
    ///
    /// # Errors
    ///
    /// As there.
    pub fn index(&self, index: &IndexName, object: &T) -> Result<Vec<Arc<T>>, IndexError> {
        self.read(|indexer| Ok(indexer.index(index, object)?.into_iter().map(|(_, object)| Arc::clone(object)).collect()))
    }

    /// [`Indexer::by_index`]
    ///
    /// # Errors
    ///
    /// As there.
    pub fn by_index(&self, index: &IndexName, value: &str) -> Result<Vec<Arc<T>>, IndexError> {
        self.read(|indexer| Ok(indexer.by_index(index, value)?.map(|(_, object)| Arc::clone(object)).collect()))
    }

    /// [`Indexer::index_keys`]
    ///
    /// # Errors
    ///
    /// As there.
    pub fn index_keys(&self, index: &IndexName, value: &str) -> Result<Vec<Key>, IndexError> {
        self.read(|indexer| indexer.index_keys(index, value))
    }

    /// [`Indexer::index_values`]
    ///
    /// # Errors
    ///
    /// As there.
    pub fn index_values(&self, index: &IndexName) -> Result<Vec<IndexValue>, IndexError> {
        self.read(|indexer| Ok(indexer.index_values(index)?.cloned().collect()))
    }

    /// [`Indexer::add_indexers`]: a reader may add one while the cache is in use.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn add_indexers(&self, indexers: Indexers<T>) -> Result<(), IndexError> {
        self.write(|indexer| indexer.add_indexers(indexers))
    }
}
