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
    /// The first version that watches can begin at.
    oldest_watch: u64,
    /// How far the watch cache of each resource has come.
    cached: BTreeMap<usize, u64>,
}

impl History {
    pub(super) const fn new() -> Self {
        Self {
            current: BTreeMap::new(),
            log: VecDeque::new(),
            version: 1,
            compacted: 0,
            oldest_watch: 0,
            cached: BTreeMap::new(),
        }
    }

    /// The version of the last write.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// States before this version are forgotten.
    pub(super) const fn compacted(&self) -> u64 {
        self.compacted
    }

    /// A watch from before this version has missed something.
    pub(super) const fn oldest_watch(&self) -> u64 {
        self.oldest_watch
    }

    /// How far the watch cache of a resource has come: to the last change of this resource, or as far as someone made it wait.
    /// Its objects are those of now all the same. A cache that forgot its changes has begun anew.
    pub(super) fn cached(&self, resource: usize) -> u64 {
        self.cached.get(&resource).copied().unwrap_or(1).max(self.oldest_watch)
    }

    /// Makes the watch cache of a resource learn of the last version of all.
    pub(super) fn catch_up(&mut self, resource: usize) -> u64 {
        self.cached.insert(resource, self.version);
        self.version
    }

    /// Makes the watch cache of a resource wait until it has come to `version` at least. It learns of the last one then
    /// (apiserver `storage/cacher/progress`).
    pub(super) fn wait_for(&mut self, resource: usize, version: u64) -> u64 {
        let cached = self.cached(resource);
        if version > cached { self.catch_up(resource) } else { cached }
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Arc<Value>> {
        self.current.get(key)
    }

    /// Stores what `make` makes of the version of this write.
    pub(super) fn put(&mut self, key: Key, make: impl FnOnce(u64) -> Value) -> Arc<Value> {
        self.version += 1;
        let new = Arc::new(make(self.version));
        let old = self.current.insert(key.clone(), Arc::clone(&new));
        self.catch_up(key.resource);
        self.log.push_back(Change { version: self.version, key, old, new: Some(Arc::clone(&new)) });
        new
    }

    /// Takes an object out. The last state of it, as those who watch see it, has the version of the deletion and is otherwise
    /// as it was before.
    pub(super) fn remove(&mut self, key: &Key) -> Option<Arc<Value>> {
        let old = self.current.remove(key)?;
        self.version += 1;
        self.catch_up(key.resource);
        self.log.push_back(Change { version: self.version, key: key.clone(), old: Some(Arc::clone(&old)), new: None });
        Some(old)
    }

    /// Forgets the states before `version`.
    pub(super) fn compact(&mut self, version: u64) {
        self.compacted = self.compacted.max(version.min(self.version));
        self.shorten();
    }

    /// Forgets the changes before `version`.
    pub(super) fn forget_changes(&mut self, version: u64) {
        self.oldest_watch = self.oldest_watch.max(version.min(self.version));
        self.shorten();
    }

    fn shorten(&mut self) {
        let needed = self.compacted.min(self.oldest_watch);
        while self.log.front().is_some_and(|change| change.version <= needed) {
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
