//! Groups, versions and resources, as apimachinery's `runtime/schema` has them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An API group and one of its versions. The core group's name is empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupVersion {
    /// The group; empty for the core group.
    pub group: String,
    /// The version, such as `v1`.
    pub version: String,
}

impl GroupVersion {
    /// The path the server has this group and version under: `/api/v1`, or `/apis/<group>/<version>`.
    #[must_use]
    pub fn path(&self) -> String {
        if self.group.is_empty() { format!("/api/{}", self.version) } else { format!("/apis/{}/{}", self.group, self.version) }
    }
}

/// `v1` for the core group, `apps/v1` for others.
impl fmt::Display for GroupVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            formatter.write_str(&self.version)
        } else {
            write!(formatter, "{}/{}", self.group, self.version)
        }
    }
}

/// A text that names no group and version.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is not a group and version: expected \"v1\" or \"apps/v1\"")]
pub struct ParseGroupVersionError(String);

impl FromStr for GroupVersion {
    type Err = ParseGroupVersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (group, version) = text.split_once('/').unwrap_or(("", text));
        if version.is_empty() || version.contains('/') || (group.is_empty() && text.contains('/')) {
            return Err(ParseGroupVersionError(text.to_owned()));
        }
        Ok(Self { group: group.to_owned(), version: version.to_owned() })
    }
}

/// A resource of a group, whatever the version: the identity of a kind of object everywhere in Porthole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupResource {
    /// The group; empty for the core group.
    pub group: String,
    /// The plural name in the URL, such as `pods`.
    pub resource: String,
}

/// `pods` for the core group, `deployments.apps` for others.
impl fmt::Display for GroupResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            formatter.write_str(&self.resource)
        } else {
            write!(formatter, "{}.{}", self.resource, self.group)
        }
    }
}

impl From<&str> for GroupResource {
    fn from(text: &str) -> Self {
        let (resource, group) = text.split_once('.').unwrap_or((text, ""));
        Self { group: group.to_owned(), resource: resource.to_owned() }
    }
}

/// A resource in one version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupVersionResource {
    /// The group and version.
    pub group_version: GroupVersion,
    /// The plural name in the URL.
    pub resource: String,
}

impl GroupVersionResource {
    /// The resource without its version.
    #[must_use]
    pub fn group_resource(&self) -> GroupResource {
        GroupResource { group: self.group_version.group.clone(), resource: self.resource.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_version_reads_and_prints_alike() {
        for text in ["v1", "apps/v1", "eventing.example.io/v1alpha1"] {
            assert_eq!(text.parse::<GroupVersion>().unwrap().to_string(), text);
        }
        for text in ["", "/v1", "apps/", "a/b/c"] {
            assert!(text.parse::<GroupVersion>().is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn the_core_group_lives_under_api_and_the_rest_under_apis() {
        assert_eq!("v1".parse::<GroupVersion>().unwrap().path(), "/api/v1");
        assert_eq!("apps/v1".parse::<GroupVersion>().unwrap().path(), "/apis/apps/v1");
    }

    #[test]
    fn a_group_resource_keeps_the_dots_of_its_group() {
        for text in ["pods", "deployments.apps", "triggers.eventing.example.io"] {
            assert_eq!(GroupResource::from(text).to_string(), text);
        }
    }
}
