//! How a mapping is not found (apimachinery `meta/errors.go`).

use std::fmt;

use thiserror::Error;

use super::{mapping::RestMapping, partial::PartialResource};
use crate::{
    discovery::{DiscoveryError, GroupFailures},
    meta::{GroupKind, GroupVersion},
};

/// What became of a question for a mapping.
///
/// The texts for what is not found are those that kubectl's users know.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum MapperError {
    /// No resource has this name (apimachinery `NoResourceMatchError`).
    #[error("the server doesn't have a resource type {}", Named(resource))]
    NoResourceMatch {
        /// What was looked for.
        resource: PartialResource,
    },
    /// No resource has this kind (apimachinery `NoKindMatchError`).
    #[error("no matches for kind \"{}\" in {}", kind.kind, Places { kind, versions })]
    NoKindMatch {
        /// What was looked for.
        kind: GroupKind,
        /// In which versions; none for any.
        versions: Vec<String>,
    },
    /// Several resources have this name, and nothing says which to take (apimachinery `AmbiguousResourceError`).
    #[error("{resource} matches multiple resources: {}; name one with its group", Resources(candidates))]
    AmbiguousResource {
        /// What was looked for.
        resource: PartialResource,
        /// What it could be.
        candidates: Vec<RestMapping>,
    },
    /// Several resources have this kind, and nothing says which to take (apimachinery `AmbiguousKindError`).
    #[error("{kind} matches multiple kinds: {}; name one with its version", Kinds(candidates))]
    AmbiguousKind {
        /// What was looked for.
        kind: GroupKind,
        /// What it could be.
        candidates: Vec<RestMapping>,
    },
    /// Several resources have this name, and their singular names differ.
    #[error("{resource} has multiple singular names: {}; name one with its group", singulars.join(", "))]
    AmbiguousSingular {
        /// What was looked for.
        resource: PartialResource,
        /// The singular names.
        singulars: Vec<String>,
    },
    /// There is no name to look for.
    #[error("the name of a resource is empty: expected one such as \"pods\" or \"deployments.apps\"")]
    NoName,
    /// Something is not found, and may be in what could not be asked.
    #[error("{miss}, but not all of its API groups answered: {failed}")]
    Incomplete {
        /// What is not found.
        miss: Box<MapperError>,
        /// The versions that could have it, and why they could not be asked.
        failed: GroupFailures,
    },
    /// It is not known what the server has.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
    /// Several mappers were asked, and each has an error of its own.
    #[error("{}", Each(errors))]
    Several {
        /// What became of each.
        errors: Vec<MapperError>,
    },
}

impl MapperError {
    /// Whether what was looked for is not there (apimachinery `IsNoMatchError`), as far as the server could be asked.
    #[must_use]
    pub fn is_no_match(&self) -> bool {
        match self {
            Self::NoResourceMatch { .. } | Self::NoKindMatch { .. } => true,
            Self::Incomplete { miss, .. } => miss.is_no_match(),
            _ => false,
        }
    }

    /// Whether there are several that it could be (apimachinery `IsAmbiguousError`).
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Self::AmbiguousResource { .. } | Self::AmbiguousKind { .. } | Self::AmbiguousSingular { .. })
    }

    /// The errors of several mappers as one: those that say that nothing is there say it once, where no other says more
    /// (apimachinery `collapseAggregateErrors`). `None` where there are none.
    pub(super) fn of_several(mut errors: Vec<Self>) -> Option<Self> {
        if errors.len() > 1 && !errors.iter().all(Self::is_no_match) {
            return Some(Self::Several { errors });
        }
        (!errors.is_empty()).then(|| errors.swap_remove(0))
    }
}

/// `"widgets" in group "example.com" and version "v1"`, as kubectl says it.
struct Named<'a>(&'a PartialResource);

impl fmt::Display for Named<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartialResource { resource, group, version } = self.0;
        write!(formatter, "\"{resource}\"")?;
        let group = group.as_ref().filter(|group| !group.is_empty());
        match (group, version) {
            (Some(group), Some(version)) => write!(formatter, " in group \"{group}\" and version \"{version}\""),
            (Some(group), None) => write!(formatter, " in group \"{group}\""),
            (None, Some(version)) => write!(formatter, " in version \"{version}\""),
            (None, None) => Ok(()),
        }
    }
}

/// `group "apps"`, `version "apps/v1"` or `versions "apps/v1", "apps/v2"`.
struct Places<'a> {
    kind: &'a GroupKind,
    versions: &'a [String],
}

impl fmt::Display for Places<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = &self.kind.group;
        let version = |version: &String| format!("\"{}\"", GroupVersion::new(group.as_str(), version.as_str()));
        let mut versions: Vec<_> = self.versions.iter().map(version).collect();
        versions.sort_unstable();
        versions.dedup();
        match versions.as_slice() {
            [] => write!(formatter, "group \"{group}\""),
            [version] => write!(formatter, "version {version}"),
            several => write!(formatter, "versions {}", several.join(", ")),
        }
    }
}

struct Resources<'a>(&'a [RestMapping]);

impl fmt::Display for Resources<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(formatter, "; ", self.0.iter().map(|mapping| &mapping.resource))
    }
}

struct Kinds<'a>(&'a [RestMapping]);

impl fmt::Display for Kinds<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(formatter, "; ", self.0.iter().map(|mapping| &mapping.kind))
    }
}

struct Each<'a>(&'a [MapperError]);

impl fmt::Display for Each<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(formatter, "; ", self.0.iter())
    }
}

fn listed(formatter: &mut fmt::Formatter<'_>, separator: &str, items: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (index, item) in items.enumerate() {
        let separator = if index == 0 { "" } else { separator };
        write!(formatter, "{separator}{item}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;
    use crate::{
        mapper::testing::{failure, mapping},
        meta::GroupKind,
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn no_resource(resource: PartialResource) -> MapperError {
        MapperError::NoResourceMatch { resource }
    }

    fn no_kind(kind: &str, versions: &[&str]) -> MapperError {
        let versions = versions.iter().map(|version| (*version).to_owned()).collect();
        MapperError::NoKindMatch { kind: GroupKind::from(kind), versions }
    }

    fn candidates() -> Vec<RestMapping> {
        vec![mapping("v1", "services", "Service"), mapping("at.io/v1", "services", "Service")]
    }

    /// What somebody else makes of an error of a mapper.
    #[derive(Debug, Error)]
    #[error("wrapped")]
    struct Wrapped(#[source] MapperError);

    #[test]
    fn each_of_the_four_kinds_of_error_is_what_it_is_also_where_it_is_wrapped() {
        for (error, no_match, ambiguous) in [
            (MapperError::AmbiguousResource { resource: "services".into(), candidates: candidates() }, false, true),
            (MapperError::AmbiguousKind { kind: GroupKind::from("Service"), candidates: candidates() }, false, true),
            (no_resource("foo".into()), true, false),
            (no_kind("Foo", &["foo"]), true, false),
            (failure(), false, false),
            (MapperError::NoName, false, false),
        ] {
            assert_eq!((error.is_no_match(), error.is_ambiguous()), (no_match, ambiguous), "{error}");
            let wrapped = Wrapped(error.clone());
            let inner = wrapped.source().unwrap().downcast_ref::<MapperError>().unwrap();
            assert_eq!((inner.is_no_match(), inner.is_ambiguous()), (no_match, ambiguous), "{error}");
            assert_eq!(std::mem::discriminant(inner), std::mem::discriminant(&error));
            let incomplete = MapperError::Incomplete { miss: Box::new(error), failed: GroupFailures::default() };
            assert_eq!((incomplete.is_no_match(), incomplete.is_ambiguous()), (no_match, false));
        }
    }

    #[test]
    fn what_is_not_found_is_said_as_kubectl_says_it() {
        let foo = PartialResource::new("foo");
        for (resource, place) in [
            (foo.clone(), ""),
            (foo.clone().of_group(""), ""),
            (foo.clone().of_group("g"), " in group \"g\""),
            (foo.clone().in_version("v"), " in version \"v\""),
            (foo.of_group("g").in_version("v"), " in group \"g\" and version \"v\""),
        ] {
            assert_eq!(no_resource(resource).to_string(), format!("the server doesn't have a resource type \"foo\"{place}"));
        }
        for (versions, place) in [
            (&[][..], "group \"apps\""),
            (&["v1"], "version \"apps/v1\""),
            (&["v2", "v1", "v2"], "versions \"apps/v1\", \"apps/v2\""),
        ] {
            assert_eq!(no_kind("Foo.apps", versions).to_string(), format!("no matches for kind \"Foo\" in {place}"));
        }
    }

    #[test]
    fn what_is_ambiguous_says_what_it_could_be_and_what_to_do() {
        let resource = MapperError::AmbiguousResource { resource: "services".into(), candidates: candidates() };
        assert_eq!(
            resource.to_string(),
            "services matches multiple resources: services, version v1; services.at.io, version v1; name one with its group"
        );
        let kind = MapperError::AmbiguousKind { kind: GroupKind::from("Service"), candidates: candidates() };
        assert_eq!(
            kind.to_string(),
            "Service matches multiple kinds: Service, version v1; Service.at.io, version v1; name one with its version"
        );
    }

    #[test]
    fn errors_of_several_mappers_are_one_where_they_say_the_same() {
        assert!(MapperError::of_several(Vec::new()).is_none());
        let miss = || no_resource("foo".into());
        assert!(MapperError::of_several(vec![miss()]).unwrap().is_no_match());
        assert!(matches!(MapperError::of_several(vec![miss(), no_kind("Bar", &[])]), Some(MapperError::NoResourceMatch { .. })));
        let both = MapperError::of_several(vec![miss(), failure()]).unwrap();
        assert!(matches!(&both, MapperError::Several { errors } if errors.len() == 2), "{both}");
        assert!(!both.is_no_match());
    }
}
