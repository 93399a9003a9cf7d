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
    /// All versions in which the server has it: first the one of `identity`, then the others in the server's order. Empty in a
    /// catalog that was stored before it was kept.
    #[serde(default)]
    pub versions: Vec<String>,
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
            versions: vec![group_version.version.clone()],
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

    /// Adds a version in which the server has it as well.
    fn add_version(&mut self, version: &str) {
        if self.versions.is_empty() {
            self.versions.push(self.identity.group_version.version.clone());
        }
        if !self.versions.iter().any(|known| known == version) {
            self.versions.push(version.to_owned());
        }
    }

    fn is(&self, group: &str, plural: &str) -> bool {
        self.identity.resource == plural && self.identity.group_version.group == group
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
        self.resources().find(|resource| resource.is(&wanted.group, &wanted.resource))
    }

    /// The identity of the resource of this group and plural name in this version, where the server has it there.
    #[must_use]
    pub fn find_version(&self, wanted: &GroupResource, version: &str) -> Option<GroupVersionResource> {
        let found = self.find(wanted)?;
        let is_there = found.identity.group_version.version == version || found.versions.iter().any(|known| known == version);
        is_there.then(|| GroupVersionResource::new(wanted.group.clone(), version, wanted.resource.clone()))
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
        let mut part = Self { etag, resources, failed };
        for version in groups.iter().flat_map(ApiGroup::group_versions) {
            lists.iter().filter(|list| list.group_version == version).for_each(|list| part.add_versions(list));
        }
        part
    }

    /// Notes which of the resources are in this list as well.
    fn add_versions(&mut self, list: &ApiResourceList) {
        let GroupVersion { group, version } = &list.group_version;
        let of_group = self.resources.iter_mut().filter(|known| known.identity.group_version.group == *group);
        for known in of_group.filter(|known| list.resource(&known.identity.resource).is_some()) {
            known.add_version(version);
        }
    }

    /// Takes in a version that could not be asked before. Resources that are there stay in the version they are used in; others
    /// come behind those of their group.
    pub(super) fn take_in(&mut self, list: &ApiResourceList) {
        self.failed.retain(|failed| failed.group_version != list.group_version);
        self.add_versions(list);
        let group = &list.group_version.group;
        let is_new = |resource: &&ApiResource| {
            !resource.is_subresource()
                && !resource.kind.is_empty()
                && !self.resources.iter().any(|known| known.is(group, &resource.name))
        };
        let added: Vec<_> =
            list.resources.iter().filter(is_new).map(|resource| Resource::new(&list.group_version, resource)).collect();
        let behind = self.resources.iter().rposition(|known| known.identity.group_version.group == *group);
        let place = behind.map_or(self.resources.len(), |last| last + 1);
        self.resources.splice(place..place, added);
    }

    /// Says anew why a version cannot be asked.
    pub(super) fn note_failure(&mut self, failure: FailedVersion) {
        self.failed
            .iter_mut()
            .filter(|known| known.group_version == failure.group_version)
            .for_each(|known| known.clone_from(&failure));
    }

    /// Whether the versions of its resources are known, as they are not where it was stored before they were.
    pub(super) fn has_versions(&self) -> bool {
        self.resources.iter().all(|resource| !resource.versions.is_empty())
    }
}
