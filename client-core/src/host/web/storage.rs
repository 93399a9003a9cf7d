//! Local storage, which a page has and a worker has not.

use std::sync::Arc;

use web_sys::window;

use super::{WebPlatform, words::words};
use crate::{
    meta::ClusterId,
    platform::{BoundedStorage, StorageError, TextStore},
};

/// How many characters all clusters together may take: browsers give an origin five million, and every `kubectl proxy` in
/// the world is the same origin.
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

/// The part of the page's local storage that belongs to `cluster`, under names that begin with `application`. What one
/// cluster said is of no use for another, though both answer at the same address. All clusters of an application together
/// have at most two million characters, and the others' values make room for this one's, the oldest first.
///
/// # Errors
/// [`StorageError::Unavailable`] in a worker, and where the browser or the person forbids it.
pub fn cluster_storage(application: &str, cluster: &ClusterId) -> Result<BoundedStorage<LocalTexts>, StorageError> {
    let (room, owner) = (format!("{application}/discovery/"), format!("{cluster}/"));
    Ok(BoundedStorage::new(LocalTexts::new()?, Arc::new(WebPlatform), room, &owner, LIMIT))
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

    /// Storages of clusters in a room of its own, which is empty at first.
    fn empty(room: &str) -> Option<LocalTexts> {
        let texts = LocalTexts::new().ok()?;
        for name in texts.names().unwrap().iter().filter(|name| name.starts_with(room)) {
            texts.remove(name).unwrap();
        }
        Some(texts)
    }

    fn of(room: &str, owner: &str) -> BoundedStorage<LocalTexts> {
        BoundedStorage::new(LocalTexts::new().unwrap(), Arc::new(WebPlatform), room, owner, 1 << 30)
    }

    #[wasm_bindgen_test]
    fn a_browser_that_has_no_more_room_says_so() {
        if empty("test/full/").is_none() {
            return;
        }
        let error = ready(of("test/full/", "a/").write(&StorageKey::new("a").unwrap(), vec![b'x'; 30 << 20])).unwrap_err();
        assert!(matches!(error, StorageError::Full { .. }), "{error}");
    }

    #[wasm_bindgen_test]
    fn clusters_that_are_gone_leave_room_for_the_present_one() {
        let Some(texts) = empty("test-gone/discovery/") else { return };
        texts.set("test-gone/preferences", "wide").unwrap();
        let keys = ["a", "b"].map(|key| StorageKey::new(key).unwrap());
        for cluster in ["1", "2", "3", "4"] {
            let storage = cluster_storage("test-gone", &ClusterId::from(cluster)).unwrap();
            for key in &keys {
                ready(storage.write(key, vec![b'x'; LIMIT / 2 - 100])).unwrap();
            }
            assert_eq!(ready(storage.keys("")).unwrap(), keys);
        }
        let names = texts.names().unwrap();
        let ours: Vec<_> = names.iter().filter(|name| name.starts_with("test-gone/")).collect();
        assert_eq!(ours.len(), 3, "{ours:?}");
        assert_eq!(texts.get("test-gone/preferences").unwrap().as_deref(), Some("wide"));
        empty("test-gone/");
    }

    #[wasm_bindgen_test]
    fn a_browser_that_is_full_gives_the_room_of_clusters_that_are_gone_and_none_of_other_applications() {
        let Some(texts) = empty("test/quota/") else { return };
        texts.set("test-other/discovery/gone/a", &"x".repeat(1 << 19)).unwrap();
        let key = |index: usize| StorageKey::new(index.to_string()).unwrap();
        let value = "x".repeat(1 << 18);
        let fits = |index: &i32| texts.set(&format!("test/quota/gone/{index}"), &format!("{index} {} {value}", 1 << 18)).is_ok();
        assert!((0..10_000).take_while(fits).count() > 4);
        let storage = of("test/quota/", "here/");
        for index in 0..3 {
            ready(storage.write(&key(index), vec![b'x'; 1 << 19])).unwrap();
        }
        assert_eq!(ready(storage.keys("")).unwrap(), [0, 1, 2].map(key));
        assert_eq!(texts.get("test-other/discovery/gone/a").unwrap().map(|text| text.len()), Some(1 << 19));
        empty("test/quota/");
        empty("test-other/");
    }
}
