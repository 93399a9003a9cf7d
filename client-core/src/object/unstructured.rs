//! An object of any kind, as the text it came as.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{Condition, Object, ParseObjectError, WireObject, text::ObjectText};
use crate::{
    json::{FieldError, ParseJsonError, Value},
    meta::{GroupVersionKind, ObjectMeta},
};

/// An object of any kind: its JSON text, and where in it the parts are by which it is known (apimachinery
/// `unstructured.Unstructured`). It costs little more than its text, and what is not edited is written back byte for byte.
/// An edit writes the fields of the whole object in the order of their names; numbers keep their digits.
///
/// ```
/// use porthole_client_core::object::{Object as _, Unstructured};
///
/// let mut widget: Unstructured = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},
///     "spec":{"size":9007199254740993}}"#.parse()?;
/// assert_eq!(widget.name(), "a");
/// assert_eq!(widget.nested::<u64>(&["spec", "size"])?, Some(9_007_199_254_740_993));
/// widget.set_nested(&["spec", "color"], "blue")?;
/// assert!(widget.as_json().contains(r#""spec":{"color":"blue","size":9007199254740993}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Unstructured {
    object: ObjectText,
}

impl Unstructured {
    /// An empty object of this kind.
    #[must_use]
    pub fn new(kind: &GroupVersionKind) -> Self {
        let value = Value::from_iter([
            ("apiVersion", Value::from(kind.group_version.to_string())),
            ("kind", Value::from(kind.kind.as_str())),
        ]);
        Self { object: ObjectText::of_known(&value) }
    }

    /// The object in a JSON text.
    ///
    /// # Errors
    /// Where the text is no JSON object with a kind, or its metadata has a part of the wrong type.
    pub fn from_slice(text: &[u8]) -> Result<Self, ParseObjectError> {
        Self::of(ObjectText::new(text)?)
    }

    /// The object in a tree.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_value(value: &Value) -> Result<Self, ParseObjectError> {
        Self::from_slice(value.to_string().as_bytes())
    }

    /// The object that another form describes.
    ///
    /// # Errors
    /// Where that form cannot be written, or has no kind.
    pub fn from_object(object: &impl Serialize) -> Result<Self, ParseObjectError> {
        Self::from_slice(&serde_json::to_vec(object)?)
    }

    /// This object in another form.
    ///
    /// # Errors
    /// Where a field does not fit.
    pub fn to_object<T: DeserializeOwned>(&self) -> Result<T, ParseObjectError> {
        Ok(serde_json::from_slice(self.as_json().as_bytes())?)
    }

    /// The JSON text.
    #[must_use]
    pub fn as_json(&self) -> &str {
        self.object.as_json()
    }

    /// The tree of the object.
    ///
    /// # Errors
    /// Where it is nested deeper than a tree can be.
    pub fn to_value(&self) -> Result<Value, ParseJsonError> {
        self.as_json().parse()
    }

    /// The text of the field at `path`; `None` where there is none (`NestedFieldNoCopy`).
    ///
    /// # Errors
    /// Where the way leads through a scalar or a list.
    pub fn nested_json(&self, path: &[&str]) -> Result<Option<&RawValue>, FieldError> {
        self.object.nested_json(path)
    }

    /// The field at `path`, read as a `T`; `None` where there is none. A `null` is there: it is read as a `T` as well.
    ///
    /// # Errors
    /// Where the way leads through a scalar or a list, or where the field is no `T`; the error says where.
    pub fn nested<T: DeserializeOwned>(&self, path: &[&str]) -> Result<Option<T>, FieldError> {
        self.object.nested(path)
    }

    /// Puts `value` at `path`, making the objects on the way (`SetNestedField`).
    ///
    /// # Errors
    /// Where something else than an object stands on the way, and where what is set would leave no object of an API server;
    /// nothing is changed then.
    pub fn set_nested(&mut self, path: &[&str], value: impl Into<Value>) -> Result<(), FieldError> {
        let value = value.into();
        self.edit(path, |tree| tree.set_nested(path, value))
    }

    /// Takes the field at `path` out. What cannot be reached is not there (`RemoveNestedField`).
    ///
    /// # Errors
    /// Where what is left would be no object of an API server; nothing is changed then.
    pub fn remove_nested(&mut self, path: &[&str]) -> Result<Option<Value>, FieldError> {
        if self.nested_json(path).is_ok_and(|found| found.is_none()) {
            return Ok(None);
        }
        let mut taken = None;
        self.edit(path, |tree| {
            taken = tree.remove_nested(path);
            Ok(())
        })?;
        Ok(taken)
    }

    /// The conditions in its status; none where it has none.
    ///
    /// # Errors
    /// Where they have the wrong shape.
    pub fn conditions(&self) -> Result<Vec<Condition>, FieldError> {
        Ok(self.nested(&["status", "conditions"])?.unwrap_or_default())
    }

    /// Puts `conditions` in place of those in its status.
    ///
    /// # Errors
    /// Where its status is something else than an object.
    pub fn set_conditions(&mut self, conditions: &[Condition]) -> Result<(), FieldError> {
        let path = ["status", "conditions"];
        let value = Value::from_serialize(conditions).map_err(|error| unusable(&path, &error))?;
        self.set_nested(&path, value)
    }

    /// Whether this is a list: its `items` are objects.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.nested_json(&["items"]).is_ok_and(|items| items.is_some_and(|items| items.get().starts_with('[')))
    }

    /// The items of a list (`EachListItem`); none where it is none. Items without a kind get the one of the list.
    ///
    /// # Errors
    /// Where an item is no object.
    pub fn items(&self) -> Result<Vec<Self>, ParseObjectError> {
        if !self.is_list() {
            return Ok(Vec::new());
        }
        Ok(serde_json::from_slice::<super::ObjectList<Self>>(self.as_json().as_bytes())?.items)
    }

    fn of(object: ObjectText) -> Result<Self, ParseObjectError> {
        if object.head().kind(object.as_json()).is_empty() {
            return Err(ParseObjectError::KindMissing);
        }
        Ok(Self { object })
    }

    fn edit(&mut self, path: &[&str], edit: impl FnOnce(&mut Value) -> Result<(), FieldError>) -> Result<(), FieldError> {
        let mut tree = self.to_value().map_err(|error| unusable(path, &error))?;
        edit(&mut tree)?;
        *self = Self::from_value(&tree).map_err(|error| unusable(path, &error))?;
        Ok(())
    }
}

fn unusable(path: &[&str], error: &impl ToString) -> FieldError {
    FieldError::WrongType { path: path.iter().copied().collect(), message: error.to_string() }
}

impl Object for Unstructured {
    /// An `apiVersion` that is none is taken for the version of the core group.
    fn group_version_kind(&self) -> GroupVersionKind {
        self.object.group_version_kind(None)
    }

    /// A part of the metadata that cannot be read leaves all of it but the name, the namespace, the id and the version out.
    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        Cow::Owned(self.object.metadata())
    }

    /// Fields of the metadata that [`ObjectMeta`] does not know stay, and so does all the rest of the object, byte for byte.
    fn set_metadata(&mut self, metadata: ObjectMeta) {
        self.object.set_metadata(&metadata);
    }

    fn name(&self) -> &str {
        self.object.head().name(self.as_json())
    }

    fn namespace(&self) -> &str {
        self.object.head().namespace(self.as_json())
    }

    fn uid(&self) -> &str {
        self.object.head().uid(self.as_json())
    }

    fn resource_version(&self) -> &str {
        self.object.head().resource_version(self.as_json())
    }
}

impl WireObject for Unstructured {
    fn from_list_item(text: &[u8], item: Option<&GroupVersionKind>) -> Result<Self, serde_json::Error> {
        let object = ObjectText::with_kind(text, item).map_err(ParseObjectError::from).and_then(Self::of);
        object.map_err(serde::de::Error::custom)
    }
}

impl std::str::FromStr for Unstructured {
    type Err = ParseObjectError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_slice(text.as_bytes())
    }
}

/// By what is in them, whatever the order and the spaces.
impl PartialEq for Unstructured {
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json() || matches!((self.to_value(), other.to_value()), (Ok(own), Ok(others)) if own == others)
    }
}

/// The name alone: an object may be a secret.
impl fmt::Debug for Unstructured {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Unstructured({} {}/{})", self.group_version_kind(), self.namespace(), self.name())
    }
}

impl Serialize for Unstructured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object.serialize(serializer)
    }
}

/// Reads from `serde_json` alone.
impl<'de> Deserialize<'de> for Unstructured {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(ObjectText::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
