//! Asking for one thing only (client-go `discovery/helper.go`).

use super::{error::DiscoveryError, interface::Discovery, source::is_not_found};
use crate::meta::{GroupVersion, GroupVersionResource};

/// Makes sure that the server serves this version (client-go `ServerSupportsVersion`).
///
/// Where a server names no version at all, it counts as serving each: some hide their groups from who may not see them.
///
/// # Errors
/// [`DiscoveryError::Unsupported`] where it does not, what went wrong where that cannot be found out, and why this one
/// version could not be reached.
pub async fn server_supports_version(discovery: &dyn Discovery, required: &GroupVersion) -> Result<(), DiscoveryError> {
    let (groups, failed) = discovery.server_groups().await?.partial();
    if let Some(error) = failed.get(required) {
        return Err(error.clone());
    }
    let mut versions = groups.group_versions().peekable();
    if versions.peek().is_none() || versions.any(|version| version == *required) {
        return Ok(());
    }
    Err(DiscoveryError::Unsupported { group_version: required.clone() })
}

/// Whether the server has this resource (client-go `IsResourceEnabled`): one request, and a server without the version
/// has none of its resources.
///
/// # Errors
/// What went wrong, where that cannot be found out.
pub async fn is_resource_enabled(discovery: &dyn Discovery, resource: &GroupVersionResource) -> Result<bool, DiscoveryError> {
    match discovery.server_resources_for_group_version(&resource.group_version).await {
        Ok(list) => Ok(list.resource(&resource.resource).is_some()),
        Err(DiscoveryError::Api(error)) if is_not_found(&error) => Ok(false),
        Err(DiscoveryError::NotCached { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
