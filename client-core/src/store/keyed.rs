//! The store.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Key;
use crate::reflector::Delta;

/// Something with a key (client-go `tools/cache/store.go`, `KeyFunc`).
pub trait Keyed {
    /// The key.
    fn key(&self) -> Key;
}

/// What happened to one object.
#[derive(Clone, Debug, PartialEq)]
pub enum Change<T> {
    /// It is new.
    Added(Key, Arc<T>),
    /// It changed: before and after.
    Updated(Key, Arc<T>, Arc<T>),
    /// It is gone; what it was last.
    Removed(Key, Arc<T>),
}

impl<T> Change<T> {
    /// The key of the object.
    #[must_use]
    pub fn key(&self) -> &Key {
        match self {
            Self::Added(key, _) | Self::Updated(key, _, _) | Self::Removed(key, _) => key,
        }
    }
}

/// A collection by key.
///
/// Objects of a list are applied as they come, not held back until it is whole (client-go's reflector fills a
/// second store meanwhile): a list is never older than what the store has, so nothing goes back in time, and the
/// first rows are there at once. What the list does not bring goes at its end.
///
/// ```
/// use porthole_client_core::{
///     reflector::Delta,
///     store::{Change, Key, Keyed, Store},
/// };
///
/// struct Pod(&'static str);
///
/// impl Keyed for Pod {
///     fn key(&self) -> Key {
///         Key::new(self.0)
///     }
/// }
///
/// let (mut store, mut changes) = (Store::default(), Vec::new());
/// store.apply(Delta::Apply(Pod("shop/web-0")), &mut changes);
/// assert!(matches!(&changes[..], [Change::Added(key, _)] if key.as_str() == "shop/web-0"));
/// assert_eq!(store.len(), 1);
/// ```
#[derive(Debug)]
pub struct Store<T> {
    objects: FxHashMap<Key, Arc<T>>,
    /// While a list arrives: what it has brought.
    seen: Option<FxHashSet<Key>>,
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self { objects: FxHashMap::default(), seen: None }
    }
}

impl<T: Keyed> Store<T> {
    /// Takes in one delta and appends what it changes.
    pub fn apply(&mut self, delta: Delta<T>, changes: &mut Vec<Change<T>>) {
        match delta {
            Delta::Begin => self.seen = Some(FxHashSet::default()),
            Delta::Apply(object) => {
                let key = object.key();
                if let Some(seen) = &mut self.seen {
                    seen.insert(key.clone());
                }
                let object = Arc::new(object);
                changes.push(match self.objects.insert(key.clone(), Arc::clone(&object)) {
                    None => Change::Added(key, object),
                    Some(before) => Change::Updated(key, before, object),
                });
            }
            Delta::Delete(object) => {
                let key = object.key();
                // The last words of a deleted object count, as client-go hands them out.
                if self.objects.remove(&key).is_some() {
                    changes.push(Change::Removed(key, Arc::new(object)));
                }
            }
            Delta::Synced => {
                let Some(seen) = self.seen.take() else { return };
                let gone: Vec<Key> = self.objects.keys().filter(|key| !seen.contains(*key)).cloned().collect();
                for key in gone {
                    if let Some(object) = self.objects.remove(&key) {
                        changes.push(Change::Removed(key, object));
                    }
                }
            }
            Delta::Clear => {
                self.seen = None;
                changes.extend(self.objects.drain().map(|(key, object)| Change::Removed(key, object)));
            }
        }
    }

    /// The object of this key.
    #[must_use]
    pub fn find(&self, key: &Key) -> Option<&Arc<T>> {
        self.objects.get(key)
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// All objects, in no order.
    pub fn iter_unsorted(&self) -> impl Iterator<Item = (&Key, &Arc<T>)> {
        self.objects.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[derive(Clone, Debug, PartialEq)]
    struct Thing(&'static str, u32);

    impl Keyed for Thing {
        fn key(&self) -> Key {
            Key::new(self.0)
        }
    }

    fn run(store: &mut Store<Thing>, deltas: Vec<Delta<Thing>>) -> Vec<String> {
        let mut changes = Vec::new();
        for delta in deltas {
            store.apply(delta, &mut changes);
        }
        let mut words: Vec<_> = changes
            .iter()
            .map(|change| match change {
                Change::Added(key, after) => format!("+{}{}", key.as_str(), after.1),
                Change::Updated(key, before, after) => format!("~{}{}{}", key.as_str(), before.1, after.1),
                Change::Removed(key, last) => format!("-{}{}", key.as_str(), last.1),
            })
            .collect();
        words.sort();
        words
    }

    #[test]
    fn every_change_is_told_once() {
        let mut store = Store::default();
        let deltas = vec![
            Delta::Apply(Thing("a", 1)),
            Delta::Apply(Thing("a", 2)),
            Delta::Delete(Thing("a", 3)),
            Delta::Delete(Thing("a", 3)),
        ];
        assert_eq!(run(&mut store, deltas), ["+a1", "-a3", "~a12"]);
        assert!(store.is_empty());
    }

    #[test]
    fn what_a_whole_list_does_not_bring_goes_at_its_end_and_not_before() {
        let mut store = Store::default();
        run(&mut store, vec![Delta::Apply(Thing("a", 1)), Delta::Apply(Thing("b", 1))]);
        assert_eq!(run(&mut store, vec![Delta::Begin, Delta::Apply(Thing("b", 2))]), ["~b12"]);
        assert_eq!(store.len(), 2);
        // The list breaks off and begins anew: what the first half brought does not count.
        assert_eq!(run(&mut store, vec![Delta::Begin, Delta::Apply(Thing("c", 1)), Delta::Synced]), ["+c1", "-a1", "-b2"]);
        assert!(store.find(&Key::new("c")).is_some());
    }

    #[test]
    fn another_cluster_leaves_nothing_behind() {
        let mut store = Store::default();
        run(&mut store, vec![Delta::Begin, Delta::Apply(Thing("a", 1))]);
        assert_eq!(run(&mut store, vec![Delta::Clear, Delta::Synced]), ["-a1"]);
    }
}
