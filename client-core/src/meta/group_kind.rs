//! A kind of a group, as apimachinery's `runtime/schema` has it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{GroupVersion, group_resource::split_argument};

/// A kind of a group, whatever the version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupKind {
    /// The group; empty for the core group.
    pub group: String,
    /// The kind, such as `Pod`.
    pub kind: String,
}

impl GroupKind {
    /// This kind in `version`.
    #[must_use]
    pub fn with_version(&self, version: impl Into<String>) -> GroupVersionKind {
        GroupVersionKind::new(self.group.clone(), version, self.kind.clone())
    }
}

/// Reads `Pod` or `Deployment.apps`; what follows the first dot is the group (`ParseGroupKind`).
impl From<&str> for GroupKind {
    fn from(text: &str) -> Self {
        let (kind, group) = text.split_once('.').unwrap_or((text, ""));
        Self { group: group.to_owned(), kind: kind.to_owned() }
    }
}

/// `Pod` for the core group, `Deployment.apps` for others.
impl fmt::Display for GroupKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.kind)?;
        if self.group.is_empty() { Ok(()) } else { write!(formatter, ".{}", self.group) }
    }
}

/// A kind in one version: what an object says that it is, in `apiVersion` and `kind`.
///
/// ```
/// use porthole_client_core::meta::{GroupKind, GroupVersionKind};
///
/// let deployment = GroupVersionKind::new("apps", "v1", "Deployment");
/// assert_eq!(deployment.to_string(), "Deployment.apps, version v1");
/// assert_eq!(deployment.group_kind(), GroupKind::from("Deployment.apps"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupVersionKind {
    /// The group and version.
    pub group_version: GroupVersion,
    /// The kind, such as `Pod`.
    pub kind: String,
}

impl GroupVersionKind {
    /// The kind `kind` of `group`, empty for the core group, in the version `version`.
    #[must_use]
    pub fn new(group: impl Into<String>, version: impl Into<String>, kind: impl Into<String>) -> Self {
        Self { group_version: GroupVersion::new(group, version), kind: kind.into() }
    }

    /// The kind without its version.
    #[must_use]
    pub fn group_kind(&self) -> GroupKind {
        GroupKind { group: self.group_version.group.clone(), kind: self.kind.clone() }
    }
}

/// `Pod, version v1` or `Deployment.apps, version v1`: for messages.
impl fmt::Display for GroupVersionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, version {}", self.group_kind(), self.group_version.version)
    }
}

/// What a person can mean by `text`, such as `Deployment.v1.apps`: a kind in a version, where there are two dots,
/// and a kind of a group, where the version may be a part of the group's name (`ParseKindArg`).
#[must_use]
pub fn parse_kind_argument(text: &str) -> (Option<GroupVersionKind>, GroupKind) {
    let exact = split_argument(text).map(|(kind, version, group)| GroupVersionKind::new(group, version, kind));
    (exact, GroupKind::from(text))
}

/// The kind to use of `offered`, for a caller who wants `wanted` in this order: one that is offered in a wanted
/// version, or else one whose group is wanted, in the wanted version (`GroupVersions.KindForGroupVersionKinds`).
/// `None` where no group fits.
#[must_use]
pub fn preferred_kind(wanted: &[GroupVersion], offered: &[GroupVersionKind]) -> Option<GroupVersionKind> {
    let targets = wanted.iter().filter_map(|wanted| {
        let exact = offered.iter().find(|kind| kind.group_version == *wanted).cloned();
        exact.or_else(|| {
            let same_group = offered.iter().find(|kind| kind.group_version.group == wanted.group)?;
            Some(wanted.with_kind(same_group.kind.clone()))
        })
    });
    let targets: Vec<_> = targets.collect();
    targets.iter().find(|target| offered.contains(target)).or_else(|| targets.first()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn kind(group: &str, kind: &str) -> GroupKind {
        GroupKind { group: group.to_owned(), kind: kind.to_owned() }
    }

    #[test]
    fn a_group_kind_keeps_the_dots_of_its_group() {
        for text in ["Pod", "StatefulSet.apps", "Trigger.eventing.example.io"] {
            assert_eq!(GroupKind::from(text).to_string(), text);
        }
        assert_eq!(GroupKind::from(".StatefulSet"), kind("StatefulSet", ""));
    }

    #[test]
    fn a_kind_with_two_dots_may_name_a_version() {
        for text in ["Pod", ".apps", "Pod.", "StatefulSet.apps"] {
            assert_eq!(parse_kind_argument(text), (None, GroupKind::from(text)), "{text:?}");
        }
        let (exact, loose) = parse_kind_argument("StatefulSet.v1.apps");
        assert_eq!(exact, Some(GroupVersionKind::new("apps", "v1", "StatefulSet")));
        assert_eq!(loose, kind("v1.apps", "StatefulSet"));
    }

    #[test]
    fn the_kind_of_a_wanted_version_is_used_before_another_of_its_group() {
        let wanted = ["batch/v1", "batch/v2alpha1", "policy/v1beta1"].map(|text| text.parse().unwrap());
        for (offered, used) in [
            (GroupVersionKind::new("batch", "v2alpha1", "ScheduledJob"), Some("ScheduledJob.batch, version v2alpha1")),
            (GroupVersionKind::new("batch", "v3alpha1", "CronJob"), Some("CronJob.batch, version v1")),
            (
                GroupVersionKind::new("policy", "v1beta1", "PodDisruptionBudget"),
                Some("PodDisruptionBudget.policy, version v1beta1"),
            ),
            (GroupVersionKind::new("apps", "v1alpha1", "StatefulSet"), None),
        ] {
            assert_eq!(preferred_kind(&wanted, &[offered]).map(|kind| kind.to_string()).as_deref(), used);
        }
    }

    #[test]
    fn a_kind_that_is_offered_is_used_before_one_that_is_made_up() {
        let wanted = ["a/v1", "b/v1"].map(|text| text.parse().unwrap());
        let offered = [GroupVersionKind::new("a", "v2", "Thing"), GroupVersionKind::new("b", "v1", "Thing")];
        assert_eq!(preferred_kind(&wanted, &offered), Some(GroupVersionKind::new("b", "v1", "Thing")));
        assert_eq!(preferred_kind(&wanted, &offered[..1]), Some(GroupVersionKind::new("a", "v1", "Thing")));
    }

    #[test]
    fn a_kind_prints_its_api_version_apart() {
        let pod = GroupVersionKind::new("", "v1", "Pod");
        assert_eq!((pod.group_version.to_string().as_str(), pod.kind.as_str()), ("v1", "Pod"));
        assert_eq!(pod.group_kind().with_version("v1"), pod);
        let none = GroupVersionKind::new("", "", "");
        assert_eq!((none.group_version.to_string().as_str(), none.kind.as_str()), ("", ""));
    }
}
