//! A group and a version, as apimachinery's `runtime/schema` has them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use thiserror::Error;

use super::{GroupVersionKind, GroupVersionResource};

/// An API group and one of its versions. The core group's name is empty. On the wire it is a text, as an object's `apiVersion`
/// (`metav1.GroupVersion`).
///
/// ```
/// use porthole_client_core::meta::GroupVersion;
///
/// let apps: GroupVersion = "apps/v1".parse()?;
/// assert_eq!((apps.group.as_str(), apps.version.as_str(), apps.path().as_str()), ("apps", "v1", "/apis/apps/v1"));
/// assert_eq!("v1".parse::<GroupVersion>()?.path(), "/api/v1");
/// # Ok::<(), porthole_client_core::meta::ParseGroupVersionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// Refuses a version or group with a slash in it, which would be read back as another one.
impl Serialize for GroupVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.group.contains('/') || self.version.contains('/') {
            return Err(ser::Error::custom(format_args!("the group and version \"{self}\" has a slash too many")));
        }
        self.to_string().serialize(serializer)
    }
}

/// Every text that is written is read, so also one without a version; one with two slashes is refused.
impl<'de> Deserialize<'de> for GroupVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (group, version) = text.split_once('/').unwrap_or(("", &text));
        if version.contains('/') {
            return Err(de::Error::custom(ParseGroupVersionError(text)));
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
    fn a_group_version_is_read_from_json_as_a_text() {
        let read = |json| serde_json::from_str::<GroupVersion>(json);
        for (json, group, version) in [
            (r#""v1""#, "", "v1"),
            (r#""v2""#, "", "v2"),
            (r#""/v1""#, "", "v1"),
            (r#""v1/""#, "v1", ""),
            (r#""v1/a""#, "v1", "a"),
            (r#""apps/v1""#, "apps", "v1"),
            (r#""""#, "", ""),
            (r#""apps/""#, "apps", ""),
        ] {
            assert_eq!(read(json).unwrap(), GroupVersion { group: group.into(), version: version.into() });
        }
        for json in [r#""a/b/c""#, r#""/v1/""#, r#""//""#, "null", "1", r#"{"group":"apps","version":"v1"}"#] {
            assert!(read(json).is_err(), "{json} was read");
        }
    }

    #[test]
    fn a_group_version_is_written_to_json_as_a_text() {
        let write =
            |group: &str, version: &str| serde_json::to_string(&GroupVersion { group: group.into(), version: version.into() });
        assert_eq!(write("", "v1").unwrap(), r#""v1""#);
        assert_eq!(write("apps", "v1").unwrap(), r#""apps/v1""#);
        assert_eq!(write("apps", "").unwrap(), r#""apps/""#);
        for (group, version) in [("a/b", "v1"), ("", "v1/beta"), ("apps", "v/1")] {
            assert!(write(group, version).is_err(), "{group} {version}");
        }
    }

    #[test]
    fn the_core_group_lives_under_api_and_the_rest_under_apis() {
        assert_eq!("v1".parse::<GroupVersion>().unwrap().path(), "/api/v1");
        assert_eq!("apps/v1".parse::<GroupVersion>().unwrap().path(), "/apis/apps/v1");
    }
}
