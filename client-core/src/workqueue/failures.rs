//! How often each item failed.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// How often each item failed since it was last forgotten.
#[derive(Clone, Debug)]
pub(super) struct Failures<T>(FxHashMap<T, u32>);

impl<T> Default for Failures<T> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<T: Clone + Eq + Hash> Failures<T> {
    /// Counts one more failure of an item; gives back how many there were.
    pub(super) fn count(&mut self, item: &T) -> u32 {
        if let Some(count) = self.0.get_mut(item) {
            *count = count.saturating_add(1);
            return *count;
        }
        self.0.insert(item.clone(), 1);
        1
    }

    pub(super) fn forget(&mut self, item: &T) {
        self.0.remove(item);
    }

    pub(super) fn of(&self, item: &T) -> u32 {
        self.0.get(item).copied().unwrap_or(0)
    }
}
