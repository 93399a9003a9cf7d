//! How discovery can fail.

use std::{collections::BTreeMap, fmt};

use thiserror::Error;

use crate::{meta::GroupVersion, rest::ApiError};

/// What is the matter with a stale version.
pub(super) const STALE: &str = "the server that answers for this group cannot be reached";

/// What became of a question about what a server has.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// The server did not answer, or said no.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// Some versions could not be asked (client-go `ErrGroupDiscoveryFailed`).
    #[error("the list of what the server has is not complete: {0}")]
    Groups(GroupFailures),
    /// The aggregating server could not reach the one that serves this version (client-go `StaleGroupVersionError`).
    #[error("{}", STALE)]
    Stale,
    /// The answer names no resource (client-go memory cache `emptyResponseError`).
    #[error("the server has no resource in this version")]
    Empty,
    /// The cache is up to date and has no such version (client-go memory cache `ErrCacheNotFound`).
    #[error("the server had no {group_version} when it was asked; invalidate the cache to ask again")]
    NotCached {
        /// What was looked for.
        group_version: GroupVersion,
    },
    /// The server does not serve this version.
    #[error("the server does not support API version \"{group_version}\"")]
    Unsupported {
        /// What was required.
        group_version: GroupVersion,
    },
}

impl DiscoveryError {
    /// Which versions could not be asked, where that is what failed (client-go `GroupDiscoveryFailedErrorGroups`).
    #[must_use]
    pub fn groups(&self) -> Option<&GroupFailures> {
        match self {
            Self::Groups(failures) => Some(failures),
            _ => None,
        }
    }
}

/// The versions that could not be asked, and why.
#[derive(Clone, Debug, Default)]
pub struct GroupFailures(BTreeMap<GroupVersion, DiscoveryError>);

impl GroupFailures {
    /// Whether nothing failed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many versions failed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Why this version could not be asked, where it could not.
    #[must_use]
    pub fn get(&self, group_version: &GroupVersion) -> Option<&DiscoveryError> {
        self.0.get(group_version)
    }

    /// The versions and why they could not be asked, by group and version.
    pub fn iter(&self) -> impl Iterator<Item = (&GroupVersion, &DiscoveryError)> {
        self.0.iter()
    }
}

impl FromIterator<(GroupVersion, DiscoveryError)> for GroupFailures {
    fn from_iter<I: IntoIterator<Item = (GroupVersion, DiscoveryError)>>(failures: I) -> Self {
        Self(failures.into_iter().collect())
    }
}

impl Extend<(GroupVersion, DiscoveryError)> for GroupFailures {
    fn extend<I: IntoIterator<Item = (GroupVersion, DiscoveryError)>>(&mut self, failures: I) {
        self.0.extend(failures);
    }
}

impl IntoIterator for GroupFailures {
    type Item = (GroupVersion, DiscoveryError);
    type IntoIter = std::collections::btree_map::IntoIter<GroupVersion, DiscoveryError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// `metrics.k8s.io/v1beta1: why, policy/v1: why`.
impl fmt::Display for GroupFailures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (group_version, error)) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(formatter, "{separator}{group_version}: {error}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_message_names_every_version_that_failed() {
        let failures: GroupFailures = [("policy/v1", DiscoveryError::Empty), ("metrics.k8s.io/v1beta1", DiscoveryError::Stale)]
            .map(|(version, error)| (version.parse().unwrap(), error))
            .into_iter()
            .collect();
        let error = DiscoveryError::Groups(failures);
        assert_eq!(
            error.to_string(),
            "the list of what the server has is not complete: \
             metrics.k8s.io/v1beta1: the server that answers for this group cannot be reached, \
             policy/v1: the server has no resource in this version"
        );
        assert_eq!(error.groups().map(GroupFailures::len), Some(2));
        assert!(DiscoveryError::Stale.groups().is_none());
    }
}
