//! From deltas to changes.

use std::sync::Arc;

use super::Change;
use crate::{
    meta::ResourceVersion,
    object::Object,
    queue::{Deleted, Delta, Popped},
    store::{Entry, Indexer},
};

/// Takes popped deltas into the indexer and appends what they change (client-go `tools/cache/controller.go`, `processDeltas`,
/// `processReplacedAllInfo`). What is deleted and was never there is nothing to tell of; client-go's handlers hear of it.
pub(super) fn process<T: Object>(popped: Popped<T>, indexer: &mut Indexer<T>, changes: &mut Vec<Change<T>>) {
    let initial = popped.is_in_initial_list;
    for delta in popped.deltas {
        match delta {
            Delta::Added(entry) | Delta::Updated(entry) | Delta::Replaced(entry) | Delta::Sync(entry) => {
                let before = indexer.insert(entry.clone());
                changes.push(applied(entry, before, initial));
            }
            Delta::Deleted(Deleted::Seen(entry)) => {
                // The version of the cache is that of the deletion now.
                if indexer.remove_with_object(&entry).is_some() {
                    changes.push(Change::Deleted { key: entry.key, last: entry.object, is_final_state_unknown: false });
                }
            }
            Delta::Deleted(Deleted::FinalStateUnknown { key, last }) => {
                if let Some(stored) = indexer.remove(key.as_str()) {
                    changes.push(Change::Deleted { key, last: last.unwrap_or(stored), is_final_state_unknown: true });
                }
            }
            Delta::ReplacedAll { entries, resource_version } => {
                replace_all(entries, &resource_version, initial, indexer, changes);
            }
            Delta::SyncAll => {
                changes.extend(indexer.iter_unsorted().map(|(key, object)| Change::Updated {
                    key: key.clone(),
                    before: object.clone(),
                    after: object.clone(),
                }));
            }
            Delta::Bookmark(resource_version) => indexer.bookmark(&resource_version),
        }
    }
}

fn applied<T>(entry: Entry<T>, before: Option<Arc<T>>, initial: bool) -> Change<T> {
    let Entry { key, object } = entry;
    match before {
        Some(before) => Change::Updated { key, before, after: object },
        None => Change::Added { key, object, is_in_initial_list: initial },
    }
}

/// The store has all of the new before a reader hears of any of it; what is gone is told first.
fn replace_all<T: Object>(
    entries: Vec<Entry<T>>,
    resource_version: &ResourceVersion,
    initial: bool,
    indexer: &mut Indexer<T>,
    changes: &mut Vec<Change<T>>,
) {
    let before = indexer.replace(entries.iter().cloned(), resource_version);
    let gone = before.iter_unsorted().filter(|(key, _)| indexer.find(key.as_str()).is_none());
    changes.extend(gone.map(|(key, object)| Change::Deleted {
        key: key.clone(),
        last: Arc::clone(object),
        is_final_state_unknown: true,
    }));
    for entry in entries {
        // Of one that is listed twice the last counts.
        if indexer.find(entry.key.as_str()).is_some_and(|there| Arc::ptr_eq(there, &entry.object)) {
            let before = before.find(entry.key.as_str()).cloned();
            changes.push(applied(entry, before, initial));
        }
    }
}
