//! What discovery found, flat: a view of the groups and resources for who shows them all. client-go has none; it is what
//! `kubectl api-resources` prints.

use serde::{Deserialize, Serialize};

use super::{
    group::ApiGroup,
    preferred::preferred,
    resource::{ApiResource, ApiResourceList},
};
use crate::meta::{GroupResource, GroupVersion, GroupVersionResource};

/// Every resource of a server, and what could not be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    /// What `/api` said: the core group.
    pub core: Part,
    /// What `/apis` said: all other groups.
    pub groups: Part,
}

/// One of the two answers a catalog is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The entity tag of the answer, where the server gave one.
    pub etag: Option<String>,
    /// The resources, in the server's order.
    pub resources: Vec<Resource>,
    /// The versions that could not be asked.
    pub failed: Vec<FailedVersion>,
}

/// A resource in the version the server prefers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Its group, version and plural name.
    pub identity: GroupVersionResource,
    /// The kind of its objects.
    pub kind: String,
    /// Its singular name.
    pub singular: String,
    /// Whether its objects belong to namespaces.
    pub namespaced: bool,
    /// What can be done with it, such as `list`.
    pub verbs: Vec<String>,
    /// Its short names, such as `po`.
    pub short_names: Vec<String>,
    /// The categories it is in, such as `all`.
    pub categories: Vec<String>,
}

impl Resource {
    fn new(group_version: &GroupVersion, resource: &ApiResource) -> Self {
        Self {
            identity: group_version.with_resource(resource.name.clone()),
            kind: resource.kind.clone(),
            singular: resource.singular_name.clone(),
            namespaced: resource.namespaced,
            verbs: resource.verbs.clone(),
            short_names: resource.short_names.clone(),
            categories: resource.categories.clone(),
        }
    }

    /// Whether `verb` is served.
    #[must_use]
    pub fn has(&self, verb: &str) -> bool {
        self.verbs.iter().any(|other| other == verb)
    }

    /// Its identity whatever the version.
    #[must_use]
    pub fn group_resource(&self) -> GroupResource {
        self.identity.group_resource()
    }
}

/// A group's version that the server could not say anything of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedVersion {
    /// Which.
    pub group_version: GroupVersion,
    /// Why, for a person.
    pub reason: String,
}

impl Catalog {
    /// All resources, the core group's first.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.core.resources.iter().chain(&self.groups.resources)
    }

    /// All that failed.
    pub fn failed(&self) -> impl Iterator<Item = &FailedVersion> {
        self.core.failed.iter().chain(&self.groups.failed)
    }

    /// The resource of this group and plural name.
    #[must_use]
    pub fn find(&self, wanted: &GroupResource) -> Option<&Resource> {
        self.resources().find(|resource| {
            resource.identity.resource == wanted.resource && resource.identity.group_version.group == wanted.group
        })
    }
}

impl Part {
    /// What a server has of these groups, each resource in the version to use. One without a kind cannot be listed.
    pub(super) fn new(etag: Option<String>, groups: &[ApiGroup], lists: &[ApiResourceList], failed: Vec<FailedVersion>) -> Self {
        let mut resources = Vec::new();
        for (version, of_version) in preferred(groups, lists) {
            let listed = of_version.into_iter().filter(|resource| !resource.kind.is_empty());
            resources.extend(listed.map(|resource| Resource::new(version, resource)));
        }
        Self { etag, resources, failed }
    }
}
