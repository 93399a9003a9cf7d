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

/// The newest version that a controller wrote, for each of its objects, of one resource (Kubernetes
/// `pkg/controller/util/consistency/consistency.go`). A cache that has not reached it does not show all that was done, and who
/// acts on it does it twice. Clones are the same versions.
///
/// [`Expectations`](super::Expectations) wait for what was made and deleted before the server has answered; this waits for what it
/// answered, whatever became of it since.
///
/// ```
/// use porthole_client_core::controller::WrittenVersions;
///
/// let pods = WrittenVersions::default();
/// pods.wrote("web", "120".into());
/// pods.wrote("web", "118".into());
/// assert!(!pods.are_seen(&"web", &"119".into()));
/// assert!(pods.are_seen(&"web", &"123".into()));
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
        let is_newest = versions.get(&key).is_none_or(|before| is_newer(&version, before));
        if is_newest {
            versions.insert(key, version);
        }
    }

    /// Whether a cache at version `read` has all that was written for `key`. So it is where versions cannot be compared: nobody is to
    /// wait for ever.
    #[must_use]
    pub fn are_seen(&self, key: &K, read: &ResourceVersion) -> bool {
        let mut versions = lock(&self.versions);
        let is_behind = versions.get(key).is_some_and(|written| is_newer(written, read));
        if !is_behind {
            versions.remove(key);
        }
        !is_behind
    }

    /// Forgets what was written for `key`, which is gone.
    pub fn forget(&self, key: &K) {
        lock(&self.versions).remove(key);
    }
}

fn is_newer(version: &ResourceVersion, other: &ResourceVersion) -> bool {
    compare_resource_versions(version, other) == Ok(Ordering::Greater)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_newest_that_was_written_has_to_be_reached_for_each_key() {
        let written = WrittenVersions::default();
        assert!(written.are_seen(&"a", &"1".into()));
        for version in ["9", "100", "20"] {
            written.wrote("a", version.into());
        }
        written.clone().wrote("b", "5".into());
        assert!(written.are_seen(&"b", &"5".into()) && !written.are_seen(&"a", &"99".into()));
        assert!(written.are_seen(&"a", &"100".into()));
        // What was reached once is not waited for again, were the cache to go back.
        assert!(written.are_seen(&"a", &"50".into()));
        written.wrote("a", "200".into());
        assert!(!written.are_seen(&"a", &"100".into()));
        written.forget(&"a");
        assert!(written.are_seen(&"a", &"100".into()));
    }

    #[test]
    fn nobody_waits_where_versions_cannot_be_compared() {
        for (wrote, read) in [("abc", "1"), ("5", "abc"), ("5", ""), ("", "1")] {
            let written = WrittenVersions::default();
            written.wrote("a", wrote.into());
            assert!(written.are_seen(&"a", &read.into()), "{wrote} {read}");
        }
    }
}
