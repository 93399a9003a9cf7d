//! Numbers keep their digits on all ways.

use super::workload::{Check, against_both};
use crate::{
    json::Value,
    patch::{
        ThreeWay,
        strategic::{OnConflict, PatchSchema, apply, create_three_way, create_two_way},
    },
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A number as it is written.
struct Digits(&'static str);

impl Check for Digits {
    fn against(&self, schema: &impl PatchSchema) {
        let parsed = |text: String| text.parse::<Value>().unwrap();
        let number = self.0;
        // The number stays and a name comes: the patch does not speak of the number.
        let original = parsed(format!(r#"{{"count":{number},"labels":{{"x":{number}}}}}"#));
        let renamed = parsed(format!(r#"{{"count":{number},"labels":{{"x":{number}}},"name":"new"}}"#));
        let patch = create_two_way(&original, &renamed, schema, &[]).unwrap();
        assert_eq!(patch.to_string(), r#"{"name":"new"}"#);
        let mut patched = original.clone();
        apply(&mut patched, &patch, schema).unwrap();
        assert_eq!(patched.to_string(), renamed.to_string());

        // The number is new: it is sent and set as it is written.
        let empty = parsed(r#"{"labels":{},"containers":[]}"#.to_owned());
        let text = format!(r#"{{"containers":[{{"image":{number},"name":"a"}}],"labels":{{"x":{number}}}}}"#);
        let wanted = parsed(text.clone());
        let documents = ThreeWay { original: &Value::Null, modified: &wanted, current: &empty };
        let patch = create_three_way(documents, schema, OnConflict::Fail, &[]).unwrap();
        assert_eq!(patch.to_string(), text);
        let mut patched = empty;
        apply(&mut patched, &patch, schema).unwrap();
        assert_eq!(patched.to_string(), text);
    }
}

#[test]
fn numbers_go_through_patches_digit_for_digit() {
    for number in [
        "1000000",
        "2147483647",
        "9223372036854775807",
        "9007199254740993",
        "18446744073709551615",
        "3.4028234663852886e+38",
        "1.7976931348623157e+308",
        "1.0",
        "1e3",
        "-0.0",
    ] {
        against_both(&Digits(number));
    }
    let empty = Value::object();
    assert_eq!(create_two_way(&empty, &empty, &super::workload::Hand::Workload, &[]).unwrap(), empty);
}
