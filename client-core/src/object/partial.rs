//! The metadata of an object, alone.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{Object, WireObject};
use crate::meta::{GroupVersionKind, ObjectMeta};

/// `metav1.PartialObjectMetadata`: what a server makes of any object when only its metadata is asked for. It takes a
/// twentieth of the room.
///
/// ```
/// use porthole_client_core::object::{Object as _, PartialObjectMetadata};
///
/// let text = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"app":"web"}},"spec":{"nodeName":"n"}}"#;
/// let pod: PartialObjectMetadata = serde_json::from_str(text)?;
/// assert_eq!((pod.name(), pod.metadata.labels["app"].as_str()), ("a", "web"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartialObjectMetadata {
    api_version: Cow<'static, str>,
    kind: Cow<'static, str>,
    /// The metadata.
    pub metadata: ObjectMeta,
}

const API_VERSION: &str = "meta.k8s.io/v1";
const KIND: &str = "PartialObjectMetadata";

impl PartialObjectMetadata {
    /// The metadata of an object.
    #[must_use]
    pub const fn new(metadata: ObjectMeta) -> Self {
        Self { api_version: Cow::Borrowed(API_VERSION), kind: Cow::Borrowed(KIND), metadata }
    }

    /// The metadata of `object` (apimachinery `AsPartialObjectMetadata`).
    #[must_use]
    pub fn of(object: &impl Object) -> Self {
        Self::new(object.metadata().into_owned())
    }
}

impl Object for PartialObjectMetadata {
    fn group_version_kind(&self) -> GroupVersionKind {
        GroupVersionKind::new("meta.k8s.io", "v1", KIND)
    }

    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        Cow::Borrowed(&self.metadata)
    }

    fn set_metadata(&mut self, metadata: ObjectMeta) {
        self.metadata = metadata;
    }

    fn name(&self) -> &str {
        self.metadata.name.as_str()
    }

    fn namespace(&self) -> &str {
        self.metadata.namespace.as_str()
    }

    fn uid(&self) -> &str {
        self.metadata.uid.as_str()
    }

    fn resource_version(&self) -> &str {
        self.metadata.resource_version.as_str()
    }
}

/// The forms of client-go's `metadata/metadata.go`: a server that cannot leave the rest out sends whole objects, of which
/// the metadata is taken.
impl WireObject for PartialObjectMetadata {
    const ACCEPT: &'static str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    const ACCEPT_LIST: &'static str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    #[cfg(feature = "protobuf")]
    const PROTOBUF: super::ProtobufForm = super::ProtobufForm::Metadata;

    /// Items need not say what they are.
    fn from_list_item(text: &[u8], _item: Option<&GroupVersionKind>) -> Result<Self, serde_json::Error> {
        serde_json::from_slice::<Wire>(text)?.metadata()
    }
}

/// Reads any object, and refuses what is none: without a kind, without an `apiVersion` or without metadata. What the object
/// said it is, is not kept.
impl<'de> Deserialize<'de> for PartialObjectMetadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = Wire::deserialize(deserializer)?;
        for (name, part) in [("kind", &wire.kind), ("apiVersion", &wire.api_version)] {
            if part.as_deref().unwrap_or_default().is_empty() {
                return Err(D::Error::custom(format_args!("this is no object: \"{name}\" is missing")));
            }
        }
        wire.metadata()
    }
}

/// What is read of any object.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    #[serde(default)]
    api_version: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    metadata: Option<ObjectMeta>,
}

impl Wire {
    fn metadata<E: Error>(self) -> Result<PartialObjectMetadata, E> {
        let metadata = self.metadata.filter(|metadata| *metadata != ObjectMeta::default());
        metadata.map(PartialObjectMetadata::new).ok_or_else(|| E::custom("this is no object: it has no metadata"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        meta::{OwnerReference, Uid},
        object::{ObjectList, Unstructured},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(text: &str) -> Result<PartialObjectMetadata, String> {
        serde_json::from_slice(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_metadata_of_an_object_is_all_of_it() {
        let text = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","generateName":"a-","namespace":"b","uid":"c","resourceVersion":"7","generation":7,"creationTimestamp":"2026-11-30T01:50:31Z","deletionTimestamp":"2026-11-30T01:50:32Z","deletionGracePeriodSeconds":30,"labels":{"l":"1"},"annotations":{"x":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u"}],"finalizers":["f"],"managedFields":[{"manager":"m"}]},"spec":{}}"#;
        let whole: Unstructured = text.parse().unwrap();
        let partial = PartialObjectMetadata::of(&whole);
        assert_eq!(partial.metadata, *whole.metadata());
        assert_eq!(partial.owner_references(), [OwnerReference { uid: Uid::from("u"), ..whole.owner_references()[0].clone() }]);
        assert_eq!(read(text).unwrap(), partial);
        let written = serde_json::to_string(&partial).unwrap();
        assert!(written.starts_with(r#"{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"a""#));
        assert_eq!(read(&written).unwrap(), partial);
    }

    #[test]
    fn the_names_of_an_object_are_those_of_its_metadata() {
        let mut partial = PartialObjectMetadata::of(&PartialObjectMetadata::new(ObjectMeta {
            name: "a".into(),
            namespace: "b".into(),
            uid: "c".into(),
            resource_version: "7".into(),
            ..ObjectMeta::default()
        }));
        assert_eq!((partial.name(), partial.namespace(), partial.uid(), partial.resource_version()), ("a", "b", "c", "7"));
        partial.edit_metadata(|metadata| metadata.name = "z".into());
        assert_eq!(partial.name(), "z");
        assert_eq!(partial.group_version_kind().to_string(), "PartialObjectMetadata.meta.k8s.io, version v1");
    }

    #[test]
    fn what_does_not_say_what_it_is_is_refused() {
        for (text, wanted) in [
            (r#"{"apiVersion":"v1","metadata":{"uid":"123"}}"#, "\"kind\" is missing"),
            (r#"{"kind":"Pod","metadata":{"uid":"123"}}"#, "\"apiVersion\" is missing"),
            (r#"{"kind":"Pod","apiVersion":"","metadata":{"uid":"123"}}"#, "\"apiVersion\" is missing"),
            (r#"{"kind":"Pod","apiVersion":"v1","metadata":{}}"#, "it has no metadata"),
            (r#"{"kind":"Pod","apiVersion":"v1"}"#, "it has no metadata"),
            (r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":7}}"#, "invalid type: integer `7`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn an_item_of_a_list_need_not_say_what_it_is() {
        let text = r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}]}"#;
        let list: ObjectList<PartialObjectMetadata> = serde_json::from_slice(text.as_bytes()).unwrap();
        assert_eq!(list.items.iter().map(Object::name).collect::<Vec<_>>(), ["a", "b"]);
        let error = serde_json::from_slice::<ObjectList<PartialObjectMetadata>>(br#"{"kind":"PodList","items":[{}]}"#);
        assert!(error.unwrap_err().to_string().starts_with("item 0: this is no object: it has no metadata"));
    }
}
