//! What is in a queue.

use std::sync::Arc;

use crate::{
    meta::ResourceVersion,
    store::{Entry, Key},
};

/// An object that is gone.
#[derive(Debug, PartialEq)]
pub enum Deleted<T> {
    /// The server said so, and what it was last.
    Seen(Entry<T>),
    /// A tombstone: that it went was missed, and shows by its absence from a later list (client-go `tools/cache/delta_fifo.go`,
    /// `DeletedFinalStateUnknown`).
    FinalStateUnknown {
        /// Its key.
        key: Key,
        /// What was last known of it, which may be older than what it was last.
        last: Option<Arc<T>>,
    },
}

impl<T> Deleted<T> {
    /// The key of the object.
    #[must_use]
    pub const fn key(&self) -> &Key {
        match self {
            Self::Seen(Entry { key, .. }) | Self::FinalStateUnknown { key, .. } => key,
        }
    }

    /// What it was last, as far as that is known.
    #[must_use]
    pub const fn object(&self) -> Option<&Arc<T>> {
        match self {
            Self::Seen(entry) => Some(&entry.object),
            Self::FinalStateUnknown { last, .. } => last.as_ref(),
        }
    }
}

/// Something that happened (client-go `tools/cache/delta_fifo.go`, `Delta` and `DeltaType`).
#[derive(Debug, PartialEq)]
pub enum Delta<T> {
    /// An object is new.
    Added(Entry<T>),
    /// An object changed.
    Updated(Entry<T>),
    /// An object is gone.
    Deleted(Deleted<T>),
    /// A list has this object, which may be new, changed or as it was.
    Replaced(Entry<T>),
    /// An object is to be looked at again: nothing happened to it.
    Sync(Entry<T>),
    /// All objects there are: what is not among them is gone.
    ReplacedAll {
        /// The objects.
        entries: Vec<Entry<T>>,
        /// The version of the list.
        resource_version: ResourceVersion,
    },
    /// All objects are to be looked at again.
    SyncAll,
    /// All that happened up to this version has been handed on.
    Bookmark(ResourceVersion),
}

impl<T> Delta<T> {
    /// The key of the object, where it is about one (client-go `tools/cache/delta_fifo.go`, `KeyOf`).
    #[must_use]
    pub const fn key(&self) -> Option<&Key> {
        match self {
            Self::Added(entry) | Self::Updated(entry) | Self::Replaced(entry) | Self::Sync(entry) => Some(&entry.key),
            Self::Deleted(deleted) => Some(deleted.key()),
            Self::ReplacedAll { .. } | Self::SyncAll | Self::Bookmark(_) => None,
        }
    }

    /// The object, where it is about one: what it has become, or what it was last.
    #[must_use]
    pub const fn object(&self) -> Option<&Arc<T>> {
        match self {
            Self::Added(entry) | Self::Updated(entry) | Self::Replaced(entry) | Self::Sync(entry) => Some(&entry.object),
            Self::Deleted(deleted) => deleted.object(),
            Self::ReplacedAll { .. } | Self::SyncAll | Self::Bookmark(_) => None,
        }
    }
}

/// What comes out of a queue at once.
#[derive(Debug, PartialEq)]
pub struct Popped<T> {
    /// What happened, the oldest first; never empty.
    pub deltas: Vec<Delta<T>>,
    /// Whether it belongs to the first list there was.
    pub is_in_initial_list: bool,
}

// Derived ones would ask the objects to be cloned, which are shared.
impl<T> Clone for Deleted<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Seen(entry) => Self::Seen(entry.clone()),
            Self::FinalStateUnknown { key, last } => Self::FinalStateUnknown { key: key.clone(), last: last.clone() },
        }
    }
}

impl<T> Clone for Delta<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Added(entry) => Self::Added(entry.clone()),
            Self::Updated(entry) => Self::Updated(entry.clone()),
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
            Self::Replaced(entry) => Self::Replaced(entry.clone()),
            Self::Sync(entry) => Self::Sync(entry.clone()),
            Self::ReplacedAll { entries, resource_version } => {
                Self::ReplacedAll { entries: entries.clone(), resource_version: resource_version.clone() }
            }
            Self::SyncAll => Self::SyncAll,
            Self::Bookmark(resource_version) => Self::Bookmark(resource_version.clone()),
        }
    }
}

impl<T> Clone for Popped<T> {
    fn clone(&self) -> Self {
        Self { deltas: self.deltas.clone(), is_in_initial_list: self.is_in_initial_list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::testing::{entry, tombstone};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_about_an_object_has_its_key_and_tombstones_as_well() {
        let about_one = [
            Delta::Added(entry("a", 1)),
            Delta::Updated(entry("a", 1)),
            Delta::Replaced(entry("a", 1)),
            Delta::Sync(entry("a", 1)),
            Delta::Deleted(Deleted::Seen(entry("a", 1))),
            Delta::Deleted(tombstone("a", Some(1))),
        ];
        for delta in about_one {
            assert_eq!(delta.key(), Some(&Key::new("a")), "{delta:?}");
            assert_eq!(delta.object(), Some(&entry("a", 1).object), "{delta:?}");
        }
        let lost = Delta::Deleted(tombstone("b", None));
        assert_eq!((lost.key(), lost.object()), (Some(&Key::new("b")), None));
    }

    #[test]
    fn what_is_about_all_objects_has_no_key() {
        let replaced = Delta::ReplacedAll { entries: vec![entry("a", 1)], resource_version: "7".into() };
        for delta in [replaced, Delta::SyncAll, Delta::Bookmark("7".into())] {
            assert_eq!((delta.key(), delta.object()), (None, None), "{delta:?}");
        }
    }

    #[test]
    fn a_copy_shares_its_objects() {
        let deltas = vec![
            Delta::Added(entry("a", 1)),
            Delta::Updated(entry("a", 2)),
            Delta::Replaced(entry("a", 3)),
            Delta::Sync(entry("a", 3)),
            Delta::Deleted(Deleted::Seen(entry("a", 4))),
            Delta::Deleted(tombstone("b", Some(5))),
            Delta::ReplacedAll { entries: vec![entry("c", 6)], resource_version: "6".into() },
            Delta::SyncAll,
            Delta::Bookmark("7".into()),
        ];
        let popped = Popped { deltas, is_in_initial_list: true };
        let copy = popped.clone();
        assert_eq!(copy, popped);
        for (copy, original) in copy.deltas.iter().zip(&popped.deltas) {
            if let (Some(copy), Some(original)) = (copy.object(), original.object()) {
                assert!(Arc::ptr_eq(copy, original), "{original:?}");
            }
        }
    }
}
