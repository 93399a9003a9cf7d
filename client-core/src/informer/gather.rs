//! A list on its way.

use rustc_hash::FxHashMap;

use crate::{
    object::Object,
    store::{Fresh, Key},
};

/// Holds a list back until it is whole: the temporary store of client-go's reflector (`tools/cache/reflector.go`, `watchList`).
/// What changes while it arrives changes it.
pub(super) struct Gather<T> {
    /// In the order in which they came; `None` for what was deleted again.
    objects: Vec<Option<Fresh<T>>>,
    places: FxHashMap<Key, usize>,
}

impl<T> Default for Gather<T> {
    fn default() -> Self {
        Self { objects: Vec::new(), places: FxHashMap::default() }
    }
}

impl<T: Object> Gather<T> {
    pub(super) fn put(&mut self, object: Fresh<T>) {
        let place = *self.places.entry(Key::of(&*object)).or_insert(self.objects.len());
        match self.objects.get_mut(place) {
            Some(there) => *there = Some(object),
            None => self.objects.push(Some(object)),
        }
    }

    pub(super) fn remove(&mut self, key: &Key) {
        if let Some(there) = self.places.remove(key).and_then(|place| self.objects.get_mut(place)) {
            *there = None;
        }
    }

    pub(super) fn into_objects(self) -> impl Iterator<Item = Fresh<T>> {
        self.objects.into_iter().flatten()
    }
}
