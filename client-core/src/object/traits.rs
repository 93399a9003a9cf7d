//! What every kind of object has in common.

use std::{borrow::Cow, collections::BTreeMap};

use serde::de::DeserializeOwned;

use crate::{
    meta::{GroupVersionKind, GroupVersionResource, ObjectMeta, OwnerReference, Timestamp},
    platform::{MaybeSend, MaybeSync},
};

/// An object of an API server, in whichever form it is held: a type of its own, [`Unstructured`](super::Unstructured),
/// metadata alone, a row of a table (apimachinery `meta/v1` `Object`).
///
/// What a form does not carry is empty: a row of a table has no labels.
///
/// ```
/// use porthole_client_core::object::{Object, Unstructured};
///
/// /// `shop/web-0`, of any form of object.
/// fn path_of(object: &impl Object) -> String {
///     [object.namespace(), object.name()].join("/")
/// }
///
/// let mut pod: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop"}}"#.parse()?;
/// assert_eq!(path_of(&pod), "shop/web-0");
/// pod.edit_metadata(|metadata| metadata.finalizers.push("example.com/wait".into()));
/// assert_eq!(pod.finalizers(), ["example.com/wait"]);
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
pub trait Object: MaybeSend + MaybeSync + 'static {
    /// What it is.
    fn group_version_kind(&self) -> GroupVersionKind;

    /// Its metadata, as far as this form has it.
    fn metadata(&self) -> Cow<'_, ObjectMeta>;

    /// Puts `metadata` in place of its own, as far as this form can hold it.
    fn set_metadata(&mut self, metadata: ObjectMeta);

    /// Its name; empty where it has none yet.
    fn name(&self) -> &str;

    /// Its namespace; empty for an object of the whole cluster.
    fn namespace(&self) -> &str;

    /// Its id; empty where the server has not seen it.
    fn uid(&self) -> &str;

    /// Its version; empty where the server has not seen it.
    fn resource_version(&self) -> &str;

    /// Changes its metadata.
    fn edit_metadata(&mut self, edit: impl FnOnce(&mut ObjectMeta))
    where
        Self: Sized,
    {
        let mut metadata = self.metadata().into_owned();
        edit(&mut metadata);
        self.set_metadata(metadata);
    }

    /// What it is selected by.
    fn labels(&self) -> Cow<'_, BTreeMap<String, String>> {
        match self.metadata() {
            Cow::Borrowed(metadata) => Cow::Borrowed(&metadata.labels),
            Cow::Owned(metadata) => Cow::Owned(metadata.labels),
        }
    }

    /// What others wrote down about it.
    fn annotations(&self) -> Cow<'_, BTreeMap<String, String>> {
        match self.metadata() {
            Cow::Borrowed(metadata) => Cow::Borrowed(&metadata.annotations),
            Cow::Owned(metadata) => Cow::Owned(metadata.annotations),
        }
    }

    /// What it belongs to.
    fn owner_references(&self) -> Vec<OwnerReference> {
        self.metadata().into_owned().owner_references
    }

    /// Who has to agree before it is gone.
    fn finalizers(&self) -> Vec<String> {
        self.metadata().into_owned().finalizers
    }

    /// When the server made it.
    fn creation_timestamp(&self) -> Option<Timestamp> {
        self.metadata().creation_timestamp
    }

    /// Since when it is being deleted.
    fn deletion_timestamp(&self) -> Option<Timestamp> {
        self.metadata().deletion_timestamp
    }
}

/// An object that is read from an API server. Cloning it is the deep copy of client-go.
pub trait WireObject: Object + Clone + DeserializeOwned {
    /// The forms to ask for when one object is read or watched.
    const ACCEPT: &'static str = "application/json";

    /// The `apiVersion` and the kind of all objects of this form, where they are of one kind: what is sent gets them where it does
    /// not say them itself.
    const OF_KIND: Option<(&'static str, &'static str)> = None;

    /// The forms to ask for when a list is read.
    const ACCEPT_LIST: &'static str = Self::ACCEPT;

    /// What it is in protobuf, for clients that ask for it: what is of one kind has that kind's form.
    #[cfg(feature = "protobuf")]
    const PROTOBUF: ProtobufForm = match Self::OF_KIND {
        Some((api_version, kind)) => ProtobufForm::Kind { api_version, kind },
        None => ProtobufForm::None,
    };

    /// Reads an item of a list. A server leaves the kind of the items of a typed list out; `item` is what it follows to be
    /// from the list's own.
    ///
    /// # Errors
    /// Where `text` is no such object.
    fn from_list_item(text: &[u8], item: Option<&GroupVersionKind>) -> Result<Self, serde_json::Error> {
        let _ = item;
        serde_json::from_slice(text)
    }
}

/// What a form of object is in protobuf.
#[cfg(feature = "protobuf")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtobufForm {
    /// Nothing: it is read as JSON.
    None,
    /// The metadata of any kind, which a server writes in protobuf for custom resources as well.
    Metadata,
    /// A kind; protobuf is asked for where the client's schema has it.
    Kind {
        /// Its group and version, such as `apps/v1`.
        api_version: &'static str,
        /// Its name.
        kind: &'static str,
    },
}

/// A kind of object whose place at the server is known when a program is compiled: all types of `k8s-openapi` (feature
/// `typed`), and those of custom resources that have its `Resource` and `Metadata`. client-go generates a client for each
/// (`k8s.io/client-go/gentype`).
///
/// ```
/// # #[cfg(feature = "typed")] {
/// use k8s_openapi::api::apps::v1::Deployment;
/// use porthole_client_core::object::Kind;
///
/// assert_eq!(Deployment::kind().to_string(), "Deployment.apps, version v1");
/// assert_eq!(Deployment::resource().resource, "deployments");
/// assert!(Deployment::NAMESPACED);
/// # }
/// ```
pub trait Kind: Object {
    /// Whether its objects belong to namespaces.
    const NAMESPACED: bool;

    /// What it is.
    fn kind() -> GroupVersionKind;

    /// Where it is.
    fn resource() -> GroupVersionResource;
}
