//! The version of a store.

use super::super::{
    testing::{Thing, thing},
    *,
};
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
