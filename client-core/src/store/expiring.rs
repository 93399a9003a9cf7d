//! A store that forgets.

use std::{sync::Arc, time::Duration};

use rustc_hash::FxHashMap;

use super::{Entry, Key};
use crate::platform::{Instant, MaybeSend, MaybeSync, Platform};

/// A store whose objects are gone after a while (client-go `tools/cache/expiration_cache.go`, `ExpirationCache`).
///
/// What has expired goes when it is asked for, not by itself: a store that nobody asks keeps what it has.
///
/// ```
/// use std::{sync::Arc, time::Duration};
///
/// use porthole_client_core::{
///     platform::FakePlatform,
///     store::{Entry, ExpiringStore, Key, TtlPolicy},
/// };
///
/// let clock = FakePlatform::default();
/// let mut store = ExpiringStore::new(Arc::new(clock.clone()), TtlPolicy(Duration::from_secs(30)));
/// store.insert(Entry { key: Key::new("a"), object: Arc::new("a token") });
/// clock.advance(Duration::from_secs(30));
/// assert!(store.find("a").is_some());
/// clock.advance(Duration::from_millis(1));
/// assert!(store.find("a").is_none());
/// ```
pub struct ExpiringStore<T> {
    objects: FxHashMap<Key, Timestamped<T>>,
    policy: Box<dyn ExpirationPolicy<T>>,
    platform: Arc<dyn Platform>,
}

opaque_debug!(ExpiringStore<T>);

/// An object, and since when it is in an [`ExpiringStore`] (client-go `TimestampedEntry`).
#[derive(Debug, PartialEq, Eq)]
pub struct Timestamped<T> {
    /// The object.
    pub object: Arc<T>,
    /// When it came, or last changed.
    pub since: Instant,
}

/// Says which objects have expired (client-go `ExpirationPolicy`).
pub trait ExpirationPolicy<T>: MaybeSend + MaybeSync + 'static {
    /// Whether this one has.
    fn is_expired(&self, key: &Key, object: &Timestamped<T>, now: Instant) -> bool;
}

/// Objects that are older than this have expired; where it is zero, none ever does (client-go `TTLPolicy`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtlPolicy(pub Duration);

impl<T> ExpirationPolicy<T> for TtlPolicy {
    fn is_expired(&self, _key: &Key, object: &Timestamped<T>, now: Instant) -> bool {
        !self.0.is_zero() && now.since(object.since) > self.0
    }
}

impl<T: 'static> ExpiringStore<T> {
    /// An empty one.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>, policy: impl ExpirationPolicy<T>) -> Self {
        Self { objects: FxHashMap::default(), policy: Box::new(policy), platform }
    }

    /// Takes in an object that is new or has changed, from now on; gives back what was there, expired or not.
    pub fn insert(&mut self, entry: Entry<T>) -> Option<Arc<T>> {
        let object = Timestamped { object: entry.object, since: self.platform.now() };
        self.objects.insert(entry.key, object).map(|before| before.object)
    }

    /// Takes an object out; gives it back, expired or not.
    pub fn remove(&mut self, key: &str) -> Option<Arc<T>> {
        self.objects.remove(key).map(|before| before.object)
    }

    /// Puts a whole list in place of all that is there, from now on.
    pub fn replace(&mut self, entries: impl IntoIterator<Item = Entry<T>>) {
        let since = self.platform.now();
        let stamped = |entry: Entry<T>| (entry.key, Timestamped { object: entry.object, since });
        self.objects = entries.into_iter().map(stamped).collect();
    }

    /// The object of this key, unless it has expired: then it goes.
    pub fn find(&mut self, key: &str) -> Option<Arc<T>> {
        let (found, object) = self.objects.get_key_value(key)?;
        if self.policy.is_expired(found, object, self.platform.now()) {
            self.objects.remove(key);
            return None;
        }
        Some(Arc::clone(&object.object))
    }

    /// All objects that have not expired, in no order; the others go.
    pub fn list(&mut self) -> Vec<Arc<T>> {
        let now = self.platform.now();
        self.objects.retain(|key, object| !self.policy.is_expired(key, object, now));
        self.objects.values().map(|object| Arc::clone(&object.object)).collect()
    }

    /// The keys of all objects, in no order, also of those that have expired and were not asked for since.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> {
        self.objects.keys()
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Mutex};

    use super::*;
    use crate::platform::FakePlatform;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// All have expired but these.
    #[derive(Clone, Default)]
    struct AllBut(Arc<Mutex<BTreeSet<&'static str>>>);

    impl AllBut {
        fn keep(&self, key: &'static str) {
            self.0.lock().unwrap().insert(key);
        }
    }

    impl<T> ExpirationPolicy<T> for AllBut {
        fn is_expired(&self, key: &Key, _object: &Timestamped<T>, _now: Instant) -> bool {
            !self.0.lock().unwrap().contains(key.as_str())
        }
    }

    fn entry(key: &str, value: &'static str) -> Entry<&'static str> {
        Entry { key: Key::new(key), object: Arc::new(value) }
    }

    fn store(policy: &AllBut) -> ExpiringStore<&'static str> {
        ExpiringStore::new(Arc::new(FakePlatform::default()), policy.clone())
    }

    fn keys(store: &ExpiringStore<&'static str>) -> BTreeSet<String> {
        store.keys().map(ToString::to_string).collect()
    }

    #[test]
    fn what_has_expired_is_not_found_and_gone_once_it_was_asked_for() {
        let mut store = store(&AllBut::default());
        store.insert(entry("foo", "bar"));
        assert_eq!(keys(&store), BTreeSet::from(["foo".to_owned()]));
        assert_eq!(store.find("foo"), None);
        assert_eq!(store.keys().len(), 0);
    }

    #[test]
    fn what_has_expired_can_come_again() {
        let policy = AllBut::default();
        let mut store = store(&policy);
        store.insert(entry("foo", "bar"));
        assert_eq!(store.find("foo"), None);
        assert_eq!(store.insert(entry("foo", "different")), None);
        policy.keep("foo");
        assert_eq!(store.find("foo").as_deref(), Some(&"different"));
    }

    #[test]
    fn a_list_has_what_has_not_expired_and_lets_the_rest_go() {
        let policy = AllBut::default();
        let mut store = store(&policy);
        policy.keep("foo1");
        store.replace([entry("foo", "bar"), entry("foo1", "bar1"), entry("foo2", "bar2")]);
        assert_eq!(store.keys().len(), 3);
        assert_eq!(store.list(), [Arc::new("bar1")]);
        assert_eq!(keys(&store), BTreeSet::from(["foo1".to_owned()]));
        assert_eq!(store.remove("foo1").as_deref(), Some(&"bar1"));
        assert_eq!(store.keys().len(), 0);
    }

    #[test]
    fn an_object_has_expired_when_it_is_older_than_its_time_and_never_where_that_is_zero() {
        let ttl = Duration::from_secs(30);
        let since = Instant::new(Duration::from_secs(100));
        let object = Timestamped { object: Arc::new(()), since };
        let expired = |ttl, age| TtlPolicy(ttl).is_expired(&Key::new("foo"), &object, since + age);
        assert!(!expired(ttl, Duration::ZERO));
        assert!(!expired(ttl, ttl));
        assert!(expired(ttl, ttl + Duration::from_nanos(1)));
        assert!(!expired(Duration::ZERO, ttl + Duration::from_nanos(1)));
    }

    #[test]
    fn what_changes_begins_anew_and_so_does_all_of_a_list() {
        let clock = FakePlatform::default();
        let mut store = ExpiringStore::new(Arc::new(clock.clone()), TtlPolicy(Duration::from_secs(30)));
        for key in ["a", "b"] {
            store.insert(entry(key, "old"));
        }
        clock.advance(Duration::from_secs(20));
        store.insert(entry("a", "new"));
        clock.advance(Duration::from_secs(20));
        assert_eq!((store.find("a").as_deref(), store.find("b")), (Some(&"new"), None));
        store.replace([entry("a", "newer")]);
        clock.advance(Duration::from_secs(20));
        assert_eq!(store.list(), [Arc::new("newer")]);
    }
}
