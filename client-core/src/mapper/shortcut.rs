//! Short names (client-go `restmapper/shortcut.go`).

use std::sync::Arc;

use super::{
    error::MapperError,
    interface::{RestMapper, extend_once},
    mapping::RestMapping,
    partial::PartialResource,
};
use crate::{
    discovery::{ApiResource, ApiResourceList},
    meta::{GroupKind, GroupResource, GroupVersion, GroupVersionKind},
    rest::WarningHandler,
};

/// Takes short names as well: `po` and `deploy.apps` become `pods` and `deployments.apps` before another mapper is asked.
///
/// A plural or singular name comes before a short one. Of several resources with one short name the first that the server
/// lists is taken, and the others are told of, once something was found. Short names are told apart by case.
///
/// client-go forgets the version that stands beside a short name, so that `hpa.v1.autoscaling` means whatever version is
/// preferred; here it stays.
#[derive(Clone)]
pub struct ShortcutExpander<M> {
    delegate: M,
    lists: Vec<Arc<ApiResourceList>>,
    warnings: Option<Arc<dyn WarningHandler>>,
}

impl<M: RestMapper> ShortcutExpander<M> {
    /// Asks `delegate`, with the short names of these resources, which are in the server's order.
    #[must_use]
    pub fn new(delegate: M, lists: Vec<Arc<ApiResourceList>>) -> Self {
        Self { delegate, lists, warnings: None }
    }

    /// The same, telling `handler`, in client-go's words, of each resource that a short name could also have meant.
    #[must_use]
    pub fn with_warnings(self, handler: impl WarningHandler) -> Self {
        Self { warnings: Some(Arc::new(handler)), ..self }
    }

    /// The resource with its plural name, where it is a short one that this one is; otherwise as it is.
    #[must_use]
    pub fn expand(&self, resource: &PartialResource) -> PartialResource {
        self.long_names(resource).first().map_or_else(|| resource.clone(), |long| expanded(resource, long))
    }

    /// What a short name could mean, the first being what it does mean; none where it is not a short name.
    fn long_names(&self, resource: &PartialResource) -> Vec<GroupResource> {
        let is_group = |group: &str| resource.group.as_ref().is_none_or(|wanted| wanted == group);
        let is_name = |found: &ApiResource| found.name == resource.resource || found.singular_name == resource.resource;
        let all = || self.lists.iter().flat_map(|list| list.resources.iter().map(|found| (&list.group_version, found)));
        if all().any(|(version, found)| is_group(&version.group) && is_name(found)) {
            return Vec::new();
        }
        let with_short_name = |is_group: &dyn Fn(&str) -> bool| {
            let found =
                all().filter(|(version, found)| is_group(&version.group) && found.short_names.contains(&resource.resource));
            let mut names = Vec::new();
            extend_once(&mut names, found.map(|(version, found)| group_resource(version, found)));
            names
        };
        let mut names = with_short_name(&is_group);
        if let Some(beginning) = resource.group.as_ref().filter(|group| names.is_empty() && !group.is_empty()) {
            // So that `hpa.auto` is `horizontalpodautoscalers.autoscaling`. What else begins so is not worth a word.
            names = with_short_name(&|group| group.starts_with(beginning));
            names.truncate(1);
        }
        names
    }

    fn ask<T>(
        &self,
        resource: &PartialResource,
        question: impl Fn(&M, &PartialResource) -> Result<T, MapperError>,
    ) -> Result<T, MapperError> {
        let names = self.long_names(resource);
        let Some((long, others)) = names.split_first() else { return question(&self.delegate, resource) };
        let answer = question(&self.delegate, &expanded(resource, long))?;
        if let Some(warn) = &self.warnings {
            for other in others {
                warn(&format!("short name \"{}\" could also match lower priority resource {other}", resource.resource));
            }
        }
        Ok(answer)
    }
}

fn group_resource(version: &GroupVersion, found: &ApiResource) -> GroupResource {
    GroupResource { group: version.group.clone(), resource: found.name.clone() }
}

/// This resource under its long name, in the version that was named.
fn expanded(resource: &PartialResource, long: &GroupResource) -> PartialResource {
    PartialResource { version: resource.version.clone(), ..PartialResource::from(long) }
}

impl<M: RestMapper> RestMapper for ShortcutExpander<M> {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.ask(resource, M::mappings_for)
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        self.delegate.rest_mappings(kind, versions)
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        self.ask(resource, M::resource_singularizer)
    }

    fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        self.ask(resource, M::mapping_for)
    }

    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        self.delegate.rest_mapping(kind, versions)
    }

    fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        self.ask(resource, M::kind_for)
    }
}

#[cfg(test)]
mod tests;
