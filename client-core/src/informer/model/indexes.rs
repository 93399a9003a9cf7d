//! Indexes, held against what they are made of.

use std::collections::{BTreeMap, BTreeSet};

use super::form::Form;
use crate::store::{IndexFunc, IndexName, Indexers, SharedIndexer, namespace_index};

const BY_CONTENT: IndexName = IndexName::new("content");

/// The indexes that an informer of the test begins with.
pub(super) fn at_the_start<T: Form>() -> Indexers<T> {
    let content = IndexFunc::new(|object: &T, values| values.push(object.content()));
    Indexers::from((BY_CONTENT, content))
}

/// The index that comes later. Says whether it was not there.
pub(super) fn add_late<T: Form>(cache: &SharedIndexer<T>) -> bool {
    cache.add_indexers(Indexers::from(namespace_index())).is_ok()
}

/// Each index has each object under its value and under no other.
pub(super) fn check<T: Form>(cache: &SharedIndexer<T>) -> Result<(), String> {
    cache.read(|cache| {
        for name in cache.indexers().names() {
            let value = |object: &T| if *name == BY_CONTENT { object.content() } else { object.namespace().to_owned() };
            let mut wanted = BTreeMap::<String, BTreeSet<String>>::new();
            for (key, object) in cache.iter_unsorted() {
                wanted.entry(value(object)).or_default().insert(key.as_str().to_owned());
            }
            let mut found = BTreeMap::new();
            for value in cache.index_values(name).unwrap() {
                let keys = cache.index_keys(name, value.as_str()).unwrap();
                found.insert(value.as_str().to_owned(), keys.iter().map(|key| key.as_str().to_owned()).collect());
            }
            if found != wanted {
                return Err(format!("the index {name} has {found:?} and not {wanted:?}"));
            }
        }
        Ok(())
    })
}
