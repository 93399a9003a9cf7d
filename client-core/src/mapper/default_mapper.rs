//! A table of mappings (apimachinery `meta/restmapper.go`: `DefaultRESTMapper`).

use super::{
    error::MapperError,
    interface::{RestMapper, extend_once, no_kind_match},
    mapping::RestMapping,
    partial::PartialResource,
};
use crate::meta::{GroupKind, GroupVersion};

/// Knows the mappings that it is given.
///
/// A resource is found by its plural or its singular, whatever the case of its letters: of the group that is named or, where
/// none is called so and no version is named, of those whose names begin so. Where several are found, all are: see
/// [`PriorityMapper`](super::PriorityMapper). A kind is found in its own group.
///
/// Of two resources that have the same kind in the same version, the one that was added last is the one of the kind, as in
/// apimachinery. By its own name each is found as itself, where apimachinery confounds them.
///
/// ```
/// use porthole_client_core::{
///     mapper::{DefaultMapper, RestMapper, RestMapping, Scope},
///     meta::GroupVersion,
/// };
///
/// let version = GroupVersion::new("example.com", "v1");
/// let mut mapper = DefaultMapper::new([version.clone()]);
/// let (resource, kind) = (version.with_resource("indices"), version.with_kind("Index"));
/// let mapping = RestMapping { resource, kind, scope: Scope::Namespaced };
/// mapper.add(mapping.clone(), "index");
/// assert_eq!(mapper.mapping_for(&"index".into())?, mapping);
/// assert_eq!(mapper.mapping_for(&"indices.example".into())?, mapping);
/// assert_eq!(mapper.rest_mapping(&"Index.example.com".into(), &[])?, mapping);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DefaultMapper {
    preferred: Vec<GroupVersion>,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    mapping: RestMapping,
    singular: String,
}

impl Entry {
    fn is_named(&self, name: &str) -> bool {
        self.mapping.resource.resource == name || self.singular == name
    }

    fn group_version(&self) -> &GroupVersion {
        &self.mapping.resource.group_version
    }

    /// Whether it is where objects of this kind are. A resource whose objects are of another group's kind, such as a list of
    /// reviews, is not.
    fn is_of_kind(&self, group_version: &GroupVersion, kind: &str) -> bool {
        let own = &self.mapping.kind;
        let is_kind = own.kind == kind || own.kind.to_ascii_lowercase() == kind;
        is_kind && own.group_version == *group_version && self.group_version() == group_version
    }
}

impl DefaultMapper {
    /// A mapper that knows nothing yet. What is found in several versions comes in the order of `preferred`; a kind is looked
    /// for in those alone, where no version is named.
    #[must_use]
    pub fn new(preferred: impl IntoIterator<Item = GroupVersion>) -> Self {
        Self { preferred: preferred.into_iter().collect(), entries: Vec::new() }
    }

    /// Knows a resource from now on, and its singular name.
    pub fn add(&mut self, mapping: RestMapping, singular: impl Into<String>) {
        self.entries.push(Entry { mapping, singular: singular.into() });
    }

    /// What this could be, those first that are preferred.
    fn found(&self, resource: &PartialResource) -> Result<Vec<&Entry>, MapperError> {
        let name = resource.resource.to_ascii_lowercase();
        if name.is_empty() {
            return Err(MapperError::NoName);
        }
        let of_group = |is_group: &dyn Fn(&str) -> bool| -> Vec<&Entry> {
            let entries = self.entries.iter().filter(|entry| {
                let GroupVersion { group, version } = entry.group_version();
                entry.is_named(&name) && resource.is_in_version(version) && is_group(group)
            });
            entries.collect()
        };
        let mut found = match &resource.group {
            None => of_group(&|_any| true),
            Some(wanted) => of_group(&|group| group == wanted),
        };
        if let Some(beginning) = &resource.group
            && found.is_empty()
            && !resource.has_exact_group()
        {
            // So that `storageclasses.storage` is `storageclasses.storage.k8s.io`.
            found = of_group(&|group| group.starts_with(beginning));
        }
        if found.is_empty() {
            return Err(MapperError::NoResourceMatch { resource: resource.clone() });
        }
        found.sort_by_key(|entry| {
            let place = self.preferred.iter().position(|version| version == entry.group_version());
            place.unwrap_or(self.preferred.len())
        });
        Ok(found)
    }

    /// The resource of a kind in one version.
    fn of_kind(&self, group_version: &GroupVersion, kind: &str) -> Option<&RestMapping> {
        self.entries.iter().rfind(|entry| entry.is_of_kind(group_version, kind)).map(|entry| &entry.mapping)
    }
}

impl RestMapper for DefaultMapper {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        let mut mappings = Vec::new();
        extend_once(&mut mappings, self.found(resource)?.into_iter().map(|entry| entry.mapping.clone()));
        Ok(mappings)
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        let mut named = versions.iter().filter(|version| !version.is_empty()).peekable();
        let mut found = Vec::new();
        if named.peek().is_some() {
            let mut versions = named.map(|version| GroupVersion::new(kind.group.as_str(), *version));
            found.extend(versions.find_map(|version| self.of_kind(&version, &kind.kind)).cloned());
        } else {
            let preferred = self.preferred.iter().filter(|version| version.group == kind.group);
            extend_once(&mut found, preferred.filter_map(|version| self.of_kind(version, &kind.kind)).cloned());
        }
        if found.is_empty() { Err(no_kind_match(kind, versions)) } else { Ok(found) }
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        let mut singulars = Vec::new();
        extend_once(&mut singulars, self.found(resource)?.into_iter().map(|entry| entry.singular.clone()));
        super::interface::one(singulars)
            .map_err(|singulars| MapperError::AmbiguousSingular { resource: resource.clone(), singulars })
    }
}

#[cfg(test)]
mod tests;
