//! What all stores have in common.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::super::{
    testing::{Thing, by_user, by_users, entries, pairs, thing, users_of},
    *,
};
use crate::platform::FakePlatform;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What any store of objects can do (client-go `Store`).
trait AnyStore {
    fn insert(&mut self, entry: Entry<Thing>) -> Option<Arc<Thing>>;
    fn remove(&mut self, last: &Entry<Thing>) -> Option<Arc<Thing>>;
    fn replace(&mut self, entries: Vec<Entry<Thing>>);
    fn find(&mut self, key: &str) -> Option<Arc<Thing>>;
    fn list(&mut self) -> Vec<Arc<Thing>>;
}

impl AnyStore for SharedIndexer<Thing> {
    fn insert(&mut self, entry: Entry<Thing>) -> Option<Arc<Thing>> {
        self.write(|indexer| indexer.insert(entry))
    }

    fn remove(&mut self, last: &Entry<Thing>) -> Option<Arc<Thing>> {
        self.write(|indexer| indexer.remove_with_object(last))
    }

    fn replace(&mut self, entries: Vec<Entry<Thing>>) {
        drop(self.write(|indexer| indexer.replace(entries, &"0".into())));
    }

    fn find(&mut self, key: &str) -> Option<Arc<Thing>> {
        SharedIndexer::find(self, key)
    }

    fn list(&mut self) -> Vec<Arc<Thing>> {
        SharedIndexer::list(self)
    }
}

impl AnyStore for UndeltaStore<Thing> {
    fn insert(&mut self, entry: Entry<Thing>) -> Option<Arc<Thing>> {
        UndeltaStore::insert(self, entry)
    }

    fn remove(&mut self, last: &Entry<Thing>) -> Option<Arc<Thing>> {
        self.remove_with_object(last)
    }

    fn replace(&mut self, entries: Vec<Entry<Thing>>) {
        UndeltaStore::replace(self, entries, &"0".into());
    }

    fn find(&mut self, key: &str) -> Option<Arc<Thing>> {
        self.indexer().find(key).cloned()
    }

    fn list(&mut self) -> Vec<Arc<Thing>> {
        self.indexer().list()
    }
}

impl AnyStore for ExpiringStore<Thing> {
    fn insert(&mut self, entry: Entry<Thing>) -> Option<Arc<Thing>> {
        ExpiringStore::insert(self, entry)
    }

    fn remove(&mut self, last: &Entry<Thing>) -> Option<Arc<Thing>> {
        ExpiringStore::remove(self, last.key.as_str())
    }

    fn replace(&mut self, entries: Vec<Entry<Thing>>) {
        ExpiringStore::replace(self, entries);
    }

    fn find(&mut self, key: &str) -> Option<Arc<Thing>> {
        ExpiringStore::find(self, key)
    }

    fn list(&mut self) -> Vec<Arc<Thing>> {
        ExpiringStore::list(self)
    }
}

/// Keys and users.
fn all(store: &mut impl AnyStore) -> BTreeSet<(String, String)> {
    let listed = store.list();
    let found: BTreeSet<_> = listed.iter().map(|thing| (Key::of(&**thing).to_string(), users_of(thing).to_owned())).collect();
    assert_eq!(found.len(), listed.len(), "something is there twice");
    found
}

fn holds_the_contract(store: &mut impl AnyStore) {
    let users = |found: Option<Arc<Thing>>| found.map(|thing| users_of(&thing).to_owned());
    assert_eq!(users(store.insert(thing("foo", "1", "bar"))), None);
    assert_eq!(users(store.find("foo")).as_deref(), Some("bar"));
    assert_eq!(users(store.insert(thing("foo", "2", "baz"))).as_deref(), Some("bar"));
    assert_eq!(users(store.find("foo")).as_deref(), Some("baz"));
    assert_eq!(users(store.remove(&thing("foo", "3", ""))).as_deref(), Some("baz"));
    assert_eq!(users(store.find("foo")), None);
    assert_eq!(users(store.remove(&thing("foo", "3", ""))), None);
    for entry in entries(&[("a", "b"), ("c", "d"), ("e", "e")]) {
        store.insert(entry);
    }
    assert_eq!(all(store), pairs(&[("a", "b"), ("c", "d"), ("e", "e")]));
    store.replace(entries(&[("foo", "foo"), ("bar", "bar"), ("bar", "last")]));
    assert_eq!(all(store), pairs(&[("foo", "foo"), ("bar", "last")]));
}

#[test]
fn an_indexer_has_what_was_put_in_and_not_taken_out() {
    holds_the_contract(&mut SharedIndexer::<Thing>::default());
    holds_the_contract(&mut SharedIndexer::new(Indexers::from([by_user(), by_users(), namespace_index()])));
}

#[test]
fn an_undelta_store_has_what_was_put_in_and_not_taken_out() {
    holds_the_contract(&mut UndeltaStore::new(drop));
}

#[test]
fn an_expiring_store_has_what_was_put_in_and_not_taken_out() {
    let clock = Arc::new(FakePlatform::default());
    holds_the_contract(&mut ExpiringStore::new(clock, TtlPolicy(Duration::from_secs(1))));
}
