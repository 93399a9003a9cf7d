//! Several mappers as one (apimachinery `meta/multirestmapper.go`).

use std::sync::Arc;

use super::{
    error::MapperError,
    interface::{RestMapper, extend_once, no_kind_match, one},
    mapping::RestMapping,
    partial::PartialResource,
};
use crate::meta::GroupKind;

/// Asks several mappers, and takes what they find together.
///
/// One that finds nothing is passed over. An error of another kind is the answer; only [`rest_mapping`](RestMapper::rest_mapping)
/// takes what one mapper finds, whatever becomes of the others.
#[derive(Clone, Default)]
pub struct MultiMapper(Vec<Arc<dyn RestMapper>>);

impl MultiMapper {
    /// The mappers to ask, in this order.
    #[must_use]
    pub fn new(mappers: impl IntoIterator<Item = Arc<dyn RestMapper>>) -> Self {
        Self(mappers.into_iter().collect())
    }

    /// Each mapper's answer, and what went wrong otherwise than by nothing being found.
    pub(super) fn ask_each<T>(&self, question: impl Fn(&dyn RestMapper) -> Result<T, MapperError>) -> (Vec<T>, Vec<MapperError>) {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for mapper in &self.0 {
            match question(mapper) {
                Ok(answer) => found.push(answer),
                Err(error) if error.is_no_match() => {}
                Err(error) => errors.push(error),
            }
        }
        (found, errors)
    }

    /// The first answer; without one, what became of each question, or `None` where there was nobody to ask.
    pub(super) fn first<T>(
        &self,
        question: impl Fn(&dyn RestMapper) -> Result<T, MapperError>,
    ) -> Result<T, Option<MapperError>> {
        let mut errors = Vec::new();
        for mapper in &self.0 {
            match question(mapper) {
                Ok(answer) => return Ok(answer),
                Err(error) => errors.push(error),
            }
        }
        Err(MapperError::of_several(errors))
    }
}

impl RestMapper for MultiMapper {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        let mut all = Vec::new();
        for mapper in &self.0 {
            match mapper.mappings_for(resource) {
                Ok(found) => extend_once(&mut all, found),
                Err(error) if error.is_no_match() => {}
                Err(error) => return Err(error),
            }
        }
        if all.is_empty() { Err(MapperError::NoResourceMatch { resource: resource.clone() }) } else { Ok(all) }
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        let (found, errors) = self.ask_each(|mapper| mapper.rest_mappings(kind, versions));
        if let Some(error) = MapperError::of_several(errors) {
            return Err(error);
        }
        let mut all = Vec::new();
        extend_once(&mut all, found.into_iter().flatten());
        if all.is_empty() { Err(no_kind_match(kind, versions)) } else { Ok(all) }
    }

    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        let (found, errors) = self.ask_each(|mapper| mapper.rest_mapping(kind, versions));
        let mut all = Vec::new();
        extend_once(&mut all, found);
        one(all).map_err(|candidates| {
            if candidates.is_empty() {
                MapperError::of_several(errors).unwrap_or_else(|| no_kind_match(kind, versions))
            } else {
                MapperError::AmbiguousKind { kind: kind.clone(), candidates }
            }
        })
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        let nobody = || MapperError::NoResourceMatch { resource: resource.clone() };
        self.first(|mapper| mapper.resource_singularizer(resource)).map_err(|error| error.unwrap_or_else(nobody))
    }
}

#[cfg(test)]
mod tests;
