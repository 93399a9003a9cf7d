//! What is stored, and every change that made it so.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use crate::json::Value;

/// Where an object is: the place of its resource, and `namespace/name`. Names come in the order of a real server, in which
/// `a-b/x` stands before `a/x`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) resource: usize,
    pub(super) path: String,
}

impl Key {
    pub(super) fn new(resource: usize, namespace: &str, name: &str) -> Self {
        Self { resource, path: format!("{namespace}/{name}") }
    }
}

/// One write.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) version: u64,
    pub(super) key: Key,
    pub(super) old: Option<Arc<Value>>,
    /// What is there now; of a deletion, nothing.
    pub(super) new: Option<Arc<Value>>,
}

/// The objects and the log of their changes. Every write has a version of its own, larger than all before.
#[derive(Debug)]
pub(super) struct History {
    current: BTreeMap<Key, Arc<Value>>,
    log: VecDeque<Change>,
    version: u64,
    compacted: u64,
}

impl History {
    pub(super) const fn new() -> Self {
        Self { current: BTreeMap::new(), log: VecDeque::new(), version: 1, compacted: 0 }
    }

    /// The version of the last write.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// States before this version are forgotten.
    pub(super) const fn compacted(&self) -> u64 {
        self.compacted
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Arc<Value>> {
        self.current.get(key)
    }

    /// Stores what `make` makes of the version of this write.
    pub(super) fn put(&mut self, key: Key, make: impl FnOnce(u64) -> Value) -> Arc<Value> {
        self.version += 1;
        let new = Arc::new(make(self.version));
        let old = self.current.insert(key.clone(), Arc::clone(&new));
        self.log.push_back(Change { version: self.version, key, old, new: Some(Arc::clone(&new)) });
        new
    }

    /// Takes an object out. The last state of it, as those who watch see it, has the version of the deletion and is otherwise
    /// as it was before.
    pub(super) fn remove(&mut self, key: &Key) -> Option<Arc<Value>> {
        let old = self.current.remove(key)?;
        self.version += 1;
        self.log.push_back(Change { version: self.version, key: key.clone(), old: Some(Arc::clone(&old)), new: None });
        Some(old)
    }

    /// Forgets what was before `version`.
    pub(super) fn compact(&mut self, version: u64) {
        self.compacted = self.compacted.max(version.min(self.version));
        while self.log.front().is_some_and(|change| change.version <= self.compacted) {
            self.log.pop_front();
        }
    }

    /// The changes after `version`, of one resource.
    pub(super) fn since(&self, version: u64, resource: usize) -> impl Iterator<Item = &Change> {
        let start = self.log.partition_point(|change| change.version <= version);
        self.log.range(start..).filter(move |change| change.key.resource == resource)
    }

    /// The objects of a resource whose keys begin with `prefix`, as they were at `version`.
    pub(super) fn at(&self, version: u64, resource: usize, prefix: &str) -> BTreeMap<String, Arc<Value>> {
        let first = Key { resource, path: prefix.to_owned() };
        let mut objects: BTreeMap<String, Arc<Value>> = self
            .current
            .range(first..)
            .take_while(|(key, _)| key.resource == resource && key.path.starts_with(prefix))
            .map(|(key, object)| (key.path.clone(), Arc::clone(object)))
            .collect();
        let later = self.log.iter().rev().take_while(|change| change.version > version);
        for change in later.filter(|change| change.key.resource == resource && change.key.path.starts_with(prefix)) {
            match &change.old {
                Some(old) => objects.insert(change.key.path.clone(), Arc::clone(old)),
                None => objects.remove(&change.key.path),
            };
        }
        objects
    }
}
