//! A heap whose items have their keys beside them.

use std::{hash::Hash, mem};

use rustc_hash::FxHashMap;

/// What [`KeyedHeap`](super::KeyedHeap) is made of, for items that do not hold their keys. A key is there twice.
///
/// An item moves often and keeps its number, so that no key is looked up while it moves.
pub(crate) struct PlacedHeap<K, T, B> {
    items: Vec<Numbered<K, T>>,
    numbers: FxHashMap<K, usize>,
    /// Where the item of each number is.
    places: Vec<usize>,
    /// Numbers that no item has.
    free: Vec<usize>,
    before: B,
}

/// Which of two items comes first.
pub(crate) trait Before<T> {
    fn before(&self, one: &T, other: &T) -> bool;
}

impl<T> Before<T> for fn(&T, &T) -> bool {
    fn before(&self, one: &T, other: &T) -> bool {
        self(one, other)
    }
}

struct Numbered<K, T> {
    key: K,
    item: T,
    number: usize,
}

impl<K: Clone + Eq + Hash, T, B: Before<T>> PlacedHeap<K, T, B> {
    pub(crate) fn new(before: B) -> Self {
        Self { items: Vec::new(), numbers: FxHashMap::default(), places: Vec::new(), free: Vec::new(), before }
    }

    /// Puts an item in, in the place of the one with its key, which is given back.
    pub(crate) fn insert(&mut self, key: K, item: T) -> Option<T> {
        match self.replace(&key, item) {
            Ok(old) => Some(old),
            Err(item) => {
                let place = self.items.len();
                let number = self.number_for(place);
                self.numbers.insert(key.clone(), number);
                self.items.push(Numbered { key, item, number });
                self.rise(place);
                None
            }
        }
    }

    /// Puts an item in the place of the one with its key. Where there is none, it gives the new one back.
    pub(crate) fn replace(&mut self, key: &K, item: T) -> Result<T, T> {
        let Some(place) = self.place_of(key) else { return Err(item) };
        let Some(known) = self.items.get_mut(place) else { return Err(item) };
        let old = mem::replace(&mut known.item, item);
        self.settle(place);
        Ok(old)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.numbers.contains_key(key)
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<T> {
        let place = self.place_of(key)?;
        self.remove_at(place).map(|(_, item)| item)
    }

    /// Takes the first item out, with its key.
    pub(crate) fn pop(&mut self) -> Option<(K, T)> {
        self.remove_at(0)
    }

    pub(crate) fn peek(&self) -> Option<&T> {
        self.items.first().map(|first| &first.item)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&T> {
        self.items.get(self.place_of(key)?).map(|known| &known.item)
    }

    pub(crate) fn iter_unsorted(&self) -> impl Iterator<Item = (&K, &T)> {
        self.items.iter().map(|numbered| (&numbered.key, &numbered.item))
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
        let Numbered { key, item, number } = self.items.pop()?;
        self.numbers.remove(&key);
        self.free.push(number);
        self.settle(place);
        Some((key, item))
    }

    fn place_of(&self, key: &K) -> Option<usize> {
        self.places.get(*self.numbers.get(key)?).copied()
    }

    /// A number for an item at `place`.
    fn number_for(&mut self, place: usize) -> usize {
        let number = self.free.pop().unwrap_or(self.places.len());
        match self.places.get_mut(number) {
            Some(known) => *known = place,
            None => self.places.push(place),
        }
        number
    }

    /// Moves the item at `place`, which may be any, to where it belongs.
    fn settle(&mut self, place: usize) {
        if self.rise(place) == place {
            let bottom = self.sink(place);
            self.rise(bottom);
        }
    }

    /// Moves the item at `place` up until the one above it comes before it. Gives back where it is then.
    fn rise(&mut self, mut place: usize) -> usize {
        while let Some(above) = place.checked_sub(1).map(|place| place / 2)
            && self.is_before(place, above)
        {
            self.swap(place, above);
            place = above;
        }
        place
    }

    /// Moves the item at `place` down to where none is below it, which is about where one belongs that was the last. So it need
    /// not be compared on its way. Gives back where it is then.
    fn sink(&mut self, mut place: usize) -> usize {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            let below = if self.is_before(right, left) { right } else { left };
            if below >= self.items.len() {
                return place;
            }
            self.swap(place, below);
            place = below;
        }
    }

    /// False where either is none.
    fn is_before(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(other)) = (self.items.get(one), self.items.get(other)) else { return false };
        self.before.before(&one.item, &other.item)
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.items.swap(one, other);
        for place in [one, other] {
            if let Some(moved) = self.items.get(place)
                && let Some(known) = self.places.get_mut(moved.number)
            {
                *known = place;
            }
        }
    }
}
