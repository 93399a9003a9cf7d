use std::{collections::BTreeSet, sync::Arc};

use super::{
    testing::{BY_USER, BY_USERS, Thing, by_user, by_users, thing, users_of},
    *,
};
use crate::object::Object as _;
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

fn entries(of: &[(&str, &str)]) -> Vec<Entry<Thing>> {
    of.iter().map(|(key, users)| thing(key, "1", users)).collect()
}

/// Keys and users.
fn all(store: &mut impl AnyStore) -> BTreeSet<(String, String)> {
    let listed = store.list();
    let found: BTreeSet<_> = listed.iter().map(|thing| (Key::of(&**thing).to_string(), users_of(thing).to_owned())).collect();
    assert_eq!(found.len(), listed.len(), "something is there twice");
    found
}

fn pairs(of: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    of.iter().map(|(key, users)| ((*key).to_owned(), (*users).to_owned())).collect()
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
    let clock = Arc::new(crate::platform::FakePlatform::default());
    holds_the_contract(&mut ExpiringStore::new(clock, TtlPolicy(std::time::Duration::from_secs(1))));
}

mod undelta {
    use std::sync::Mutex;

    use super::*;
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
        assert_eq!((all(&mut store).len(), store.indexer().find("b")), (1, None));
        assert_eq!(pushed.lock().unwrap().len(), 1);
    }
}

mod versions {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_version_of_a_store_is_the_last_that_it_saw() {
        let mut indexer = Indexer::default();
        let version = |indexer: &Indexer<Thing>| indexer.resource_version().as_str().to_owned();
        assert_eq!(version(&indexer), "");
        indexer.insert(thing("a", "10", ""));
        assert_eq!(version(&indexer), "10");
        indexer.insert(thing("b", "10", ""));
        indexer.insert(thing("c", "20", ""));
        assert_eq!(version(&indexer), "20");
        indexer.remove_with_object(&thing("c", "30", ""));
        assert_eq!(version(&indexer), "30");
        indexer.insert(thing("d", "", ""));
        assert_eq!(version(&indexer), "30", "an object without a version");
        indexer.insert(thing("e", "40", ""));
        indexer.remove("e");
        assert_eq!(version(&indexer), "40", "a removal without an object");
        indexer.transact([
            Transaction::Insert(thing("f", "40", "")),
            Transaction::Insert(thing("g", "30", "")),
            Transaction::Insert(thing("h", "50", "")),
        ]);
        assert_eq!(version(&indexer), "50");
        // A version has no order: the last one counts, not the highest.
        indexer.transact([Transaction::Insert(thing("f", "52", "")), Transaction::Remove(thing("g", "51", ""))]);
        assert_eq!(version(&indexer), "51");
        indexer.remove_with_object(&thing("nobody", "60", ""));
        assert_eq!(version(&indexer), "60", "a removal of what is not there");
        indexer.bookmark(&"70".into());
        assert_eq!(version(&indexer), "70");
        drop(indexer.replace([thing("a", "40", ""), thing("b", "30", "")], &"80".into()));
        assert_eq!(version(&indexer), "80");
        drop(indexer.replace([thing("a", "40", "")], &"".into()));
        assert_eq!(version(&indexer), "", "a list without a version is of none that is known");
    }
}

mod indexes {
    use std::error::Error as _;

    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn keys(indexer: &Indexer<Thing>, value: &str) -> Vec<String> {
        let keys = indexer.index_keys(&BY_USER, value).unwrap();
        let mut same: Vec<_> = indexer.by_index(&BY_USER, value).unwrap().map(|(key, _)| key.clone()).collect();
        same.sort();
        assert_eq!(same, keys);
        keys.iter().map(ToString::to_string).collect()
    }

    fn values(indexer: &Indexer<Thing>, index: &IndexName) -> BTreeSet<String> {
        let values: Vec<_> = indexer.index_values(index).unwrap().map(ToString::to_string).collect();
        let distinct: BTreeSet<_> = values.iter().cloned().collect();
        assert_eq!(distinct.len(), values.len());
        distinct
    }

    fn filled(of: &[(&str, &str)]) -> Indexer<Thing> {
        let mut indexer = Indexer::new(by_user().into());
        for entry in entries(of) {
            indexer.insert(entry);
        }
        indexer
    }

    #[test]
    fn a_value_that_nobody_has_any_more_is_not_in_the_index() {
        let mut indexer = filled(&[("a", "u")]);
        assert_eq!(values(&indexer, &BY_USER), BTreeSet::from(["u".to_owned()]));
        indexer.remove("a");
        assert_eq!(values(&indexer, &BY_USER), BTreeSet::new());
        // Nor is one that an update took from the last that had it.
        indexer.insert(thing("a", "1", "u"));
        indexer.insert(thing("a", "2", "v"));
        assert_eq!(values(&indexer, &BY_USER), BTreeSet::from(["v".to_owned()]));
    }

    #[test]
    fn a_value_stays_while_one_is_left_that_has_it() {
        let mut indexer = filled(&[("retain", "u"), ("delete", "u")]);
        assert_eq!(keys(&indexer, "u"), ["delete", "retain"]);
        indexer.remove("delete");
        assert_eq!(values(&indexer, &BY_USER), BTreeSet::from(["u".to_owned()]));
        assert_eq!(keys(&indexer, "u"), ["retain"]);
    }

    #[test]
    fn several_values_of_an_object_are_exact_after_each_change() {
        let mut indexer = filled(&[("key1", "foo"), ("key2", "bar")]);
        let expect = |indexer: &Indexer<Thing>, foo: &[&str], bar: &[&str], baz: &[&str]| {
            assert_eq!(
                (keys(indexer, "foo"), keys(indexer, "bar"), keys(indexer, "baz")),
                (
                    foo.iter().map(ToString::to_string).collect(),
                    bar.iter().map(ToString::to_string).collect(),
                    baz.iter().map(ToString::to_string).collect()
                )
            );
        };
        expect(&indexer, &["key1"], &["key2"], &[]);
        indexer.insert(thing("key2", "2", "foo,bar"));
        expect(&indexer, &["key1", "key2"], &["key2"], &[]);
        indexer.insert(thing("key1", "3", "foo,bar"));
        expect(&indexer, &["key1", "key2"], &["key1", "key2"], &[]);
        indexer.insert(thing("key3", "4", "foo,bar,baz"));
        expect(&indexer, &["key1", "key2", "key3"], &["key1", "key2", "key3"], &["key3"]);
        indexer.insert(thing("key1", "5", "foo"));
        expect(&indexer, &["key1", "key2", "key3"], &["key2", "key3"], &["key3"]);
        indexer.insert(thing("key2", "6", "bar"));
        expect(&indexer, &["key1", "key3"], &["key2", "key3"], &["key3"]);
        indexer.remove("key1");
        expect(&indexer, &["key3"], &["key2", "key3"], &["key3"]);
        indexer.remove("key3");
        expect(&indexer, &[], &["key2"], &[]);
    }

    #[test]
    fn the_values_of_an_index_are_told_once_each() {
        let mut indexer = Indexer::new(by_users().into());
        for (name, users) in [("one", "bar"), ("two", "bar"), ("tre", "biz")] {
            indexer.insert(thing(name, "1", users));
        }
        assert_eq!(values(&indexer, &BY_USERS), BTreeSet::from(["bar".to_owned(), "biz".to_owned()]));
    }

    #[test]
    fn objects_are_found_by_each_of_their_values_until_they_change_or_go() {
        let mut indexer = filled(&[("one", "ernie,bert"), ("two", "bert,oscar"), ("tre", "ernie,elmo")]);
        for (user, expected) in
            [("ernie", &["one", "tre"][..]), ("bert", &["one", "two"]), ("elmo", &["tre"]), ("oscar", &["two"]), ("elmo1", &[])]
        {
            assert_eq!(keys(&indexer, user), expected, "{user}");
        }
        indexer.remove_with_object(&thing("tre", "2", "ernie,elmo"));
        assert_eq!((keys(&indexer, "ernie"), keys(&indexer, "elmo")), (vec!["one".to_owned()], vec![]));
        indexer.insert(thing("two", "3", "oscar"));
        assert_eq!(keys(&indexer, "bert"), ["one"]);
    }

    #[test]
    fn objects_are_found_that_share_a_value_with_another_each_once() {
        let indexer = filled(&[("a", "u,v"), ("b", "v,w"), ("c", "w"), ("d", "")]);
        let like = |users: &str| {
            let found = indexer.index(&BY_USER, &thing("elsewhere", "1", users).object).unwrap();
            let mut keys: Vec<_> = found.iter().map(|(key, _)| key.to_string()).collect();
            keys.sort();
            keys
        };
        assert_eq!(like("u"), ["a"]);
        assert_eq!(like("v"), ["a", "b"]);
        assert_eq!(like("u,v,v"), ["a", "b"]);
        assert_eq!(like("u,v,w"), ["a", "b", "c"]);
        assert_eq!(like("x"), [""; 0]);
        assert_eq!(like(""), [""; 0]);
    }

    #[test]
    fn an_index_is_added_at_any_time_under_a_name_of_its_own() {
        let mut indexer = filled(&[("shop/a", "u,v"), ("bank/b", "v")]);
        let conflict = indexer.add_indexers(Indexers::from([by_users(), by_user()])).unwrap_err();
        assert_eq!(conflict.to_string(), "index \"user\" exists already: give one of the two another name");
        let missing = indexer.by_index(&BY_USERS, "v").map(Iterator::count).unwrap_err();
        assert_eq!(missing.to_string(), "index \"users\" does not exist: add it to the indexers of this cache");
        indexer.add_indexers(Indexers::from([by_users(), namespace_index()])).unwrap();
        assert!(indexer.indexers().names().eq([&BY_USER, &BY_USERS, &NAMESPACE_INDEX]));
        assert_eq!(indexer.index_keys(&BY_USERS, "v").unwrap(), [Key::new("bank/b")]);
        assert_eq!(indexer.index_keys(&NAMESPACE_INDEX, "shop").unwrap(), [Key::new("shop/a")]);
        assert_eq!(keys(&indexer, "v"), ["bank/b", "shop/a"]);
    }

    #[test]
    fn an_index_that_does_not_exist_is_an_error_in_whichever_way_it_is_asked() {
        let indexer = filled(&[("a", "u")]);
        let unknown = |error: IndexError| matches!(&error, IndexError::Unknown(name) if *name == BY_USERS);
        assert!(indexer.by_index(&BY_USERS, "u").map(drop).is_err_and(unknown));
        assert!(indexer.index_keys(&BY_USERS, "u").is_err_and(unknown));
        assert!(indexer.index_values(&BY_USERS).map(drop).is_err_and(unknown));
        assert!(indexer.index_failures(&BY_USERS).map(drop).is_err_and(unknown));
        assert!(indexer.index(&BY_USERS, &thing("a", "1", "u").object).is_err_and(unknown));
    }

    #[test]
    fn what_an_index_cannot_read_is_in_the_cache_and_its_other_indexes_and_told() {
        let mut indexer = filled(&[("a", "u"), ("b", "u")]);
        indexer.add_indexers(by_users().into()).unwrap();
        indexer.insert(thing("a", "2", "u,"));
        assert_eq!(users_of(indexer.find("a").unwrap()), "u,");
        assert_eq!(keys(&indexer, "u"), ["b"]);
        assert_eq!(indexer.index_keys(&BY_USERS, "u,").unwrap(), [Key::new("a")]);
        let told = |indexer: &Indexer<Thing>| {
            let failures = indexer.index_failures(&BY_USER).unwrap();
            failures.map(|(key, failure)| format!("{key}: {failure}")).collect::<Vec<_>>()
        };
        assert_eq!(told(&indexer), ["a: a has a user without a name"]);
        let asked = indexer.index(&BY_USER, &thing("c", "1", "u,").object).unwrap_err();
        assert_eq!(asked.to_string(), "index \"user\" has no values of the object: c has a user without a name");
        assert!(asked.source().unwrap().source().is_some());
        // Once it can be read it is as any other, and once it is gone nothing is told of it.
        indexer.insert(thing("a", "3", "v"));
        assert_eq!((keys(&indexer, "v"), told(&indexer)), (vec!["a".to_owned()], vec![]));
        indexer.insert(thing("a", "4", "v,"));
        assert_eq!((keys(&indexer, "v"), told(&indexer).len()), (vec![], 1));
        indexer.remove("a");
        assert_eq!(told(&indexer), [""; 0]);
        indexer.insert(thing("a", "5", ","));
        drop(indexer.replace([thing("b", "6", "u")], &"7".into()));
        assert_eq!(told(&indexer), [""; 0]);
    }

    #[test]
    fn of_several_changes_all_are_made_and_what_failed_of_them_is_told() {
        let mut indexer = filled(&[("a", "u")]);
        let before = indexer.transact([
            Transaction::Insert(thing("b", "2", "u")),
            Transaction::Insert(thing("c", "3", "u,")),
            Transaction::Insert(thing("a", "4", "v")),
            Transaction::Insert(thing("d", "5", ",")),
            Transaction::Remove(thing("e", "6", "u")),
        ]);
        let versions = before.iter().map(|before| before.as_ref().map(|thing| thing.resource_version()));
        assert_eq!(versions.collect::<Vec<_>>(), [None, None, Some("1"), None, None]);
        assert_eq!((indexer.len(), keys(&indexer, "u"), keys(&indexer, "v")), (4, vec!["b".into()], vec!["a".into()]));
        let mut failed: Vec<_> = indexer.index_failures(&BY_USER).unwrap().map(|(key, _)| key.as_str()).collect();
        failed.sort_unstable();
        assert_eq!(failed, ["c", "d"]);
    }

    #[test]
    fn what_was_replaced_is_given_back_and_the_indexes_are_of_what_is_there() {
        let mut indexer = filled(&[("a", "u"), ("b", "v")]);
        let before = indexer.replace(entries(&[("b", "w"), ("c", "u"), ("c", "x")]), &"9".into());
        let mut before: Vec<_> = before.map(|entry| (entry.key.to_string(), users_of(&entry.object).to_owned())).collect();
        before.sort();
        assert_eq!(before, [("a".into(), "u".into()), ("b".into(), "v".into())]);
        let expected = BTreeSet::from(["w".to_owned(), "x".to_owned()]);
        assert_eq!((values(&indexer, &BY_USER), keys(&indexer, "x")), (expected, vec!["c".to_owned()]));
    }

    #[test]
    fn all_indexes_share_one_text_of_a_key() {
        let mut indexer = Indexer::new(Indexers::from([by_user(), namespace_index()]));
        indexer.insert(thing("shop/a", "1", "u"));
        // Each change of an object comes with a key of its own, of which nothing stays.
        indexer.insert(thing("shop/a", "2", "v,w"));
        let text = indexer.keys().next().unwrap().as_str().as_ptr();
        let others = [(&BY_USER, "v"), (&BY_USER, "w"), (&NAMESPACE_INDEX, "shop")];
        for (index, value) in others {
            assert!(indexer.index_keys(index, value).unwrap().iter().all(|key| key.as_str().as_ptr() == text), "{value}");
        }
    }
}
