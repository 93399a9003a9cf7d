//! Aggregated discovery: groups with all their resources in one answer (client-go `aggregated_discovery.go`).

use super::{
    document::{GroupDocument, ResourceDocument},
    group::ApiGroup,
    listing::Listing,
    resource::{ApiResource, ApiResourceList},
};
use crate::meta::GroupVersion;

/// What the groups of an aggregated answer of `/api` or `/apis` hold; both versions of the format are alike.
///
/// A stale version is not in its group: the first version that is not stale is the preferred one.
pub(super) fn split(documents: Vec<GroupDocument>) -> Listing {
    let (mut groups, mut lists, mut stale) = (Vec::new(), Vec::new(), Vec::new());
    for document in documents {
        let name = document.metadata.name;
        let mut versions = Vec::new();
        for version in document.versions {
            let group_version = GroupVersion::new(name.clone(), version.version);
            if version.freshness == "Stale" {
                stale.push(group_version);
                continue;
            }
            versions.push(group_version.version.clone());
            let mut resources = Vec::new();
            for resource in version.resources {
                add(&mut resources, resource);
            }
            lists.push(ApiResourceList { group_version, resources });
        }
        groups.push(ApiGroup { name, preferred_version: versions.first().cloned(), versions });
    }
    Listing { groups, resources: Some(lists), stale }
}

/// Adds a resource and its subresources. One without a kind is only the parent of its subresources.
fn add(resources: &mut Vec<ApiResource>, mut document: ResourceDocument) {
    let subresources = std::mem::take(&mut document.subresources);
    let resource = of_kind(document);
    let parent = (resource.name.clone(), resource.singular_name.clone(), resource.namespaced);
    if !resource.kind.is_empty() {
        resources.push(resource);
    }
    for document in subresources {
        let mut subresource = of_kind(document);
        if !subresource.kind.is_empty() {
            subresource.name = format!("{}/{}", parent.0, subresource.name);
            subresource.singular_name.clone_from(&parent.1);
            subresource.namespaced = parent.2;
            resources.push(subresource);
        }
    }
}

/// A resource as an aggregated answer has it: its kind is an object, its scope a word.
fn of_kind(mut document: ResourceDocument) -> ApiResource {
    let kind = std::mem::take(&mut document.response_kind);
    document.namespaced = document.scope == "Namespaced";
    ApiResource { group: kind.group, version: kind.version, kind: kind.kind, ..document.into() }
}

#[cfg(test)]
mod tests;
