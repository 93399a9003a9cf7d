//! What a controller wrote and its cache has not reached.

use std::{
    cmp::Ordering,
    hash::Hash,
    sync::{Arc, Mutex},
};

use rustc_hash::FxHashMap;

use crate::{
    informer::lock::lock,
    meta::{ResourceVersion, compare_resource_versions},
};

/// What a cache has of what a controller wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing was written since it had all.
    Nothing,
    /// It has all, and what became of it since.
    Seen,
    /// It does not have all yet.
    Unseen,
    /// There is no telling: versions cannot be compared.
    Unknown,
}

/// The newest version that a controller wrote, for each of its objects, of one resource (Kubernetes
/// `pkg/controller/util/consistency/consistency.go`). A cache that has not reached it does not show all that was done, and who
/// acts on it does it twice. Clones are the same versions.
///
/// [`Expectations`](super::Expectations) wait for what was made and deleted before the server has answered; this waits for what it
/// answered, whatever became of it since.
///
/// ```
/// use porthole_client_core::controller::{Written, WrittenVersions};
///
/// let pods = WrittenVersions::default();
/// pods.wrote("web", "120".into());
/// pods.wrote("web", "118".into());
/// assert_eq!(pods.look(&"web", &"119".into()), Written::Unseen);
/// assert_eq!(pods.look(&"web", &"123".into()), Written::Seen);
/// assert_eq!(pods.look(&"web", &"123".into()), Written::Nothing);
/// ```
pub struct WrittenVersions<K> {
    versions: Arc<Mutex<FxHashMap<K, ResourceVersion>>>,
}

opaque_debug!(WrittenVersions<K>);

impl<K> Clone for WrittenVersions<K> {
    fn clone(&self) -> Self {
        Self { versions: Arc::clone(&self.versions) }
    }
}

/// Nothing was written.
impl<K> Default for WrittenVersions<K> {
    fn default() -> Self {
        Self { versions: Arc::default() }
    }
}

impl<K: Eq + Hash> WrittenVersions<K> {
    /// Notes that the server gave this version to something that was written for `key`.
    pub fn wrote(&self, key: K, version: ResourceVersion) {
        let mut versions = lock(&self.versions);
        let is_older = |before| compare_resource_versions(&version, before).is_ok_and(Ordering::is_lt);
        if !versions.get(&key).is_some_and(is_older) {
            versions.insert(key, version);
        }
    }

    /// Whether a cache at version `read` has all that was written for `key`. What it has is forgotten, and so is what cannot be
    /// compared: nobody is to wait for ever.
    #[must_use]
    pub fn look(&self, key: &K, read: &ResourceVersion) -> Written {
        let mut versions = lock(&self.versions);
        let Some(written) = versions.get(key) else { return Written::Nothing };
        let look = match compare_resource_versions(written, read) {
            Ok(Ordering::Greater) => return Written::Unseen,
            Ok(_) => Written::Seen,
            Err(_) => Written::Unknown,
        };
        versions.remove(key);
        look
    }

    /// Forgets what was written for `key`, which is gone.
    pub fn forget(&self, key: &K) {
        lock(&self.versions).remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_newest_that_was_written_has_to_be_reached_for_each_key() {
        let written = WrittenVersions::default();
        assert_eq!(written.look(&"a", &"1".into()), Written::Nothing);
        for version in ["9", "100", "20"] {
            written.wrote("a", version.into());
        }
        written.clone().wrote("b", "5".into());
        assert_eq!((written.look(&"b", &"5".into()), written.look(&"a", &"99".into())), (Written::Seen, Written::Unseen));
        assert_eq!(written.look(&"a", &"100".into()), Written::Seen);
        // What was reached once is not waited for again, were the cache to go back.
        assert_eq!(written.look(&"a", &"50".into()), Written::Nothing);
        written.wrote("a", "200".into());
        assert_eq!(written.look(&"a", &"100".into()), Written::Unseen);
        written.forget(&"a");
        assert_eq!(written.look(&"a", &"100".into()), Written::Nothing);
    }

    #[test]
    fn nobody_waits_where_versions_cannot_be_compared() {
        for (wrote, read) in [("abc", "1"), ("5", "abc"), ("5", ""), ("", "1")] {
            let written = WrittenVersions::default();
            written.wrote("a", wrote.into());
            assert_eq!(written.look(&"a", &read.into()), Written::Unknown, "{wrote} {read}");
            assert_eq!(written.look(&"a", &read.into()), Written::Nothing, "{wrote} {read}");
        }
    }
}
