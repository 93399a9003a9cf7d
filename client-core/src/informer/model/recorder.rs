//! What one listener was told, held against what it may be told.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use crate::{informer::Change, object::Object, store::Key};

/// The first thing that was wrong in a case.
#[derive(Clone, Default)]
pub(super) struct Problems(Arc<Mutex<Option<String>>>);

impl Problems {
    pub(super) fn report(&self, problem: impl Into<String>) {
        self.0.lock().unwrap().get_or_insert_with(|| problem.into());
    }

    pub(super) fn first(&self) -> Option<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Applies each change to an empty map, and takes offence where it does not fit.
pub(super) struct Recorder<T> {
    name: String,
    problems: Problems,
    pub(super) objects: BTreeMap<String, Arc<T>>,
    /// Every key that it was ever told of.
    pub(super) seen: BTreeSet<String>,
    /// It heard that it knows all that was there at the start.
    pub(super) synced: bool,
    /// It was taken off.
    pub(super) left: bool,
    pub(super) told: u64,
    /// The changes that change nothing are kept from it, but for resyncs: a version may be that of another reading.
    skips: bool,
}

pub(super) type Shared<T> = Arc<Mutex<Recorder<T>>>;

impl<T: Object> Recorder<T> {
    pub(super) fn new(name: String, problems: &Problems, skips: bool) -> Self {
        Self {
            name,
            problems: problems.clone(),
            objects: BTreeMap::new(),
            seen: BTreeSet::new(),
            synced: false,
            left: false,
            told: 0,
            skips,
        }
    }

    fn wrong(&self, what: &str, key: &str) {
        self.problems.report(format!("{}: {what} ({key}); it had been told {} changes", self.name, self.told));
    }

    /// Whether this is what it takes the object for.
    fn is(&self, known: &Arc<T>, other: &Arc<T>) -> bool {
        Arc::ptr_eq(known, other)
            || (self.skips && known.uid() == other.uid() && known.resource_version() == other.resource_version())
    }

    pub(super) fn take(&mut self, change: &Change<T>) {
        if self.left {
            self.wrong("it was told something after it had left", change.key().as_str());
        }
        let key = change.key().as_str().to_owned();
        let known = self.objects.get(&key).cloned();
        match change {
            Change::Added { object, is_in_initial_list, .. } => {
                if known.is_some() {
                    self.wrong("an object was added that was there", &key);
                }
                if *is_in_initial_list && self.synced {
                    self.wrong("an object of the initial list came after it", &key);
                }
                self.keep(key, object);
            }
            Change::Updated { before, after, .. } => {
                match known {
                    None => self.wrong("an object was updated that was not there", &key),
                    Some(known) if !self.is(&known, before) => {
                        self.wrong("an object was updated from what it was not", &key);
                    }
                    Some(known) if goes_back(&*known, &**after) => self.wrong("an object went back in time", &key),
                    Some(_) => {}
                }
                self.keep(key, after);
            }
            Change::Deleted { last, is_final_state_unknown, .. } => {
                match known {
                    None => self.wrong("an object was deleted that was not there", &key),
                    Some(known) if goes_back(&*known, &**last) => self.wrong("an object was deleted at an older version", &key),
                    Some(known) if *is_final_state_unknown && !self.is(&known, last) => {
                        self.wrong("the last state that was known is another", &key);
                    }
                    Some(_) => {}
                }
                self.objects.remove(&key);
            }
        }
        self.told += 1;
    }

    fn keep(&mut self, key: String, object: &Arc<T>) {
        if key != Key::of(&**object).as_str() {
            self.wrong("an object came under the key of another", &key);
        }
        self.seen.insert(key.clone());
        self.objects.insert(key, Arc::clone(object));
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn keys(&self) -> Vec<String> {
        super::readers::keys(&self.objects)
    }

    /// Whether what it was told comes to `cache`.
    pub(super) fn equals(&self, cache: &BTreeMap<String, Arc<T>>) -> bool {
        self.objects.len() == cache.len()
            && cache.iter().all(|(key, object)| self.objects.get(key).is_some_and(|known| self.is(known, object)))
    }
}

/// Whether `after` is an older version of the same object. One of another id is another object.
fn goes_back(before: &impl Object, after: &impl Object) -> bool {
    let number = |object: &str| object.parse::<u64>().unwrap_or_default();
    before.uid() == after.uid() && number(after.resource_version()) < number(before.resource_version())
}
