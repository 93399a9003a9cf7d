//! A resource of a group, as apimachinery's `runtime/schema` has it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::GroupVersion;

/// A resource of a group, whatever the version: the identity of a kind of object everywhere in Porthole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupResource {
    /// The group; empty for the core group.
    pub group: String,
    /// The plural name in the URL, such as `pods`.
    pub resource: String,
}

impl GroupResource {
    /// This resource in `version`.
    #[must_use]
    pub fn with_version(&self, version: impl Into<String>) -> GroupVersionResource {
        GroupVersionResource::new(self.group.clone(), version, self.resource.clone())
    }
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

/// Reads `pods` or `deployments.apps`; what follows the first dot is the group (`ParseGroupResource`).
impl From<&str> for GroupResource {
    fn from(text: &str) -> Self {
        let (resource, group) = text.split_once('.').unwrap_or((text, ""));
        Self { group: group.to_owned(), resource: resource.to_owned() }
    }
}

/// A resource in one version: what a request is for. A kind is something else, and a mapper finds the one of the other.
///
/// ```
/// use porthole_client_core::meta::{GroupResource, GroupVersionResource};
///
/// let deployments = GroupVersionResource::new("apps", "v1", "deployments");
/// assert_eq!(deployments.to_string(), "deployments.apps, version v1");
/// assert_eq!(deployments.group_resource(), GroupResource::from("deployments.apps"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupVersionResource {
    /// The group and version.
    pub group_version: GroupVersion,
    /// The plural name in the URL.
    pub resource: String,
}

impl GroupVersionResource {
    /// The resource `resource` of `group`, empty for the core group, in the version `version`.
    #[must_use]
    pub fn new(group: impl Into<String>, version: impl Into<String>, resource: impl Into<String>) -> Self {
        Self { group_version: GroupVersion::new(group, version), resource: resource.into() }
    }

    /// The resource without its version.
    #[must_use]
    pub fn group_resource(&self) -> GroupResource {
        GroupResource { group: self.group_version.group.clone(), resource: self.resource.clone() }
    }
}

/// `pods, version v1` or `deployments.apps, version v1`: for messages.
impl fmt::Display for GroupVersionResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, version {}", self.group_resource(), self.group_version.version)
    }
}

/// What a person can mean by `text`, such as `deployments.v1.apps`: a resource in a version, where there are two
/// dots, and a resource of a group, where the version may be a part of the group's name (`ParseResourceArg`).
#[must_use]
pub fn parse_resource_argument(text: &str) -> (Option<GroupVersionResource>, GroupResource) {
    let exact = split_argument(text).map(|(resource, version, group)| GroupVersionResource::new(group, version, resource));
    (exact, GroupResource::from(text))
}

/// `name.version.group`, where there are two dots.
pub(super) fn split_argument(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once('.')?;
    let (version, group) = rest.split_once('.')?;
    Some((name, version, group))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn resource(group: &str, resource: &str) -> GroupResource {
        GroupResource { group: group.to_owned(), resource: resource.to_owned() }
    }

    #[test]
    fn a_group_resource_keeps_the_dots_of_its_group() {
        for text in ["v1", "pods", "deployments.apps", "triggers.eventing.example.io"] {
            assert_eq!(GroupResource::from(text).to_string(), text);
        }
        assert_eq!(GroupResource::from("v1"), resource("", "v1"));
        assert_eq!(GroupResource::from("v1.a"), resource("a", "v1"));
        assert_eq!(GroupResource::from("b.v1.a"), resource("v1.a", "b"));
        assert_eq!(GroupResource::from(".v1"), resource("v1", ""));
        assert_eq!(GroupResource::from("v1."), resource("", "v1"));
    }

    #[test]
    fn an_argument_with_two_dots_may_name_a_version() {
        for text in ["v1", ".v1", "v1.", "v1.a"] {
            assert_eq!(parse_resource_argument(text), (None, GroupResource::from(text)), "{text:?}");
        }
        let (exact, loose) = parse_resource_argument("widgets.v1.example.com");
        assert_eq!(exact, Some(GroupVersionResource::new("example.com", "v1", "widgets")));
        assert_eq!(loose, resource("v1.example.com", "widgets"));
    }
}
