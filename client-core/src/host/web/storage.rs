//! Local storage, which a page has and a worker has not.

use std::sync::Arc;

use web_sys::window;

use super::{WebPlatform, words::words};
use crate::{
    meta::ClusterId,
    platform::{BoundedStorage, StorageError, TextStore},
};

/// How many bytes one cluster may take: browsers give an origin five megabytes, and every `kubectl proxy` in the world is
/// the same origin.
const LIMIT: usize = 2 << 20;

/// The local storage of the page this runs in.
pub struct LocalTexts(web_sys::Storage);

impl LocalTexts {
    /// The page's local storage.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] in a worker, and where the browser or the person forbids it.
    pub fn new() -> Result<Self, StorageError> {
        let unavailable = |message: &str| StorageError::Unavailable { message: message.to_owned() };
        let window = window().ok_or_else(|| unavailable("only a page has local storage"))?;
        let storage = window.local_storage().map_err(|error| unavailable(&words(&error)))?;
        Ok(Self(storage.ok_or_else(|| unavailable("the browser gives this page none"))?))
    }
}

impl TextStore for LocalTexts {
    fn get(&self, name: &str) -> Result<Option<String>, String> {
        self.0.get_item(name).map_err(|error| words(&error))
    }

    fn set(&self, name: &str, text: &str) -> Result<(), String> {
        self.0.set_item(name, text).map_err(|error| words(&error))
    }

    fn remove(&self, name: &str) -> Result<(), String> {
        self.0.remove_item(name).map_err(|error| words(&error))
    }

    fn names(&self) -> Result<Vec<String>, String> {
        let length = self.0.length().map_err(|error| words(&error))?;
        let names = (0..length).map(|index| self.0.key(index).map_err(|error| words(&error)));
        names.filter_map(Result::transpose).collect()
    }
}

/// The part of the page's local storage that belongs to `cluster`, at most two megabytes under names that begin with
/// `application`. What one cluster said is of no use for another, though both answer at the same address.
///
/// # Errors
/// [`StorageError::Unavailable`] in a worker, and where the browser or the person forbids it.
pub fn cluster_storage(application: &str, cluster: &ClusterId) -> Result<BoundedStorage<LocalTexts>, StorageError> {
    let prefix = format!("{application}/discovery/{cluster}/");
    Ok(BoundedStorage::new(LocalTexts::new()?, Arc::new(WebPlatform), prefix, LIMIT))
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::platform::{Storage as _, StorageKey, ready};

    #[wasm_bindgen_test]
    fn a_page_keeps_values_by_cluster_and_who_has_no_window_is_told_so() {
        let storage = |cluster: &str| cluster_storage("test", &ClusterId::from(cluster));
        if window().is_none() {
            assert!(matches!(storage("a"), Err(StorageError::Unavailable { .. })));
            return;
        }
        let key = StorageKey::new("v1/serverresources.json").unwrap();
        let every_byte: Vec<u8> = (0..=255).collect();
        ready(storage("a").unwrap().write(&key, every_byte.clone())).unwrap();
        assert_eq!(ready(storage("a").unwrap().read(&key)).unwrap().unwrap().value, every_byte);
        assert_eq!(ready(storage("a").unwrap().keys("")).unwrap(), std::slice::from_ref(&key));
        assert_eq!(ready(storage("b").unwrap().read(&key)).unwrap(), None);
        ready(storage("a").unwrap().remove(&key)).unwrap();
        assert_eq!(ready(storage("a").unwrap().read(&key)).unwrap(), None);
    }

    #[wasm_bindgen_test]
    fn a_browser_that_has_no_more_room_says_so() {
        let Ok(texts) = LocalTexts::new() else { return };
        let storage = BoundedStorage::new(texts, Arc::new(WebPlatform), "test/full/", 1 << 30);
        let key = StorageKey::new("a").unwrap();
        let error = ready(storage.write(&key, vec![b'x'; 30 << 20])).unwrap_err();
        assert!(matches!(error, StorageError::Full { .. }), "{error}");
    }
}
