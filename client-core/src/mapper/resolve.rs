//! What a person means (cli-runtime `resource/builder.go`: `mappingFor`).

use super::{error::MapperError, interface::RestMapper, mapping::RestMapping, partial::PartialResource};
use crate::meta::{GroupResource, GroupVersion, GroupVersionResource, parse_kind_argument, parse_resource_argument};

/// See [`RestMapper::resolve`].
///
/// kubectl finds the kind of a resource and then the resource of the kind, which is another one where two resources have
/// the same kind; here the resource that was named is found. kubectl says that there is nothing where there are several; here
/// the answer says which.
pub(super) fn resolve<M: RestMapper + ?Sized>(mapper: &M, text: &str) -> Result<RestMapping, MapperError> {
    let mut other_error = None;
    for resource in readings(text) {
        match mapper.mapping_for(&resource) {
            Ok(mapping) => return Ok(mapping),
            Err(error) if error.is_no_match() => {}
            Err(error) => other_error = other_error.or(Some(error)),
        }
    }
    let (exact, loose) = parse_kind_argument(text);
    let exact = exact.map(|exact| (exact.group_kind(), exact.group_version.version));
    for (kind, version) in exact.into_iter().chain([(loose, String::new())]) {
        match mapper.rest_mapping(&kind, &[&version]) {
            Ok(mapping) => return Ok(mapping),
            Err(error) if error.is_no_match() => {}
            Err(error) => other_error = other_error.or(Some(error)),
        }
    }
    let name = parse_resource_argument(text).1.resource;
    Err(other_error.unwrap_or_else(|| MapperError::NoResourceMatch { resource: PartialResource::new(name) }))
}

/// The resources that a text can name: with two dots first one in a version, then one whose group has the dots.
pub(super) fn readings(text: &str) -> impl Iterator<Item = PartialResource> {
    let (exact, loose) = parse_resource_argument(text);
    let exact = exact
        .map(|GroupVersionResource { group_version: GroupVersion { group, version }, resource }| named(resource, group, version));
    let GroupResource { group, resource } = loose;
    exact.into_iter().chain([named(resource, group, String::new())])
}

/// What a person leaves empty may be anything.
fn named(resource: String, group: String, version: String) -> PartialResource {
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    PartialResource { resource, group: some(group), version: some(version) }
}

#[cfg(test)]
mod tests;
