//! A storage of a bounded size over one that keeps texts, as a browser's local storage does.

use std::sync::Arc;

use super::{BoxFuture, MaybeSend, MaybeSync, Platform, Storage, StorageError, StorageKey, Stored, WallTime};

/// Texts by name: what a browser calls a `Storage`. Its calls do not wait.
pub trait TextStore: MaybeSend + MaybeSync + 'static {
    /// The text of `name`.
    ///
    /// # Errors
    /// The host's own words, where it may not be read.
    fn get(&self, name: &str) -> Result<Option<String>, String>;

    /// Keeps `text` under `name`.
    ///
    /// # Errors
    /// The host's own words, where it is full or may not be written to.
    fn set(&self, name: &str, text: &str) -> Result<(), String>;

    /// Removes what is under `name`.
    ///
    /// # Errors
    /// The host's own words, where it may not be written to.
    fn remove(&self, name: &str) -> Result<(), String>;

    /// All names, those of others too.
    ///
    /// # Errors
    /// The host's own words, where it may not be read.
    fn names(&self) -> Result<Vec<String>, String>;
}

/// A [`Storage`] of at most so many bytes under one prefix of a [`TextStore`]. What does not fit takes the place of what
/// was written longest ago.
///
/// Each byte becomes one character below U+0100 and each value begins with the time it was written, so a text that
/// somebody else put there, or that was cut, is no value. JSON stays legible.
pub struct BoundedStorage<T> {
    texts: T,
    platform: Arc<dyn Platform>,
    prefix: String,
    limit: usize,
}

impl<T: TextStore> BoundedStorage<T> {
    /// A storage of `limit` bytes in `texts`, under names that begin with `prefix`. The prefix names the cluster: what
    /// one says is of no use for another.
    #[must_use]
    pub fn new(texts: T, platform: Arc<dyn Platform>, prefix: impl Into<String>, limit: usize) -> Self {
        Self { texts, platform, prefix: prefix.into(), limit }
    }

    fn name(&self, key: &StorageKey) -> String {
        format!("{}{key}", self.prefix)
    }

    fn read_now(&self, key: &StorageKey) -> Result<Option<Stored>, StorageError> {
        let text = self.texts.get(&self.name(key)).map_err(|message| failed(key, "read", message))?;
        Ok(text.as_deref().and_then(decode))
    }

    fn write_now(&self, key: &StorageKey, value: &[u8]) -> Result<(), StorageError> {
        let (name, text) = (self.name(key), encode(value, self.platform.wall_time()));
        let full = |message: String| StorageError::Full { key: key.clone(), message };
        if text.len() > self.limit {
            return Err(full(format!("it has {} bytes, and all values together may have {}", value.len(), self.limit)));
        }
        let others = self.others(&name).map_err(|message| failed(key, "stored", message))?;
        let mut size: usize = others.iter().map(|other| other.size).sum();
        let mut oldest = others.into_iter();
        while size + name.len() + text.len() > self.limit
            && let Some(other) = oldest.next()
        {
            self.texts.remove(&other.name).map_err(|message| failed(key, "stored", message))?;
            size -= other.size;
        }
        // The store's own bound may be lower than ours, and others write to it.
        loop {
            let Err(message) = self.texts.set(&name, &text) else { return Ok(()) };
            let Some(other) = oldest.next() else { return Err(full(message)) };
            self.texts.remove(&other.name).map_err(|message| failed(key, "stored", message))?;
        }
    }

    /// What is stored under other names of ours, the oldest first.
    fn others(&self, name: &str) -> Result<Vec<Other>, String> {
        let mut others = Vec::new();
        for other in self.texts.names()? {
            if other != name
                && other.starts_with(&self.prefix)
                && let Some(text) = self.texts.get(&other)?
            {
                let modified = split(&text).map_or(WallTime(i64::MIN), |(modified, _)| modified);
                others.push(Other { size: other.len() + text.len(), name: other, modified });
            }
        }
        others.sort_by_key(|other| other.modified);
        Ok(others)
    }

    fn keys_now(&self, prefix: &str) -> Result<Vec<StorageKey>, StorageError> {
        let names = self.texts.names().map_err(|message| StorageError::Unavailable { message })?;
        let ours = names.iter().filter_map(|name| name.strip_prefix(&self.prefix)).filter(|key| key.starts_with(prefix));
        let mut keys: Vec<_> = ours.filter_map(|key| StorageKey::new(key).ok()).collect();
        keys.sort();
        Ok(keys)
    }
}

struct Other {
    name: String,
    size: usize,
    modified: WallTime,
}

fn failed(key: &StorageKey, what: &'static str, message: String) -> StorageError {
    StorageError::Failed { key: key.clone(), what, message }
}

fn encode(value: &[u8], now: WallTime) -> String {
    let mut text = format!("{} {} ", now.0, value.len());
    text.extend(value.iter().map(|byte| char::from(*byte)));
    text
}

/// The time and the characters of a value, where `text` is one.
fn split(text: &str) -> Option<(WallTime, &str)> {
    let (time, rest) = text.split_once(' ')?;
    Some((WallTime(time.parse().ok()?), rest))
}

fn decode(text: &str) -> Option<Stored> {
    let (modified, rest) = split(text)?;
    let (length, characters) = rest.split_once(' ')?;
    let value = characters.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect::<Option<Vec<u8>>>()?;
    (length.parse() == Ok(value.len())).then_some(Stored { value, modified })
}

impl<T: TextStore> Storage for BoundedStorage<T> {
    fn read<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<Option<Stored>, StorageError>> {
        Box::pin(async move { self.read_now(key) })
    }

    fn write<'a>(&'a self, key: &'a StorageKey, value: Vec<u8>) -> BoxFuture<'a, Result<(), StorageError>> {
        Box::pin(async move { self.write_now(key, &value) })
    }

    fn remove<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<(), StorageError>> {
        Box::pin(async move { self.texts.remove(&self.name(key)).map_err(|message| failed(key, "removed", message)) })
    }

    fn keys<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StorageKey>, StorageError>> {
        Box::pin(async move { self.keys_now(prefix) })
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        sync::{Mutex, atomic::AtomicUsize, atomic::Ordering},
        time::Duration,
    };

    use super::*;
    use crate::platform::{FakePlatform, ready};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Texts as a browser keeps them, with a quota of characters.
    #[derive(Clone, Default)]
    struct Texts {
        all: Arc<Mutex<BTreeMap<String, String>>>,
        quota: Arc<AtomicUsize>,
    }

    impl Texts {
        fn of(quota: usize) -> Self {
            Self { quota: Arc::new(AtomicUsize::new(quota)), ..Self::default() }
        }
    }

    impl TextStore for Texts {
        fn get(&self, name: &str) -> Result<Option<String>, String> {
            Ok(self.all.lock().unwrap().get(name).cloned())
        }

        fn set(&self, name: &str, text: &str) -> Result<(), String> {
            let mut all = self.all.lock().unwrap();
            let others: usize =
                all.iter().filter(|(other, _)| *other != name).map(|(other, text)| other.len() + text.len()).sum();
            if others + name.len() + text.len() > self.quota.load(Ordering::Relaxed) {
                return Err("QuotaExceededError".to_owned());
            }
            all.insert(name.to_owned(), text.to_owned());
            Ok(())
        }

        fn remove(&self, name: &str) -> Result<(), String> {
            self.all.lock().unwrap().remove(name);
            Ok(())
        }

        fn names(&self) -> Result<Vec<String>, String> {
            Ok(self.all.lock().unwrap().keys().cloned().collect())
        }
    }

    fn key(text: &str) -> StorageKey {
        StorageKey::new(text).unwrap()
    }

    fn storage(texts: &Texts, platform: &FakePlatform, limit: usize) -> BoundedStorage<Texts> {
        BoundedStorage::new(texts.clone(), Arc::new(platform.clone()), "p/", limit)
    }

    #[test]
    fn any_bytes_come_back_with_the_time_they_were_written() {
        let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
        let storage = storage(&texts, &platform, 10_000);
        let every_byte: Vec<u8> = (0..=255).collect();
        ready(storage.write(&key("a/b"), every_byte.clone())).unwrap();
        let written = platform.wall_time();
        platform.advance(Duration::from_secs(9));
        assert_eq!(ready(storage.read(&key("a/b"))).unwrap(), Some(Stored { value: every_byte, modified: written }));
        assert_eq!(ready(storage.modified(&key("a/b"))).unwrap(), Some(written));
        assert_eq!(ready(storage.keys("a/")).unwrap(), [key("a/b")]);
        assert_eq!(ready(storage.keys("b")).unwrap(), []);
        ready(storage.remove(&key("a/b"))).unwrap();
        assert_eq!(ready(storage.read(&key("a/b"))).unwrap(), None);
    }

    #[test]
    fn what_was_cut_or_comes_from_others_is_no_value() {
        let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
        let storage = storage(&texts, &platform, 10_000);
        ready(storage.write(&key("a"), b"{\"kind\":\"List\"}".to_vec())).unwrap();
        let whole = texts.get("p/a").unwrap().unwrap();
        for end in 0..whole.len() {
            texts.set("p/a", &whole[..end]).unwrap();
            assert_eq!(ready(storage.read(&key("a"))).unwrap(), None, "{:?} was read", &whole[..end]);
        }
        for other in ["null", "1 2 €€", "x 1 a", "1 x a", "1 -1 "] {
            texts.set("p/a", other).unwrap();
            assert_eq!(ready(storage.read(&key("a"))).unwrap(), None, "{other:?} was read");
        }
    }

    #[test]
    fn the_oldest_value_makes_room_and_those_of_others_stay() {
        let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
        texts.set("other", "0 3 abc").unwrap();
        let storage = storage(&texts, &platform, 300);
        // The names are not in the order of time.
        for name in ["c", "a", "b"] {
            ready(storage.write(&key(name), vec![b'x'; 70])).unwrap();
            platform.advance(Duration::from_secs(1));
        }
        ready(storage.write(&key("d"), vec![b'x'; 70])).unwrap();
        assert_eq!(ready(storage.keys("")).unwrap(), ["a", "b", "d"].map(key));
        ready(storage.write(&key("e"), vec![b'x'; 250])).unwrap();
        assert_eq!(ready(storage.keys("")).unwrap(), [key("e")]);
        assert!(texts.get("other").unwrap().is_some());
    }

    #[test]
    fn a_value_over_the_bound_is_refused_and_takes_nothing_away() {
        let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
        let storage = storage(&texts, &platform, 100);
        ready(storage.write(&key("a"), vec![b'x'; 10])).unwrap();
        let error = ready(storage.write(&key("b"), vec![b'x'; 100])).unwrap_err();
        assert!(matches!(error, StorageError::Full { .. }), "{error}");
        assert_eq!(ready(storage.keys("")).unwrap(), [key("a")]);
    }

    #[test]
    fn a_host_that_is_full_before_the_bound_gets_room_of_ours_and_then_refuses() {
        let (texts, platform) = (Texts::of(150), FakePlatform::default());
        let storage = storage(&texts, &platform, 10_000);
        ready(storage.write(&key("a"), vec![b'x'; 80])).unwrap();
        ready(storage.write(&key("b"), vec![b'x'; 80])).unwrap();
        assert_eq!(ready(storage.keys("")).unwrap(), [key("b")]);
        let error = ready(storage.write(&key("c"), vec![b'x'; 200])).unwrap_err();
        assert!(error.to_string().contains("QuotaExceededError"), "{error}");
    }
}
