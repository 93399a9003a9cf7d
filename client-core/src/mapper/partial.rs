//! What a person says of a resource.

use std::fmt;

use crate::meta::{GroupResource, GroupVersion, GroupVersionResource};

/// A resource, as far as it was named: `pods`, `deployments.apps`, `widgets` of some group in `v1`.
///
/// apimachinery takes a `GroupVersionResource` with empty fields for that, where an empty group may be the core group or
/// any. Here what was not named is `None`, and the group `Some("")` is the core group alone.
///
/// ```
/// use porthole_client_core::{mapper::PartialResource, meta::GroupResource};
///
/// assert_eq!(PartialResource::from("deploy.apps"), PartialResource::new("deploy").of_group("apps"));
/// assert_eq!(PartialResource::from("pods").group, None);
/// assert_eq!(PartialResource::from(&GroupResource::from("pods")).group.as_deref(), Some(""));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartialResource {
    /// Its name: plural, singular or, for a [`ShortcutExpander`](super::ShortcutExpander), short.
    pub resource: String,
    /// Its group or, where no version is named and no group is exactly this, the beginning of its group; `None` for any
    /// group.
    pub group: Option<String>,
    /// Its version; `None` for any.
    pub version: Option<String>,
}

impl PartialResource {
    /// The resource of this name, of any group and in any version.
    #[must_use]
    pub fn new(resource: impl Into<String>) -> Self {
        Self { resource: resource.into(), group: None, version: None }
    }

    /// The same of this group; the empty one is the core group.
    #[must_use]
    pub fn of_group(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }

    /// The same in this version.
    #[must_use]
    pub fn in_version(self, version: impl Into<String>) -> Self {
        Self { version: Some(version.into()), ..self }
    }

    /// Whether it is named so completely that its group is not the beginning of another's.
    pub(super) fn has_exact_group(&self) -> bool {
        self.version.is_some() || self.group.as_deref() == Some("")
    }

    /// Whether this version of a group could have it.
    pub(super) fn could_be_in(&self, version: &GroupVersion) -> bool {
        let group = match &self.group {
            None => true,
            Some(group) if self.has_exact_group() => version.group == *group,
            Some(group) => version.group.starts_with(group),
        };
        group && self.is_in_version(&version.version)
    }

    /// Whether `version` is its version.
    pub(super) fn is_in_version(&self, version: &str) -> bool {
        self.version.as_ref().is_none_or(|wanted| wanted == version)
    }
}

/// Reads `pods` or `deployments.apps`; what follows the first dot is the group, and none is any.
impl From<&str> for PartialResource {
    fn from(text: &str) -> Self {
        let GroupResource { group, resource } = GroupResource::from(text);
        Self { resource, group: Some(group).filter(|group| !group.is_empty()), version: None }
    }
}

/// This resource of this group, in any version.
impl From<&GroupResource> for PartialResource {
    fn from(resource: &GroupResource) -> Self {
        Self::new(resource.resource.as_str()).of_group(resource.group.as_str())
    }
}

/// This resource and no other.
impl From<&GroupVersionResource> for PartialResource {
    fn from(resource: &GroupVersionResource) -> Self {
        let GroupVersion { group, version } = &resource.group_version;
        Self::new(resource.resource.as_str()).of_group(group.as_str()).in_version(version.as_str())
    }
}

/// `pods`, `deployments.apps` or `deployments.apps, version v1`: for messages.
impl fmt::Display for PartialResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.resource)?;
        if let Some(group) = self.group.as_ref().filter(|group| !group.is_empty()) {
            write!(formatter, ".{group}")?;
        }
        self.version.as_ref().map_or(Ok(()), |version| write!(formatter, ", version {version}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_text_names_a_resource_and_perhaps_a_group() {
        assert_eq!(PartialResource::from("pods"), PartialResource::new("pods"));
        assert_eq!(PartialResource::from("pods."), PartialResource::new("pods"));
        let widgets = PartialResource::from("widgets.example.com");
        assert_eq!(widgets, PartialResource::new("widgets").of_group("example.com"));
        assert_eq!(widgets.in_version("v1").to_string(), "widgets.example.com, version v1");
        assert_eq!(PartialResource::new("pods").of_group("").in_version("v1").to_string(), "pods, version v1");
    }

    #[test]
    fn a_resource_that_is_known_names_its_group_also_where_it_is_the_core_group() {
        let exact = GroupVersionResource::new("", "v1", "pods");
        assert_eq!(PartialResource::from(&exact), PartialResource::new("pods").of_group("").in_version("v1"));
        assert_eq!(PartialResource::from(&exact.group_resource()), PartialResource::new("pods").of_group(""));
    }

    #[test]
    fn a_version_of_a_group_could_have_what_is_not_named_otherwise() {
        let any = PartialResource::new("pods");
        for (resource, metrics, core) in [
            (any.clone(), true, true),
            (any.clone().of_group("metrics"), true, false),
            (any.clone().of_group("metrics.k8s.io"), true, false),
            (any.clone().of_group("metrics").in_version("v1"), false, false),
            (any.clone().of_group("metrics.k8s.io").in_version("v1"), true, false),
            (any.clone().of_group(""), false, true),
            (any.clone().in_version("v1"), true, true),
            (any.clone().in_version("v2"), false, false),
        ] {
            let could_be_in = ["metrics.k8s.io/v1", "v1"].map(|version| resource.could_be_in(&version.parse().unwrap()));
            assert_eq!(could_be_in, [metrics, core], "{resource:?}");
        }
    }
}
