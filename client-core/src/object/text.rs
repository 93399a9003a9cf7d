//! The text of an object, and where in it the parts are by which it is known.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    list::list_kind,
    span::{Head, read_head},
};
use crate::{
    json::{FieldError, Map, Value, find_field_in},
    meta::{GroupVersionKind, ObjectMeta},
};

/// A JSON object in one allocation of just its length, shared by its copies.
#[derive(Clone)]
pub(super) struct ObjectText {
    text: Arc<str>,
    head: Head,
}

impl ObjectText {
    /// The object in a JSON text, in one pass over it.
    pub(super) fn new(text: &[u8]) -> Result<Self, serde_json::Error> {
        Ok(Self::read(text)?.owned())
    }

    /// As [`new`](Self::new); an object without a kind gets this one, and its `apiVersion` where it has none either.
    pub(super) fn with_kind(text: &[u8], kind: Option<&GroupVersionKind>) -> Result<Self, serde_json::Error> {
        let own = Self::read(text)?;
        match kind.filter(|_| own.head.lacks_kind()) {
            Some(kind) => own.with_kind(kind),
            None => Ok(own.owned()),
        }
    }

    fn read(text: &[u8]) -> Result<Borrowed<'_>, serde_json::Error> {
        let text = std::str::from_utf8(text).map_err(serde::de::Error::custom)?;
        let text = text.trim_matches([' ', '\t', '\n', '\r']);
        // What is not part of the head is passed over, and must be JSON for that.
        Ok(Borrowed { text, head: read_head(text)? })
    }

    pub(super) fn as_json(&self) -> &str {
        &self.text
    }

    pub(super) const fn head(&self) -> &Head {
        &self.head
    }

    pub(super) fn nested_json(&self, path: &[&str]) -> Result<Option<&RawValue>, FieldError> {
        find_field_in(&self.text, path)
    }

    pub(super) fn nested<T: DeserializeOwned>(&self, path: &[&str]) -> Result<Option<T>, FieldError> {
        let Some(field) = self.nested_json(path)? else { return Ok(None) };
        let wrong =
            |error: serde_json::Error| FieldError::WrongType { path: path.iter().copied().collect(), message: error.to_string() };
        serde_json::from_slice(field.get().as_bytes()).map(Some).map_err(wrong)
    }

    /// The metadata. A part of it that cannot be read leaves all of it but the name, the namespace, the id and the version out.
    pub(super) fn metadata(&self) -> ObjectMeta {
        let known = || ObjectMeta {
            name: self.head.name(&self.text).into(),
            namespace: self.head.namespace(&self.text).into(),
            uid: self.head.uid(&self.text).into(),
            resource_version: self.head.resource_version(&self.text).into(),
            ..ObjectMeta::default()
        };
        self.nested(&["metadata"]).ok().flatten().unwrap_or_else(known)
    }

    /// Puts metadata in place of its own. Fields of it that [`ObjectMeta`] does not know stay, and so does all the rest of the
    /// object, byte for byte.
    pub(super) fn set_metadata(&mut self, metadata: &ObjectMeta) {
        let own = self.nested_json(&["metadata"]).ok().flatten();
        let mut fields = match own.map(|own| own.get().parse()) {
            Some(Ok(Value::Object(fields))) => fields,
            _ => Map::new(),
        };
        fields.retain(|name, _| !ObjectMeta::FIELDS.contains(&name.as_str()));
        if let Ok(Value::Object(wanted)) = Value::from_serialize(metadata) {
            fields.extend(wanted);
        }
        let metadata = Value::Object(fields).to_string();
        let text = match own {
            Some(own) => in_place_of(own.get(), &metadata, &self.text),
            None => at_front(&format!("\"metadata\":{metadata}"), &self.text),
        };
        // Metadata that was written is metadata that can be read: this is an object as before.
        if let Ok(edited) = Self::new(text.as_bytes()) {
            *self = edited;
        }
    }

    /// What the text says it is, or what all that is of this form is.
    pub(super) fn group_version_kind(&self, form: Option<(&str, &str)>) -> GroupVersionKind {
        match form.filter(|_| self.head.kind(&self.text).is_empty()) {
            Some((api_version, kind)) => list_kind(Some(api_version), kind),
            None => self.head.group_version_kind(&self.text),
        }
    }

    /// What the text says it is, where that is something else than what all that is of this form is.
    pub(super) fn other_kind(&self, form: Option<(&str, &str)>) -> Option<(GroupVersionKind, GroupVersionKind)> {
        let (api_version, kind) = form?;
        let (own_version, own_kind) = (self.head.api_version(&self.text), self.head.kind(&self.text));
        let differs = (!own_kind.is_empty() && own_kind != kind) || (!own_version.is_empty() && own_version != api_version);
        differs.then(|| (self.group_version_kind(form), list_kind(Some(api_version), kind)))
    }

    /// An object that is known to be one.
    pub(super) fn of_known(value: &Value) -> Self {
        let text = value.to_string();
        let head = read_head(&text).unwrap_or_default();
        Self { text: text.into(), head }
    }
}

/// Byte for byte. What was read once is JSON, and is looked through once more for being written.
impl Serialize for ObjectText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_slice(self.text.as_bytes()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Reads from `serde_json` alone.
impl<'de> Deserialize<'de> for ObjectText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::new(raw.get().as_bytes()).map_err(serde::de::Error::custom)
    }
}

struct Borrowed<'a> {
    text: &'a str,
    head: Head,
}

impl Borrowed<'_> {
    fn owned(self) -> ObjectText {
        ObjectText { text: self.text.into(), head: self.head }
    }

    /// The object with what it is written at its front, the rest byte for byte. An `apiVersion` of its own counts.
    fn with_kind(self, kind: &GroupVersionKind) -> Result<ObjectText, serde_json::Error> {
        let mut front = format!("\"kind\":{}", serde_json::to_string(&kind.kind)?);
        if self.head.lacks_api_version() {
            let api_version = serde_json::to_string(&kind.group_version.to_string())?;
            front = format!("\"apiVersion\":{api_version},{front}");
        }
        let text = at_front(&front, self.text);
        let front = read_head(&format!("{{{front}}}"))?;
        let by = text.len().saturating_sub(self.text.len());
        Ok(ObjectText { text: text.into(), head: self.head.behind(front, by) })
    }
}

/// The text of an object with `fields` before its own, which are left as they are.
fn at_front(fields: &str, object: &str) -> String {
    let rest = object.strip_prefix('{').unwrap_or_default();
    let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
    format!("{{{fields}{comma}{rest}")
}

/// `text` with `new` in place of `part`, which is a part of it.
fn in_place_of(part: &str, new: &str, text: &str) -> String {
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    let around = text.get(..start).zip(text.get(start.wrapping_add(part.len())..));
    around.map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{new}{after}"))
}
