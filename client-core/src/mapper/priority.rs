//! A choice among several (apimachinery `meta/priority.go`).

use super::{
    error::MapperError,
    interface::{RestMapper, ambiguous, kinds},
    mapping::RestMapping,
    partial::PartialResource,
};
use crate::meta::{GroupKind, GroupVersion, GroupVersionKind, GroupVersionResource};

/// What is preferred: resources, or kinds, with all that it names. apimachinery writes `*` for what is not named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityPattern {
    /// The group, empty for the core group; `None` for any.
    pub group: Option<String>,
    /// The version; `None` for any.
    pub version: Option<String>,
    /// The plural name of the resource, or the kind; `None` for any.
    pub name: Option<String>,
}

impl PriorityPattern {
    /// Everything of this group, in any version.
    #[must_use]
    pub fn of_group(group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..Self::default() }
    }

    /// Everything of this group in this version.
    #[must_use]
    pub fn of_group_version(group_version: &GroupVersion) -> Self {
        Self { version: Some(group_version.version.clone()), ..Self::of_group(group_version.group.as_str()) }
    }

    fn fits(&self, group_version: &GroupVersion, name: &str) -> bool {
        let fits = |wanted: &Option<String>, is: &str| wanted.as_ref().is_none_or(|wanted| wanted == is);
        fits(&self.group, &group_version.group) && fits(&self.version, &group_version.version) && fits(&self.name, name)
    }

    fn fits_resource(&self, resource: &GroupVersionResource) -> bool {
        self.fits(&resource.group_version, &resource.resource)
    }

    fn fits_kind(&self, kind: &GroupVersionKind) -> bool {
        self.fits(&kind.group_version, &kind.kind)
    }
}

/// Takes one of several that another mapper finds: pattern by pattern it leaves those out that do not fit, until one is
/// left. A pattern that none fits is passed over. Where several are left after the last one, the answer is ambiguous.
///
/// A version that the caller names for a kind comes before all patterns.
///
/// ```
/// use porthole_client_core::{
///     mapper::{DefaultMapper, PriorityMapper, PriorityPattern, RestMapper, RestMapping, Scope},
///     meta::GroupVersion,
/// };
///
/// let mut known = DefaultMapper::default();
/// for group in ["a.io", "b.io"] {
///     let version = GroupVersion::new(group, "v1");
///     let (resource, kind) = (version.with_resource("widgets"), version.with_kind("Widget"));
///     known.add(RestMapping { resource, kind, scope: Scope::Namespaced }, "widget");
/// }
/// assert!(known.resource_for(&"widgets".into()).unwrap_err().is_ambiguous());
///
/// let patterns = vec![PriorityPattern::of_group("c.io"), PriorityPattern::of_group("b.io")];
/// let mapper = PriorityMapper::new(known, patterns.clone(), patterns);
/// assert_eq!(mapper.resource_for(&"widgets".into())?.to_string(), "widgets.b.io, version v1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PriorityMapper<M> {
    delegate: M,
    resources: Vec<PriorityPattern>,
    kinds: Vec<PriorityPattern>,
}

impl<M: RestMapper> PriorityMapper<M> {
    /// Chooses among what `delegate` finds: where a resource is wanted by the patterns `resources`, where a kind is wanted, or
    /// the resource of a kind, by `kinds`.
    #[must_use]
    pub fn new(delegate: M, resources: Vec<PriorityPattern>, kinds: Vec<PriorityPattern>) -> Self {
        Self { delegate, resources, kinds }
    }
}

impl<M: RestMapper> RestMapper for PriorityMapper<M> {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.delegate.mappings_for(resource)
    }

    fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        self.delegate.rest_mappings(kind, versions)
    }

    /// Of the resource that is preferred.
    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        let found = self.resource_for(resource)?;
        self.delegate.resource_singularizer(&PartialResource::from(&found))
    }

    fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        let candidates = self.delegate.mappings_for(resource)?;
        let chosen = choose(&candidates, &self.resources, |pattern, mapping| pattern.fits_resource(&mapping.resource)).cloned();
        chosen.ok_or_else(|| ambiguous(resource, candidates))
    }

    fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        let candidates = self.delegate.mappings_for(resource)?;
        let chosen = choose(&kinds(&candidates), &self.kinds, PriorityPattern::fits_kind).cloned();
        chosen.ok_or_else(|| ambiguous(resource, candidates))
    }

    fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        let candidates = self.delegate.rest_mappings(kind, versions)?;
        let named = versions.iter().map(|version| GroupVersion::new(kind.group.as_str(), *version));
        let named: Vec<_> = named.map(|version| PriorityPattern::of_group_version(&version)).collect();
        let patterns = named.iter().chain(&self.kinds);
        let chosen = choose(&candidates, patterns, |pattern, mapping| pattern.fits_kind(&mapping.kind)).cloned();
        chosen.ok_or_else(|| MapperError::AmbiguousKind { kind: kind.clone(), candidates })
    }
}

/// The one that is left of `candidates`.
fn choose<'c, 'p, T>(
    candidates: &'c [T],
    patterns: impl IntoIterator<Item = &'p PriorityPattern>,
    fits: impl Fn(&PriorityPattern, &T) -> bool,
) -> Option<&'c T> {
    let mut left: Vec<&T> = candidates.iter().collect();
    for pattern in patterns {
        if left.len() < 2 {
            break;
        }
        let fitting: Vec<&T> = left.iter().copied().filter(|candidate| fits(pattern, candidate)).collect();
        if !fitting.is_empty() {
            left = fitting;
        }
    }
    match left.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
