//! A heap whose items have their keys beside them.

use std::{hash::Hash, mem};

use rustc_hash::FxHashMap;

/// What [`KeyedHeap`](super::KeyedHeap) is made of, for items that do not hold their keys. A key is there twice.
pub(crate) struct PlacedHeap<K, T> {
    items: Vec<(K, T)>,
    /// Where the item of each key is.
    places: FxHashMap<K, usize>,
    before: fn(&T, &T) -> bool,
}

impl<K: Clone + Eq + Hash, T> PlacedHeap<K, T> {
    pub(crate) fn new(before: fn(&T, &T) -> bool) -> Self {
        Self { items: Vec::new(), places: FxHashMap::default(), before }
    }

    /// Puts an item in, in the place of the one with its key, which is given back.
    pub(crate) fn insert(&mut self, key: K, item: T) -> Option<T> {
        match self.replace(&key, item) {
            Ok(old) => Some(old),
            Err(item) => {
                let place = self.items.len();
                self.places.insert(key.clone(), place);
                self.items.push((key, item));
                self.rise(place);
                None
            }
        }
    }

    /// Puts an item in the place of the one with its key. Where there is none, it gives the new one back.
    pub(crate) fn replace(&mut self, key: &K, item: T) -> Result<T, T> {
        let Some(&place) = self.places.get(key) else { return Err(item) };
        let Some((_, known)) = self.items.get_mut(place) else { return Err(item) };
        let old = mem::replace(known, item);
        self.sink(place);
        self.rise(place);
        Ok(old)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.places.contains_key(key)
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<T> {
        let place = *self.places.get(key)?;
        self.remove_at(place).map(|(_, item)| item)
    }

    /// Takes the first item out, with its key.
    pub(crate) fn pop(&mut self) -> Option<(K, T)> {
        self.remove_at(0)
    }

    pub(crate) fn peek(&self) -> Option<&T> {
        self.items.first().map(|(_, item)| item)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&T> {
        self.items.get(*self.places.get(key)?).map(|(_, item)| item)
    }

    pub(crate) fn iter_unsorted(&self) -> impl Iterator<Item = (&K, &T)> {
        self.items.iter().map(|(key, item)| (key, item))
    }

    pub(crate) const fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn remove_at(&mut self, place: usize) -> Option<(K, T)> {
        let last = self.items.len().checked_sub(1)?;
        self.swap(place, last);
        let (key, item) = self.items.pop()?;
        self.places.remove(&key);
        self.sink(place);
        self.rise(place);
        Some((key, item))
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
