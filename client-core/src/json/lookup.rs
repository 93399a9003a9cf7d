//! Fields by path: in text, without building a tree, and in a tree (apimachinery
//! `apis/meta/v1/unstructured/helpers.go`).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{FieldError, FieldPath, Map, Value};

/// The text of the field at `path` inside of `text`; `None` where there is none, or where a `null` stands on the way.
///
/// # Errors
/// [`FieldError::NotAnObject`] where the way leads through a scalar or a list.
pub fn find_field<'a>(text: &'a RawValue, path: &[&str]) -> Result<Option<&'a RawValue>, FieldError> {
    if path.is_empty() { Ok(Some(text)) } else { find_field_in(text.get(), path) }
}

/// As [`find_field`], in a text that is known to be JSON without spaces around it.
pub(crate) fn find_field_in<'a>(text: &'a str, path: &[&str]) -> Result<Option<&'a RawValue>, FieldError> {
    let wrong = |depth, error: serde_json::Error| FieldError::WrongType { path: prefix(path, depth), message: error.to_string() };
    if path.is_empty() {
        return serde_json::from_slice(text.as_bytes()).map(Some).map_err(|error| wrong(0, error));
    }
    let (mut at, mut found) = (text, None);
    for (depth, name) in path.iter().enumerate() {
        match at.as_bytes().first().copied() {
            Some(b'{') => {}
            Some(b'n') => return Ok(None),
            first => return Err(not_an_object(path, depth, type_name(first))),
        }
        let mut reader = serde_json::Deserializer::from_str(at);
        match FieldOf(name).deserialize(&mut reader) {
            Ok(Some(field)) => (at, found) = (field.get(), Some(field)),
            Ok(None) => return Ok(None),
            // It is JSON; only half a surrogate in a name can still be at fault.
            Err(error) => return Err(wrong(depth, error)),
        }
    }
    Ok(found)
}

impl Value {
    /// The value at `path`; `None` where there is none, or where a `null` stands on the way (`NestedFieldNoCopy`).
    /// There is no syntax for the items of a list.
    ///
    /// # Errors
    /// [`FieldError::NotAnObject`] where the way leads through a scalar or a list.
    pub fn nested(&self, path: &[&str]) -> Result<Option<&Self>, FieldError> {
        let mut at = self;
        for (depth, name) in path.iter().enumerate() {
            match at {
                Self::Object(fields) => match fields.get(*name) {
                    Some(field) => at = field,
                    None => return Ok(None),
                },
                Self::Null => return Ok(None),
                other => return Err(not_an_object(path, depth, other.type_name())),
            }
        }
        Ok(Some(at))
    }

    /// Puts `value` at `path`, making the objects on the way (`SetNestedField`).
    ///
    /// # Errors
    /// [`FieldError::NotAnObject`] where something else than an object stands on the way; nothing is changed then.
    pub fn set_nested(&mut self, path: &[&str], value: impl Into<Self>) -> Result<(), FieldError> {
        // Looked at first, so that a way that does not exist is not begun.
        let mut on_the_way = &*self;
        for (depth, name) in path.iter().enumerate() {
            let Some(fields) = on_the_way.as_object() else { return Err(not_an_object(path, depth, on_the_way.type_name())) };
            let Some(next) = fields.get(*name) else { break };
            on_the_way = next;
        }
        let mut at = self;
        for (depth, name) in path.iter().enumerate() {
            let found = at.type_name();
            let Some(fields) = at.as_object_mut() else { return Err(not_an_object(path, depth, found)) };
            at = fields.entry((*name).to_owned()).or_insert_with(Self::object);
        }
        *at = value.into();
        Ok(())
    }

    /// Takes the value at `path` out. What cannot be reached is not there (`RemoveNestedField`).
    pub fn remove_nested(&mut self, path: &[&str]) -> Option<Self> {
        let (last, parents) = path.split_last()?;
        let mut at = self;
        for name in parents {
            at = at.as_object_mut()?.get_mut(*name)?;
        }
        at.as_object_mut().and_then(|fields: &mut Map| fields.remove(*last))
    }
}

/// Reads one field of an object and passes over the others. Of two fields of one name the last counts.
struct FieldOf<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for FieldOf<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FieldOf<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(wanted) = fields.next_key_seed(IsName(self.0))? {
            if wanted {
                found = Some(fields.next_value()?);
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// Whether a key is this name; nothing is copied.
struct IsName<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for IsName<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for IsName<'_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<bool, E> {
        Ok(name == self.0)
    }
}

fn prefix(path: &[&str], depth: usize) -> FieldPath {
    path.iter().take(depth).copied().collect()
}

fn not_an_object(path: &[&str], depth: usize, found: &'static str) -> FieldError {
    FieldError::NotAnObject { path: path.iter().copied().collect(), at: prefix(path, depth), found }
}

/// What kind of JSON begins with `first`.
const fn type_name(first: Option<u8>) -> &'static str {
    match first {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const TEXT: &str = r#"{"a":{"b":{"c":1e3,"d":null},"list":[{"x":1}],"text":"t"},"none":null,"q\"":2,"a.b":3}"#;

    /// Both ways of reading a path, as text.
    fn both(path: &[&str]) -> [Result<Option<String>, FieldError>; 2] {
        let raw: &RawValue = serde_json::from_str(TEXT).unwrap();
        let tree: Value = TEXT.parse().unwrap();
        [
            find_field(raw, path).map(|found| found.map(|raw| raw.get().to_owned())),
            tree.nested(path).map(|found| found.map(ToString::to_string)),
        ]
    }

    #[test]
    fn a_field_is_found_alike_in_text_and_in_a_tree() {
        for (path, wanted) in [
            (&["a", "b", "c"][..], Some("1e3")),
            (&["a", "b", "d"], Some("null")),
            (&["a", "text"], Some("\"t\"")),
            (&["q\""], Some("2")),
            (&["a.b"], Some("3")),
            (&["a", "b", "missing"], None),
            (&["missing", "b"], None),
            (&["none", "b", "c"], None),
            (&["a", "b", "d", "e"], None),
            (&["a", "list"], Some(r#"[{"x":1}]"#)),
        ] {
            for found in both(path) {
                assert_eq!(found.unwrap().as_deref(), wanted, "{path:?}");
            }
        }
        assert_eq!(both(&[])[1].clone().unwrap().unwrap().parse::<Value>().unwrap(), TEXT.parse().unwrap());
    }

    #[test]
    fn a_way_through_a_scalar_or_a_list_is_an_error_that_says_where() {
        for (path, words) in [
            (&["a", "b", "c", "d"][..], ".a.b.c.d cannot be reached: .a.b.c is a number, not an object"),
            (&["a", "text", "x", "y"], ".a.text.x.y cannot be reached: .a.text is a string, not an object"),
            (&["a", "list", "x"], ".a.list.x cannot be reached: .a.list is a list, not an object"),
            (&["a", "list[0]", "x"], ""),
        ] {
            for found in both(path) {
                assert_eq!(found.map_or_else(|error| error.to_string(), Option::unwrap_or_default), words, "{path:?}");
            }
        }
    }

    #[test]
    fn a_field_is_set_with_the_objects_on_its_way() {
        let mut value = Value::object();
        value.set_nested(&["a", "b", "c"], "x").unwrap();
        value.set_nested(&["a", "b", "d"], 7_i64).unwrap();
        value.set_nested(&["a", "b", "c"], vec!["y", "z"]).unwrap();
        assert_eq!(value.to_string(), r#"{"a":{"b":{"c":["y","z"],"d":7}}}"#);
    }

    #[test]
    fn a_field_that_cannot_be_set_changes_nothing() {
        for path in [&["a", "text", "x"][..], &["a", "list", "x", "y"], &["none", "x"], &["a", "b", "c", "d", "e"]] {
            let mut value: Value = TEXT.parse().unwrap();
            let before = value.clone();
            let error = value.set_nested(path, true).unwrap_err();
            assert!(error.to_string().contains("not an object"), "{error}");
            assert_eq!(value, before, "{path:?}");
        }
    }

    #[test]
    fn a_removed_field_is_handed_out_and_a_missing_one_is_no_fault() {
        let mut value: Value = TEXT.parse().unwrap();
        assert_eq!(value.remove_nested(&["a", "b", "c"]).unwrap().to_string(), "1e3");
        assert_eq!(value.remove_nested(&["a", "b", "c"]), None);
        assert_eq!(value.remove_nested(&["a", "text", "x"]), None);
        assert_eq!(value.remove_nested(&["x", "y"]), None);
        assert_eq!(value.remove_nested(&[]), None);
        assert_eq!(value.nested(&["a", "b"]).unwrap().unwrap().to_string(), r#"{"d":null}"#);
    }
}
