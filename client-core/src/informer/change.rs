//! What happened to one object.

use std::{fmt, sync::Arc};

use crate::{object::Object, store::Key};

/// What happened to one object of a cache (client-go `tools/cache/controller.go`, `ResourceEventHandler`).
pub enum Change<T> {
    /// It is new to the cache.
    Added {
        /// Its key.
        key: Key,
        /// The object.
        object: Arc<T>,
        /// Whether it was there before the reader or the cache was.
        is_in_initial_list: bool,
    },
    /// It changed; or it was told again as it was, see [`is_sync`](Self::is_sync). Where it was deleted and made again while nothing
    /// was heard of it, before and after have other uids.
    Updated {
        /// Its key.
        key: Key,
        /// What it was before.
        before: Arc<T>,
        /// What it is now.
        after: Arc<T>,
    },
    /// It is gone.
    Deleted {
        /// Its key.
        key: Key,
        /// What it was last, as far as is known.
        last: Arc<T>,
        /// Whether it went unseen, so that it may have changed before (client-go `DeletedFinalStateUnknown`).
        is_final_state_unknown: bool,
    },
}

impl<T> Change<T> {
    /// The key of the object.
    #[must_use]
    pub const fn key(&self) -> &Key {
        match self {
            Self::Added { key, .. } | Self::Updated { key, .. } | Self::Deleted { key, .. } => key,
        }
    }

    /// What the object is now; what it was last, where it is gone.
    #[must_use]
    pub const fn object(&self) -> &Arc<T> {
        match self {
            Self::Added { object, .. } | Self::Updated { after: object, .. } | Self::Deleted { last: object, .. } => object,
        }
    }
}

impl<T: Object> Change<T> {
    /// Whether nothing changed, as far as its version tells: a resync tells of each object again, and so does a list that comes
    /// later of what it brings as it was. Cells of a table that say how long ago something was may differ all the same; who shows
    /// them is a [`Reader`](super::Reader), which is told.
    #[must_use]
    pub fn is_sync(&self) -> bool {
        match self {
            // Of two clusters, objects of one name can have the same version.
            Self::Updated { before, after, .. } => {
                before.resource_version() == after.resource_version() && before.uid() == after.uid()
            }
            Self::Added { .. } | Self::Deleted { .. } => false,
        }
    }
}

impl<T> Clone for Change<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { key, object, is_in_initial_list } => {
                Self::Added { key: key.clone(), object: Arc::clone(object), is_in_initial_list: *is_in_initial_list }
            }
            Self::Updated { key, before, after } => {
                Self::Updated { key: key.clone(), before: Arc::clone(before), after: Arc::clone(after) }
            }
            Self::Deleted { key, last, is_final_state_unknown } => {
                Self::Deleted { key: key.clone(), last: Arc::clone(last), is_final_state_unknown: *is_final_state_unknown }
            }
        }
    }
}

/// Names the object and does not show it.
impl<T> fmt::Debug for Change<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Added { .. } => "Added",
            Self::Updated { .. } => "Updated",
            Self::Deleted { .. } => "Deleted",
        };
        write!(formatter, "{word}({})", self.key().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{meta::ObjectMeta, object::PartialObjectMetadata};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn nothing_changed_where_the_same_object_has_the_same_version() {
        let object = |uid: &str, version: &str| {
            let metadata =
                ObjectMeta { name: "a".into(), uid: uid.into(), resource_version: version.into(), ..ObjectMeta::default() };
            Arc::new(PartialObjectMetadata::new(metadata))
        };
        for (uid, version, is_sync) in [("u", "7", true), ("u", "8", false), ("of another cluster", "7", false)] {
            let (before, after) = (object("u", "7"), object(uid, version));
            let change = Change::Updated { key: Key::of(&*after), before, after };
            assert_eq!(change.is_sync(), is_sync, "{uid} {version}");
        }
    }
}
