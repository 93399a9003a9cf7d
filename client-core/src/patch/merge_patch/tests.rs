//! The examples of the standard, the tables of apimachinery, and properties.

use super::{
    nulls::{keep_nulls, without_nulls},
    *,
};
use crate::{
    json::Value,
    patch::{Precondition, ThreeWay, prune::without_null_fields, random::Random},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn json(text: &str) -> Value {
    text.parse().unwrap()
}

fn applied(document: &str, patch: &str) -> String {
    let mut document = json(document);
    apply(&mut document, &json(patch));
    document.to_string()
}

#[test]
fn the_examples_of_the_standard_hold() {
    for (document, patch, result) in [
        (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
        (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
        (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
        (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
        (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
        (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
        (r#"{"a":"foo"}"#, "null", "null"),
        (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
        (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"a":1,"e":null}"#),
        ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
        ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
    ] {
        assert_eq!(applied(document, patch), result, "{document} by {patch}");
    }
}

#[test]
fn lists_lose_the_nulls_of_their_objects_as_on_the_server() {
    for (document, patch, result) in [
        ("{}", r#"{"a":[{"b":null,"c":1},null]}"#, r#"{"a":[{"c":1},null]}"#),
        (r#"{"a":[]}"#, r#"{"a":[[{"b":null}]]}"#, r#"{"a":[[{}]]}"#),
        (r#"{"a":null}"#, r#"{"a":{"b":null}}"#, r#"{"a":{}}"#),
        (r#"{"a":{}}"#, r#"{"a":[{"b":null}]}"#, r#"{"a":[{"b":null}]}"#),
    ] {
        assert_eq!(applied(document, patch), result, "{document} by {patch}");
    }
}

#[test]
fn a_created_patch_says_what_changed_and_nothing_else() {
    for (from, to, patch) in [
        (r#"{"a":1}"#, r#"{"a":1}"#, "{}"),
        (r#"{"a":1,"b":{"c":2,"d":3}}"#, r#"{"a":1.0,"b":{"c":2}}"#, r#"{"a":1.0,"b":{"d":null}}"#),
        (r#"{"a":[1,2]}"#, r#"{"a":[2,1],"b":{}}"#, r#"{"a":[2,1],"b":{}}"#),
        (r#"{"a":{"x":1}}"#, r#"{"a":{}}"#, r#"{"a":{"x":null}}"#),
        (r#"{"a":null}"#, r#"{"a":null,"b":null}"#, r#"{"b":null}"#),
        (r#"{"a":{}}"#, r#"{"a":[]}"#, r#"{"a":[]}"#),
        ("[1]", "[2]", "[2]"),
        ("[1]", r#"{"a":1}"#, r#"{"a":1}"#),
    ] {
        assert_eq!(create(&json(from), &json(to)).to_string(), patch, "{from} to {to}");
    }
}

#[test]
fn a_created_patch_applied_to_what_it_was_made_from_yields_what_it_was_made_for() {
    let mut random = Random::new(7386);
    for _ in 0..2000 {
        let from = random.tree(4, true);
        // A field that is null cannot be asked for.
        let to = if random.once_in(4) { random.tree(4, false) } else { random.changed(&from, 3, false) };
        let to = without_null_fields(to);
        let patch = create(&from, &to).to_string();
        let mut patched = from.clone();
        apply(&mut patched, &json(&patch));
        assert_eq!(patched, to, "{from} by {patch}");
    }
}

#[test]
fn a_patch_is_parted_into_what_it_removes_and_what_it_sets() {
    for (patch, removes, sets) in [
        ("{}", "{}", "{}"),
        (r#"{"no":null,"yes":"a"}"#, r#"{"no":null}"#, r#"{"yes":"a"}"#),
        (r#"{"no":null,"nor":null}"#, r#"{"no":null,"nor":null}"#, "{}"),
        (r#"{"yes":"a","too":"b"}"#, "{}", r#"{"too":"b","yes":"a"}"#),
        (r#"{"in":{"no":null,"yes":"a"}}"#, r#"{"in":{"no":null}}"#, r#"{"in":{"yes":"a"}}"#),
        (r#"{"in":{"no":null,"nor":null}}"#, r#"{"in":{"no":null,"nor":null}}"#, "{}"),
        (r#"{"in":{"yes":"a","too":"b"}}"#, "{}", r#"{"in":{"too":"b","yes":"a"}}"#),
        // An object that is empty from the start is a value.
        (r#"{"in":{}}"#, "{}", r#"{"in":{}}"#),
        (r#"{"in":{"deep":{}}}"#, "{}", r#"{"in":{"deep":{}}}"#),
        (r#"{"in":{"deep":{},"too":{}}}"#, "{}", r#"{"in":{"deep":{},"too":{}}}"#),
        (r#"{"in":{"deep":{},"no":null}}"#, r#"{"in":{"no":null}}"#, r#"{"in":{"deep":{}}}"#),
        // A list is a value, whatever is in it.
        (r#"{"list":[]}"#, "{}", r#"{"list":[]}"#),
        (r#"{"list":[1,2]}"#, "{}", r#"{"list":[1,2]}"#),
        (r#"{"list":[{"a":1},{"b":null},{"c":3,"d":null}]}"#, "{}", r#"{"list":[{"a":1},{"b":null},{"c":3,"d":null}]}"#),
        (r#"{"list":[{"a":1},{"b":null},"c"]}"#, "{}", r#"{"list":[{"a":1},{"b":null},"c"]}"#),
    ] {
        let fields = json(patch).as_object().cloned().unwrap();
        assert_eq!(Value::Object(keep_nulls(fields.clone())).to_string(), removes, "{patch}");
        assert_eq!(Value::Object(without_nulls(fields)).to_string(), sets, "{patch}");
    }
}

/// Original, modified and current document, their patch, and what it makes of the current one.
type Case = [&'static str; 5];

const FIELDS: &[Case] = &[
    ["null", r#"{"a":1,"b":1}"#, r#"{"a":1,"x":9}"#, r#"{"b":1}"#, r#"{"a":1,"b":1,"x":9}"#],
    [r#"{"a":1}"#, r#"{"a":1}"#, r#"{"a":1}"#, "{}", r#"{"a":1}"#],
    [r#"{"a":1}"#, r#"{"a":1,"b":1}"#, r#"{"a":1,"x":9}"#, r#"{"b":1}"#, r#"{"a":1,"b":1,"x":9}"#],
    [r#"{"a":1}"#, r#"{"a":1,"b":1}"#, r#"{"a":8,"x":9}"#, r#"{"a":1,"b":1}"#, r#"{"a":1,"b":1,"x":9}"#],
    [r#"{"a":1}"#, r#"{"b":1}"#, r#"{"a":1,"x":9}"#, r#"{"a":null,"b":1}"#, r#"{"b":1,"x":9}"#],
    [r#"{"a":1}"#, r#"{"b":1}"#, r#"{"a":8,"x":9}"#, r#"{"a":null,"b":1}"#, r#"{"b":1,"x":9}"#],
    [
        r#"{"m":{"a":1,"b":1}}"#,
        r#"{"m":{"a":1}}"#,
        r#"{"m":{"a":1,"b":1,"x":9}}"#,
        r#"{"m":{"b":null}}"#,
        r#"{"m":{"a":1,"x":9}}"#,
    ],
    [
        r#"{"m":{"a":1,"b":1}}"#,
        r#"{"m":{"a":1}}"#,
        r#"{"m":{"a":8,"b":1,"x":9}}"#,
        r#"{"m":{"a":1,"b":null}}"#,
        r#"{"m":{"a":1,"x":9}}"#,
    ],
    [r#"{"a":1,"b":1}"#, "{}", r#"{"a":1,"b":1,"x":9}"#, r#"{"a":null,"b":null}"#, r#"{"x":9}"#],
    [r#"{"a":1,"b":1}"#, "{}", r#"{"a":1,"b":8,"x":9}"#, r#"{"a":null,"b":null}"#, r#"{"x":9}"#],
    [r#"{"a":1,"b":1}"#, r#"{"x":9}"#, r#"{"a":1,"b":1,"x":9}"#, r#"{"a":null,"b":null}"#, r#"{"x":9}"#],
    [r#"{"a":1,"b":1}"#, r#"{"x":9}"#, r#"{"a":1,"b":1,"x":8}"#, r#"{"a":null,"b":null,"x":9}"#, r#"{"x":9}"#],
];

const TYPES: &[Case] = &[
    [r#"{"l":[1,2]}"#, r#"{"l":[2,3]}"#, r#"{"l":[1,2]}"#, r#"{"l":[2,3]}"#, r#"{"l":[2,3]}"#],
    [r#"{"l":[1,2]}"#, r#"{"l":[2,3]}"#, r#"{"l":[1,4]}"#, r#"{"l":[2,3]}"#, r#"{"l":[2,3]}"#],
    [r#"{"a":1}"#, r#"{"a":true}"#, r#"{"a":1,"x":9}"#, r#"{"a":true}"#, r#"{"a":true,"x":9}"#],
    [r#"{"a":0}"#, r#"{"a":[1,2]}"#, r#"{"a":0,"x":9}"#, r#"{"a":[1,2]}"#, r#"{"a":[1,2],"x":9}"#],
    [r#"{"a":[1,2]}"#, r#"{"a":0}"#, r#"{"a":[1,2],"x":9}"#, r#"{"a":0}"#, r#"{"a":0,"x":9}"#],
    [r#"{"a":0}"#, r#"{"a":{"b":1}}"#, r#"{"a":0,"x":9}"#, r#"{"a":{"b":1}}"#, r#"{"a":{"b":1},"x":9}"#],
    [r#"{"a":{"b":1}}"#, r#"{"a":0}"#, r#"{"a":{"b":1},"x":9}"#, r#"{"a":0}"#, r#"{"a":0,"x":9}"#],
    [r#"{"a":{"b":1}}"#, r#"{"a":[1,2]}"#, r#"{"a":{"b":1},"x":9}"#, r#"{"a":[1,2]}"#, r#"{"a":[1,2],"x":9}"#],
    [r#"{"a":[1,2]}"#, r#"{"a":{"b":0}}"#, r#"{"a":[1,2],"x":9}"#, r#"{"a":{"b":0}}"#, r#"{"a":{"b":0},"x":9}"#],
    [
        r#"{"a":[{"b":true},2,false]}"#,
        r#"{"a":[1,false,{"c":1}]}"#,
        r#"{"a":[{"b":true},2,false],"x":9}"#,
        r#"{"a":[1,false,{"c":1}]}"#,
        r#"{"a":[1,false,{"c":1}],"x":9}"#,
    ],
    [
        r#"{"a":[{"b":true},null,false],"kept":[],"drop":[1]}"#,
        r#"{"a":[1,false,{"c":1}],"kept":["d",null,null,"e"],"drop":[null]}"#,
        r#"{"a":[{"b":true},2,false],"kept":["d",null,null,"e"],"drop":null}"#,
        r#"{"a":[1,false,{"c":1}],"drop":[null]}"#,
        r#"{"a":[1,false,{"c":1}],"drop":[null],"kept":["d",null,null,"e"]}"#,
    ],
];

#[test]
fn a_patch_of_three_keeps_what_nobody_of_us_named() {
    for [original, modified, current, patch, result] in FIELDS.iter().chain(TYPES) {
        let documents = [json(original), json(modified), json(current)];
        let three = ThreeWay { original: &documents[0], modified: &documents[1], current: &documents[2] };
        let created = create_three_way(three, &[]).unwrap();
        assert_eq!(created.to_string(), *patch, "{original} {modified} {current}");
        assert_eq!(applied(current, patch), *result, "{original} {modified} {current}");
    }
}

#[test]
fn a_patch_of_three_is_checked() {
    let [original, modified] = [json(r#"{"kind":"A","metadata":{"name":"a"}}"#), json(r#"{"kind":"A","metadata":{"name":"b"}}"#)];
    let three = ThreeWay { original: &original, modified: &modified, current: &original };
    let error = create_three_way(three, &[Precondition::KeyUnchanged("kind"), Precondition::MetadataKeyUnchanged("name")]);
    assert!(error.unwrap_err().is_precondition());
    assert!(create_three_way(three, &[Precondition::KeyUnchanged("kind")]).is_ok());
    let list = json("[]");
    let error = create_three_way(ThreeWay { current: &list, ..three }, &[]).unwrap_err();
    assert_eq!(error.to_string(), ". is a list, expected an object");
}

#[test]
fn a_patch_of_three_is_done_once() {
    let mut random = Random::new(3);
    for _ in 0..1000 {
        let original = Value::Object(random.object(3, false));
        let modified = match random.changed(&original, 2, false) {
            Value::Object(fields) => Value::Object(fields),
            _ => Value::object(),
        };
        let current = Value::Object(random.object(3, false));
        let three = ThreeWay { original: &original, modified: &modified, current: &current };
        let mut result = current.clone();
        apply(&mut result, &create_three_way(three, &[]).unwrap());
        let again = create_three_way(ThreeWay { original: &modified, modified: &modified, current: &result }, &[]).unwrap();
        assert_eq!(again, Value::object(), "{original} {modified} {current}");
    }
}

#[test]
fn patches_conflict_where_they_set_one_field_to_different_values() {
    for (left, right, path) in [
        (r#""a""#, r#""a""#, None),
        (r#""a""#, r#""b""#, Some(".")),
        (r#""a""#, "null", Some(".")),
        (r#""a""#, "1", Some(".")),
        (r#""a""#, "1.0", Some(".")),
        (r#""a""#, "false", Some(".")),
        (r#""a""#, "[]", Some(".")),
        ("1", "1", None),
        ("3.0", "3.0", None),
        ("null", "null", None),
        ("false", "false", None),
        // Types do not pass for each other, numbers of two spellings neither.
        ("0", "0.0", Some(".")),
        ("0", r#""0""#, Some(".")),
        ("0", "null", Some(".")),
        ("0", "false", Some(".")),
        (r#""true""#, "true", Some(".")),
        (r#""null""#, "null", Some(".")),
        ("[]", "[]", None),
        ("[1]", "[]", Some(".")),
        ("[1]", "[1]", None),
        ("{}", "[1]", Some(".")),
        ("{}", r#"{"a":1}"#, None),
        (r#"{"a":1}"#, r#"{"a":1}"#, None),
        (r#"{"a":1}"#, r#"{"a":2}"#, Some(".a")),
        (r#"{"a":1}"#, r#"{"b":2}"#, None),
        (r#"{"a":[1]}"#, r#"{"a":[1]}"#, None),
        (r#"{"a":[1]}"#, r#"{"a":[]}"#, Some(".a")),
        (r#"{"a":[1]}"#, r#"{"a":1}"#, Some(".a")),
        (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":0}"#, Some(".b")),
        (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#, None),
        (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":0,"c":3}"#, Some(".b")),
        (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,"c":3}"#, None),
        (r#"{"a":[1,2]}"#, r#"{"a":[1,0]}"#, Some(".a")),
        (r#"{"a":[1,2]}"#, r#"{"a":[1,2]}"#, None),
        (r#"{"a":[{"b":{"c":1}}]}"#, r#"{"a":[{"b":{"c":2}}]}"#, Some(".a.b.c")),
    ] {
        for (left, right) in [(left, right), (right, left)] {
            let found = find_conflict(&json(left), &json(right)).map(|path| path.to_string());
            assert_eq!(found.as_deref(), path, "{left} and {right}");
        }
    }
}

#[test]
fn digits_survive() {
    let text = r#"{"a":9007199254740993,"b":{"c":[1.0,1e3]}}"#;
    assert_eq!(applied("{}", text), text);
    assert_eq!(create(&Value::object(), &json(text)).to_string(), text);
    let nothing = Value::Null;
    let wanted = json(text);
    let three = ThreeWay { original: &nothing, modified: &wanted, current: &nothing };
    assert_eq!(create_three_way(three, &[]).unwrap().to_string(), text);
}
