//! Objects, a consumer and words for tests of queues.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use super::{Deleted, Delta, KnownObjects, Popped, Queue};
use crate::{
    meta::ObjectMeta,
    object::PartialObjectMetadata,
    store::{Entry, Key},
};

pub(super) fn object(name: &str, version: u32) -> PartialObjectMetadata {
    let resource_version = version.to_string().into();
    PartialObjectMetadata::new(ObjectMeta { name: name.into(), resource_version, ..ObjectMeta::default() })
}

pub(super) fn entry(name: &str, version: u32) -> Entry<PartialObjectMetadata> {
    Entry::of(object(name, version))
}

pub(super) fn tombstone(name: &str, version: Option<u32>) -> Deleted<PartialObjectMetadata> {
    Deleted::FinalStateUnknown { key: Key::new(name), last: version.map(|version| Arc::new(object(name, version))) }
}

pub(super) fn version(object: &PartialObjectMetadata) -> u32 {
    object.metadata.resource_version.as_str().parse().unwrap()
}

/// `+` added, `~` updated, `-` deleted, `†` a tombstone, `=` replaced, `o` to be looked at again, each with its name and
/// version; `[a1 b2]@7` is a whole list, `all` a look at all, `@7` a bookmark.
pub(super) fn words(deltas: &[Delta<PartialObjectMetadata>]) -> String {
    let mut text = String::new();
    for delta in deltas {
        let sign = match delta {
            Delta::Added(_) => "+",
            Delta::Updated(_) => "~",
            Delta::Replaced(_) => "=",
            Delta::Sync(_) => "o",
            Delta::Deleted(Deleted::Seen(_)) => "-",
            Delta::Deleted(Deleted::FinalStateUnknown { .. }) => "†",
            Delta::SyncAll => "all",
            Delta::ReplacedAll { .. } | Delta::Bookmark(_) => "",
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sign);
        match delta {
            Delta::ReplacedAll { entries, resource_version } => {
                let entries: Vec<_> =
                    entries.iter().map(|entry| format!("{}{}", entry.key.as_str(), version(&entry.object))).collect();
                write!(text, "[{}]@{resource_version}", entries.join(" ")).unwrap();
            }
            Delta::Bookmark(resource_version) => write!(text, "@{resource_version}").unwrap(),
            delta => {
                text.push_str(delta.key().map_or("", Key::as_str));
                text.push_str(&delta.object().map(|object| version(object).to_string()).unwrap_or_default());
            }
        }
    }
    text
}

/// All that comes out, in words; what comes out at once has a bar to its right.
pub(super) fn drain(queue: &mut impl Queue<PartialObjectMetadata>) -> String {
    let batches: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|popped| words(&popped.deltas)).collect();
    batches.join(" | ")
}

/// What a consumer has.
#[derive(Debug, Default)]
pub(super) struct Known(pub(super) BTreeMap<Key, Arc<PartialObjectMetadata>>);

impl Known {
    pub(super) fn of(objects: &[(&str, u32)]) -> Self {
        Self(objects.iter().map(|(name, version)| (Key::new(*name), Arc::new(object(name, *version)))).collect())
    }

    pub(super) fn apply(&mut self, popped: Popped<PartialObjectMetadata>) {
        for delta in popped.deltas {
            self.apply_one(delta);
        }
    }

    pub(super) fn apply_one(&mut self, delta: Delta<PartialObjectMetadata>) {
        match delta {
            Delta::Added(entry) | Delta::Updated(entry) | Delta::Replaced(entry) | Delta::Sync(entry) => {
                self.0.insert(entry.key, entry.object);
            }
            Delta::Deleted(deleted) => {
                self.0.remove(deleted.key());
            }
            Delta::ReplacedAll { entries, .. } => {
                self.0 = entries.into_iter().map(|entry| (entry.key, entry.object)).collect();
            }
            Delta::SyncAll | Delta::Bookmark(_) => {}
        }
    }
}

impl KnownObjects<PartialObjectMetadata> for Known {
    fn keys(&self) -> Vec<Key> {
        self.0.keys().cloned().collect()
    }

    fn find(&self, key: &Key) -> Option<Arc<PartialObjectMetadata>> {
        self.0.get(key).cloned()
    }
}
