//! Which keys have which values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{IndexError, IndexFailure, IndexFunc, IndexName, IndexValue, IndexValues, Indexers, Key};
use crate::platform::{MaybeSend, MaybeSync};

/// The indexes of a cache and what they hold (client-go `tools/cache/thread_safe_store.go`, `storeIndex`). They are few: a list
/// is searched as quickly as a map. Behind a pointer, so that a program whose caches have none has no code for them.
pub(super) struct Indices<T>(Vec<Box<dyn Maintain<T>>>);

/// An index that follows what happens to the objects.
trait Maintain<T>: MaybeSend + MaybeSync {
    fn update(&mut self, key: &Key, before: Option<&T>, after: Option<&T>);

    /// Forgets all.
    fn clear(&mut self);

    fn parts(&self) -> (&IndexName, &IndexFunc<T>, &Index);
}

struct Maintained<T> {
    name: IndexName,
    function: IndexFunc<T>,
    index: Index,
}

impl<T: 'static> Indices<T> {
    /// Adds indexes, of all that there is. Where one is there already, none is added.
    pub(super) fn add<'a>(
        &mut self,
        indexers: Indexers<T>,
        objects: impl Iterator<Item = (&'a Key, &'a T)> + Clone,
    ) -> Result<(), IndexError>
    where
        T: 'a,
    {
        if let Some(name) = indexers.names().find(|name| self.0.iter().any(|other| other.parts().0 == *name)) {
            return Err(IndexError::Conflict(name.clone()));
        }
        for (name, function) in indexers {
            let mut added = Maintained { name, function, index: Index::default() };
            for (key, object) in objects.clone() {
                added.update(key, None, Some(object));
            }
            self.0.push(Box::new(added));
        }
        Ok(())
    }

    /// Takes in that an object came, changed or went.
    pub(super) fn update(&mut self, key: &Key, before: Option<&T>, after: Option<&T>) {
        for each in &mut self.0 {
            each.update(key, before, after);
        }
    }

    /// Forgets all, and takes in what there is now.
    pub(super) fn rebuild<'a>(&mut self, objects: impl Iterator<Item = (&'a Key, &'a T)> + Clone)
    where
        T: 'a,
    {
        for each in &mut self.0 {
            each.clear();
            for (key, object) in objects.clone() {
                each.update(key, None, Some(object));
            }
        }
    }

    /// What the index of this name holds.
    pub(super) fn find(&self, name: &IndexName) -> Result<&Index, IndexError> {
        Ok(self.maintained(name)?.2)
    }

    /// What the index of this name holds, and the values that an object has in it.
    pub(super) fn values_of<'a>(&self, name: &IndexName, object: &'a T) -> Result<(&Index, IndexValues<'a>), IndexError> {
        let (_, function, index) = self.maintained(name)?;
        let values = function.values(object).map_err(|failure| IndexError::Function { index: name.clone(), failure })?;
        Ok((index, values))
    }

    pub(super) fn indexers(&self) -> Indexers<T> {
        self.0.iter().map(|each| each.parts()).map(|(name, function, _)| (name.clone(), function.clone())).collect()
    }

    fn maintained(&self, name: &IndexName) -> Result<(&IndexName, &IndexFunc<T>, &Index), IndexError> {
        self.0.iter().map(|each| each.parts()).find(|parts| parts.0 == name).ok_or_else(|| IndexError::Unknown(name.clone()))
    }
}

impl<T> Default for Indices<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: 'static> Maintain<T> for Maintained<T> {
    fn update(&mut self, key: &Key, before: Option<&T>, after: Option<&T>) {
        // Of what failed before there is nothing to take out.
        let old = before.and_then(|object| self.function.values(object).ok()).unwrap_or_default();
        let new = after.map_or_else(|| Ok(IndexValues::default()), |object| self.function.values(object));
        self.index.update(key, &old, new);
    }

    fn clear(&mut self) {
        self.index = Index::default();
    }

    fn parts(&self) -> (&IndexName, &IndexFunc<T>, &Index) {
        (&self.name, &self.function, &self.index)
    }
}

/// One index. A value that no object has is not in it, so that values that come and go leave nothing behind
/// (kubernetes/kubernetes#84959).
#[derive(Default)]
pub(super) struct Index {
    keys: FxHashMap<IndexValue, FxHashSet<Key>>,
    failures: FxHashMap<Key, IndexFailure>,
}

impl Index {
    pub(super) fn values(&self) -> impl ExactSizeIterator<Item = &IndexValue> {
        self.keys.keys()
    }

    /// The keys of the objects that have this value.
    pub(super) fn keys(&self, value: &str) -> impl ExactSizeIterator<Item = &Key> + use<'_> {
        self.keys.get(value).map(FxHashSet::iter).unwrap_or_default()
    }

    /// The keys of the objects that its function could not read, and what it said.
    pub(super) fn failures(&self) -> impl ExactSizeIterator<Item = (&Key, &IndexFailure)> {
        self.failures.iter()
    }

    fn update(&mut self, key: &Key, old: &IndexValues<'_>, new: Result<IndexValues<'_>, IndexFailure>) {
        if !self.failures.is_empty() {
            self.failures.remove(key);
        }
        let new = new.unwrap_or_else(|failure| {
            self.failures.insert(key.clone(), failure);
            IndexValues::default()
        });
        // Most changes of objects change no value.
        if *old == new {
            return;
        }
        for value in old.iter() {
            self.remove(value, key);
        }
        for value in new.iter() {
            self.insert(value, key);
        }
    }

    fn insert(&mut self, value: &str, key: &Key) {
        if let Some(keys) = self.keys.get_mut(value) {
            keys.insert(key.clone());
        } else {
            self.keys.insert(value.into(), FxHashSet::from_iter([key.clone()]));
        }
    }

    fn remove(&mut self, value: &str, key: &Key) {
        let Some(keys) = self.keys.get_mut(value) else { return };
        keys.remove(key);
        if keys.is_empty() {
            self.keys.remove(value);
        }
    }
}
