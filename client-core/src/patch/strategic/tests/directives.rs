//! Patches written by hand: directives, what they leave, and what is refused.

use super::{
    notation::doc,
    workload::{Check, Hand, against_both},
};
use crate::{
    json::Value,
    patch::{
        PatchError,
        strategic::{PatchSchema, apply, merge_patches},
    },
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What a document becomes by a patch, or words of the error.
struct Applied(&'static str, &'static str, Result<&'static str, &'static str>);

impl Check for Applied {
    fn against(&self, schema: &impl PatchSchema) {
        let Self(original, patch, expected) = self;
        let mut document = doc(original);
        match (apply(&mut document, &doc(patch), schema), expected) {
            (Ok(()), Ok(result)) => assert_eq!(document.to_string(), doc(result).to_string(), "{original} by {patch}"),
            (Err(error), Err(words)) => {
                assert!(error.to_string().contains(words), "{original} by {patch}: {error}");
                assert_eq!(document, doc(original), "a failed patch changed the document");
            }
            (result, _) => panic!("{original} by {patch}: {result:?} instead of {expected:?}"),
        }
    }
}

fn all(cases: &[(&'static str, &'static str, Result<&'static str, &'static str>)]) {
    for (original, patch, expected) in cases {
        against_both(&Applied(original, patch, *expected));
    }
}

#[test]
fn a_patch_written_by_hand_is_applied() {
    all(&[
        // Scalars that are there already are not added again, and stay where the patch puts them.
        ("{finalizers:[a,b]}", "{finalizers:[b,c]}", Ok("{finalizers:[a,b,c]}")),
        ("{finalizers:[a,b,c]}", "{finalizers:[c,a,b]}", Ok("{finalizers:[c,a,b]}")),
        ("{finalizers:[a,b,c]}", "{finalizers:[c,a]}", Ok("{finalizers:[b,c,a]}")),
        // Whole objects and lists.
        ("{labels:{a:x,b:x}}", "{labels:{$patch:delete}}", Ok("{labels:{}}")),
        ("{containers:[{name:a},{name:b}]}", "{containers:[{$patch:replace}]}", Ok("{containers:[]}")),
        ("{containers:[{name:a}]}", "{containers:[{name:b},{$patch:replace},{name:c}]}", Ok("{containers:[{name:b},{name:c}]}")),
        ("{containers:[]}", "{containers:[]}", Ok("{containers:[]}")),
        ("{name:a,image:v1}", "{$patch:replace}", Ok("{}")),
        ("{name:a,image:v1}", "{$patch:replace,tier:x}", Ok("{tier:x}")),
        // All items of a name.
        (
            "{containers:[{name:a},{name:a},{name:b,image:v1},{name:c},{name:c}]}",
            "{containers:[{name:a,$patch:delete},{name:c,$patch:delete}]}",
            Ok("{containers:[{name:b,image:v1}]}"),
        ),
        // Objects in the order of the patch, others before them.
        (
            "{containers:[{name:a},{name:b,image:v2},{name:c}]}",
            "{containers:[{name:c,image:v3},{name:a,image:v1},{name:b,tier:x}]}",
            Ok("{containers:[{name:c,image:v3},{name:a,image:v1},{name:b,image:v2,tier:x}]}"),
        ),
        (
            "{containers:[{name:a},{name:b,image:v2},{name:c}]}",
            "{containers:[{name:c,image:v3},{name:a,image:v1}]}",
            Ok("{containers:[{name:b,image:v2},{name:c,image:v3},{name:a,image:v1}]}"),
        ),
        // A patch of an old client, that does not say what is retained.
        ("{strategy:{name:a}}", "{strategy:{image:v1}}", Ok("{strategy:{name:a,image:v1}}")),
        ("{strategy:{name:a,image:v1}}", "{strategy:{image:v2}}", Ok("{strategy:{name:a,image:v2}}")),
        ("{strategy:{name:a,image:v1}}", "{strategy:{image:null}}", Ok("{strategy:{name:a}}")),
        ("{strategy:{name:a,image:v1}}", "{strategy:{}}", Ok("{strategy:{name:a,image:v1}}")),
        ("{volumes:[{name:a},{name:b}]}", "{volumes:[{name:b,image:v1}]}", Ok("{volumes:[{name:a},{name:b,image:v1}]}")),
        ("{volumes:[{name:a},{name:b,image:v1}]}", "{volumes:[{name:b,image:v2}]}", Ok("{volumes:[{name:a},{name:b,image:v2}]}")),
        ("{volumes:[{name:a},{name:b,image:v1}]}", "{volumes:[{name:b,image:null}]}", Ok("{volumes:[{name:a},{name:b}]}")),
        // The order of items that are not there says nothing.
        (
            "{containers:[{name:a},{name:c}]}",
            concat!(
                "{$setElementOrder/containers:[{name:c},{name:b},{name:a}],",
                "containers:[{name:c,image:v3},{name:a,image:v1}]}"
            ),
            Ok("{containers:[{name:c,image:v3},{name:a,image:v1}]}"),
        ),
        ("{finalizers:[a,c]}", "{$setElementOrder/finalizers:[c,b,a]}", Ok("{finalizers:[c,a]}")),
        ("{finalizers:[]}", "{$setElementOrder/finalizers:[c,b,a]}", Ok("{finalizers:[]}")),
        ("{}", "{$setElementOrder/finalizers:[c,b,a]}", Ok("{}")),
        // Scalars that are deleted.
        ("{finalizers:[a,b]}", "{$deleteFromPrimitiveList/finalizers:[c]}", Ok("{finalizers:[a,b]}")),
        ("{finalizers:null}", "{$deleteFromPrimitiveList/finalizers:[c]}", Ok("{finalizers:null}")),
        ("{foo:[bar]}", "{$deleteFromPrimitiveList/finalizers:[c]}", Ok("{foo:[bar]}")),
        ("{finalizers:[a,b,c]}", "{$deleteFromPrimitiveList/finalizers:[b]}", Ok("{finalizers:[a,c]}")),
        ("{args:[a,b,c]}", "{$deleteFromPrimitiveList/args:[b]}", Ok("{args:[a,c]}")),
        // What does not fit together.
        (
            "{containers:[{name:a},{name:c},{name:b}]}",
            concat!(
                "{$setElementOrder/containers:[{name:a},{name:b},{name:c}],",
                "containers:[{name:c,image:v3},{name:a,image:v1}]}"
            ),
            Err("the order of the items of .containers doesn't match its $setElementOrder list"),
        ),
        (
            "{finalizers:[a,c,b]}",
            "{$setElementOrder/finalizers:[a,b,c],finalizers:[c,a]}",
            Err("the order of the items of .finalizers doesn't match its $setElementOrder list"),
        ),
        (
            "{containers:[{name:a,image:v1}]}",
            "{containers:[{image:v2}]}",
            Err("an item of .containers does not contain the declared merge key \"name\""),
        ),
    ]);
}

#[test]
fn what_is_new_has_neither_directives_nor_null() {
    all(&[
        ("{}", "{labels:{a:null,b:x}}", Ok("{labels:{b:x}}")),
        ("{}", "{labels:{$patch:replace,b:x}}", Ok("{}")),
        ("{}", "{strategy:{$retainKeys:[name],name:x}}", Ok("{strategy:{name:x}}")),
        ("{}", "{containers:[{name:a,image:null},{name:b,$patch:delete}]}", Ok("{containers:[{name:a}]}")),
        (
            "{containers:[{name:a}]}",
            "{containers:[{name:b,image:null,$setElementOrder/finalizers:[x],finalizers:[x],$deleteFromPrimitiveList/args:[y]}]}",
            Ok("{containers:[{name:b,finalizers:[x]},{name:a}]}"),
        ),
        ("{labels:x}", "{labels:{a:null}}", Ok("{labels:{}}")),
        // A list that is not merged is taken as it is.
        ("{rules:[]}", "{rules:[{name:null}]}", Ok("{rules:[{name:null}]}")),
    ]);
}

#[test]
fn null_removes_fields_and_whole_lists() {
    all(&[
        ("{name:a,containers:[{name:a}],labels:{a:x}}", "{containers:null,labels:null}", Ok("{name:a}")),
        ("{name:a}", "{image:null}", Ok("{name:a}")),
        ("null", "{name:a}", Ok("{name:a}")),
        ("{name:a}", "null", Ok("{name:a}")),
    ]);
}

#[test]
fn keys_that_are_retained_must_name_all_that_is_set() {
    all(&[
        ("{strategy:{name:a,tier:x}}", "{strategy:{$retainKeys:[image],image:v1}}", Ok("{strategy:{image:v1}}")),
        ("{strategy:{name:a,tier:x}}", "{strategy:{$retainKeys:[name],tier:null}}", Ok("{strategy:{name:a}}")),
        ("{strategy:{name:a}}", "{strategy:{$retainKeys:[],$setElementOrder/finalizers:[]}}", Ok("{strategy:{}}")),
        (
            "{strategy:{name:a}}",
            "{strategy:{$retainKeys:[name],image:v1}}",
            Err("the directive \"$retainKeys\" in .strategy does not name all fields that the patch sets"),
        ),
        ("{strategy:{}}", "{strategy:{$retainKeys:name}}", Err("\"$retainKeys\" in .strategy is no list")),
    ]);
}

#[test]
fn a_malformed_patch_is_refused_and_says_where() {
    all(&[
        ("{labels:{}}", "{labels:{$patch:merge}}", Err("\"$patch\" in .labels is neither \"delete\" nor \"replace\"")),
        ("{labels:{}}", "{labels:{$patch:[]}}", Err("\"$patch\" in .labels is neither \"delete\" nor \"replace\"")),
        (
            "{containers:[{name:a}]}",
            "{containers:[{$patch:merge}]}",
            Err("\"$patch\" in .containers is \"merge\", which is not possible"),
        ),
        ("{containers:[{name:a}]}", "{containers:[{$patch:x}]}", Err("\"$patch\" in .containers is neither")),
        ("{containers:[{name:a}]}", "{containers:[{$patch:delete}]}", Err("does not contain the declared merge key")),
        ("{containers:[{image:a}]}", "{containers:[{name:a}]}", Err("does not contain the declared merge key")),
        ("{containers:[{name:a}]}", "{containers:[a]}", Err("the items of .containers are not all of one type")),
        ("{containers:[[a]]}", "{containers:[[b]]}", Err(".containers is a list of lists")),
        ("{finalizers:[{name:a}]}", "{finalizers:[{name:b}]}", Err("names no merge key for the items of .finalizers")),
        ("{finalizers:[a]}", "{$setElementOrder:[a]}", Err("\"$setElementOrder\" in . names no field")),
        ("{finalizers:[a]}", "{$setElementOrder/finalizers:a}", Err("\"$setElementOrder/finalizers\" in . is no list")),
        ("{finalizers:a}", "{$setElementOrder/finalizers:[a]}", Err(".finalizers is a string, expected a list")),
        ("{containers:[{name:a}]}", "{$setElementOrder/containers:[{}]}", Err("does not contain the declared merge key")),
        ("{containers:[{name:a}]}", "{$setElementOrder/containers:[a]}", Err(".containers is a string, expected a list of")),
        ("{a:{}}", "{$setElementOrder/x:[a]}", Err("cannot tell how to merge .x: unable to find api field \"x\"")),
        ("{finalizers:[a]}", "{$deleteFromPrimitiveList:[a]}", Err("\"$deleteFromPrimitiveList\" in . names no field")),
        ("{finalizers:[a]}", "{$deleteFromPrimitiveList/finalizers:a}", Err("in . is no list")),
        ("{finalizers:[a]}", "{$deleteFromPrimitiveList/finalizers:[1]}", Err("of .finalizers are not all of one type")),
        (
            "{containers:[{name:a,containers:[{name:b}]}]}",
            "{containers:[{name:a,containers:[{}]}]}",
            Err("an item of .containers.containers does not contain"),
        ),
    ]);
}

#[test]
fn what_is_no_object_is_refused() {
    for text in ["[]", "1", "\"<THIS IS NOT JSON>\""] {
        let mut document: Value = text.parse().unwrap();
        let error = apply(&mut document, &Value::object(), &Hand::Workload).unwrap_err();
        assert!(matches!(error, PatchError::WrongType { expected: "an object", .. }), "{error}");
        assert_eq!(document.to_string(), text);
        let error = apply(&mut Value::object(), &document, &Hand::Workload).unwrap_err();
        assert!(matches!(error, PatchError::WrongType { .. }), "{error}");
    }
    assert!("<THIS IS NOT JSON>".parse::<Value>().is_err());
}

#[test]
fn merged_patches_do_what_they_do_one_after_the_other() {
    let first = doc("{name:b,image:null,labels:{a:x},$deleteFromPrimitiveList/finalizers:[a],containers:[{name:a,image:v1}]}");
    let second = doc("{tier:x,labels:{a:null,b:y},containers:[{name:a,tier:y},{name:c}],strategy:{$retainKeys:[name]}}");
    let merged = merge_patches([&first, &second], &Hand::Workload).unwrap();
    let original = doc("{name:a,image:v1,labels:{z:z},finalizers:[a,b],containers:[{name:a},{name:b}],strategy:{name:r,tier:t}}");
    let [mut at_once, mut in_turn] = [original.clone(), original];
    apply(&mut at_once, &merged, &Hand::Workload).unwrap();
    for patch in [&first, &second] {
        apply(&mut in_turn, patch, &Hand::Workload).unwrap();
    }
    assert_eq!(at_once, in_turn);
    assert_eq!(
        merged,
        doc(concat!(
            "{name:b,image:null,tier:x,labels:{a:null,b:y},$deleteFromPrimitiveList/finalizers:[a],",
            "containers:[{name:a,image:v1,tier:y},{name:c}],strategy:{$retainKeys:[name]}}"
        ))
    );
}

#[test]
fn patches_that_order_or_retain_differently_cannot_be_merged() {
    for (first, second, words) in [
        (
            "{$setElementOrder/finalizers:[a,b]}",
            "{$setElementOrder/finalizers:[b,a]}",
            "\"$setElementOrder/finalizers\" in . differs",
        ),
        ("{strategy:{$retainKeys:[a]}}", "{strategy:{$retainKeys:[b]}}", "\"$retainKeys\" in .strategy differs"),
    ] {
        let (first, second) = (doc(first), doc(second));
        let error = merge_patches([&first, &second], &Hand::Workload).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(merge_patches([&first, &first], &Hand::Workload).unwrap(), first);
    }
}
