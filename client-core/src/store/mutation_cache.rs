//! What was written and is not yet back.

use std::{cmp::Ordering, collections::VecDeque, sync::Arc, time::Duration};

use super::{Entry, IndexError, IndexName, Key, SharedIndexer};
use crate::{
    meta::compare_resource_versions,
    object::Object,
    platform::{Instant, Platform},
};

/// How many written objects are remembered; of more the one that was asked for longest ago goes.
const MOST: usize = 100;

/// Reads a cache as if it had what its user wrote, before the server sends it back: a controller that has just written an object
/// does not decide on the one before (client-go `tools/cache/mutation_cache.go`, `MutationCache`).
///
/// What was written counts until the cache has it or a newer one, at most for a time. Two versions without an order, which
/// stop a program of client-go, are decided for the cache. [`by_index`](Self::by_index) goes by the newer object alone, where
/// client-go finds one also by what it was before.
///
/// ```
/// use std::{sync::Arc, time::Duration};
///
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::{Object as _, PartialObjectMetadata},
///     platform::FakePlatform,
///     store::{Entry, MutationCache, SharedIndexer},
/// };
///
/// let node = |version: &str| {
///     let metadata = ObjectMeta { name: "node-1".into(), resource_version: version.into(), ..ObjectMeta::default() };
///     Entry::of(PartialObjectMetadata::new(metadata))
/// };
/// let nodes = SharedIndexer::default();
/// nodes.write(|nodes| nodes.insert(node("9")));
/// let mut cache = MutationCache::new(nodes, Arc::new(FakePlatform::default()), Duration::from_secs(60));
/// cache.mutation(node("10"));
/// assert_eq!(cache.find("node-1").unwrap().resource_version(), "10");
/// ```
pub struct MutationCache<T> {
    indexer: SharedIndexer<T>,
    platform: Arc<dyn Platform>,
    time_to_live: Duration,
    with_new: bool,
    written: VecDeque<Written<T>>,
}

opaque_debug!(MutationCache<T>);

struct Written<T> {
    entry: Entry<T>,
    until: Instant,
}

impl<T: Object> MutationCache<T> {
    /// Over this cache; what is written counts for so long at most.
    #[must_use]
    pub fn new(indexer: SharedIndexer<T>, platform: Arc<dyn Platform>, time_to_live: Duration) -> Self {
        Self { indexer, platform, time_to_live, with_new: false, written: VecDeque::new() }
    }

    /// Finds what was written also where the cache has no such object: it may be new. Or it is gone again: only with this, a
    /// deleted object can be found until its time is over.
    #[must_use]
    pub fn with_new(mut self) -> Self {
        self.with_new = true;
        self
    }

    /// Takes in what the server answered to a write, unless a newer one is known.
    pub fn mutation(&mut self, entry: Entry<T>) {
        self.expire();
        if let Some(place) = self.written.iter().position(|written| written.entry.key == entry.key) {
            let known = self.written.get(place);
            if known.is_some_and(|known| order(&entry.object, &known.entry.object) == Some(Ordering::Less)) {
                return;
            }
            self.written.remove(place);
        } else if self.written.len() == MOST {
            self.written.pop_front();
        }
        self.written.push_back(Written { entry, until: self.platform.now() + self.time_to_live });
    }

    /// The object of this key, as written or as the cache has it, whichever is newer.
    pub fn find(&mut self, key: &str) -> Option<Arc<T>> {
        self.expire();
        let cached = self.indexer.find(key);
        let place = self.written.iter().position(|written| written.entry.key.as_str() == key);
        let Some(written) = place.and_then(|place| self.written.remove(place)) else { return cached };
        let object = Arc::clone(&written.entry.object);
        match cached {
            Some(cached) if !is_newer(&object, &cached) => return Some(cached),
            None if !self.with_new => {
                self.written.push_back(written);
                return None;
            }
            _ => {}
        }
        self.written.push_back(written);
        Some(object)
    }

    /// The objects that have a value in an index of the cache, each as written or as the cache has it, whichever is newer.
    /// Those of which that index's function fails are not among them.
    ///
    /// # Errors
    ///
    /// Where there is no such index.
    pub fn by_index(&mut self, index: &IndexName, value: &str) -> Result<Vec<Arc<T>>, IndexError> {
        self.expire();
        let Self { indexer, written, with_new, .. } = self;
        indexer.read(|indexer| {
            written.retain(|written| {
                indexer.find(written.entry.key.as_str()).is_none_or(|cached| is_newer(&written.entry.object, cached))
            });
            let is_written = |key: &Key| written.iter().any(|written| written.entry.key == *key);
            let cached =
                indexer.by_index(index, value)?.filter(|(key, _)| !is_written(key)).map(|(_, object)| Arc::clone(object));
            let mut found: Vec<_> = cached.collect();
            let counts = |written: &&Written<T>| *with_new || indexer.find(written.entry.key.as_str()).is_some();
            for Written { entry, .. } in written.iter().filter(counts) {
                if indexer.has_value(index, &entry.object, value)? {
                    found.push(Arc::clone(&entry.object));
                }
            }
            Ok(found)
        })
    }

    fn expire(&mut self) {
        let now = self.platform.now();
        self.written.retain(|written| now <= written.until);
    }
}

fn is_newer<T: Object>(written: &Arc<T>, cached: &Arc<T>) -> bool {
    order(written, cached) == Some(Ordering::Greater)
}

fn order<T: Object>(left: &Arc<T>, right: &Arc<T>) -> Option<Ordering> {
    compare_resource_versions(&left.resource_version().into(), &right.resource_version().into()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::FakePlatform,
        store::testing::{BY_USER, Thing, by_user, thing, users_of},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const TTL: Duration = Duration::from_secs(60);

    struct Test {
        clock: FakePlatform,
        indexer: SharedIndexer<Thing>,
        cache: MutationCache<Thing>,
    }

    impl Test {
        fn new() -> Self {
            let (clock, indexer) = (FakePlatform::default(), SharedIndexer::new(by_user().into()));
            let cache = MutationCache::new(indexer.clone(), Arc::new(clock.clone()), TTL);
            Self { clock, indexer, cache }
        }

        fn arrives(&self, entry: Entry<Thing>) {
            self.indexer.write(|indexer| indexer.insert(entry));
        }

        /// Its version.
        fn find(&mut self, key: &str) -> Option<String> {
            self.cache.find(key).map(|thing| thing.resource_version().to_owned())
        }

        /// Names and versions.
        fn by_user(&mut self, user: &str) -> Vec<String> {
            let found = self.cache.by_index(&BY_USER, user).unwrap();
            let mut found: Vec<_> = found.iter().map(|thing| [thing.name(), thing.resource_version()].concat()).collect();
            found.sort();
            found
        }
    }

    #[test]
    fn what_was_written_counts_until_the_cache_has_it_or_a_newer_one() {
        let mut test = Test::new();
        test.arrives(thing("a", "9", "u"));
        test.cache.mutation(thing("a", "10", "v"));
        assert_eq!(test.find("a").as_deref(), Some("10"));
        test.cache.mutation(thing("a", "8", "w"));
        assert_eq!(test.find("a").as_deref(), Some("10"), "an answer that came late");
        test.arrives(thing("a", "11", "u"));
        assert_eq!(test.find("a").as_deref(), Some("11"));
        // It is forgotten, whatever the cache has later.
        test.arrives(thing("a", "9", "u"));
        assert_eq!(test.find("a").as_deref(), Some("9"));
    }

    #[test]
    fn what_was_written_counts_for_its_time_at_most() {
        let mut test = Test::new();
        test.arrives(thing("a", "9", "u"));
        test.cache.mutation(thing("a", "10", "v"));
        test.clock.advance(TTL);
        assert_eq!(test.find("a").as_deref(), Some("10"));
        test.clock.advance(Duration::from_nanos(1));
        assert_eq!((test.find("a").as_deref(), test.by_user("v").len()), (Some("9"), 0));
    }

    #[test]
    fn what_the_cache_does_not_have_is_found_only_where_new_objects_are_asked_for() {
        for with_new in [false, true] {
            let mut test = Test::new();
            test.cache.with_new = with_new;
            test.cache.mutation(thing("a", "10", "u"));
            assert_eq!((test.find("a").is_some(), test.by_user("u").len()), (with_new, usize::from(with_new)));
            // Either way it counts once the cache has the one before.
            test.arrives(thing("a", "9", ""));
            assert_eq!((test.find("a").as_deref(), test.by_user("u")), (Some("10"), vec!["a10".to_owned()]));
        }
    }

    #[test]
    fn an_index_is_of_the_newer_objects() {
        let mut test = Test::new();
        for entry in [thing("a", "1", "u"), thing("b", "2", "u"), thing("c", "3", "v"), thing("d", "9", "v")] {
            test.arrives(entry);
        }
        for entry in [thing("b", "5", "v"), thing("c", "6", "u,v"), thing("d", "7", "u"), thing("a", "8", "u,")] {
            test.cache.mutation(entry);
        }
        assert_eq!(test.by_user("u"), ["c6"]);
        assert_eq!(test.by_user("v"), ["b5", "c6", "d9"]);
        assert_eq!(users_of(&test.cache.find("a").unwrap()), "u,", "it cannot be indexed, and is there");
        assert!(matches!(test.cache.by_index(&IndexName::new("none"), "u"), Err(IndexError::Unknown(_))));
    }

    #[test]
    fn versions_without_an_order_are_decided_for_the_cache() {
        let mut test = Test::new();
        test.arrives(thing("a", "x", "u"));
        test.cache.mutation(thing("a", "10", "v"));
        assert_eq!((test.by_user("u"), test.by_user("v").len()), (vec!["ax".to_owned()], 0));
        test.cache.mutation(thing("a", "10", "v"));
        assert_eq!(test.find("a").as_deref(), Some("x"));
    }

    #[test]
    fn of_too_many_the_one_goes_that_was_asked_for_longest_ago() {
        let mut test = Test::new();
        test.cache.with_new = true;
        for number in 0..MOST {
            test.cache.mutation(thing(&number.to_string(), "1", ""));
        }
        assert!(test.find("0").is_some());
        test.cache.mutation(thing("another", "1", ""));
        assert_eq!((test.find("0").is_some(), test.find("1").is_some(), test.find("2").is_some()), (true, false, true));
    }
}
