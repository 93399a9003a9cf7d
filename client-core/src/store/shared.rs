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

#[cfg(all(test, not(target_family = "wasm")))]
#[expect(clippy::disallowed_methods, reason = "readers on threads are what is tested")]
mod tests {
    use std::{
        sync::{
            Barrier,
            atomic::{AtomicBool, Ordering},
        },
        thread,
    };

    use super::*;
    use crate::store::{
        NAMESPACE_INDEX, namespace_index,
        testing::{Thing, thing, users_of},
    };

    fn crosses_threads(_: &(impl Send + Sync + Clone)) {}

    #[test]
    fn many_read_at_once() {
        let indexer = SharedIndexer::<Thing>::default();
        crosses_threads(&indexer);
        let all_are_inside = Barrier::new(4);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| indexer.read(|_| all_are_inside.wait()));
            }
        });
    }

    #[test]
    fn readers_see_each_change_whole_and_keep_what_they_were_given() {
        let indexer = SharedIndexer::<Thing>::new(namespace_index().into());
        let ended = AtomicBool::new(false);
        let whole = |round: u32| ["shop/a", "shop/b", "bank/c"].map(|key| thing(key, &round.to_string(), &round.to_string()));
        indexer.write(|indexer| drop(indexer.replace(whole(0), &"0".into())));
        let kept = indexer.find("shop/a").unwrap();
        thread::scope(|scope| {
            for _ in 0..3 {
                let reader = indexer.clone();
                let ended = &ended;
                scope.spawn(move || {
                    let mut last = 0;
                    while !ended.load(Ordering::Relaxed) {
                        let shop = reader.by_index(&NAMESPACE_INDEX, "shop").unwrap();
                        let rounds: Vec<u32> = shop.iter().map(|thing| users_of(thing).parse().unwrap()).collect();
                        assert!(rounds.len() == 2 && rounds[0] == rounds[1] && rounds[0] >= last, "{rounds:?} after {last}");
                        last = rounds[0];
                    }
                });
            }
            for round in 1..500 {
                drop(indexer.write(|indexer| indexer.replace(whole(round), &round.to_string().into())));
            }
            ended.store(true, Ordering::Relaxed);
        });
        assert_eq!((users_of(&kept), indexer.resource_version(), indexer.len()), ("0", "499".into(), 3));
        assert_eq!(indexer.index_values(&NAMESPACE_INDEX).unwrap().len(), 2);
    }

    #[test]
    fn a_writer_that_panics_leaves_the_cache_to_others() {
        let indexer = SharedIndexer::<Thing>::default();
        let writer = indexer.clone();
        let write = move || {
            writer.write(|indexer| {
                indexer.insert(thing("a", "1", ""));
                panic!("the writer's own fault");
            })
        };
        assert!(thread::spawn(write).join().is_err());
        indexer.write(|indexer| indexer.insert(thing("b", "2", "")));
        assert_eq!((indexer.find("a").is_some(), indexer.keys().len(), indexer.is_empty()), (true, 2, false));
    }
}
