//! An object that cannot be read.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::meta::{Namespace, ObjectName, ResourceVersion, Uid};

/// An object, or what is known of one that cannot be read. One bad object never stops a list or a watch.
pub type Item<T> = Result<T, BadObject>;

/// What is kept of an object that cannot be read: how it is called, as far as that can be told, and what is wrong. client-go
/// fails the whole list for it, and drops it from a watch with a line in the log; here it is shown in its place.
///
/// ```
/// use porthole_client_core::object::BadObject;
///
/// let bad = BadObject::new(br#"{"metadata":{"name":"a","labels":7},"spec"#, "its labels are a number");
/// assert_eq!(bad.to_string(), "a could not be read: its labels are a number");
/// ```
#[derive(Clone, Debug, Default, Error, PartialEq, Eq)]
#[error("{} could not be read: {message}", Path(self))]
pub struct BadObject {
    /// Its namespace; empty where it has none, or none that can be read.
    pub namespace: Namespace,
    /// Its name; empty likewise.
    pub name: ObjectName,
    /// Its id; empty likewise.
    pub uid: Uid,
    /// Its version; empty likewise.
    pub resource_version: ResourceVersion,
    /// What is wrong with it.
    pub message: Box<str>,
}

impl BadObject {
    /// The object in `text`, which cannot be read for this reason. A second look, which takes no offence at anything, finds
    /// the name: each part of the metadata by itself, and up to the first place that is no JSON.
    #[must_use]
    pub fn new(text: &[u8], reason: impl Into<Box<str>>) -> Self {
        let mut found = Self { message: reason.into(), ..Self::default() };
        let mut reader = serde_json::Deserializer::from_slice(text);
        // Where the look ends does not matter: what it found until then is there.
        drop(reader.deserialize_map(Look { found: &mut found, inside: false }));
        found
    }
}

/// `namespace/name`, as far as it is known.
struct Path<'a>(&'a BadObject);

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadObject { namespace, name, uid, .. } = self.0;
        if !namespace.as_str().is_empty() {
            write!(formatter, "{namespace}/")?;
        }
        match (name.as_str(), uid.as_str()) {
            ("", "") => formatter.write_str("an object without a name"),
            ("", uid) => formatter.write_str(uid),
            (name, _) => formatter.write_str(name),
        }
    }
}

/// Looks through the fields of an object, or of its metadata.
struct Look<'a> {
    found: &'a mut BadObject,
    inside: bool,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if !self.inside {
                match name.as_str() {
                    "metadata" => fields.next_value_seed(Look { found: self.found, inside: true })?,
                    _ => drop(fields.next_value::<IgnoredAny>()?),
                }
                continue;
            }
            let value: &RawValue = fields.next_value()?;
            let Ok(text) = serde_json::from_slice::<String>(value.get().as_bytes()) else { continue };
            match name.as_str() {
                "namespace" => self.found.namespace = text.into(),
                "name" => self.found.name = text.into(),
                "uid" => self.found.uid = text.into(),
                "resourceVersion" => self.found.resource_version = text.into(),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_can_be_read_of_a_bad_object_is_its_name_and_what_tells_it_from_others() {
        for (text, path, version) in [
            (
                r#"{"spec":{"a":1},"metadata":{"labels":7,"name":"a","namespace":"n","uid":"u","resourceVersion":"7"}}"#,
                "n/a",
                "7",
            ),
            (r#"{"metadata":{"name":"a","uid":7,"resourceVersion":7}}"#, "a", ""),
            (r#"{"metadata":{"name":{},"uid":"u","resourceVersion":"7"}}"#, "u", "7"),
            (r#"{"metadata":{"name":"a","resourceVersion":"7"},"spec":{"cut"#, "a", "7"),
            (r#"{"metadata":{"name":"a","uid":"cut"#, "a", ""),
            (r#"{"metadata":{"name":"a\u0062"},"spec":tru}"#, "ab", ""),
            (r#"{"metadata":null}"#, "an object without a name", ""),
            (r#"{"metadata":["name"]}"#, "an object without a name", ""),
            ("17", "an object without a name", ""),
            ("", "an object without a name", ""),
        ] {
            let bad = BadObject::new(text.as_bytes(), "m");
            assert_eq!(bad.to_string(), format!("{path} could not be read: m"), "{text}");
            assert_eq!(bad.resource_version.as_str(), version, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_cut_anywhere_is_known_by_what_came() {
        let text = r#"{"kind":"Pod","metadata":{"namespace":"n","name":"\u00e4","uid":"u","labels":{"a":["b"]}},"spec":{}}"#;
        let known = |end: usize| BadObject::new(&text.as_bytes()[..end], "").name;
        let end_of_name = text.find(r#","uid""#).unwrap();
        for end in 0..text.len() {
            assert_eq!(known(end).as_str(), if end < end_of_name { "" } else { "ä" }, "cut at {end}");
        }
    }
}
