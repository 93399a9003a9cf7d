//! An object of any kind, as the text it came as.

use std::{borrow::Cow, fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;
use thiserror::Error;

use super::{
    Condition, Object, WireObject,
    span::{Head, read_head},
};
use crate::{
    json::{FieldError, ParseJsonError, Value, find_field},
    meta::{GroupVersion, GroupVersionKind, ObjectMeta},
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
    text: Arc<RawValue>,
    head: Head,
}

/// A JSON text that is no object of an API server.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseObjectError {
    /// It is no JSON, or a part of it has the wrong type.
    #[error("not an object of an API server: {0}")]
    Json(#[from] serde_json::Error),
    /// Its tree cannot be read.
    #[error(transparent)]
    Tree(#[from] ParseJsonError),
    /// It does not say what it is.
    #[error("\"kind\" is missing: an object says what it is with \"apiVersion\" and \"kind\"")]
    KindMissing,
}

impl Unstructured {
    /// An empty object of this kind.
    #[must_use]
    pub fn new(kind: &GroupVersionKind) -> Self {
        let value = Value::from_iter([
            ("apiVersion", Value::from(kind.group_version.to_string())),
            ("kind", Value::from(kind.kind.as_str())),
        ]);
        Self::of_known(&value)
    }

    /// The object in a JSON text.
    ///
    /// # Errors
    /// Where the text is no JSON object with a kind, or its metadata has a part of the wrong type.
    pub fn from_slice(text: &[u8]) -> Result<Self, ParseObjectError> {
        let raw: &RawValue = serde_json::from_slice(text)?;
        Self::from_raw(raw.to_owned())
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
        self.text.get()
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
        find_field(&self.text, path)
    }

    /// The field at `path`, read as a `T`; `None` where there is none. A `null` is there: it is read as a `T` as well.
    ///
    /// # Errors
    /// Where the way leads through a scalar or a list, or where the field is no `T`; the error says where.
    pub fn nested<T: DeserializeOwned>(&self, path: &[&str]) -> Result<Option<T>, FieldError> {
        let Some(field) = self.nested_json(path)? else { return Ok(None) };
        let wrong =
            |error: serde_json::Error| FieldError::WrongType { path: path.iter().copied().collect(), message: error.to_string() };
        serde_json::from_slice(field.get().as_bytes()).map(Some).map_err(wrong)
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

    pub(super) fn from_raw(text: Box<RawValue>) -> Result<Self, ParseObjectError> {
        let head = read_head(text.get())?;
        if head.kind(text.get()).is_empty() {
            return Err(ParseObjectError::KindMissing);
        }
        Ok(Self { text: text.into(), head })
    }

    fn edit(&mut self, path: &[&str], edit: impl FnOnce(&mut Value) -> Result<(), FieldError>) -> Result<(), FieldError> {
        let mut tree = self.to_value().map_err(|error| unusable(path, &error))?;
        edit(&mut tree)?;
        *self = Self::from_value(&tree).map_err(|error| unusable(path, &error))?;
        Ok(())
    }

    /// The object in a tree that is known to be one.
    fn of_known(value: &Value) -> Self {
        let text = RawValue::from_string(value.to_string()).unwrap_or_else(|_never| RawValue::NULL.to_owned());
        let head = read_head(text.get()).unwrap_or_default();
        Self { text: text.into(), head }
    }
}

fn unusable(path: &[&str], error: &impl ToString) -> FieldError {
    FieldError::WrongType { path: path.iter().copied().collect(), message: error.to_string() }
}

impl Object for Unstructured {
    /// An `apiVersion` that is none is taken for the version of the core group.
    fn group_version_kind(&self) -> GroupVersionKind {
        let text = self.head.api_version(self.as_json());
        let group_version = text.parse::<GroupVersion>().unwrap_or_else(|_malformed| GroupVersion::new("", text));
        group_version.with_kind(self.head.kind(self.as_json()))
    }

    /// A part of the metadata that cannot be read leaves all of it but the name, the namespace, the id and the version out.
    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        let known = || ObjectMeta {
            name: self.name().into(),
            namespace: self.namespace().into(),
            uid: self.uid().into(),
            resource_version: self.resource_version().into(),
            ..ObjectMeta::default()
        };
        Cow::Owned(self.nested(&["metadata"]).ok().flatten().unwrap_or_else(known))
    }

    /// Fields of the metadata that [`ObjectMeta`] does not know stay.
    fn set_metadata(&mut self, metadata: ObjectMeta) {
        let known = ObjectMeta::FIELDS;
        let Ok(Value::Object(wanted)) = Value::from_serialize(&metadata) else { return };
        let Ok(mut tree) = self.to_value() else { return };
        let Some(fields) = tree.as_object_mut() else { return };
        let own = fields.entry("metadata".to_owned()).or_insert_with(Value::object);
        if own.as_object().is_none() {
            *own = Value::object();
        }
        if let Some(own) = own.as_object_mut() {
            own.retain(|name, _| !known.contains(&name.as_str()));
            own.extend(wanted);
        }
        *self = Self::of_known(&tree);
    }

    fn name(&self) -> &str {
        self.head.name(self.as_json())
    }

    fn namespace(&self) -> &str {
        self.head.namespace(self.as_json())
    }

    fn uid(&self) -> &str {
        self.head.uid(self.as_json())
    }

    fn resource_version(&self) -> &str {
        self.head.resource_version(self.as_json())
    }
}

impl WireObject for Unstructured {
    fn from_list_item(raw: &RawValue, item: Option<&GroupVersionKind>) -> Result<Self, serde_json::Error> {
        let invalid = |error: ParseObjectError| serde::de::Error::custom(error);
        match (Self::from_raw(raw.to_owned()), item) {
            (Err(ParseObjectError::KindMissing), Some(kind)) => Self::from_raw(with_kind(raw, kind)?).map_err(invalid),
            (object, _) => object.map_err(invalid),
        }
    }
}

/// The object with what it is written at its front, the rest byte for byte. An `apiVersion` of its own counts.
fn with_kind(raw: &RawValue, kind: &GroupVersionKind) -> Result<Box<RawValue>, serde_json::Error> {
    let rest = raw.get().strip_prefix('{').unwrap_or_default();
    let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
    let api_version = serde_json::to_string(&kind.group_version.to_string())?;
    let kind = serde_json::to_string(&kind.kind)?;
    RawValue::from_string(format!("{{\"apiVersion\":{api_version},\"kind\":{kind}{comma}{rest}"))
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
        self.text.serialize(serializer)
    }
}

/// Reads from `serde_json` alone.
impl<'de> Deserialize<'de> for Unstructured {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_raw(Box::<RawValue>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const TEXT: &str = r#"{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"18014398509481985","odd":1e3,"labels":{"l":"1"}},"spec":{"big":18446744073709551615,"one":1.0},"status":{"conditions":[{"type":"Ready","status":"True"}]}}"#;

    fn widget() -> Unstructured {
        TEXT.parse().unwrap()
    }

    #[test]
    fn an_object_is_known_by_its_parts_and_written_as_it_came() {
        let widget = widget();
        assert_eq!(widget.group_version_kind(), GroupVersionKind::new("example.com", "v1", "Widget"));
        assert_eq!((widget.name(), widget.namespace(), widget.uid()), ("a", "n", "u"));
        assert_eq!(widget.resource_version(), "18014398509481985");
        assert_eq!(widget.labels().get("l").map(String::as_str), Some("1"));
        assert_eq!(serde_json::to_string(&widget).unwrap(), TEXT);
        assert_eq!(format!("{widget:?}"), "Unstructured(Widget.example.com, version v1 n/a)");
    }

    #[test]
    fn an_edit_keeps_the_digits_of_what_it_leaves() {
        let mut widget = widget();
        widget.set_nested(&["spec", "color"], "blue").unwrap();
        assert_eq!(
            widget.nested_json(&["spec"]).unwrap().unwrap().get(),
            r#"{"big":18446744073709551615,"color":"blue","one":1.0}"#
        );
        widget.edit_metadata(|metadata| {
            metadata.labels.clear();
            metadata.name = "b".into();
        });
        assert_eq!(
            widget.nested_json(&["metadata"]).unwrap().unwrap().get(),
            r#"{"name":"b","namespace":"n","odd":1e3,"resourceVersion":"18014398509481985","uid":"u"}"#
        );
        assert_eq!(widget.name(), "b");
    }

    #[test]
    fn a_field_of_another_type_is_an_error_that_says_where() {
        let error = widget().nested::<String>(&["spec", "one"]).unwrap_err().to_string();
        assert_eq!(
            error,
            ".spec.one is not what it is read as: invalid type: floating point `1.0`, expected a string at line 1 column 3"
        );
        assert_eq!(widget().nested::<u64>(&["spec", "big"]).unwrap(), Some(u64::MAX));
        assert_eq!(widget().nested::<String>(&["spec", "none"]).unwrap(), None);
        assert!(widget().nested::<String>(&["spec", "one", "x"]).is_err());
    }

    #[test]
    fn an_edit_that_would_leave_no_object_changes_nothing() {
        let mut widget = widget();
        assert!(widget.set_nested(&["kind"], "").is_err());
        assert!(widget.remove_nested(&["kind"]).is_err());
        assert!(widget.set_nested(&["metadata", "name"], 7_i64).is_err());
        assert_eq!(widget.as_json(), TEXT);
        assert_eq!(widget.remove_nested(&["spec", "none"]).unwrap(), None);
        assert_eq!(widget.as_json(), TEXT);
    }

    #[test]
    fn what_has_no_kind_is_no_object() {
        for text in ["{}", r#"{"kind":""}"#, r#"{"kind":7}"#, "[]", "null", "{", r#"{"apiVersion":"v1"}"#] {
            assert!(text.parse::<Unstructured>().is_err(), "{text}");
        }
        let fresh = Unstructured::new(&GroupVersionKind::new("apps", "v1", "Deployment"));
        assert_eq!(fresh.as_json(), r#"{"apiVersion":"apps/v1","kind":"Deployment"}"#);
    }

    #[test]
    fn objects_are_equal_by_what_is_in_them() {
        let spaced: Unstructured = TEXT.replace(",\"", ", \"").parse().unwrap();
        assert_eq!(spaced, widget());
        let other: Unstructured = TEXT.replace("1e3", "1000").parse().unwrap();
        assert_ne!(other, widget());
    }

    #[test]
    fn the_items_of_a_list_get_its_kind_where_they_have_none() {
        let list: Unstructured = r#"{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"7"},
            "items":[{"metadata":{"name":"a"}},{},{"kind":"Other","apiVersion":"v1"}]}"#
            .parse()
            .unwrap();
        assert!(list.is_list() && !widget().is_list());
        let items = list.items().unwrap();
        let kinds: Vec<_> = items.iter().map(|item| item.group_version_kind().to_string()).collect();
        assert_eq!(kinds, ["Widget.example.com, version v1", "Widget.example.com, version v1", "Other, version v1"]);
        assert_eq!(items[0].as_json(), r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"}}"#);
        assert!(widget().items().unwrap().is_empty());
    }

    #[test]
    fn conditions_are_read_and_put_back() {
        let mut widget = widget();
        let mut conditions = widget.conditions().unwrap();
        assert_eq!(conditions[0].kind, "Ready");
        conditions[0].message = "m".into();
        widget.set_conditions(&conditions).unwrap();
        assert_eq!(widget.conditions().unwrap(), conditions);
        assert!(Unstructured::new(&widget.group_version_kind()).conditions().unwrap().is_empty());
    }
}
