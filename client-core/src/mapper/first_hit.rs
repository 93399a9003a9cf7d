//! Several mappers, one after the other (apimachinery `meta/firsthit_restmapper.go`).

use std::sync::Arc;

use super::{
    error::MapperError,
    interface::{RestMapper, no_kind_match},
    mapping::RestMapping,
    multi::MultiMapper,
    partial::PartialResource,
};
use crate::meta::{GroupKind, GroupVersionKind};

/// A [`MultiMapper`] that takes the first answer, where one is wanted: whoever is asked first decides.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     mapper::{DefaultMapper, FirstHitMapper, RestMapper, RestMapping, Scope},
///     meta::GroupVersion,
/// };
///
/// let knows_widgets = |group: &str| {
///     let version = GroupVersion::new(group, "v1");
///     let mut mapper = DefaultMapper::new([version.clone()]);
///     let (resource, kind) = (version.with_resource("widgets"), version.with_kind("Widget"));
///     mapper.add(RestMapping { resource, kind, scope: Scope::Namespaced }, "widget");
///     Arc::new(mapper) as Arc<dyn RestMapper>
/// };
/// let mapper = FirstHitMapper::new(["a.io", "b.io"].map(knows_widgets));
/// assert_eq!(mapper.resource_for(&"widgets".into())?.group_version.group, "a.io");
/// assert_eq!(mapper.resources_for(&"widgets".into())?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct FirstHitMapper(MultiMapper);

impl FirstHitMapper {
    /// The mappers to ask, in this order.
    #[must_use]
    pub fn new(mappers: impl IntoIterator<Item = Arc<dyn RestMapper>>) -> Self {
        Self(MultiMapper::new(mappers))
    }
}

impl RestMapper for FirstHitMapper {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.0.mappings_for(resource)
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        self.0.rest_mappings(kind, versions)
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        self.0.resource_singularizer(resource)
    }

    fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        self.0.first(|mapper| mapper.mapping_for(resource)).map_err(|error| error.unwrap_or_else(|| no_match(resource)))
    }

    fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        self.0.first(|mapper| mapper.kind_for(resource)).map_err(|error| error.unwrap_or_else(|| no_match(resource)))
    }

    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        let nobody = || no_kind_match(kind, versions);
        self.0.first(|mapper| mapper.rest_mapping(kind, versions)).map_err(|error| error.unwrap_or_else(nobody))
    }
}

fn no_match(resource: &PartialResource) -> MapperError {
    MapperError::NoResourceMatch { resource: resource.clone() }
}
