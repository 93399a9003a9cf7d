//! A tree of JSON.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;
use thiserror::Error;

use super::Number;

/// The fields of an object, sorted by name.
pub type Map = BTreeMap<String, Value>;

/// Any JSON. Unlike `serde_json::Value` it keeps the digits of numbers.
///
/// ```
/// use porthole_client_core::json::Value;
///
/// let value: Value = r#"{"b": 9007199254740993, "a": [1.0, 1e3]}"#.parse().unwrap();
/// assert_eq!(value.to_string(), r#"{"a":[1.0,1e3],"b":9007199254740993}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, with its digits.
    Number(Number),
    /// A text.
    String(String),
    /// Values in order.
    Array(Vec<Value>),
    /// Named values.
    Object(Map),
}

/// A text that is no JSON.
#[derive(Debug, Error)]
#[error("not JSON: {0}")]
pub struct ParseJsonError(#[from] serde_json::Error);

impl Value {
    /// An object without fields.
    #[must_use]
    pub const fn object() -> Self {
        Self::Object(Map::new())
    }

    /// The value of what can be serialized. Numbers get the digits that `serde_json` writes.
    ///
    /// # Errors
    /// Where `source` cannot be written as JSON.
    pub fn from_serialize(source: &(impl Serialize + ?Sized)) -> Result<Self, ParseJsonError> {
        Self::from_slice(&serde_json::to_vec(source)?)
    }

    /// The value that `bytes` hold.
    ///
    /// # Errors
    /// Where they hold no JSON, or more than one value.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, ParseJsonError> {
        Ok(read(serde_json::from_slice(bytes)?, 0)?)
    }

    /// The type that this value describes.
    ///
    /// # Errors
    /// Where the value does not fit the type.
    pub fn deserialize_into<T: DeserializeOwned>(&self) -> Result<T, ParseJsonError> {
        Ok(serde_json::from_str(&self.to_string())?)
    }

    /// What kind of JSON this is, as a word for messages.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// Whether this is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text, where this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The boolean, where this is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The number, where this is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<&Number> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// The whole number, where this is one of 64 bits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::as_i64)
    }

    /// The items, where this is a list.
    #[must_use]
    pub const fn as_array(&self) -> Option<&Vec<Self>> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The items, to change, where this is a list.
    pub const fn as_array_mut(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The fields, where this is an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Map> {
        if let Self::Object(fields) = self { Some(fields) } else { None }
    }

    /// The fields, to change, where this is an object.
    pub const fn as_object_mut(&mut self) -> Option<&mut Map> {
        if let Self::Object(fields) = self { Some(fields) } else { None }
    }

    /// The field `name`, where this is an object that has it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        self.as_object().and_then(|fields| fields.get(name))
    }
}

/// How deep a value may be nested: a tree is walked by recursion, and a browser's stack is small.
const DEEPEST: usize = 200;

/// The tree of a text that is known to be JSON. Each level is read on its own, its parts still text: so the
/// grammar is `serde_json`'s and the digits are the server's.
fn read(raw: &RawValue, depth: usize) -> Result<Value, serde_json::Error> {
    if depth > DEEPEST {
        return Err(serde::de::Error::custom(format_args!("it is nested deeper than {DEEPEST} levels")));
    }
    let text = raw.get();
    // As bytes, which the page reads anyway: a second reader, of texts, would be a part of it that it could do without.
    let bytes = text.as_bytes();
    Ok(match bytes.first() {
        Some(b'{') => {
            let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(bytes)?;
            let fields = fields.into_iter().map(|(name, raw)| Ok((name, read(raw, depth + 1)?)));
            Value::Object(fields.collect::<Result<_, serde_json::Error>>()?)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_slice(bytes)?;
            Value::Array(items.into_iter().map(|raw| read(raw, depth + 1)).collect::<Result<_, _>>()?)
        }
        Some(b'"') => Value::String(serde_json::from_slice(bytes)?),
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'n') => Value::Null,
        _ => Value::Number(Number::from_known(text)),
    })
}

impl FromStr for Value {
    type Err = ParseJsonError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_slice(text.as_bytes())
    }
}

/// JSON without spaces; `{:#}` indents by two.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if formatter.alternate() { serde_json::to_string_pretty(self) } else { serde_json::to_string(self) };
        formatter.write_str(&text.map_err(|_unwritable| fmt::Error)?)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(fields) => fields.serialize(serializer),
        }
    }
}

/// Reads from `serde_json` alone: other formats do not hand out the digits of a number.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(&Box::<RawValue>::deserialize(deserializer)?, 0).map_err(serde::de::Error::custom)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Value {
            fn from(value: $integer) -> Self {
                Self::Number(value.into())
            }
        }
    )*};
}

from_integers!(i32, u32, i64, u64);

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<Map> for Value {
    fn from(fields: Map) -> Self {
        Self::Object(fields)
    }
}

/// An object of these fields.
impl<N: Into<String>> FromIterator<(N, Self)> for Value {
    fn from_iter<I: IntoIterator<Item = (N, Self)>>(fields: I) -> Self {
        Self::Object(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_read_is_written_back_digit_for_digit() {
        for text in [
            "null",
            "true",
            "false",
            "9007199254740993",
            "18446744073709551615",
            "-0.0",
            "1.0",
            "1e3",
            "[]",
            "{}",
            r#"{"":{"a":[1,2.50,{"b":null}]},"z":"ä\"\\\n🦀"}"#,
        ] {
            assert_eq!(text.parse::<Value>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "{", "[1,]", "{\"a\"}", "01", "nul", "\"a", "1 2", "{\"a\":1}x", "'a'", "\u{feff}1"] {
            assert!(text.parse::<Value>().is_err(), "{text:?} was read");
        }
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(deep.parse::<Value>().is_err(), "a value without a bottom was read");
    }

    #[test]
    fn a_value_inside_a_type_keeps_its_digits() {
        #[derive(Serialize, Deserialize)]
        struct Outer {
            inner: Value,
        }
        let text = r#"{"inner":{"a":1e3,"b":18446744073709551615}}"#;
        let outer: Outer = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&outer).unwrap(), text);
        assert_eq!(outer.inner.deserialize_into::<BTreeMap<String, f64>>().unwrap().get("a"), Some(&1000.0));
    }

    #[test]
    fn the_last_of_two_fields_of_one_name_counts() {
        assert_eq!(r#"{"a":1,"a":2}"#.parse::<Value>().unwrap().to_string(), r#"{"a":2}"#);
    }
}
