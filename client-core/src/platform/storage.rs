//! The seam to what a host keeps between two runs.

use std::fmt;

use thiserror::Error;

use super::{BoxFuture, MaybeSend, MaybeSync, WallTime};

/// The name of a stored value: segments with `/` between them, such as `apps/v1/serverresources.json`.
///
/// A key never climbs out of its storage: what a server calls its groups becomes a part of keys, and a storage may keep
/// them as files.
///
/// ```
/// use porthole_client_core::platform::StorageKey;
///
/// assert_eq!(StorageKey::new("apps/v1/serverresources.json")?.as_str(), "apps/v1/serverresources.json");
/// assert!(StorageKey::new("../secrets").is_err());
/// # Ok::<(), porthole_client_core::platform::StorageKeyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StorageKey(String);

/// A text that cannot be a key.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} cannot be a storage key: a segment of it is empty, \".\", \"..\", or holds a character that no file may have")]
pub struct StorageKeyError(String);

impl StorageKey {
    /// `text` as a key.
    ///
    /// # Errors
    /// Where a segment is empty, `.` or `..`, or holds a control character or one of `\ : * ? " < > |`, which are not
    /// the same on every file system.
    pub fn new(text: impl Into<String>) -> Result<Self, StorageKeyError> {
        let text = text.into();
        let refused = |character: char| character.is_control() || r#"\:*?"<>|"#.contains(character);
        if text.split('/').any(|segment| matches!(segment, "" | "." | "..")) || text.contains(refused) {
            return Err(StorageKeyError(text));
        }
        Ok(Self(text))
    }

    /// The text of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StorageKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A value, and when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The bytes of it.
    pub value: Vec<u8>,
    /// When they were written.
    pub modified: WallTime,
}

/// A storage that does not do what it was asked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageError {
    /// The name of the value cannot be a key.
    #[error(transparent)]
    Key(#[from] StorageKeyError),
    /// There is none here, or it may not be used: a worker has no local storage, and a person can forbid it.
    #[error("there is no storage that may be used here: {message}")]
    Unavailable {
        /// The host's own words.
        message: String,
    },
    /// The value does not fit.
    #[error("{key} was not stored, it does not fit: {message}")]
    Full {
        /// What was to be stored.
        key: StorageKey,
        /// The host's own words.
        message: String,
    },
    /// Reading or writing failed.
    #[error("{key} could not be {what}: {message}")]
    Failed {
        /// Which value.
        key: StorageKey,
        /// What was tried, such as `read`.
        what: &'static str,
        /// The host's own words.
        message: String,
    },
}

/// Values by key that outlive this run: what client-go keeps below `~/.kube/cache`. A storage belongs to one purpose and one
/// server: whoever makes it chooses the folder, or the prefix. Natively it is a folder of files, in a page a part of the local
/// storage, in tests memory.
pub trait Storage: MaybeSend + MaybeSync + 'static {
    /// The value of `key`, or `None` where there is none.
    ///
    /// # Errors
    /// Where the storage cannot be read.
    fn read<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<Option<Stored>, StorageError>>;

    /// Keeps `value` under `key`, in place of what was there. Whoever reads sees the old value or the new one, never a
    /// part of either.
    ///
    /// # Errors
    /// Where the storage is full, or may not be written to.
    fn write<'a>(&'a self, key: &'a StorageKey, value: Vec<u8>) -> BoxFuture<'a, Result<(), StorageError>>;

    /// Removes the value of `key`; nothing happens where there is none.
    ///
    /// # Errors
    /// Where the storage may not be written to.
    fn remove<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<(), StorageError>>;

    /// The keys that begin with `prefix`, in order; all of them for an empty one.
    ///
    /// # Errors
    /// Where the storage cannot be read.
    fn keys<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StorageKey>, StorageError>>;

    /// When the value of `key` was written, or `None` where there is none.
    ///
    /// # Errors
    /// Where the storage cannot be read.
    fn modified<'a>(&'a self, key: &'a StorageKey) -> BoxFuture<'a, Result<Option<WallTime>, StorageError>> {
        Box::pin(async move { Ok(self.read(key).await?.map(|stored| stored.modified)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_key_never_climbs_and_is_a_file_name_everywhere() {
        for text in ["servergroups.json", "v1/serverresources.json", "metrics.k8s.io/v1beta1/serverresources.json", "a/.b"] {
            assert_eq!(StorageKey::new(text).unwrap().to_string(), text);
        }
        for text in ["", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a\\b", "c:", "a\0b", "a\nb", "a|b", "a?"] {
            assert!(StorageKey::new(text).is_err(), "{text:?} was taken");
        }
    }
}
