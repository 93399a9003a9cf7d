//! Discovery group by group, for servers that do not aggregate (client-go `discovery_client.go`).

use futures::{StreamExt as _, stream};
use serde::Deserialize;

use super::catalog::{FailedVersion, Part, Resource, add_version};
use crate::{
    meta::{GroupVersion, GroupVersionResource},
    rest::{ApiError, RestClient},
};

/// How many groups are asked at once: a browser has six connections in all.
const AT_ONCE: usize = 2;

#[derive(Deserialize)]
struct Versions {
    #[serde(default)]
    versions: Vec<String>,
}

#[derive(Deserialize)]
struct GroupList {
    #[serde(default)]
    groups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    #[serde(default)]
    versions: Vec<VersionOfGroup>,
    #[serde(default)]
    preferred_version: Option<VersionOfGroup>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct VersionOfGroup {
    group_version: String,
}

#[derive(Deserialize)]
struct ResourceList {
    #[serde(default)]
    resources: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: String,
    #[serde(default)]
    singular_name: String,
    #[serde(default)]
    namespaced: bool,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    verbs: Vec<String>,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
}

/// The versions in the answer of `/api`.
pub(super) fn core_versions(body: &[u8]) -> Result<Vec<GroupVersion>, serde_json::Error> {
    let list: Versions = serde_json::from_slice(body)?;
    Ok(list.versions.into_iter().map(|version| GroupVersion { group: String::new(), version }).collect())
}

/// The versions in the answer of `/apis`, each group's preferred one first.
pub(super) fn group_versions(body: &[u8]) -> Result<Vec<GroupVersion>, serde_json::Error> {
    let list: GroupList = serde_json::from_slice(body)?;
    let mut found = Vec::new();
    for group in list.groups {
        for version in group.preferred_version.into_iter().chain(group.versions) {
            if let Ok(group_version) = version.group_version.parse::<GroupVersion>()
                && !found.contains(&group_version)
            {
                found.push(group_version);
            }
        }
    }
    Ok(found)
}

/// Asks each version for its resources. One that fails is named; the others are kept.
pub(super) async fn ask(client: &RestClient, versions: Vec<GroupVersion>) -> Part {
    let answers: Vec<_> = stream::iter(versions)
        .map(|group_version| async move {
            let answer = resources_of(client, &group_version).await;
            (group_version, answer)
        })
        .buffered(AT_ONCE)
        .collect()
        .await;
    let mut part = Part::default();
    for (group_version, answer) in answers {
        match answer {
            Ok(resources) => add_version(&mut part, resources),
            Err(error) => part.failed.push(FailedVersion { group_version, reason: error.to_string() }),
        }
    }
    part
}

async fn resources_of(client: &RestClient, group_version: &GroupVersion) -> Result<Vec<Resource>, ApiError> {
    let path = group_version.path();
    let body = client.read(&path, "application/json").await?;
    let list: ResourceList =
        serde_json::from_slice(&body).map_err(|error| ApiError::Unreadable { path, message: error.to_string() })?;
    let entries = list.resources.into_iter().filter(|entry| !entry.name.contains('/') && !entry.kind.is_empty());
    Ok(entries
        .map(|entry| Resource {
            identity: GroupVersionResource { group_version: group_version.clone(), resource: entry.name },
            kind: entry.kind,
            singular: entry.singular_name,
            namespaced: entry.namespaced,
            verbs: entry.verbs,
            short_names: entry.short_names,
            categories: entry.categories,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_version_of_a_group_comes_first() {
        let versions = group_versions(
            br#"{"kind":"APIGroupList","groups":[{"name":"a.io","versions":[{"groupVersion":"a.io/v1alpha1"},
            {"groupVersion":"a.io/v1"}],"preferredVersion":{"groupVersion":"a.io/v1"}}]}"#,
        )
        .unwrap();
        assert_eq!(versions.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a.io/v1", "a.io/v1alpha1"]);
        assert_eq!(core_versions(br#"{"kind":"APIVersions","versions":["v1"]}"#).unwrap()[0].path(), "/api/v1");
    }
}
