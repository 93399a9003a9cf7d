//! What the server's library does with JSON patches, and properties of the difference.

use super::*;
use crate::{
    json::Value,
    patch::{PatchError, random::Random},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn patch(text: &str) -> JsonPatch {
    serde_json::from_str(text).unwrap()
}

/// The document after the patch, or the message of the error; the document must then be as it was.
fn applied(document: &str, patch_text: &str) -> Result<String, String> {
    let mut value: Value = document.parse().unwrap();
    let before = value.clone();
    match patch(patch_text).apply(&mut value) {
        Ok(()) => Ok(value.to_string()),
        Err(error) => {
            assert_eq!(value, before, "a failed patch changed the document");
            Err(error.to_string())
        }
    }
}

#[test]
fn operations_do_what_the_standard_says() {
    for (document, operation, result) in [
        // Objects.
        (r#"{"a":1}"#, r#"{"op":"add","path":"/b","value":{"c":[]}}"#, r#"{"a":1,"b":{"c":[]}}"#),
        (r#"{"a":1}"#, r#"{"op":"add","path":"/a","value":null}"#, r#"{"a":null}"#),
        (r#"{"a":1,"b":null}"#, r#"{"op":"remove","path":"/b"}"#, r#"{"a":1}"#),
        (r#"{"a":{"b":1}}"#, r#"{"op":"replace","path":"/a/b","value":1.0}"#, r#"{"a":{"b":1.0}}"#),
        (r#"{"a":{"x":1},"b":{}}"#, r#"{"op":"move","from":"/a/x","path":"/b/y"}"#, r#"{"a":{},"b":{"y":1}}"#),
        (r#"{"a":{"x":[1]}}"#, r#"{"op":"copy","from":"/a/x","path":"/b"}"#, r#"{"a":{"x":[1]},"b":[1]}"#),
        (r#"{"a/b":{"m~n":1}}"#, r#"{"op":"remove","path":"/a~1b/m~0n"}"#, r#"{"a/b":{}}"#),
        (r#"{"":{"":1}}"#, r#"{"op":"replace","path":"//","value":2}"#, r#"{"":{"":2}}"#),
        // Lists.
        (r#"{"a":[1,2]}"#, r#"{"op":"add","path":"/a/1","value":9}"#, r#"{"a":[1,9,2]}"#),
        (r#"{"a":[1,2]}"#, r#"{"op":"add","path":"/a/2","value":9}"#, r#"{"a":[1,2,9]}"#),
        (r#"{"a":[]}"#, r#"{"op":"add","path":"/a/-","value":[7]}"#, r#"{"a":[[7]]}"#),
        (r#"{"a":[1,2,3]}"#, r#"{"op":"remove","path":"/a/1"}"#, r#"{"a":[1,3]}"#),
        (r#"{"a":[{"b":[1]}]}"#, r#"{"op":"replace","path":"/a/0/b/0","value":"x"}"#, r#"{"a":[{"b":["x"]}]}"#),
        (r#"{"a":[1,2,3,4]}"#, r#"{"op":"move","from":"/a/1","path":"/a/3"}"#, r#"{"a":[1,3,4,2]}"#),
        (r#"{"a":[1,2]}"#, r#"{"op":"copy","from":"/a","path":"/a/0"}"#, r#"{"a":[[1,2],1,2]}"#),
        (r#"[{"a":1},2]"#, r#"{"op":"replace","path":"/0/a","value":3}"#, r#"[{"a":3},2]"#),
        // A name is a name where an object is, whatever it looks like.
        (r#"{"0":{"-":1}}"#, r#"{"op":"add","path":"/0/-","value":2}"#, r#"{"0":{"-":2}}"#),
        // The whole document.
        (r#"{"a":1}"#, r#"{"op":"replace","path":"","value":{"b":2}}"#, r#"{"b":2}"#),
        (r#"{"a":1}"#, r#"{"op":"test","path":"","value":{"a":1}}"#, r#"{"a":1}"#),
    ] {
        assert_eq!(applied(document, &format!("[{operation}]")).as_deref(), Ok(result), "{operation}");
    }
}

#[test]
fn a_failed_operation_says_which_where_and_why() {
    for (document, operation, why) in [
        (r#"{"a":1}"#, r#"{"op":"add","path":"/x/y","value":1}"#, r#"add at "/x/y", failed: the document has nothing at "/x/y""#),
        (r#"{"a":1}"#, r#"{"op":"add","path":"/a/y","value":1}"#, r#"add at "/a/y", failed: the document has nothing at "/a/y""#),
        (r#"{"a":null}"#, r#"{"op":"add","path":"/a/y","value":1}"#, r#"failed: the document has nothing at "/a/y""#),
        (r#"{"a":{}}"#, r#"{"op":"remove","path":"/a/b"}"#, r#"remove at "/a/b", failed: the document has nothing at "/a/b""#),
        (
            r#"{"a":{}}"#,
            r#"{"op":"move","from":"/a/b","path":"/c"}"#,
            r#"move at "/c", failed: the document has nothing at "/a/b""#,
        ),
        (r#"{"a":{"b":1}}"#, r#"{"op":"move","from":"/a","path":"/a/b"}"#, r#"failed: the document has nothing at "/a/b""#),
        (r#"{"a":[1]}"#, r#"{"op":"remove","path":"/a/1"}"#, "failed: the index 1 is out of range: the list has 1 items"),
        (r#"{"a":[1]}"#, r#"{"op":"replace","path":"/a/1","value":2}"#, "failed: the index 1 is out of range"),
        (r#"{"a":[1]}"#, r#"{"op":"add","path":"/a/2","value":2}"#, "failed: the index 2 is out of range"),
        (r#"{"a":[1,2]}"#, r#"{"op":"move","from":"/a/0","path":"/a/2"}"#, "failed: the index 2 is out of range"),
        (r#"{"a":[1]}"#, r#"{"op":"copy","from":"/a/0","path":"/a/6666666666"}"#, "failed: the index 6666666666 is out of range"),
        (r#"{"a":[]}"#, r#"{"op":"remove","path":"/a/-"}"#, r#"failed: "-" is not an index of a list"#),
        (r#"{"a":[1]}"#, r#"{"op":"add","path":"/a/-1","value":2}"#, r#"failed: "-1" is not an index of a list"#),
        (r#"{"a":[1]}"#, r#"{"op":"replace","path":"/a/00","value":2}"#, r#"failed: "00" is not an index of a list"#),
        (r#"{"a":[1]}"#, r#"{"op":"test","path":"/a/x","value":2}"#, r#"failed: "x" is not an index of a list"#),
        (r#"{"a":1}"#, r#"{"op":"add","path":"","value":{}}"#, "failed: this cannot be done to the whole document"),
        (r#"{"a":1}"#, r#"{"op":"remove","path":""}"#, "failed: this cannot be done to the whole document"),
        (r#"{"a":1}"#, r#"{"op":"copy","from":"","path":"/b"}"#, "failed: this cannot be done to the whole document"),
    ] {
        let error = applied(document, &format!("[{operation}]")).unwrap_err();
        assert!(error.starts_with("operation 0 of the JSON patch, ") && error.contains(why), "{operation}: {error}");
    }
}

#[test]
fn a_test_compares_digit_for_digit_and_member_for_member() {
    let document = r#"{"a":{"x":1,"y":[2]},"b":1.0,"c":9007199254740993,"n":null,"e":[]}"#;
    for (path, value, holds) in [
        ("/a", r#"{"y":[2],"x":1}"#, true),
        ("/a", r#"{"x":1}"#, false),
        ("/a/y/0", "2", true),
        ("/b", "1.0", true),
        ("/b", "1", false),
        ("/c", "9007199254740993", true),
        ("/c", "9007199254740992", false),
        ("/n", "null", true),
        ("/e", "null", false),
        ("/e", "[]", true),
        // A member that is missing is as good as null.
        ("/missing", "null", true),
        ("/missing", "42", false),
    ] {
        let result = applied(document, &format!(r#"[{{"op":"test","path":"{path}","value":{value}}}]"#));
        assert_eq!(result.is_ok(), holds, "{path} {value}: {result:?}");
        if !holds {
            assert!(result.unwrap_err().ends_with("failed: the test failed: another value is there"));
        }
    }
    assert!(applied(document, r#"[{"op":"test","path":"/missing/deeper","value":null}]"#).is_err());
}

#[test]
fn a_member_that_is_missing_reads_as_null_as_it_does_on_the_server() {
    assert_eq!(applied("{}", r#"[{"op":"replace","path":"/a","value":1}]"#).unwrap(), r#"{"a":1}"#);
    assert_eq!(applied(r#"{"b":{}}"#, r#"[{"op":"copy","from":"/b/x","path":"/a"}]"#).unwrap(), r#"{"a":null,"b":{}}"#);
    assert_eq!(applied("{}", r#"[{"op":"add","path":"/a"}]"#).unwrap(), r#"{"a":null}"#);
    assert!(applied(r#"{"a":[]}"#, r#"[{"op":"replace","path":"/a/0","value":1}]"#).is_err());
}

#[test]
fn a_failing_operation_leaves_what_the_ones_before_it_did_undone() {
    let error = applied(
        r#"{"a":1}"#,
        r#"[{"op":"replace","path":"/a","value":2},{"op":"remove","path":"/a"},{"op":"test","path":"/a","value":2}]"#,
    );
    assert_eq!(
        error.unwrap_err(),
        "operation 2 of the JSON patch, test at \"/a\", failed: the test failed: another value is there"
    );
}

#[test]
fn the_limits_of_the_server_hold() {
    let count = PatchLimits::default().operations;
    let step = Operation::Test { path: JsonPointer::root(), value: Value::object() };
    let mut value = Value::object();
    assert_eq!(JsonPatch(vec![step.clone(); count]).apply(&mut value), Ok(()));
    let error = JsonPatch(vec![step; count + 1]).apply(&mut value).unwrap_err();
    assert_eq!(error, PatchError::TooManyOperations { count: 10_001, limit: 10_000 });

    // The quotes count, too: each copy is 50 bytes.
    let document = format!(r#"{{"a":["{}"]}}"#, "A".repeat(48));
    let copies = patch(r#"[{"op":"copy","from":"/a/0","path":"/a/-"},{"op":"copy","from":"/a/0","path":"/a/-"}]"#);
    for (copied_bytes, fits) in [(100, true), (99, false)] {
        let mut value: Value = document.parse().unwrap();
        let limits = PatchLimits { copied_bytes, ..PatchLimits::default() };
        let result = copies.apply_within(&mut value, limits);
        assert_eq!(result.is_ok(), fits);
        assert_eq!(value.to_string() == document, !fits);
        if let Err(error) = result {
            assert!(error.to_string().contains("operation 1") && error.to_string().contains("more than 99 bytes"), "{error}");
        }
    }
}

#[test]
fn a_patch_is_written_as_it_was_read() {
    let text = concat!(
        r#"[{"op":"add","path":"/a~1b/-","value":{"x":1e3}},{"op":"remove","path":"/c"},"#,
        r#"{"op":"replace","path":"","value":null},{"op":"move","from":"/d","path":"/e"},"#,
        r#"{"op":"copy","from":"/f","path":"/g"},{"op":"test","path":"/h","value":9007199254740993}]"#
    );
    assert_eq!(serde_json::to_string(&patch(text)).unwrap(), text);
    assert_eq!(patch(r#"[{"path":"/a","comment":1,"op":"remove"}]"#), patch(r#"[{"op":"remove","path":"/a"}]"#));
}

#[test]
fn what_is_no_patch_is_refused() {
    for (text, why) in [
        ("{}", ". is an object, expected a list of operations"),
        (
            r#"[{"op":"remove","path":"/a"},1]"#,
            "operation 1 of the JSON patch cannot be read: it is a number, expected an object",
        ),
        (r#"[{"op":null,"path":""}]"#, r#"its member "op" is missing or no string"#),
        (r#"[{"op":"merge","path":""}]"#, r#""merge" is no operation"#),
        (r#"[{"op":"add","pathz":"/a","value":1}]"#, r#"its member "path" is missing or no string"#),
        (r#"[{"op":"add","path":null}]"#, r#"its member "path" is missing or no string"#),
        (r#"[{"op":"copy","path":"/a","from":null}]"#, r#"its member "from" is missing or no string"#),
        (r#"[{"op":"remove","path":"a"}]"#, r#""a" is not a JSON pointer"#),
    ] {
        let error = serde_json::from_str::<JsonPatch>(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn a_difference_is_as_small_as_its_change() {
    for (from, to, operations) in [
        (r#"{"a":1}"#, r#"{"a":1}"#, "[]"),
        (r#"{"a":1}"#, r#"{"a":1.0}"#, r#"[{"op":"replace","path":"/a","value":1.0}]"#),
        (
            r#"{"a":{"b":1},"c":2}"#,
            r#"{"a":{"b":3}}"#,
            r#"[{"op":"remove","path":"/c"},{"op":"replace","path":"/a/b","value":3}]"#,
        ),
        (r#"{"a/b":{}}"#, r#"{"a/b":{"~":null}}"#, r#"[{"op":"add","path":"/a~1b/~0","value":null}]"#),
        ("[1,2,3]", "[1,9,2,3]", r#"[{"op":"add","path":"/1","value":9}]"#),
        ("[1,2,3,4]", "[1,4]", r#"[{"op":"remove","path":"/2"},{"op":"remove","path":"/1"}]"#),
        (r#"[{"n":1,"v":1},{"n":2}]"#, r#"[{"n":1,"v":2},{"n":2}]"#, r#"[{"op":"replace","path":"/0/v","value":2}]"#),
        ("[1]", "[1,1]", r#"[{"op":"add","path":"/1","value":1}]"#),
        ("[1,1]", "[1]", r#"[{"op":"remove","path":"/1"}]"#),
        ("{}", "[]", r#"[{"op":"replace","path":"","value":[]}]"#),
    ] {
        let diff = JsonPatch::diff(&from.parse().unwrap(), &to.parse().unwrap());
        assert_eq!(serde_json::to_string(&diff).unwrap(), operations, "{from} to {to}");
    }
}

#[test]
fn a_difference_applied_to_what_it_was_made_from_yields_what_it_was_made_for() {
    let mut random = Random::new(6902);
    for _ in 0..2000 {
        let from = random.tree(4, true);
        let to = if random.once_in(4) { random.tree(4, true) } else { random.changed(&from, 3, true) };
        let text = serde_json::to_string(&JsonPatch::diff(&from, &to)).unwrap();
        let mut patched = from.clone();
        patch(&text).apply(&mut patched).unwrap();
        assert_eq!(patched, to, "from {from} by {text}");
    }
}
