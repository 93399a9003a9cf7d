//! What discovery found, as a mapper (client-go `restmapper/discovery.go`: `NewDiscoveryRESTMapper`).

use std::sync::Arc;

use super::{
    category::CategoryExpander,
    default_mapper::DefaultMapper,
    error::MapperError,
    interface::RestMapper,
    mapping::{RestMapping, Scope},
    partial::PartialResource,
    priority::{PriorityMapper, PriorityPattern},
    resolve::{readings, resolve},
    shortcut::ShortcutExpander,
};
use crate::{
    discovery::{ApiGroupResources, ApiResource, ApiResourceList, Discovered, GroupFailures, GroupsAndResources},
    meta::{GroupKind, GroupVersion, GroupVersionKind},
    rest::WarningHandler,
};

/// A mapper of the resources of these groups: first of the core group in `v1`, then of the groups in their order, each in
/// the version that it prefers, then in its others (client-go `NewDiscoveryRESTMapper`).
///
/// A resource whose singular name the server keeps to itself has its kind in lower case. A resource without a kind and a
/// subresource are not mapped, nor are kinds of lists, whose resources client-go guesses. A group that is called exactly as it
/// was named comes before all that begin so; in client-go the order of the groups decides.
#[must_use]
pub fn discovery_mapper(groups: &[ApiGroupResources]) -> PriorityMapper<DefaultMapper> {
    let core = GroupVersion::new("", "v1");
    let versions = groups.iter().flat_map(|group| {
        let is_preferred =
            |list: &&Arc<ApiResourceList>| group.group.preferred_version.as_ref() == Some(&list.group_version.version);
        let preferred = group.versions.iter().filter(is_preferred);
        preferred.chain(group.versions.iter().filter(move |list| !is_preferred(list)))
    });
    let order: Vec<GroupVersion> = [core].into_iter().chain(versions.map(|list| list.group_version.clone())).collect();
    let of_versions = order.iter().map(PriorityPattern::of_group_version);
    let of_groups = groups.iter().map(|group| PriorityPattern::of_group(group.group.name.as_str()));
    let patterns: Vec<PriorityPattern> = of_versions.chain(of_groups).collect();

    let mut mapper = DefaultMapper::new(order);
    for list in groups.iter().flat_map(|group| &group.versions) {
        let is_mapped = |resource: &&ApiResource| !resource.is_subresource() && !resource.kind.is_empty();
        for resource in list.resources.iter().filter(is_mapped) {
            mapper.add(mapping(&list.group_version, resource), singular(resource));
        }
    }
    PriorityMapper::new(mapper, patterns.clone(), patterns)
}

fn mapping(version: &GroupVersion, resource: &ApiResource) -> RestMapping {
    RestMapping {
        resource: version.with_resource(resource.name.as_str()),
        kind: resource.group_version_kind(version),
        scope: if resource.namespaced { Scope::Namespaced } else { Scope::Cluster },
    }
}

fn singular(resource: &ApiResource) -> String {
    if resource.singular_name.is_empty() { resource.kind.to_ascii_lowercase() } else { resource.singular_name.clone() }
}

/// What a server was found to have, as a [`RestMapper`] that knows short names and categories.
///
/// Where something is not found, and a version that could have it did not answer, the error says which and why.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     discovery::{ApiGroup, ApiGroupList, ApiResource, ApiResourceList, Discovered, GroupFailures, GroupsAndResources},
///     mapper::{DiscoveredMapper, RestMapper},
/// };
///
/// let pods = ApiResource {
///     name: "pods".to_owned(),
///     singular_name: "pod".to_owned(),
///     kind: "Pod".to_owned(),
///     namespaced: true,
///     short_names: vec!["po".to_owned()],
///     ..ApiResource::default()
/// };
/// let core = ApiGroup { versions: vec!["v1".to_owned()], ..ApiGroup::default() };
/// let found = GroupsAndResources {
///     groups: Arc::new(ApiGroupList { groups: vec![core] }),
///     resources: vec![Arc::new(ApiResourceList::new("v1".parse()?, vec![pods]))],
/// };
/// let mapper = DiscoveredMapper::new(Discovered::new(found, GroupFailures::default()));
/// for text in ["pods", "pod", "po", "Pod", "pods.v1."] {
///     assert_eq!(mapper.resolve(text)?.resource.to_string(), "pods, version v1");
/// }
/// let error = mapper.resolve("widgets").unwrap_err();
/// assert_eq!(error.to_string(), "the server doesn't have a resource type \"widgets\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DiscoveredMapper {
    found: GroupsAndResources,
    failed: GroupFailures,
    mapper: ShortcutExpander<PriorityMapper<DefaultMapper>>,
}

impl DiscoveredMapper {
    /// A mapper of what was found.
    #[must_use]
    pub fn new(discovered: Discovered<GroupsAndResources>) -> Self {
        let (found, failed) = discovered.partial();
        let mapper = ShortcutExpander::new(discovery_mapper(&found.by_group()), found.resources.clone());
        Self { found, failed, mapper }
    }

    /// The same, telling `handler` of short names: see [`ShortcutExpander::with_warnings`].
    #[must_use]
    pub fn with_warnings(self, handler: impl WarningHandler) -> Self {
        Self { mapper: self.mapper.with_warnings(handler), ..self }
    }

    /// The versions that could not be asked.
    #[must_use]
    pub fn failed(&self) -> &GroupFailures {
        &self.failed
    }

    /// The categories of the resources.
    #[must_use]
    pub fn categories(&self) -> CategoryExpander {
        CategoryExpander::discovered(&self.found.resources)
    }

    /// What was found, with the answers of versions that failed before.
    pub(super) fn found_with(&self, lists: Vec<Arc<ApiResourceList>>) -> Discovered<GroupsAndResources> {
        let is_there = |version: &GroupVersion| lists.iter().any(|list| list.group_version == *version);
        let failed = self.failed.clone().into_iter().filter(|(version, _)| !is_there(version)).collect();
        let mut found = self.found.clone();
        found.resources.extend(lists);
        Discovered::new(found, failed)
    }

    /// Where something is not found, says which of the versions that could have it did not answer.
    fn or_what_failed<T>(
        &self,
        answer: Result<T, MapperError>,
        could_be_in: impl Fn(&GroupVersion) -> bool,
    ) -> Result<T, MapperError> {
        answer.map_err(|miss| {
            let failed = self.failed.iter().filter(|(version, _)| miss.is_no_match() && could_be_in(version));
            let failed: GroupFailures = failed.map(|(version, error)| (version.clone(), error.clone())).collect();
            if failed.is_empty() { miss } else { MapperError::Incomplete { miss: Box::new(miss), failed } }
        })
    }

    fn ask<T>(
        &self,
        resource: &PartialResource,
        question: impl Fn(&ShortcutExpander<PriorityMapper<DefaultMapper>>, &PartialResource) -> Result<T, MapperError>,
    ) -> Result<T, MapperError> {
        self.or_what_failed(question(&self.mapper, resource), |version| resource.could_be_in(version))
    }
}

/// Whether this version could have this kind.
fn could_have(version: &GroupVersion, kind: &GroupKind, versions: &[&str]) -> bool {
    let mut named = versions.iter().filter(|version| !version.is_empty()).peekable();
    version.group == kind.group && (named.peek().is_none() || named.any(|named| *named == version.version))
}

impl RestMapper for DiscoveredMapper {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.ask(resource, RestMapper::mappings_for)
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        let answer = self.mapper.rest_mappings(kind, versions);
        self.or_what_failed(answer, |version| could_have(version, kind, versions))
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        self.ask(resource, RestMapper::resource_singularizer)
    }

    fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        self.ask(resource, RestMapper::mapping_for)
    }

    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        let answer = self.mapper.rest_mapping(kind, versions);
        self.or_what_failed(answer, |version| could_have(version, kind, versions))
    }

    fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        self.ask(resource, RestMapper::kind_for)
    }

    fn resolve(&self, text: &str) -> Result<RestMapping, MapperError> {
        self.or_what_failed(resolve(&self.mapper, text), |version| readings(text).any(|resource| resource.could_be_in(version)))
    }
}

#[cfg(test)]
mod tests;
