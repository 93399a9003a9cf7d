//! Which patches conflict, and preconditions of patches that are made.

use super::{
    notation::doc,
    workload::{Check, Hand, against_both},
};
use crate::{
    json::Value,
    patch::{
        Precondition, ThreeWay,
        strategic::{OnConflict, PatchSchema, create_three_way, create_two_way, find_conflict},
    },
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Two patches and the field they conflict in.
struct Two(&'static str, &'static str, Option<&'static str>);

impl Check for Two {
    fn against(&self, schema: &impl PatchSchema) {
        for (left, right) in [(self.0, self.1), (self.1, self.0)] {
            let found = find_conflict(&doc(left), &doc(right), schema).unwrap();
            assert_eq!(found.map(|path| path.to_string()).as_deref(), self.2, "{left} and {right}");
        }
    }
}

#[test]
fn patches_conflict_where_they_set_one_field_to_different_values() {
    for (left, right, path) in [
        ("{}", "{name:a}", None),
        ("{name:a}", "{image:a}", None),
        ("{name:a}", "{name:a}", None),
        ("{name:a}", "{name:b}", Some(".name")),
        ("{name:1}", "{name:1.0}", Some(".name")),
        ("{name:a}", "{name:null}", Some(".name")),
        ("{labels:{a:x}}", "{labels:{b:x}}", None),
        ("{labels:{a:x,b:x}}", "{labels:{a:x,b:y}}", Some(".labels.b")),
        ("{labels:{a:x}}", "{labels:x}", Some(".labels")),
        ("{labels:{a:x}}", "{labels:null}", Some(".labels")),
        // Directives are about the whole object.
        ("{labels:{$patch:delete}}", "{labels:{a:x}}", Some(".labels")),
        ("{labels:{$patch:delete}}", "{labels:{$patch:replace}}", Some(".labels")),
        ("{labels:{$patch:replace,a:x}}", "{labels:{$patch:replace,a:x}}", None),
        ("{strategy:{$retainKeys:[a]}}", "{strategy:{$retainKeys:[b]}}", None),
        // A field that is replaced as a whole is not looked into.
        ("{template:{a:x}}", "{template:{a:y}}", None),
        // Lists that are merged.
        ("{finalizers:[a]}", "{finalizers:[b]}", None),
        ("{containers:[{name:a,image:x}]}", "{containers:[{name:b,image:y}]}", None),
        ("{containers:[{name:a,image:x}]}", "{containers:[{name:a,tier:y}]}", None),
        ("{containers:[{name:a,image:x}]}", "{containers:[{name:b},{name:a,image:y}]}", Some(".containers.image")),
        ("{containers:[{name:a,$patch:delete}]}", "{containers:[{name:a,image:y}]}", Some(".containers")),
        ("{containers:[{name:a,$patch:delete}]}", "{containers:[{name:a,$patch:delete}]}", None),
        ("{containers:[]}", "{containers:[]}", None),
        ("{containers:[]}", "{containers:null}", Some(".containers")),
        ("{$deleteFromPrimitiveList/finalizers:[a]}", "{$deleteFromPrimitiveList/finalizers:[b]}", None),
        ("{$setElementOrder/finalizers:[a,b]}", "{$setElementOrder/finalizers:[a,b]}", None),
        ("{$setElementOrder/finalizers:[a,b]}", "{$setElementOrder/finalizers:[b,a]}", Some(".$setElementOrder/finalizers")),
        // Lists that are not: the order of scalars does not matter, that of objects does.
        ("{args:[a,b]}", "{args:[b,a]}", None),
        ("{args:[a,b]}", "{args:[a]}", Some(".args")),
        ("{args:[a,b]}", "{args:[a,c]}", Some(".args")),
        ("{args:[a,a]}", "{args:[a,b]}", Some(".args")),
        ("{args:[]}", "{args:[]}", None),
        ("{args:[1,a]}", "{args:[a,1]}", None),
        ("{args:[a]}", "{args:[{name:a}]}", Some(".args")),
        ("{rules:[{name:a},{name:b}]}", "{rules:[{name:a,image:x},{name:b}]}", None),
        ("{rules:[{name:a},{name:b}]}", "{rules:[{name:b},{name:a}]}", Some(".rules.name")),
    ] {
        against_both(&Two(left, right, path));
    }
}

#[test]
fn patches_that_cannot_be_compared_are_an_error() {
    for (left, right, words) in [
        ("{deep:{a:1}}", "{deep:{a:2}}", "cannot tell how to merge .deep"),
        ("{finalizers:[a]}", "{finalizers:[1]}", "the items of .finalizers are not all of one type"),
        ("{containers:[{image:a}]}", "{containers:[{name:a}]}", "does not contain the declared merge key"),
        ("[]", "{}", ". is a list, expected an object"),
    ] {
        let error = find_conflict(&doc(left), &doc(right), &Hand::Workload).unwrap_err().to_string();
        assert!(error.contains(words), "{left} and {right}: {error}");
    }
}

#[test]
fn a_conflict_says_where_and_both_may_delete_items() {
    let create = |original, modified, current| {
        let (original, modified, current) = (doc(original), doc(modified), doc(current));
        let documents = ThreeWay { original: &original, modified: &modified, current: &current };
        create_three_way(documents, &Hand::Workload, OnConflict::Fail, &[])
    };
    let error = create("{labels:{a:old}}", "{labels:{a:ours}}", "{labels:{a:theirs}}").unwrap_err();
    assert!(error.is_conflict() && !error.is_precondition());
    assert!(error.to_string().contains("conflicts with a change others made to .labels.a"), "{error}");
    assert!(!error.to_string().contains("theirs"), "a value is in the message: {error}");

    let patch = create("{finalizers:[a,b,c]}", "{finalizers:[b,c]}", "{finalizers:[a,c]}").unwrap();
    let expected = "{$deleteFromPrimitiveList/finalizers:[a],$setElementOrder/finalizers:[b,c],finalizers:[b]}";
    assert_eq!(patch, doc(expected));
}

#[test]
fn a_patch_that_changes_what_must_stay_is_not_made() {
    let (original, modified) = (doc("{name:a,metadata:{name:x}}"), doc("{name:b,metadata:{name:x}}"));
    let documents = ThreeWay { original: &original, modified: &modified, current: &original };
    for (precondition, holds) in [
        (Precondition::KeyUnchanged("name"), false),
        (Precondition::KeyUnchanged("image"), true),
        (Precondition::MetadataKeyUnchanged("name"), true),
    ] {
        let two_way = create_two_way(&original, &modified, &Hand::Workload, &[precondition]);
        let three_way = create_three_way(documents, &Hand::Workload, OnConflict::Overwrite, &[precondition]);
        for result in [two_way, three_way] {
            assert_eq!(result.is_ok(), holds, "{precondition:?}");
            assert!(result.map_or_else(|error| error.is_precondition(), |patch| patch != Value::object()));
        }
    }
}
