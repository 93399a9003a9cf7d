//! That what is sent says what it is.

use serde::{Deserialize, de::IgnoredAny};

/// `json` with its `apiVersion` and `kind`, where it is an object that lacks one of them: a server takes no object that does not
/// say what it is, and a type that is of one kind alone need not write it. What is no object stays as it is.
pub(crate) fn with_kind(json: String, own: Option<(&str, &str)>) -> String {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Head {
        #[serde(default)]
        api_version: Option<IgnoredAny>,
        #[serde(default)]
        kind: Option<IgnoredAny>,
    }
    let Some((api_version, kind)) = own else { return json };
    let (Ok(head), Some(fields)) = (serde_json::from_slice::<Head>(json.as_bytes()), json.strip_prefix('{')) else { return json };
    let missing = [("apiVersion", api_version, head.api_version), ("kind", kind, head.kind)];
    let missing = missing.into_iter().filter(|(_, _, there)| there.is_none());
    let missing: Vec<_> = missing.map(|(name, value, _)| format!("\"{name}\":\"{value}\"")).collect();
    if missing.is_empty() {
        return json;
    }
    let comma = if fields.trim_start().starts_with('}') { "" } else { "," };
    format!("{{{}{comma}{fields}", missing.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_an_object_does_not_say_of_itself_is_said_and_nothing_else_changes() {
        let own = Some(("example.com/v1", "Widget"));
        for (json, wanted) in [
            ("{}", r#"{"apiVersion":"example.com/v1","kind":"Widget"}"#),
            (r#"{"a":1.0}"#, r#"{"apiVersion":"example.com/v1","kind":"Widget","a":1.0}"#),
            (r#"{"kind":"Widget"}"#, r#"{"apiVersion":"example.com/v1","kind":"Widget"}"#),
            (r#"{"a":1,"apiVersion":"other/v1"}"#, r#"{"kind":"Widget","a":1,"apiVersion":"other/v1"}"#),
        ] {
            assert_eq!(with_kind(json.into(), own), wanted);
        }
        for same in [r#"{"kind":"A","apiVersion":"b"}"#, "[]", "7", "null", "{"] {
            assert_eq!(with_kind(same.into(), own), same);
        }
        assert_eq!(with_kind("{}".into(), None), "{}");
    }
}
