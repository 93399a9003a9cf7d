//! What a controller did and its cache does not show yet.

use std::{
    hash::Hash,
    sync::{Arc, Mutex},
    time::Duration,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    informer::lock::lock,
    meta::Uid,
    platform::{Instant, Platform},
};

/// After this time nobody waits for what was expected (`ExpectationsTimeout`).
const TIMEOUT: Duration = Duration::from_secs(300);

/// What a controller made and deleted, for each of its objects, and has not seen in its cache yet (Kubernetes
/// `pkg/controller/controller_utils.go`, `UIDTrackingControllerExpectations`). One that counts what is in its cache, finds too few
/// and makes more must not count again before it sees what it made, or it makes too many. Clones are the same expectations.
///
/// A deletion is known by its uid, so that one that is seen twice, first as an object whose deletion has begun and then as one
/// that is gone, counts once.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{controller::Expectations, platform::FakePlatform};
///
/// let platform = FakePlatform::default();
/// let expectations = Expectations::new(Arc::new(platform.clone()));
/// // Before two pods are made:
/// expectations.expect_creations("web", 2);
/// assert!(!expectations.are_met(&"web"));
/// // One is seen; the other could not be made.
/// expectations.creation_observed(&"web");
/// expectations.creation_observed(&"web");
/// assert!(expectations.are_met(&"web"));
///
/// // What is never seen is not waited for for ever.
/// expectations.expect_deletions("web", ["uid-1".into()]);
/// platform.advance(Duration::from_secs(301));
/// assert!(expectations.are_met(&"web"));
/// ```
pub struct Expectations<K> {
    platform: Arc<dyn Platform>,
    expected: Arc<Mutex<FxHashMap<K, Expected>>>,
}

opaque_debug!(Expectations<K>);

struct Expected {
    creations: usize,
    deletions: FxHashSet<Uid>,
    since: Instant,
}

impl<K> Clone for Expectations<K> {
    fn clone(&self) -> Self {
        Self { platform: Arc::clone(&self.platform), expected: Arc::clone(&self.expected) }
    }
}

impl<K: Eq + Hash> Expectations<K> {
    /// Nothing is expected.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        Self { platform, expected: Arc::default() }
    }

    /// Notes, before so many are made for `key`, that they are going to be seen. What was expected for it before is forgotten.
    pub fn expect_creations(&self, key: K, count: usize) {
        self.expect(key, count, []);
    }

    /// Notes, before those of these uids are deleted for `key`, that their end is going to be seen. What was expected for it
    /// before is forgotten.
    pub fn expect_deletions(&self, key: K, uids: impl IntoIterator<Item = Uid>) {
        self.expect(key, 0, uids);
    }

    /// Both at once, for who makes some and deletes others (`SetExpectations`).
    pub fn expect(&self, key: K, creations: usize, deletions: impl IntoIterator<Item = Uid>) {
        let expected = Expected { creations, deletions: deletions.into_iter().collect(), since: self.platform.now() };
        let before = lock(&self.expected).insert(key, expected);
        drop(before);
    }

    /// One that was made for `key` was seen; or could not be made, and is never going to be.
    pub fn creation_observed(&self, key: &K) {
        if let Some(expected) = lock(&self.expected).get_mut(key) {
            expected.creations = expected.creations.saturating_sub(1);
        }
    }

    /// All that was made for `key` was seen by other means, such as [`WrittenVersions`](super::WrittenVersions), whatever became of it
    /// since: what came and went while nobody heard of it is never observed.
    pub fn creations_settled(&self, key: &K) {
        if let Some(expected) = lock(&self.expected).get_mut(key) {
            expected.creations = 0;
        }
    }

    /// The deletion of this one was seen, or failed. One whose deletion nobody expects is passed over.
    pub fn deletion_observed(&self, key: &K, uid: &Uid) {
        if let Some(expected) = lock(&self.expected).get_mut(key) {
            expected.deletions.remove(uid);
        }
    }

    /// Whether all that is expected for `key` was seen, or is not waited for any longer: five minutes are enough.
    #[must_use]
    pub fn are_met(&self, key: &K) -> bool {
        self.time_left(key).is_none()
    }

    /// For how much longer what is expected for `key` is waited for at most; nothing where all was seen. A controller looks at the key
    /// again by then: where nothing else happens, nobody tells that the time is over.
    #[must_use]
    pub fn time_left(&self, key: &K) -> Option<Duration> {
        let now = self.platform.now();
        let expected = lock(&self.expected);
        let expected = expected.get(key).filter(|expected| expected.creations > 0 || !expected.deletions.is_empty())?;
        // Just over it is over.
        TIMEOUT.checked_sub(now.since(expected.since)).map(|left| left + Duration::from_millis(1))
    }

    /// Forgets what is expected for `key`, which is gone.
    pub fn forget(&self, key: &K) {
        lock(&self.expected).remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::FakePlatform;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn expectations() -> (FakePlatform, Expectations<&'static str>) {
        let platform = FakePlatform::default();
        (platform.clone(), Expectations::new(Arc::new(platform)))
    }

    #[test]
    fn creations_are_met_once_each_was_seen_and_those_of_another_key_do_not_count() {
        let (_, expectations) = expectations();
        assert!(expectations.are_met(&"a"));
        expectations.expect_creations("a", 2);
        expectations.expect_creations("b", 1);
        expectations.creation_observed(&"b");
        assert!(expectations.are_met(&"b") && !expectations.are_met(&"a"));
        // More than were expected are none that count later.
        expectations.creation_observed(&"b");
        expectations.expect_creations("b", 1);
        assert!(!expectations.are_met(&"b"));
        expectations.clone().creation_observed(&"a");
        assert!(!expectations.are_met(&"a"));
        expectations.creation_observed(&"a");
        assert!(expectations.are_met(&"a"));
    }

    #[test]
    fn a_deletion_counts_once_and_only_one_that_is_expected() {
        let (_, expectations) = expectations();
        expectations.expect_deletions("a", ["1".into(), "2".into()]);
        for uid in ["1", "1", "3"] {
            expectations.deletion_observed(&"a", &uid.into());
            assert!(!expectations.are_met(&"a"), "{uid}");
        }
        expectations.deletion_observed(&"b", &"2".into());
        assert!(!expectations.are_met(&"a"));
        expectations.deletion_observed(&"a", &"2".into());
        assert!(expectations.are_met(&"a"));
        // Of both kinds at once each counts.
        expectations.expect("a", 1, ["1".into()]);
        expectations.creation_observed(&"a");
        assert!(!expectations.are_met(&"a"));
        expectations.deletion_observed(&"a", &"1".into());
        assert!(expectations.are_met(&"a"));
    }

    #[test]
    fn creations_that_are_settled_are_not_waited_for_and_deletions_are() {
        let (_, expectations) = expectations();
        expectations.expect("a", 3, ["1".into()]);
        expectations.creations_settled(&"b");
        expectations.creations_settled(&"a");
        assert!(!expectations.are_met(&"a"));
        expectations.deletion_observed(&"a", &"1".into());
        assert!(expectations.are_met(&"a"));
    }

    #[test]
    fn what_is_expected_last_counts_for_five_minutes() {
        let (platform, expectations) = expectations();
        expectations.expect_creations("a", 1);
        platform.advance(TIMEOUT);
        assert!(!expectations.are_met(&"a"));
        assert_eq!(expectations.time_left(&"a"), Some(Duration::from_millis(1)));
        platform.advance(Duration::from_millis(1));
        assert!(expectations.are_met(&"a"));
        assert_eq!(expectations.time_left(&"a"), None);
        expectations.expect_deletions("a", ["1".into()]);
        assert!(!expectations.are_met(&"a"));
        expectations.deletion_observed(&"a", &"1".into());
        assert!(expectations.are_met(&"a"), "the creation is forgotten");
        expectations.expect_creations("a", 1);
        expectations.forget(&"a");
        assert!(expectations.are_met(&"a"));
    }
}
