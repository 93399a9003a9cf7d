//! What the tests of the mappers have in common.

use std::sync::Arc;

use super::{
    default_mapper::DefaultMapper,
    discovered::DiscoveredMapper,
    error::MapperError,
    guess::unsafe_guess_kind_to_resource,
    interface::{RestMapper, no_kind_match},
    mapping::{RestMapping, Scope},
    partial::PartialResource,
};
use crate::{
    discovery::{ApiResource, ApiResourceList, Discovery as _, DiscoveryError, FakeDiscovery},
    meta::{GroupKind, GroupVersion},
    platform::ready,
};

/// A resource of a group version: its plural and its kind.
pub(super) fn mapping(version: &str, plural: &str, kind: &str) -> RestMapping {
    let version: GroupVersion = version.parse().unwrap();
    RestMapping { resource: version.with_resource(plural), kind: version.with_kind(kind), scope: Scope::Namespaced }
}

/// A mapper of kinds, whose resources have the names one would guess.
pub(super) fn guessed(preferred: &[&str], kinds: &[(&str, &str)]) -> DefaultMapper {
    let mut mapper = DefaultMapper::new(preferred.iter().map(|version| version.parse().unwrap()));
    for (version, kind) in kinds {
        let kind = version.parse::<GroupVersion>().unwrap().with_kind(*kind);
        let (resource, singular) = unsafe_guess_kind_to_resource(&kind);
        mapper.add(RestMapping { resource, kind, scope: Scope::Namespaced }, singular.resource);
    }
    mapper
}

/// A mapper that has one answer to everything: an error, or mappings, or that nothing is found.
#[derive(Clone, Default)]
pub(super) struct FixedMapper {
    pub(super) mappings: Vec<RestMapping>,
    pub(super) error: Option<MapperError>,
}

impl FixedMapper {
    pub(super) fn with(mappings: &[RestMapping]) -> Self {
        Self { mappings: mappings.to_vec(), error: None }
    }

    pub(super) fn failing(error: MapperError) -> Self {
        Self { mappings: Vec::new(), error: Some(error) }
    }

    pub(super) fn shared(self) -> Arc<dyn RestMapper> {
        Arc::new(self)
    }

    fn answer(&self, nothing: MapperError) -> Result<Vec<RestMapping>, MapperError> {
        match &self.error {
            Some(error) => Err(error.clone()),
            None if self.mappings.is_empty() => Err(nothing),
            None => Ok(self.mappings.clone()),
        }
    }
}

impl RestMapper for FixedMapper {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.answer(MapperError::NoResourceMatch { resource: resource.clone() })
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        self.answer(no_kind_match(kind, versions))
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        Ok(self.mappings_for(resource)?[0].kind.kind.to_lowercase())
    }
}

/// An error that says something else than that nothing is found.
pub(super) fn failure() -> MapperError {
    DiscoveryError::Empty.into()
}

pub(super) fn is_failure(error: &MapperError) -> bool {
    matches!(error, MapperError::Discovery(DiscoveryError::Empty))
}

/// That a mapper does not find something that nobody asked for.
pub(super) fn other_miss() -> MapperError {
    MapperError::NoResourceMatch { resource: "something.else".into() }
}

/// A resource as the server describes it: `plural|singular Kind short,short`, the singular and what is behind it as far as
/// they are there. One that begins with `*` is of the cluster.
pub(super) fn resource(text: &str) -> ApiResource {
    let mut words = text.split(' ');
    let name = words.next().unwrap();
    let (name, namespaced) = name.strip_prefix('*').map_or((name, true), |name| (name, false));
    let (name, singular_name) = name.split_once('|').unwrap_or((name, ""));
    ApiResource {
        name: name.to_owned(),
        singular_name: singular_name.to_owned(),
        namespaced,
        kind: words.next().unwrap_or("").to_owned(),
        short_names: words.next().map_or(Vec::new(), |names| names.split(',').map(str::to_owned).collect()),
        ..ApiResource::default()
    }
}

/// The resources of a version, each as [`resource`] reads it.
pub(super) fn list(version: &str, resources: &[&str]) -> ApiResourceList {
    ApiResourceList::new(version.parse().unwrap(), resources.iter().map(|text| resource(text)).collect())
}

/// What a server has, its groups and their versions in the order of the lists.
pub(super) fn discovered(lists: &[(&str, &[&str])]) -> DiscoveredMapper {
    let server = FakeDiscovery::new(lists.iter().map(|(version, resources)| list(version, resources)));
    DiscoveredMapper::new(ready(server.server_groups_and_resources()).unwrap())
}
