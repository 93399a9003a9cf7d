//! What all mappers have in common (apimachinery `meta.RESTMapper`).

use std::sync::Arc;

use super::{error::MapperError, mapping::RestMapping, partial::PartialResource, resolve};
use crate::{
    meta::{GroupKind, GroupVersionKind, GroupVersionResource},
    platform::{MaybeSend, MaybeSync},
};

/// Finds the resources of names and kinds, at once and without asking anyone.
///
/// ```
/// use porthole_client_core::{
///     mapper::{DefaultMapper, RestMapper, RestMapping, Scope},
///     meta::{GroupVersionKind, GroupVersionResource},
/// };
///
/// let mut mapper = DefaultMapper::default();
/// let mapping = RestMapping {
///     resource: GroupVersionResource::new("apps", "v1", "deployments"),
///     kind: GroupVersionKind::new("apps", "v1", "Deployment"),
///     scope: Scope::Namespaced,
/// };
/// mapper.add(mapping.clone(), "deployment");
/// for text in ["deployments", "deployment", "deployments.v1.apps", "Deployment.apps"] {
///     assert_eq!(mapper.resolve(text)?, mapping);
/// }
/// assert!(mapper.resolve("widgets").unwrap_err().is_no_match());
/// # Ok::<(), porthole_client_core::mapper::MapperError>(())
/// ```
///
/// Three questions are a mapper's own: for a name, for a kind, and for a singular. The others follow from them, and a mapper
/// that has a way to choose among several answers has its own for those that ask for one. A list that is found is never empty.
///
/// # Errors
/// Every question fails with [`MapperError::NoResourceMatch`] or [`MapperError::NoKindMatch`] where nothing is found,
/// and one for a name with [`MapperError::NoName`] where that is empty. Those for one answer fail with
/// [`MapperError::AmbiguousResource`] or [`MapperError::AmbiguousKind`], which list what there is, where there are several.
pub trait RestMapper: MaybeSend + MaybeSync {
    /// The resources that this could be, those first that are preferred.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError>;

    /// The resources of a kind: in all preferred versions or, where versions are named, in the first of them that has it.
    /// An empty version is passed over. A kind may also be written in lower case.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError>;

    /// The singular name of a resource: `pod` for `pods`.
    ///
    /// # Errors
    /// Also [`MapperError::AmbiguousSingular`], where several resources could be meant that do not have the same one.
    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError>;

    /// The resource that this is.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        one(self.mappings_for(resource)?).map_err(|candidates| ambiguous(resource, candidates))
    }

    /// The resource to use for a kind: of [`rest_mappings`](Self::rest_mappings) the first.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        let first = self.rest_mappings(kind, versions)?.into_iter().next();
        first.ok_or_else(|| no_kind_match(kind, versions))
    }

    /// The resources that this could be, those first that are preferred.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn resources_for(&self, resource: &PartialResource) -> Result<Vec<GroupVersionResource>, MapperError> {
        Ok(self.mappings_for(resource)?.into_iter().map(|mapping| mapping.resource).collect())
    }

    /// The resource that this is.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn resource_for(&self, resource: &PartialResource) -> Result<GroupVersionResource, MapperError> {
        Ok(self.mapping_for(resource)?.resource)
    }

    /// The kinds of the resources that this could be, each once, those first that are preferred.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn kinds_for(&self, resource: &PartialResource) -> Result<Vec<GroupVersionKind>, MapperError> {
        Ok(kinds(&self.mappings_for(resource)?))
    }

    /// The kind of the resource that this is.
    ///
    /// # Errors
    /// See [`RestMapper`].
    fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        let candidates = self.mappings_for(resource)?;
        one(kinds(&candidates)).map_err(|_kinds| ambiguous(resource, candidates))
    }

    /// What a person means by `text`, which may be all that kubectl takes: `pods`, `pod`, `deployments.apps`,
    /// `deployments.v1.apps`, `Pod`, `Deployment.v1.apps`; and `po` or `deploy.apps`, where the mapper knows short names
    /// (cli-runtime `resource/builder.go`: `mappingFor`).
    ///
    /// # Errors
    /// [`MapperError::NoResourceMatch`] with kubectl's own text where it is neither a name nor a kind.
    fn resolve(&self, text: &str) -> Result<RestMapping, MapperError> {
        resolve::resolve(self, text)
    }
}

/// The only one; all, where there are several.
pub(super) fn one<T>(mut candidates: Vec<T>) -> Result<T, Vec<T>> {
    match candidates.pop() {
        Some(last) if candidates.is_empty() => Ok(last),
        last => {
            candidates.extend(last);
            Err(candidates)
        }
    }
}

/// The kinds of these mappings, each once.
pub(super) fn kinds(mappings: &[RestMapping]) -> Vec<GroupVersionKind> {
    let mut kinds = Vec::new();
    extend_once(&mut kinds, mappings.iter().map(|mapping| mapping.kind.clone()));
    kinds
}

/// Adds what is not there yet.
pub(super) fn extend_once<T: PartialEq>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for item in more {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}

/// The error for a resource that could be any of these; for none, that there is none.
pub(super) fn ambiguous(resource: &PartialResource, candidates: Vec<RestMapping>) -> MapperError {
    let resource = resource.clone();
    if candidates.is_empty() {
        MapperError::NoResourceMatch { resource }
    } else {
        MapperError::AmbiguousResource { resource, candidates }
    }
}

/// The error for a kind that is not there.
pub(super) fn no_kind_match(kind: &GroupKind, versions: &[&str]) -> MapperError {
    MapperError::NoKindMatch { kind: kind.clone(), versions: versions.iter().map(|version| (*version).to_owned()).collect() }
}

/// A shared mapper answers all questions as the mapper does.
impl<M: RestMapper + ?Sized> RestMapper for Arc<M> {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        (**self).mappings_for(resource)
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        (**self).rest_mappings(kind, versions)
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        (**self).resource_singularizer(resource)
    }

    fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        (**self).mapping_for(resource)
    }

    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        (**self).rest_mapping(kind, versions)
    }

    fn resources_for(&self, resource: &PartialResource) -> Result<Vec<GroupVersionResource>, MapperError> {
        (**self).resources_for(resource)
    }

    fn resource_for(&self, resource: &PartialResource) -> Result<GroupVersionResource, MapperError> {
        (**self).resource_for(resource)
    }

    fn kinds_for(&self, resource: &PartialResource) -> Result<Vec<GroupVersionKind>, MapperError> {
        (**self).kinds_for(resource)
    }

    fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        (**self).kind_for(resource)
    }

    fn resolve(&self, text: &str) -> Result<RestMapping, MapperError> {
        (**self).resolve(text)
    }
}
