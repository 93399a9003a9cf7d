//! A heap whose items have keys.

use std::hash::Hash;

use super::placed_heap::PlacedHeap;

/// Items in an order, the first at hand, each found by its key (client-go `tools/cache/heap.go`, `heapData`). Putting in, taking
/// out and moving an item take logarithmic time.
///
/// ```
/// use porthole_client_core::queue::KeyedHeap;
///
/// /// What is due, and when.
/// let mut heap = KeyedHeap::new(|(name, _): &(&str, u32)| *name, |one, other| one.1 < other.1);
/// heap.insert(("backup", 30));
/// heap.insert(("report", 20));
/// heap.insert(("backup", 10));
/// assert_eq!(heap.peek(), Some(&("backup", 10)));
/// assert_eq!(heap.pop(), Some(("backup", 10)));
/// assert_eq!(heap.len(), 1);
/// ```
pub struct KeyedHeap<T, K> {
    heap: PlacedHeap<K, T, fn(&T, &T) -> bool>,
    key_of: fn(&T) -> K,
}

opaque_debug!(KeyedHeap<T, K>);

impl<T, K: Clone + Eq + Hash> KeyedHeap<T, K> {
    /// An empty heap of items with the key that `key_of` gives, one `before` the other.
    #[must_use]
    pub fn new(key_of: fn(&T) -> K, before: fn(&T, &T) -> bool) -> Self {
        Self { heap: PlacedHeap::new(before), key_of }
    }

    /// Puts an item in, in the place of the one with its key, which is given back.
    pub fn insert(&mut self, item: T) -> Option<T> {
        self.heap.insert((self.key_of)(&item), item)
    }

    /// Puts an item in, unless there is one with its key; says whether it did.
    pub fn insert_if_absent(&mut self, item: T) -> bool {
        let key = (self.key_of)(&item);
        let absent = !self.heap.contains_key(&key);
        if absent {
            self.heap.insert(key, item);
        }
        absent
    }

    /// Takes the item of this key out.
    pub fn remove(&mut self, key: &K) -> Option<T> {
        self.heap.remove(key)
    }

    /// Takes the first item out.
    pub fn pop(&mut self) -> Option<T> {
        self.heap.pop().map(|(_, item)| item)
    }

    /// The first item.
    #[must_use]
    pub fn peek(&self) -> Option<&T> {
        self.heap.peek()
    }

    /// The item of this key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&T> {
        self.heap.get(key)
    }

    /// All items with their keys, in no order.
    pub fn iter_unsorted(&self) -> impl Iterator<Item = (&K, &T)> {
        self.heap.iter_unsorted()
    }

    /// How many items there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::platform::Chance;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn heap() -> KeyedHeap<(u64, u64), u64> {
        KeyedHeap::new(|item| item.0, |one, other| one.1 < other.1)
    }

    #[test]
    fn whatever_is_done_to_it_a_heap_has_what_a_plain_map_has_and_its_smallest_comes_first() {
        for seed in 0..500 {
            let mut chance = Chance(seed);
            let (mut heap, mut model) = (heap(), BTreeMap::new());
            for _ in 0..chance.below(200) {
                let (key, value) = (chance.below(20), chance.below(30));
                match chance.below(5) {
                    0 | 1 => assert_eq!(heap.insert((key, value)).map(|item| item.1), model.insert(key, value), "seed {seed}"),
                    2 => {
                        assert_eq!(heap.insert_if_absent((key, value)), !model.contains_key(&key), "seed {seed}");
                        model.entry(key).or_insert(value);
                    }
                    3 => assert_eq!(heap.remove(&key).map(|item| item.1), model.remove(&key), "seed {seed}"),
                    _ => {
                        let smallest = model.values().min().copied();
                        assert_eq!(heap.peek().map(|item| item.1), smallest, "seed {seed}");
                        let popped = heap.pop();
                        assert_eq!(popped.map(|item| item.1), smallest, "seed {seed}");
                        if let Some((key, value)) = popped {
                            assert_eq!(model.remove(&key), Some(value), "seed {seed}");
                        }
                    }
                }
                assert_eq!((heap.len(), heap.is_empty()), (model.len(), model.is_empty()));
                assert_eq!(heap.get(&key).map(|item| item.1), model.get(&key).copied());
            }
            assert_eq!(heap.iter_unsorted().map(|(key, item)| (*key, item.1)).collect::<BTreeMap<_, _>>(), model);
        }
    }
}
