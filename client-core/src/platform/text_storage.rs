//! A storage of a bounded size over one that keeps texts, as a browser's local storage does.

use std::{cmp::Reverse, sync::Arc};

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

/// A [`Storage`] in a room of a [`TextStore`] that it shares with storages of other owners, say of other clusters. All of
/// them together have at most so many characters. What does not fit takes the place of what others keep there, and then of
/// what was written here, each time of what was written longest ago: nobody comes back for what a cluster said that is gone.
///
/// Each byte becomes one character below U+0100 and each value begins with the time it was written, so a text that
/// somebody else put there, or that was cut, is no value, and the first to go. JSON stays legible.
pub struct BoundedStorage<T> {
    texts: T,
    platform: Arc<dyn Platform>,
    room: String,
    /// The room's name with the owner's.
    prefix: String,
    limit: usize,
}

impl<T: TextStore> BoundedStorage<T> {
    /// A storage in `texts`, under names that begin with `room` and then `owner`. The owner is the cluster: what one says
    /// is of no use for another. Everything under names that begin with `room` has at most `limit` characters; names
    /// outside of it are never touched.
    #[must_use]
    pub fn new(texts: T, platform: Arc<dyn Platform>, room: impl Into<String>, owner: &str, limit: usize) -> Self {
        let room = room.into();
        Self { texts, platform, prefix: format!("{room}{owner}"), room, limit }
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
        let needed = size(&name) + size(&text);
        let full = |message: String| StorageError::Full { key: key.clone(), message };
        if needed > self.limit {
            let (limit, bytes) = (self.limit, value.len());
            return Err(full(format!("it has {bytes} bytes, and all values together may have {limit} characters")));
        }
        let not_stored = |message: String| failed(key, "stored", message);
        let mut others = self.others(&name).map_err(not_stored)?;
        let mut kept: usize = others.iter().map(|other| other.size).sum();
        let mut freed = 0;
        let mut free_next = || -> Result<Option<usize>, StorageError> {
            let Some(other) = others.pop() else { return Ok(None) };
            self.texts.remove(&other.name).map_err(not_stored)?;
            Ok(Some(other.size))
        };
        while kept + needed > self.limit
            && let Some(size) = free_next()?
        {
            (kept, freed) = (kept - size, freed + size);
        }
        // The store's own bound may be lower than ours, and others write to it. Where it refuses though as much as this
        // takes has gone, it is not room that it lacks.
        loop {
            let Err(message) = self.texts.set(&name, &text) else { return Ok(()) };
            if freed >= needed {
                return Err(full(message));
            }
            freed += free_next()?.ok_or_else(|| full(message))?;
        }
    }

    /// What is stored under other names of the room, the first to go last.
    fn others(&self, name: &str) -> Result<Vec<Other>, String> {
        let mut others = Vec::new();
        for other in self.texts.names()? {
            if other != name
                && other.starts_with(&self.room)
                && let Some(text) = self.texts.get(&other)?
            {
                let worth = split(&text).map(|(modified, _)| (other.starts_with(&self.prefix), modified));
                others.push(Other { size: size(&other) + size(&text), name: other, worth });
            }
        }
        others.sort_by_key(|other| Reverse(other.worth));
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
    /// None for what is no value; else whether it is ours, and when it was written.
    worth: Option<(bool, WallTime)>,
}

/// How much of a browser's quota a text takes: it keeps UTF-16, and ours has no character of two units.
fn size(text: &str) -> usize {
    text.chars().count()
}

fn failed(key: &StorageKey, what: &'static str, message: String) -> StorageError {
    StorageError::Failed { key: key.clone(), what, message }
}

fn encode(value: &[u8], now: WallTime) -> String {
    let mut text = format!("{} {} ", now.0, value.len());
    text.extend(value.iter().map(|byte| char::from(*byte)));
    text
}

/// The time and the characters of a value, where `text` is a whole one.
fn split(text: &str) -> Option<(WallTime, &str)> {
    let (time, rest) = text.split_once(' ')?;
    let (length, characters) = rest.split_once(' ')?;
    (length.parse() == Ok(size(characters))).then_some((WallTime(time.parse().ok()?), characters))
}

fn decode(text: &str) -> Option<Stored> {
    let (modified, characters) = split(text)?;
    let value = characters.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect::<Option<Vec<u8>>>()?;
    Some(Stored { value, modified })
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
mod tests;
