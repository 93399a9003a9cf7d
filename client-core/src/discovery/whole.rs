//! All resources of a server, however it tells of them.

use std::sync::Arc;

use super::{
    discovered::Discovered,
    error::DiscoveryError,
    interface::{Discovery, GroupsAndResources},
    legacy::ask_each,
    preferred::preferred,
    resource::ApiResourceList,
};

/// The groups and the resources of all their versions (client-go `ServerGroupsAndResources`): from one answer, where that
/// held both, and else version by version.
pub(super) async fn groups_and_resources<D: Discovery + ?Sized>(
    discovery: &D,
) -> Result<Discovered<GroupsAndResources>, DiscoveryError> {
    let (listing, mut failed) = discovery.groups_and_maybe_resources().await?.partial();
    let groups = listing.groups;
    if let Some(resources) = listing.resources {
        return Ok(Discovered::new(GroupsAndResources { groups, resources }, failed));
    }
    let question = |version| async move { discovery.server_resources_for_group_version(&version).await };
    let mut resources = Vec::new();
    for (version, answer) in ask_each(groups.group_versions(), discovery.at_once(), question).await {
        match answer {
            Ok(list) => resources.push(list),
            Err(error) => failed.extend([(version, error)]),
        }
    }
    Ok(Discovered::new(GroupsAndResources { groups, resources }, failed))
}

/// The preferred resources, as lists; without those that would be empty.
pub(super) fn preferred_lists(found: &GroupsAndResources) -> Vec<ApiResourceList> {
    preferred::<Arc<ApiResourceList>>(&found.groups.groups, &found.resources)
        .into_iter()
        .filter(|(_, resources)| !resources.is_empty())
        .map(|(version, resources)| ApiResourceList::new(version.clone(), resources.into_iter().cloned().collect()))
        .collect()
}
