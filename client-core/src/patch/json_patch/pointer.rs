//! JSON pointers (RFC 6901).

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use thiserror::Error;

use crate::json::Value;

/// The way to a value in a document, as text `/spec/containers/0`. The empty pointer is the whole document.
///
/// ```
/// use porthole_client_core::patch::JsonPointer;
///
/// let pointer = JsonPointer::from_iter(["metadata", "annotations", "example.com/owner"]);
/// assert_eq!(pointer.to_string(), "/metadata/annotations/example.com~1owner");
/// assert_eq!(pointer.to_string().parse(), Ok(pointer));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonPointer(Vec<String>);

/// A text that is no JSON pointer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is not a JSON pointer: expected \"\" or \"/name/…\", with \"~0\" for \"~\" and \"~1\" for \"/\"")]
pub struct ParsePointerError(String);

impl JsonPointer {
    /// The pointer to the whole document.
    #[must_use]
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// Whether this is the whole document.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The names and indexes on the way, unescaped.
    #[must_use]
    pub fn tokens(&self) -> &[String] {
        &self.0
    }

    /// Goes one step deeper.
    pub fn push(&mut self, token: impl Into<String>) {
        self.0.push(token.into());
    }

    /// Goes one step back; the last token, where this is not the whole document.
    pub fn pop(&mut self) -> Option<String> {
        self.0.pop()
    }

    /// The value this points to, where there is one.
    #[must_use]
    pub fn resolve<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(document, |at, token| match at {
            Value::Object(fields) => fields.get(token),
            Value::Array(items) => items.get(parse_index(token)?),
            _ => None,
        })
    }
}

/// The index that a token is: digits without leading zeros, no sign. One that no list can have is the largest there is.
pub(super) fn parse_index(token: &str) -> Option<usize> {
    let plain = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    plain.then(|| token.parse().unwrap_or(usize::MAX))
}

impl<T: Into<String>> FromIterator<T> for JsonPointer {
    fn from_iter<I: IntoIterator<Item = T>>(tokens: I) -> Self {
        Self(tokens.into_iter().map(Into::into).collect())
    }
}

impl FromStr for JsonPointer {
    type Err = ParsePointerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Ok(Self::root());
        }
        let wrong = || ParsePointerError(text.to_owned());
        let rest = text.strip_prefix('/').ok_or_else(wrong)?;
        rest.split('/').map(|token| unescape(token).ok_or_else(wrong)).collect()
    }
}

/// The token without escapes; `None` where a `~` stands alone.
fn unescape(token: &str) -> Option<String> {
    let mut parts = token.split('~');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let (escaped, rest) = (part.chars().next()?, part.get(1..)?);
        plain.push(match escaped {
            '0' => '~',
            '1' => '/',
            _ => return None,
        });
        plain.push_str(rest);
    }
    Some(plain)
}

impl fmt::Display for JsonPointer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|token| write!(formatter, "/{}", token.replace('~', "~0").replace('/', "~1")))
    }
}

impl Serialize for JsonPointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for JsonPointer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_pointer_prints_what_it_was_parsed_from() {
        for text in ["", "/", "/a", "/a/", "/a//b", "/a~1b/m~0n", "/~01", "/spec/containers/0/-", "/ä/\"/ "] {
            let pointer: JsonPointer = text.parse().unwrap();
            assert_eq!(pointer.to_string(), text);
            let json = serde_json::to_string(&pointer).unwrap();
            assert_eq!(serde_json::from_str::<JsonPointer>(&json).unwrap(), pointer);
        }
    }

    #[test]
    fn escapes_are_read_once_and_in_the_right_order() {
        for (text, tokens) in
            [("", &[][..]), ("/", &[""]), ("/a~1b", &["a/b"]), ("/~01", &["~1"]), ("/~10", &["/0"]), ("/~0~1/x", &["~/", "x"])]
        {
            assert_eq!(text.parse::<JsonPointer>().unwrap().tokens(), tokens, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_pointer_is_refused() {
        for text in ["a", "a/b", "~", "/~", "/a~", "/~2", "/~ä", "#/a", " /a"] {
            assert!(text.parse::<JsonPointer>().is_err(), "{text:?} was read");
        }
        assert!(serde_json::from_str::<JsonPointer>("null").is_err());
    }

    #[test]
    fn the_document_of_the_standard_resolves_as_it_says() {
        let document: Value =
            r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#.parse().unwrap();
        for (text, found) in [
            ("/foo", Some(r#"["bar","baz"]"#)),
            ("/foo/0", Some("\"bar\"")),
            ("/", Some("0")),
            ("/a~1b", Some("1")),
            ("/c%d", Some("2")),
            ("/i\\j", Some("5")),
            ("/k\"l", Some("6")),
            ("/ ", Some("7")),
            ("/m~0n", Some("8")),
            ("/foo/-", None),
            ("/foo/2", None),
            ("/foo/00", None),
            ("/foo/+1", None),
            ("/foo/-1", None),
            ("/foo/99999999999999999999999", None),
            ("/foo/0/x", None),
            ("/bar", None),
        ] {
            let pointer: JsonPointer = text.parse().unwrap();
            assert_eq!(pointer.resolve(&document).map(ToString::to_string).as_deref(), found, "{text:?}");
        }
        assert_eq!(JsonPointer::root().resolve(&document), Some(&document));
    }

    #[test]
    fn a_pointer_is_walked_step_by_step() {
        let mut pointer = JsonPointer::root();
        assert!(pointer.is_root());
        pointer.push("a");
        pointer.push("~");
        assert_eq!(pointer.to_string(), "/a/~0");
        assert_eq!(pointer.pop().as_deref(), Some("~"));
        assert_eq!(pointer.pop().as_deref(), Some("a"));
        assert_eq!(pointer.pop(), None);
    }
}
