//! The steps on the way to a managed field (structured-merge-diff `fieldpath/serialize-pe.go`).

use std::{fmt, str::FromStr};

use super::PatchError;
use crate::json::{Map, Value};

/// One step on the way to a field: a name, or what tells an item of a list from others. It is kept as it is written in
/// `FieldsV1`, such as `f:spec`, `k:{"name":"web"}`, `v:"finalizer"` or `i:0`, JSON in it without spaces.
///
/// ```
/// use porthole_client_core::patch::PathElement;
///
/// let port: PathElement = r#"k:{"port": 80}"#.parse()?;
/// assert_eq!(port.to_string(), r#"k:{"port":80}"#);
/// assert_eq!(PathElement::field("spec").to_string(), "f:spec");
/// # Ok::<(), porthole_client_core::patch::PatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathElement(String);

impl PathElement {
    /// The field with this name.
    #[must_use]
    pub fn field(name: &str) -> Self {
        Self(format!("f:{name}"))
    }

    /// The item of a list of objects whose key fields have these values.
    #[must_use]
    pub fn key(fields: &Map) -> Self {
        Self(format!("k:{}", Value::Object(fields.clone())))
    }

    /// The item of a list of scalars that is this one.
    #[must_use]
    pub fn value(value: &Value) -> Self {
        Self(format!("v:{value}"))
    }

    /// The item at this place of a list.
    #[must_use]
    pub fn index(index: i64) -> Self {
        Self(format!("i:{index}"))
    }

    /// Reads one; `None` where it is of a kind not known.
    pub(super) fn read(text: &str) -> Result<Option<Self>, PatchError> {
        let wrong = |fault| PatchError::ManagedFields { element: text.to_owned(), fault };
        let json = |text: &str| text.parse::<Value>().map_err(|_not_json| wrong("what follows the colon is no JSON"));
        let (kind, rest) = text.split_once(':').filter(|(kind, _)| kind.len() == 1).ok_or_else(|| wrong("it has no kind"))?;
        Ok(Some(match kind {
            "f" => Self::field(rest),
            "v" => Self::value(&json(rest)?),
            "k" => Self::key(json(rest)?.as_object().ok_or_else(|| wrong("a key is no object"))?),
            "i" => Self::index(rest.parse().map_err(|_no_number| wrong("an index is no number"))?),
            _ => return Ok(None),
        }))
    }
}

/// Reads `f:spec`, `k:{"name":"web"}`, `v:"finalizer"` or `i:0`.
impl FromStr for PathElement {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || PatchError::ManagedFields { element: text.to_owned(), fault: "its kind is not known" };
        Self::read(text)?.ok_or_else(unknown)
    }
}

impl fmt::Display for PathElement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_element_prints_what_it_was_parsed_from() {
        for text in [
            "f:spec",
            "f:",
            "f:a:b",
            "f:more-complicated-string",
            "k:{\"port\":80}",
            "k:{\"port\":\"8080\",\"protocol\":\"TCP\"}",
            "k:{\"optionalField\":null}",
            "k:{\"jsonField\":{\"A\":1,\"B\":null,\"C\":\"D\",\"E\":{\"F\":\"G\"}}}",
            "k:{\"listField\":[\"1\",\"2\",\"3\"]}",
            "v:null",
            "v:\"a\"",
            "v:{\"some\":\"json\"}",
            "v:9007199254740993",
            "v:1.0",
            "i:0",
            "i:1234",
            "i:-1",
        ] {
            assert_eq!(text.parse::<PathElement>().unwrap().to_string(), text);
        }
        assert_eq!("f:spec".parse(), Ok(PathElement::field("spec")));
        assert_eq!("v:\"a\"".parse(), Ok(PathElement::value(&Value::from("a"))));
        assert_eq!("i:3".parse(), Ok(PathElement::index(3)));
    }

    #[test]
    fn what_is_no_element_is_refused_and_says_why() {
        for (text, why) in [
            ("spec", "it has no kind"),
            ("", "it has no kind"),
            ("field:spec", "it has no kind"),
            ("x:new", "its kind is not known"),
            ("v:tru", "what follows the colon is no JSON"),
            ("v:", "what follows the colon is no JSON"),
            ("k:invalid json", "what follows the colon is no JSON"),
            ("k:[]", "a key is no object"),
            ("i:x", "an index is no number"),
            ("i:1.23", "an index is no number"),
            ("i:", "an index is no number"),
        ] {
            let error = text.parse::<PathElement>().unwrap_err();
            assert_eq!(error.to_string(), format!("\"{text}\" in the managed fields cannot be read: {why}"));
        }
    }
}
