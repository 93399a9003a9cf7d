//! Objects that could not be read.

use crate::{object::BadObject, store::Key};

/// What a server sent and could not be read, by key. They are few: a list is searched as quickly as a map. Each stays until a version comes that can be read, until it is deleted, or
/// until a whole list comes without it.
#[derive(Default)]
pub(super) struct Faults {
    known: Vec<(Key, BadObject)>,
    /// While a list arrives: those it has brought.
    listed: Option<Vec<(Key, BadObject)>>,
}

/// The key of an object that could not be read. Those of which not even the name can be read share one.
pub(super) fn key_of(bad: &BadObject) -> Key {
    Key::of_parts(bad.namespace.as_str(), bad.name.as_str(), bad.uid.as_str())
}

impl Faults {
    pub(super) fn begin(&mut self) {
        self.listed = Some(Vec::new());
    }

    pub(super) fn end(&mut self) {
        if let Some(listed) = self.listed.take() {
            self.known = listed;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn insert(&mut self, key: Key, bad: BadObject) {
        self.forget(&key);
        if let Some(listed) = &mut self.listed {
            listed.push((key.clone(), bad.clone()));
        }
        self.known.push((key, bad));
    }

    /// The object can be read now, or is gone.
    pub(super) fn remove(&mut self, key: impl Fn() -> Key) {
        if !self.known.is_empty() || self.listed.as_ref().is_some_and(|listed| !listed.is_empty()) {
            self.forget(&key());
        }
    }

    fn forget(&mut self, key: &Key) {
        self.known.retain(|(other, _)| other != key);
        if let Some(listed) = &mut self.listed {
            listed.retain(|(other, _)| other != key);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &BadObject> {
        self.known.iter().map(|(_, bad)| bad)
    }
}
