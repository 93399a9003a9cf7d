//! A group and a version, as apimachinery's `runtime/schema` has them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{GroupVersionKind, GroupVersionResource};

/// An API group and one of its versions. The core group's name is empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupVersion {
    /// The group; empty for the core group.
    pub group: String,
    /// The version, such as `v1`.
    pub version: String,
}

impl GroupVersion {
    /// The group `group`, empty for the core group, in the version `version`.
    #[must_use]
    pub fn new(group: impl Into<String>, version: impl Into<String>) -> Self {
        Self { group: group.into(), version: version.into() }
    }

    /// The kind `kind` of this group and version.
    #[must_use]
    pub fn with_kind(&self, kind: impl Into<String>) -> GroupVersionKind {
        GroupVersionKind { group_version: self.clone(), kind: kind.into() }
    }

    /// The resource `resource` of this group and version.
    #[must_use]
    pub fn with_resource(&self, resource: impl Into<String>) -> GroupVersionResource {
        GroupVersionResource { group_version: self.clone(), resource: resource.into() }
    }

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

/// Reads what an object has as its `apiVersion`. Stricter than apimachinery's `ParseGroupVersion`, which reads a
/// missing group or version as an empty one.
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

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_group_version_reads_and_prints_alike() {
        for text in ["v1", "v2", "apps/v1", "v1/a", "eventing.example.io/v1alpha1"] {
            assert_eq!(text.parse::<GroupVersion>().unwrap().to_string(), text);
        }
        for text in ["", "/", "/v1", "apps/", "a/b/c", "/v1/"] {
            let error = text.parse::<GroupVersion>().unwrap_err().to_string();
            assert_eq!(error, format!("\"{text}\" is not a group and version: expected \"v1\" or \"apps/v1\""));
        }
    }

    #[test]
    fn the_core_group_lives_under_api_and_the_rest_under_apis() {
        assert_eq!("v1".parse::<GroupVersion>().unwrap().path(), "/api/v1");
        assert_eq!("apps/v1".parse::<GroupVersion>().unwrap().path(), "/apis/apps/v1");
    }
}
