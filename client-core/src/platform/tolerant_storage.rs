//! A storage that one can do without.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{MaybeSend, MaybeSync, Storage, StorageError, StorageKey, Stored};

/// Is told that a storage failed.
pub trait StorageNotice: Fn(&StorageError) + MaybeSend + MaybeSync + 'static {}
impl<T: Fn(&StorageError) + MaybeSend + MaybeSync + 'static> StorageNotice for T {}

/// A [`Storage`] for what can be had again: where it is full, forbidden or broken, nothing is found in it and nothing is
/// kept, and its owner is told so once. Clones share the storage and the one notice.
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::sync::{Arc, Mutex};
/// use porthole_client_core::platform::{FakePlatform, MemoryStorage, StorageError, TolerantStorage, ready};
///
/// let storage = MemoryStorage::new(Arc::new(FakePlatform::default()));
/// storage.fail(Some(StorageError::Unavailable { message: "the person forbids it".to_owned() }));
/// let told = Arc::new(Mutex::new(Vec::new()));
/// let log = Arc::clone(&told);
/// let tolerant = TolerantStorage::new(Arc::new(storage), move |error| log.lock().unwrap().push(error.to_string()));
///
/// assert!(!ready(tolerant.write("a", b"1".to_vec())));
/// assert!(ready(tolerant.read("a")).is_none());
/// assert_eq!(*told.lock().unwrap(), ["there is no storage that may be used here: the person forbids it"]);
/// ```
#[derive(Clone)]
pub struct TolerantStorage {
    storage: Arc<dyn Storage>,
    notice: Arc<dyn StorageNotice>,
    told: Arc<AtomicBool>,
}

impl TolerantStorage {
    /// `storage`, whose first failure `notice` is told.
    #[must_use]
    pub fn new(storage: Arc<dyn Storage>, notice: impl StorageNotice) -> Self {
        Self { storage, notice: Arc::new(notice), told: Arc::default() }
    }

    /// What is stored under `key`; nothing where it cannot be read.
    pub async fn read(&self, key: &str) -> Option<Stored> {
        let key = self.or_tell(StorageKey::new(key).map_err(StorageError::from))?;
        self.or_tell(self.storage.read(&key).await)?
    }

    /// Keeps `value` under `key`, and says whether it did.
    pub async fn write(&self, key: &str, value: Vec<u8>) -> bool {
        let Some(key) = self.or_tell(StorageKey::new(key).map_err(StorageError::from)) else { return false };
        self.or_tell(self.storage.write(&key, value).await).is_some()
    }

    /// Removes what is stored under `key`, and says whether it is gone.
    pub async fn remove(&self, key: &str) -> bool {
        let Some(key) = self.or_tell(StorageKey::new(key).map_err(StorageError::from)) else { return false };
        self.or_tell(self.storage.remove(&key).await).is_some()
    }

    fn or_tell<T>(&self, outcome: Result<T, StorageError>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(error) => {
                if !self.told.swap(true, Ordering::Relaxed) {
                    (self.notice)(&error);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::platform::{FakePlatform, MemoryStorage, ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_storage_that_fails_is_told_of_once_whoever_uses_it_and_used_again_when_it_works() {
        let storage = MemoryStorage::new(Arc::new(FakePlatform::default()));
        let told: Arc<Mutex<Vec<StorageError>>> = Arc::default();
        let log = Arc::clone(&told);
        let tolerant = TolerantStorage::new(Arc::new(storage.clone()), move |error| log.lock().unwrap().push(error.clone()));
        let failure = StorageError::Unavailable { message: "full".into() };
        storage.fail(Some(failure.clone()));
        assert!(!ready(tolerant.write("a", vec![1])) && !ready(tolerant.clone().remove("a")));
        assert_eq!(ready(tolerant.read("a")), None);
        assert_eq!(*told.lock().unwrap(), [failure]);
        storage.fail(None);
        assert!(ready(tolerant.write("a", vec![1])));
        assert_eq!(ready(tolerant.read("a")).unwrap().value, [1]);
        assert!(ready(tolerant.remove("a")));
        assert!(storage.values().is_empty());
    }

    #[test]
    fn what_cannot_be_a_key_is_not_stored() {
        let storage = MemoryStorage::new(Arc::new(FakePlatform::default()));
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&told);
        let tolerant = TolerantStorage::new(Arc::new(storage.clone()), move |error| log.lock().unwrap().push(error.to_string()));
        for key in ["../a", "", "a//b"] {
            assert!(!ready(tolerant.write(key, vec![1])) && !ready(tolerant.remove(key)));
            assert_eq!(ready(tolerant.read(key)), None);
        }
        assert!(storage.values().is_empty());
        assert!(told.lock().unwrap()[0].starts_with("\"../a\" cannot be a storage key"));
    }
}
