//! A store that hands out all that it has after each change.

use std::sync::Arc;

use super::{Entry, Indexer, Transaction};
use crate::{meta::ResourceVersion, object::Object, platform::MaybeSend};

/// A store for those who want to know what there is, not what changed: after each change it hands all objects to a function
/// (client-go `tools/cache/undelta_store.go`).
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use porthole_client_core::{
///     meta::ObjectMeta,
///     object::PartialObjectMetadata,
///     store::{Entry, UndeltaStore},
/// };
///
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let mut store = UndeltaStore::new({
///     let seen = Arc::clone(&seen);
///     move |objects| *seen.lock().unwrap() = objects
/// });
/// let metadata = ObjectMeta { name: "a".into(), ..ObjectMeta::default() };
/// store.insert(Entry::of(PartialObjectMetadata::new(metadata)));
/// assert_eq!(seen.lock().unwrap().len(), 1);
/// ```
pub struct UndeltaStore<T> {
    indexer: Indexer<T>,
    push: Box<dyn Push<T>>,
}

opaque_debug!(UndeltaStore<T>);

trait Push<T>: MaybeSend {
    fn push(&mut self, objects: Vec<Arc<T>>);
}

impl<T, F: FnMut(Vec<Arc<T>>) + MaybeSend> Push<T> for F {
    fn push(&mut self, objects: Vec<Arc<T>>) {
        self(objects);
    }
}

impl<T: Object> UndeltaStore<T> {
    /// An empty one, with whom to tell.
    #[must_use]
    pub fn new(push: impl FnMut(Vec<Arc<T>>) + MaybeSend + 'static) -> Self {
        Self { indexer: Indexer::default(), push: Box::new(push) }
    }

    /// What there is.
    #[must_use]
    pub const fn indexer(&self) -> &Indexer<T> {
        &self.indexer
    }

    /// [`Indexer::insert`]
    pub fn insert(&mut self, entry: Entry<T>) -> Option<Arc<T>> {
        self.change(|indexer| indexer.insert(entry))
    }

    /// [`Indexer::remove_with_object`]
    pub fn remove_with_object(&mut self, last: &Entry<T>) -> Option<Arc<T>> {
        self.change(|indexer| indexer.remove_with_object(last))
    }

    /// [`Indexer::transact`], of which is told once.
    pub fn transact(&mut self, changes: impl IntoIterator<Item = Transaction<T>>) -> Vec<Option<Arc<T>>> {
        self.change(|indexer| indexer.transact(changes))
    }

    /// [`Indexer::replace`]
    pub fn replace(&mut self, entries: impl IntoIterator<Item = Entry<T>>, resource_version: &ResourceVersion) {
        self.change(|indexer| {
            indexer.replace(entries, resource_version);
        });
    }

    fn change<R>(&mut self, change: impl FnOnce(&mut Indexer<T>) -> R) -> R {
        let changed = change(&mut self.indexer);
        self.push.push(self.indexer.list());
        changed
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Mutex};

    use super::*;
    use crate::store::testing::{Thing, entries, pairs, thing, users_of};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    type Pushed = Arc<Mutex<Vec<BTreeSet<(String, String)>>>>;

    fn store() -> (UndeltaStore<Thing>, Pushed) {
        let pushed = Pushed::default();
        let store = UndeltaStore::new({
            let pushed = Arc::clone(&pushed);
            move |things: Vec<Arc<Thing>>| {
                let things = things.iter().map(|thing| (thing.name().to_owned(), users_of(thing).to_owned()));
                pushed.lock().unwrap().push(things.collect());
            }
        });
        (store, pushed)
    }

    #[test]
    fn an_insert_and_an_update_push_all_that_there_is() {
        let (mut store, pushed) = store();
        store.insert(thing("b", "1", "0"));
        store.insert(thing("a", "1", "2"));
        store.insert(thing("a", "2", "1"));
        let expected = [pairs(&[("b", "0")]), pairs(&[("b", "0"), ("a", "2")]), pairs(&[("b", "0"), ("a", "1")])];
        assert_eq!(*pushed.lock().unwrap(), expected);
    }

    #[test]
    fn a_removal_pushes_what_is_left() {
        let (mut store, pushed) = store();
        store.insert(thing("a", "1", "2"));
        store.remove_with_object(&thing("a", "2", ""));
        assert_eq!(*pushed.lock().unwrap(), [pairs(&[("a", "2")]), pairs(&[])]);
        assert_eq!(store.indexer().resource_version(), "2".into());
    }

    #[test]
    fn a_whole_list_or_several_changes_at_once_are_pushed_once() {
        let (mut store, pushed) = store();
        store.replace(entries(&[("a", "1"), ("b", "2")]), &"7".into());
        assert_eq!(*pushed.lock().unwrap(), [pairs(&[("a", "1"), ("b", "2")])]);
        assert_eq!(store.indexer().resource_version(), "7".into());
        let before = store.transact([Transaction::Remove(thing("a", "8", "")), Transaction::Insert(thing("c", "9", "3"))]);
        assert_eq!(before.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
        assert_eq!(pushed.lock().unwrap()[1..], [pairs(&[("b", "2"), ("c", "3")])]);
    }

    #[test]
    fn who_only_reads_pushes_nothing() {
        let (mut store, pushed) = store();
        store.insert(thing("a", "1", "2"));
        assert_eq!(pushed.lock().unwrap().len(), 1);
        assert_eq!((store.indexer().list().len(), store.indexer().find("b")), (1, None));
        assert_eq!(pushed.lock().unwrap().len(), 1);
    }
}
