//! A map that forgets.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashMap;

/// A map of so many entries at most; to make room it forgets the one that was not used for the longest time (`k8s.io/utils/lru`).
pub(super) struct Lru<V> {
    limit: usize,
    uses: u64,
    values: FxHashMap<Arc<str>, (u64, V)>,
    order: BTreeMap<u64, Arc<str>>,
}

impl<V> Lru<V> {
    /// An empty one with room for `limit`, or for one where that is zero.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit: limit.max(1), uses: 0, values: FxHashMap::default(), order: BTreeMap::new() }
    }

    /// The value of `key`, which `make` makes where there is none. It counts as used.
    pub(super) fn entry(&mut self, key: &str, make: impl FnOnce() -> V) -> &mut V {
        self.uses += 1;
        let (now, order) = (self.uses, &mut self.order);
        if let Some((key, (used, _))) = self.values.get_key_value(key) {
            order.remove(used);
            order.insert(now, Arc::clone(key));
        } else {
            let key = Arc::<str>::from(key);
            order.insert(now, key);
            if order.len() > self.limit
                && let Some((_, oldest)) = order.pop_first()
            {
                self.values.remove(&oldest);
            }
        }
        let (used, value) = self.values.entry(key.into()).or_insert_with(|| (now, make()));
        *used = now;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Chance;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_was_not_used_for_the_longest_time_makes_room() {
        let mut lru = Lru::new(2);
        let mut count = |key: &str| {
            let value = lru.entry(key, || 0);
            *value += 1;
            *value
        };
        assert_eq!((count("a"), count("b"), count("a")), (1, 1, 2));
        assert_eq!((count("c"), count("a")), (1, 3));
        assert_eq!(count("b"), 1, "it was forgotten");
        assert_eq!(count("c"), 1);
    }

    #[test]
    fn it_does_as_a_list_that_is_kept_in_order_would() {
        let mut chance = Chance(3);
        let (mut lru, mut list) = (Lru::new(5), Vec::<(String, u64)>::new());
        for step in 0..2000 {
            let key = chance.text(&["a", "b", "c"], 2);
            let known = list.iter().position(|(other, _)| *other == key).map(|place| list.remove(place));
            let entry = known.unwrap_or((key.clone(), step));
            assert_eq!(*lru.entry(&key, || step), entry.1);
            list.push(entry);
            if list.len() > 5 {
                list.remove(0);
            }
            assert_eq!((lru.values.len(), lru.order.len()), (list.len(), list.len()));
        }
    }
}
