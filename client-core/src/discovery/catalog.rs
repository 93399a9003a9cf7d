//! What discovery found.

use serde::{Deserialize, Serialize};

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

/// Adds the resources of one version: the first version of a group that has a resource is the preferred one.
pub(super) fn add_version(part: &mut Part, resources: impl IntoIterator<Item = Resource>) {
    for resource in resources {
        let known = part.resources.iter().any(|other| other.group_resource() == resource.group_resource());
        if !known {
            part.resources.push(resource);
        }
    }
}
