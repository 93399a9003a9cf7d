//! `k8s-openapi`'s types as objects and kinds.

use std::{borrow::Cow, collections::BTreeMap};

use k8s_openapi::{
    ClusterResourceScope, Metadata, NamespaceResourceScope, Resource, apimachinery::pkg::apis::meta::v1::ObjectMeta as Openapi,
};
use serde::{Serialize, de::DeserializeOwned};

use super::meta::{from_openapi, owner_from, timestamp, to_openapi};
use crate::{
    clients::Writable,
    meta::{GroupVersionKind, GroupVersionResource, ObjectMeta, OwnerReference, Timestamp},
    object::{Kind, Object, WireObject},
    platform::{MaybeSend, MaybeSync},
};

/// Whether a scope of `k8s-openapi` is that of namespaces.
pub trait Scope {
    /// Whether it is.
    const NAMESPACED: bool;
}

impl Scope for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl Scope for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

impl<K: Metadata<Ty = Openapi> + MaybeSend + MaybeSync + 'static> Object for K {
    fn group_version_kind(&self) -> GroupVersionKind {
        GroupVersionKind::new(K::GROUP, K::VERSION, K::KIND)
    }

    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        Cow::Owned(from_openapi(Metadata::metadata(self)))
    }

    fn set_metadata(&mut self, metadata: ObjectMeta) {
        let own = self.metadata_mut();
        *own = to_openapi(metadata, own.self_link.take());
    }

    fn name(&self) -> &str {
        Metadata::metadata(self).name.as_deref().unwrap_or_default()
    }

    fn namespace(&self) -> &str {
        Metadata::metadata(self).namespace.as_deref().unwrap_or_default()
    }

    fn uid(&self) -> &str {
        Metadata::metadata(self).uid.as_deref().unwrap_or_default()
    }

    fn resource_version(&self) -> &str {
        Metadata::metadata(self).resource_version.as_deref().unwrap_or_default()
    }

    fn labels(&self) -> Cow<'_, BTreeMap<String, String>> {
        Metadata::metadata(self).labels.as_ref().map_or_else(Cow::default, Cow::Borrowed)
    }

    fn annotations(&self) -> Cow<'_, BTreeMap<String, String>> {
        Metadata::metadata(self).annotations.as_ref().map_or_else(Cow::default, Cow::Borrowed)
    }

    // These are asked for at every change, without all the rest.
    fn owner_references(&self) -> Vec<OwnerReference> {
        Metadata::metadata(self).owner_references.iter().flatten().map(owner_from).collect()
    }

    fn finalizers(&self) -> Vec<String> {
        Metadata::metadata(self).finalizers.clone().unwrap_or_default()
    }

    fn creation_timestamp(&self) -> Option<Timestamp> {
        Metadata::metadata(self).creation_timestamp.as_ref().map(timestamp)
    }

    fn deletion_timestamp(&self) -> Option<Timestamp> {
        Metadata::metadata(self).deletion_timestamp.as_ref().map(timestamp)
    }
}

impl<K: Metadata<Ty = Openapi> + Clone + DeserializeOwned + MaybeSend + MaybeSync + 'static> WireObject for K {
    const OF_KIND: Option<(&'static str, &'static str)> = Some((K::API_VERSION, K::KIND));
}

impl<K: Metadata<Ty = Openapi> + Clone + DeserializeOwned + Serialize + MaybeSend + MaybeSync + 'static> Writable for K {}

impl<K: Metadata<Ty = Openapi> + Resource<Scope: Scope> + MaybeSend + MaybeSync + 'static> Kind for K {
    const NAMESPACED: bool = <K::Scope as Scope>::NAMESPACED;

    fn kind() -> GroupVersionKind {
        GroupVersionKind::new(K::GROUP, K::VERSION, K::KIND)
    }

    fn resource() -> GroupVersionResource {
        GroupVersionResource::new(K::GROUP, K::VERSION, K::URL_PATH_SEGMENT)
    }
}
