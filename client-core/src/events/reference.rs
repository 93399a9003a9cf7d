//! What refers to an object.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    meta::{Namespace, ObjectName, ResourceVersion, Uid},
    object::Object,
};

/// Which object, and which part of it (`v1.ObjectReference`). Every [`Object`] has one (client-go `tools/reference/ref.go`); what
/// is not known is empty.
///
/// ```
/// use porthole_client_core::{events::ObjectReference, object::Unstructured};
///
/// let pod: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop"}}"#.parse()?;
/// let container = ObjectReference::from(&pod).at("spec.containers{web}");
/// assert_eq!(container.to_string(), "Pod shop/web-0 spec.containers{web}");
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectReference {
    /// Its kind.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its namespace; empty for an object of the whole cluster.
    #[serde(skip_serializing_if = "Namespace::is_empty")]
    pub namespace: Namespace,
    /// Its name.
    #[serde(skip_serializing_if = "ObjectName::is_empty")]
    pub name: ObjectName,
    /// Its id.
    #[serde(skip_serializing_if = "Uid::is_empty")]
    pub uid: Uid,
    /// Its group and version, such as `apps/v1`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// The version of it that is meant.
    #[serde(skip_serializing_if = "ResourceVersion::is_empty")]
    pub resource_version: ResourceVersion,
    /// The part of it that is meant, such as `spec.containers{web}`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field_path: String,
}

impl ObjectReference {
    /// The same object, and this part of it (`GetPartialReference`).
    #[must_use]
    pub fn at(mut self, field_path: impl Into<String>) -> Self {
        self.field_path = field_path.into();
        self
    }
}

/// The reference to an object (`GetReference`). Its kind is empty where the object does not say what it is.
impl<T: Object> From<&T> for ObjectReference {
    fn from(object: &T) -> Self {
        let kind = object.group_version_kind();
        Self {
            api_version: kind.group_version.to_string(),
            kind: kind.kind,
            namespace: object.namespace().into(),
            name: object.name().into(),
            uid: object.uid().into(),
            resource_version: object.resource_version().into(),
            field_path: String::new(),
        }
    }
}

impl From<&Self> for ObjectReference {
    fn from(reference: &Self) -> Self {
        reference.clone()
    }
}

/// The same reference of `k8s-openapi`.
#[cfg(feature = "typed")]
impl From<k8s_openapi::api::core::v1::ObjectReference> for ObjectReference {
    fn from(theirs: k8s_openapi::api::core::v1::ObjectReference) -> Self {
        let text = Option::unwrap_or_default;
        Self {
            kind: text(theirs.kind),
            namespace: text(theirs.namespace).into(),
            name: text(theirs.name).into(),
            uid: text(theirs.uid).into(),
            api_version: text(theirs.api_version),
            resource_version: text(theirs.resource_version).into(),
            field_path: text(theirs.field_path),
        }
    }
}

/// Such as `Pod shop/web-0`, with the part that is meant behind it.
impl fmt::Display for ObjectReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        write!(formatter, "{} {}{slash}{}", self.kind, self.namespace, self.name)?;
        if self.field_path.is_empty() { Ok(()) } else { write!(formatter, " {}", self.field_path) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Unstructured;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn reference(text: &str) -> ObjectReference {
        ObjectReference::from(&text.parse::<Unstructured>().unwrap())
    }

    #[test]
    fn a_reference_has_the_group_and_version_of_its_object() {
        for version in ["v1", "foo.group/v3"] {
            let object = format!(r#"{{"apiVersion":"{version}","kind":"Bar","metadata":{{"name":"a"}}}}"#);
            assert_eq!(reference(&object).api_version, version);
        }
    }

    #[test]
    fn a_reference_has_what_its_object_says_of_itself() {
        let object = r#"{"apiVersion":"foo.group/v3","kind":"Bar","metadata":{"name":"a-name","namespace":"n","uid":"u","resourceVersion":"7"}}"#;
        let made = reference(object);
        let wanted = ObjectReference {
            kind: "Bar".into(),
            namespace: "n".into(),
            name: "a-name".into(),
            uid: "u".into(),
            api_version: "foo.group/v3".into(),
            resource_version: "7".into(),
            field_path: String::new(),
        };
        assert_eq!(made, wanted);
        let text =
            r#"{"kind":"Bar","namespace":"n","name":"a-name","uid":"u","apiVersion":"foo.group/v3","resourceVersion":"7"}"#;
        assert_eq!(serde_json::to_string(&made).unwrap(), text);
        assert_eq!(serde_json::from_str::<ObjectReference>(text).unwrap(), wanted);
        let part = ObjectReference::from(&made).at("spec.a[0]");
        assert_eq!(serde_json::to_string(&part).unwrap(), text.replace('}', r#","fieldPath":"spec.a[0]"}"#));
    }

    #[cfg(feature = "typed")]
    #[test]
    fn a_typed_object_and_a_typed_reference_say_the_same() {
        let text =
            r#"{"kind":"Pod","namespace":"n","name":"a","uid":"u","apiVersion":"v1","resourceVersion":"7","fieldPath":"f"}"#;
        let theirs: k8s_openapi::api::core::v1::ObjectReference = serde_json::from_str(text).unwrap();
        let mut pod = k8s_openapi::api::core::v1::Pod::default();
        pod.metadata.name = Some("a".into());
        pod.metadata.namespace = Some("n".into());
        pod.metadata.uid = Some("u".into());
        pod.metadata.resource_version = Some("7".into());
        assert_eq!(ObjectReference::from(theirs), ObjectReference::from(&pod).at("f"));
    }
}
