//! A type of one kind, for tests.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Kind, Object, WireObject};
use crate::meta::{GroupVersionKind, GroupVersionResource, ObjectMeta};

/// A Pod, as far as tests look at it. As most derived types, it does not look at what the text says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pod {
    #[serde(default)]
    pub(crate) metadata: ObjectMeta,
    #[serde(default)]
    pub(crate) spec: PodSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PodSpec {
    pub(crate) node_name: String,
    pub(crate) host_network: bool,
}

impl Object for Pod {
    fn group_version_kind(&self) -> GroupVersionKind {
        Self::kind()
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

impl WireObject for Pod {
    const OF_KIND: Option<(&'static str, &'static str)> = Some(("v1", "Pod"));
}

impl Kind for Pod {
    const NAMESPACED: bool = true;

    fn kind() -> GroupVersionKind {
        GroupVersionKind::new("", "v1", "Pod")
    }

    fn resource() -> GroupVersionResource {
        GroupVersionResource::new("", "v1", "pods")
    }
}
