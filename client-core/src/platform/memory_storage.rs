//! A storage that lives as long as a test.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{BoxFuture, Platform, Storage, StorageError, StorageKey, Stored};

/// A storage for tests: values live in memory, and reading or writing fails when the test says so. Clones share the
/// values.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::platform::{FakePlatform, MemoryStorage, Storage, StorageError, StorageKey, ready};
///
/// let storage = MemoryStorage::new(Arc::new(FakePlatform::default()));
/// let key = StorageKey::new("servergroups.json")?;
/// ready(storage.write(&key, b"{}".to_vec()))?;
/// assert_eq!(ready(storage.read(&key))?.unwrap().value, b"{}");
/// storage.fail(Some(StorageError::Unavailable { message: "the person forbids it".to_owned() }));
/// assert!(ready(storage.read(&key)).is_err());
/// # Ok::<(), StorageError>(())
/// ```
#[derive(Clone)]
pub struct MemoryStorage {
    platform: Arc<dyn Platform>,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    values: BTreeMap<StorageKey, Stored>,
    failure: Option<StorageError>,
}

impl MemoryStorage {
    /// An empty storage whose values are as old as `platform` says.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        Self { platform, inner: Arc::default() }
    }

    /// Every call from now on fails like this; with `None`, none does.
    pub fn fail(&self, failure: Option<StorageError>) {
        self.lock().failure = failure;
    }

    /// Puts `value` there, as something that is not this program would.
    pub fn put(&self, key: &StorageKey, value: impl Into<Vec<u8>>) {
        let stored = Stored { value: value.into(), modified: self.platform.wall_time() };
        self.lock().values.insert(key.clone(), stored);
    }

    /// All values by key.
    #[must_use]
    pub fn values(&self) -> BTreeMap<StorageKey, Vec<u8>> {
        self.lock().values.iter().map(|(key, stored)| (key.clone(), stored.value.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, action: impl FnOnce(&mut Inner) -> T) -> Result<T, StorageError> {
        let mut inner = self.lock();
        inner.failure.clone().map_or_else(|| Ok(action(&mut inner)), Err)
    }
}

impl Storage for MemoryStorage {
    fn read<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<Option<Stored>, StorageError>> {
        Box::pin(async move { self.with(|inner| inner.values.get(key).cloned()) })
    }

    fn write<'a>(&'a self, key: &'a StorageKey, value: Vec<u8>) -> BoxFuture<'a, Result<(), StorageError>> {
        Box::pin(async move {
            let stored = Stored { value, modified: self.platform.wall_time() };
            self.with(|inner| inner.values.insert(key.clone(), stored)).map(drop)
        })
    }

    fn remove<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<(), StorageError>> {
        Box::pin(async move { self.with(|inner| inner.values.remove(key)).map(drop) })
    }

    fn keys<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StorageKey>, StorageError>> {
        Box::pin(async move {
            self.with(|inner| inner.values.keys().filter(|key| key.as_str().starts_with(prefix)).cloned().collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::{FakePlatform, ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn values_are_kept_listed_removed_and_refused() {
        let storage = MemoryStorage::new(Arc::new(FakePlatform::default()));
        let (a, b) = (StorageKey::new("x/a").unwrap(), StorageKey::new("y/b").unwrap());
        ready(storage.write(&a, b"1".to_vec())).unwrap();
        storage.put(&b, *b"2");
        assert_eq!(ready(storage.keys("x/")).unwrap(), vec![a.clone()]);
        assert_eq!(ready(storage.read(&b)).unwrap().unwrap().value, b"2");
        ready(storage.remove(&a)).unwrap();
        assert_eq!(ready(storage.modified(&a)).unwrap(), None);
        let failure = StorageError::Unavailable { message: "forbidden".into() };
        storage.fail(Some(failure.clone()));
        assert_eq!(ready(storage.write(&a, vec![])), Err(failure));
        storage.fail(None);
        assert_eq!(storage.values().into_keys().collect::<Vec<_>>(), [b]);
    }
}
