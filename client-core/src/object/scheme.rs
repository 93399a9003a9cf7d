//! Which type the objects of a kind have (apimachinery `runtime/scheme.go`).

use std::{any::TypeId, collections::BTreeMap, fmt};

use serde_json::value::RawValue;

use super::{DynObject, Kind, Object, ObjectList, ParseObjectError, Unstructured, WireObject, list::read_list, span::read_head};
use crate::meta::GroupVersionKind;

/// Knows the types of kinds, and reads objects as them. What has no type here is read as [`Unstructured`].
///
/// client-go's schemes also convert between versions and fill in defaults, which is the server's work; a version of a kind
/// that is wanted is asked of the server.
///
/// ```
/// # #[cfg(feature = "typed")] {
/// use k8s_openapi::api::core::v1::Pod;
/// use porthole_client_core::object::{Decoded, Object as _, Scheme};
///
/// let scheme = Scheme::default().with::<Pod>();
/// let text = br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[],"nodeName":"n"}}"#;
/// let Decoded::Object(object) = scheme.decode(text)? else { panic!("this is a list") };
/// let pod: Pod = object.downcast().unwrap();
/// assert_eq!(pod.spec.unwrap().node_name.as_deref(), Some("n"));
/// # }
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
#[derive(Clone, Default)]
pub struct Scheme {
    types: BTreeMap<GroupVersionKind, Registered>,
}

/// Reads an object; where it is the item of a list, with what that says it is.
type Read = fn(&[u8], Option<&GroupVersionKind>) -> serde_json::Result<Box<dyn DynObject>>;

#[derive(Clone, Copy)]
struct Registered {
    id: TypeId,
    name: &'static str,
    read: Read,
}

/// What a text holds.
#[derive(Clone, Debug)]
pub enum Decoded {
    /// One object.
    Object(Box<dyn DynObject>),
    /// A list, of one kind or of many.
    List(ObjectList<Box<dyn DynObject>>),
}

impl Decoded {
    /// The objects: those of the list, or the one (apimachinery `ExtractList`).
    #[must_use]
    pub fn into_objects(self) -> Vec<Box<dyn DynObject>> {
        match self {
            Self::Object(object) => vec![object],
            Self::List(list) => list.items,
        }
    }
}

impl Scheme {
    /// The same, with `K` as the type of its kind (`AddKnownTypes`), in place of another one.
    #[must_use]
    pub fn with<K: Kind + WireObject>(self) -> Self {
        self.with_kind::<K>(K::kind())
    }

    /// The same, with `K` as the type of `kind` (`AddKnownTypeWithName`), in place of another one. One type can be that of many
    /// kinds.
    #[must_use]
    pub fn with_kind<K: WireObject>(mut self, kind: GroupVersionKind) -> Self {
        let read: Read = |text, item| {
            Ok(match item {
                None => Box::new(serde_json::from_slice::<K>(text)?),
                Some(_) => Box::new(K::from_list_item(text, item)?),
            })
        };
        self.types.insert(kind, Registered { id: TypeId::of::<K>(), name: std::any::type_name::<K>(), read });
        self
    }

    /// The kinds that have a type here, in order (`AllKnownTypes`).
    pub fn kinds(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.types.keys()
    }

    /// The kinds that have the type `K` (`ObjectKinds`); none where it is not registered.
    pub fn kinds_of<K: Object>(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.types.iter().filter(|(_, registered)| registered.id == TypeId::of::<K>()).map(|(kind, _)| kind)
    }

    /// Whether `kind` has a type here (`Recognizes`).
    #[must_use]
    pub fn recognizes(&self, kind: &GroupVersionKind) -> bool {
        self.types.contains_key(kind)
    }

    /// The type of `kind`, for comparing it.
    #[must_use]
    pub fn type_of(&self, kind: &GroupVersionKind) -> Option<TypeId> {
        self.types.get(kind).map(|registered| registered.id)
    }

    /// Reads an object or a list of objects, each as the type of its kind. A list is known by its items.
    ///
    /// # Errors
    /// Where the text is no object, where it does not say what it is, or where it is not written as its type is.
    pub fn decode(&self, text: &[u8]) -> Result<Decoded, ParseObjectError> {
        let raw: &RawValue = serde_json::from_slice(text)?;
        let head = read_head(raw.get())?;
        let kind = head.group_version_kind(raw.get());
        if kind.kind.is_empty() {
            return Err(ParseObjectError::KindMissing);
        }
        if let Some(registered) = self.types.get(&kind) {
            let read = (registered.read)(text, None);
            return read.map(Decoded::Object).map_err(|source| ParseObjectError::Unreadable { kind, source });
        }
        let object = Unstructured::from_slice(text)?;
        if !object.is_list() {
            return Ok(Decoded::Object(Box::new(object)));
        }
        let mut reader = serde_json::Deserializer::from_slice(text);
        let list = read_list(&mut reader, |text, item| self.decode_item(text, item));
        list.map(Decoded::List).map_err(|source| ParseObjectError::Unreadable { kind, source })
    }

    /// `object` as the type of its kind.
    ///
    /// # Errors
    /// [`ParseObjectError::Unregistered`] where its kind has none, and where it is not written as its type is.
    pub fn typed(&self, object: &Unstructured) -> Result<Box<dyn DynObject>, ParseObjectError> {
        let kind = object.group_version_kind();
        match self.types.get(&kind) {
            None => Err(ParseObjectError::Unregistered { kind }),
            Some(registered) => (registered.read)(object.as_json().as_bytes(), None)
                .map_err(|source| ParseObjectError::Unreadable { kind, source }),
        }
    }

    fn decode_item(&self, text: &[u8], item: Option<&GroupVersionKind>) -> Result<Box<dyn DynObject>, serde_json::Error> {
        let raw: &RawValue = serde_json::from_slice(text)?;
        let head = read_head(raw.get())?;
        let own = Some(head.group_version_kind(raw.get())).filter(|own| !own.kind.is_empty());
        match own.as_ref().or(item).and_then(|kind| self.types.get(kind).zip(Some(kind))) {
            Some((registered, kind)) => (registered.read)(text, Some(kind)),
            None => Ok(Box::new(Unstructured::from_list_item(text, item)?)),
        }
    }
}

/// The kinds with their types.
impl fmt::Debug for Scheme {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.types.iter().map(|(kind, registered)| (kind.to_string(), registered.name))).finish()
    }
}

#[cfg(test)]
mod tests;
