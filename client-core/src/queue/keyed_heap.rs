//! A heap whose items have keys.

use std::hash::Hash;

use rustc_hash::FxHashMap;

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
    items: Vec<(K, T)>,
    /// Where the item of each key is.
    places: FxHashMap<K, usize>,
    key_of: fn(&T) -> K,
    before: fn(&T, &T) -> bool,
}

opaque_debug!(KeyedHeap<T, K>);

impl<T, K: Clone + Eq + Hash> KeyedHeap<T, K> {
    /// An empty heap of items with the key that `key_of` gives, one `before` the other.
    #[must_use]
    pub fn new(key_of: fn(&T) -> K, before: fn(&T, &T) -> bool) -> Self {
        Self { items: Vec::new(), places: FxHashMap::default(), key_of, before }
    }

    /// Puts an item in, in the place of the one with its key, which is given back.
    pub fn insert(&mut self, item: T) -> Option<T> {
        let key = (self.key_of)(&item);
        let old = self.remove(&key);
        let place = self.items.len();
        self.places.insert(key.clone(), place);
        self.items.push((key, item));
        self.rise(place);
        old
    }

    /// Puts an item in, unless there is one with its key; says whether it did.
    pub fn insert_if_absent(&mut self, item: T) -> bool {
        let absent = !self.places.contains_key(&(self.key_of)(&item));
        if absent {
            self.insert(item);
        }
        absent
    }

    /// Takes the item of this key out.
    pub fn remove(&mut self, key: &K) -> Option<T> {
        let place = *self.places.get(key)?;
        let last = self.items.len() - 1;
        self.swap(place, last);
        let (key, item) = self.items.pop()?;
        self.places.remove(&key);
        self.sink(place);
        self.rise(place);
        Some(item)
    }

    /// Takes the first item out.
    pub fn pop(&mut self) -> Option<T> {
        let key = self.items.first()?.0.clone();
        self.remove(&key)
    }

    /// The first item.
    #[must_use]
    pub fn peek(&self) -> Option<&T> {
        self.items.first().map(|(_, item)| item)
    }

    /// The item of this key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&T> {
        self.items.get(*self.places.get(key)?).map(|(_, item)| item)
    }

    /// All items with their keys, in no order.
    pub fn iter_unsorted(&self) -> impl Iterator<Item = (&K, &T)> {
        self.items.iter().map(|(key, item)| (key, item))
    }

    /// How many items there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn rise(&mut self, mut place: usize) {
        while let Some(above) = place.checked_sub(1).map(|place| place / 2)
            && self.is_before(place, above)
        {
            self.swap(place, above);
            place = above;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            let below = if self.is_before(right, left) { right } else { left };
            if !self.is_before(below, place) {
                return;
            }
            self.swap(place, below);
            place = below;
        }
    }

    /// False where either is none.
    fn is_before(&self, one: usize, other: usize) -> bool {
        let (Some((_, one)), Some((_, other))) = (self.items.get(one), self.items.get(other)) else { return false };
        (self.before)(one, other)
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.items.swap(one, other);
        for place in [one, other] {
            if let Some((key, _)) = self.items.get(place)
                && let Some(known) = self.places.get_mut(key)
            {
                *known = place;
            }
        }
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
