//! The metadata of an object, alone.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Object, WireObject};
use crate::meta::{GroupVersionKind, ObjectMeta};

/// `metav1.PartialObjectMetadata`: what a server makes of any object when only its metadata is asked for. It takes a
/// twentieth of the room.
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
}

/// Reads any object, and refuses what is none: without a kind, without an `apiVersion` or without metadata.
impl<'de> Deserialize<'de> for PartialObjectMetadata {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire {
            #[serde(default)]
            metadata: Option<ObjectMeta>,
        }
        let metadata = Wire::deserialize(deserializer)?.metadata;
        let metadata = metadata.filter(|metadata| *metadata != ObjectMeta::default());
        metadata.map(Self::new).ok_or_else(|| serde::de::Error::custom("this is no object: it has no metadata"))
    }
}
