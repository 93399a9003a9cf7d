//! Indexes, change by change.

use std::{collections::BTreeSet, error::Error as _};

use super::super::{
    testing::{BY_USER, BY_USERS, Thing, by_user, by_users, entries, thing, users_of},
    *,
};
use crate::object::Object as _;
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
    let mut before: Vec<_> = before.iter_unsorted().map(|(key, object)| (key.to_string(), users_of(object).to_owned())).collect();
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

#[test]
fn a_shared_indexer_answers_what_its_indexer_does() {
    let shared = SharedIndexer::new(by_user().into());
    for entry in entries(&[("a", "u"), ("b", "u"), ("c", "v")]) {
        shared.write(|indexer| indexer.insert(entry));
    }
    let sorted = |objects: Vec<std::sync::Arc<Thing>>| {
        let mut names: Vec<_> = objects.iter().map(|object| object.name().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(shared.index_keys(&BY_USER, "u").unwrap().iter().map(Key::as_str).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(sorted(shared.by_index(&BY_USER, "u").unwrap()), ["a", "b"]);
    assert_eq!(sorted(shared.index(&BY_USER, &shared.find("b").unwrap()).unwrap()), ["a", "b"]);
    assert_eq!(shared.index_values(&BY_USER).unwrap().len(), 2);
    let none = IndexName::new("none");
    assert!(shared.index(&none, &shared.find("b").unwrap()).is_err() && shared.index_keys(&none, "u").is_err());
}
