//! An object of a known type, kept as the text it came as.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Kind, Object, ParseObjectError, WireObject, self_describing::with_kind, text::ObjectText};
use crate::meta::{GroupVersionKind, GroupVersionResource, ObjectMeta};

/// An object of the type `K` as its JSON text, and where in it the parts are by which it is known. It takes little more than its
/// text, where a decoded Pod takes several times that; [`read`](Self::read) decodes it each time it is called. So it is the form
/// for caches of which most objects are seldom looked into. client-go has nothing like it.
///
/// That the text is a `K` shows when it is read: to make sure of it before would cost just the decoding that this saves. What is
/// looked at before is that it is an object, and, where `K` is of one kind, that it does not say it is of another.
///
/// What an informer keeps has no `managedFields`, because its lists and watches leave them out. An object that was read by other
/// ways has whatever the server sent.
///
/// ```
/// use porthole_client_core::object::{Compact, Object as _, PartialObjectMetadata};
///
/// let text = br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"app":"web"}}}"#;
/// let pod = Compact::<PartialObjectMetadata>::from_slice(text)?;
/// assert_eq!(pod.name(), "a");
/// assert_eq!(pod.read()?.metadata.labels["app"], "web");
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
pub struct Compact<K> {
    object: ObjectText,
    form: PhantomData<fn() -> K>,
}

impl<K: WireObject> Compact<K> {
    /// The object in a JSON text.
    ///
    /// # Errors
    /// Where the text is no JSON object, where a part of its head has the wrong type, or where it says that it is of another
    /// kind than `K`.
    pub fn from_slice(text: &[u8]) -> Result<Self, ParseObjectError> {
        Self::of(ObjectText::new(text)?)
    }

    /// The text of an object of the type.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn from_object(object: &K) -> Result<Self, ParseObjectError>
    where
        K: Serialize,
    {
        Self::from_slice(with_kind(serde_json::to_string(object)?, K::OF_KIND).as_bytes())
    }

    /// Decodes it.
    ///
    /// # Errors
    /// Where the text is no `K`.
    pub fn read(&self) -> Result<K, ParseObjectError> {
        Ok(K::from_list_item(self.as_json().as_bytes(), None)?)
    }

    fn of(object: ObjectText) -> Result<Self, ParseObjectError> {
        match object.other_kind(K::OF_KIND) {
            None => Ok(Self { object, form: PhantomData }),
            Some((kind, wanted)) => Err(ParseObjectError::OtherKind { kind: Box::new(kind), wanted: Box::new(wanted) }),
        }
    }
}

impl<K> Compact<K> {
    /// The JSON text.
    #[must_use]
    pub fn as_json(&self) -> &str {
        self.object.as_json()
    }
}

impl<K: WireObject> Object for Compact<K> {
    /// What the text says, or what `K` is.
    fn group_version_kind(&self) -> GroupVersionKind {
        self.object.group_version_kind(K::OF_KIND)
    }

    /// A part of the metadata that cannot be read leaves all of it but the name, the namespace, the id and the version out.
    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        Cow::Owned(self.object.metadata())
    }

    /// All the rest of the object stays as it is, byte for byte.
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

/// The forms of `K`. It is not read from protobuf.
impl<K: WireObject> WireObject for Compact<K> {
    const ACCEPT: &'static str = K::ACCEPT;
    const ACCEPT_LIST: &'static str = K::ACCEPT_LIST;
    const OF_KIND: Option<(&'static str, &'static str)> = K::OF_KIND;
    #[cfg(feature = "protobuf")]
    const PROTOBUF: super::ProtobufForm = super::ProtobufForm::None;

    /// What is of one kind need not say it, which spares its text.
    fn from_list_item(text: &[u8], item: Option<&GroupVersionKind>) -> Result<Self, serde_json::Error> {
        let item = item.filter(|_| K::OF_KIND.is_none());
        let object = ObjectText::with_kind(text, item).map_err(ParseObjectError::from).and_then(Self::of);
        object.map_err(serde::de::Error::custom)
    }
}

impl<K: WireObject + Kind> Kind for Compact<K> {
    const NAMESPACED: bool = K::NAMESPACED;

    fn kind() -> GroupVersionKind {
        K::kind()
    }

    fn resource() -> GroupVersionResource {
        K::resource()
    }
}

/// The text is shared.
impl<K> Clone for Compact<K> {
    fn clone(&self) -> Self {
        Self { object: self.object.clone(), form: PhantomData }
    }
}

/// By their texts.
impl<K> PartialEq for Compact<K> {
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json()
    }
}

/// The name alone: an object may be a secret.
impl<K: WireObject> fmt::Debug for Compact<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Compact({} {}/{})", self.group_version_kind(), self.namespace(), self.name())
    }
}

impl<K> Serialize for Compact<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object.serialize(serializer)
    }
}

/// Reads from `serde_json` alone.
impl<'de, K: WireObject> Deserialize<'de> for Compact<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(ObjectText::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{ObjectList, PartialObjectMetadata, Unstructured, testing::Pod};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const TEXT: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7","labels":{"l":"1"}},"spec":{"containers":[],"nodeName":"m"}}"#;

    #[test]
    fn a_compact_object_is_known_without_being_read_and_reads_as_its_type() {
        let pod = Compact::<Pod>::from_slice(TEXT.as_bytes()).unwrap();
        assert_eq!((pod.name(), pod.namespace(), pod.uid(), pod.resource_version()), ("a", "n", "u", "7"));
        assert_eq!((pod.labels()["l"].as_str(), pod.group_version_kind().kind.as_str()), ("1", "Pod"));
        assert_eq!(pod.read().unwrap().spec.node_name, "m");
        assert_eq!(serde_json::to_string(&pod).unwrap(), TEXT);
        assert_eq!(format!("{pod:?}"), "Compact(Pod, version v1 n/a)");
        assert_eq!(Compact::from_object(&pod.read().unwrap()).unwrap().read().unwrap(), pod.read().unwrap());
        assert_eq!((<Compact<Pod> as Kind>::kind(), <Compact<Pod> as Kind>::resource()), (Pod::kind(), Pod::resource()));
    }

    #[test]
    fn an_edit_of_the_metadata_leaves_the_rest_of_the_text() {
        let mut pod = Compact::<Pod>::from_slice(TEXT.as_bytes()).unwrap();
        let before = pod.clone();
        pod.edit_metadata(|metadata| metadata.name = "b".into());
        assert!(pod.name() == "b" && pod.as_json().ends_with(r#""spec":{"containers":[],"nodeName":"m"}}"#));
        assert!(pod != before && before.name() == "a");
    }

    #[test]
    fn the_items_of_a_list_are_kept_as_they_are_where_the_type_says_their_kind() {
        let text = r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}"#;
        let list: ObjectList<Compact<Pod>> = serde_json::from_slice(text.as_bytes()).unwrap();
        assert_eq!(list.items[0].as_json(), r#"{"metadata":{"name":"a"}}"#);
        assert_eq!(list.items[0].group_version_kind(), Pod::kind());
        assert_eq!(list.items[0].read().unwrap().name(), "a");
        let list: ObjectList<Compact<Unstructured>> = serde_json::from_slice(text.as_bytes()).unwrap();
        assert_eq!(list.items[0].read().unwrap().group_version_kind().kind, "Pod");
        let list: ObjectList<Compact<PartialObjectMetadata>> = serde_json::from_slice(text.as_bytes()).unwrap();
        assert_eq!(list.items[0].read().unwrap().name(), "a");
        assert_eq!(<Compact<PartialObjectMetadata> as WireObject>::ACCEPT_LIST, PartialObjectMetadata::ACCEPT_LIST);
    }

    #[test]
    fn another_kind_is_refused_at_once_and_a_field_that_does_not_fit_when_it_is_read() {
        let error = Compact::<Pod>::from_slice(br#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}}"#).unwrap_err();
        assert_eq!(error.to_string(), "the object says that it is a Service, version v1, not a Pod, version v1");
        let odd = Compact::<Pod>::from_slice(br#"{"metadata":{"name":"a"},"spec":7}"#).unwrap();
        assert!(odd.read().unwrap_err().to_string().contains("invalid type: integer `7`"));
        for text in ["7", "{", r#"{"metadata":{"name":7}}"#, r#"{"spec":tru}"#] {
            assert!(Compact::<Pod>::from_slice(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_cached_object_takes_its_text_and_a_head() {
        assert!(size_of::<Compact<Pod>>() <= 112 && size_of::<Unstructured>() <= 112);
    }
}
