//! Aggregated discovery: everything in one answer (client-go `aggregated_discovery.go`).

use serde::Deserialize;

use super::catalog::{FailedVersion, Part, Resource, add_version};
use crate::meta::{GroupVersion, GroupVersionResource};

/// Asks for the aggregated form in both its versions, and takes the legacy one.
pub(super) const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

#[derive(Deserialize)]
struct GroupList {
    #[serde(default)]
    items: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    versions: Vec<Version>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "version")]
    name: String,
    #[serde(default)]
    freshness: String,
    #[serde(default)]
    resources: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    resource: String,
    #[serde(default)]
    response_kind: Option<ResponseKind>,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    singular_resource: String,
    #[serde(default)]
    verbs: Vec<String>,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
}

#[derive(Deserialize)]
struct ResponseKind {
    #[serde(default)]
    kind: String,
}

/// Reads the answer of `/api` or `/apis`.
pub(super) fn read(body: &[u8]) -> Result<Part, serde_json::Error> {
    let list: GroupList = serde_json::from_slice(body)?;
    let mut part = Part::default();
    for group in list.items {
        for version in group.versions {
            let group_version = GroupVersion { group: group.metadata.name.clone(), version: version.name };
            if version.freshness == "Stale" {
                let reason = "the server that answers for this group cannot be reached".to_owned();
                part.failed.push(FailedVersion { group_version, reason });
                continue;
            }
            let resources = version.resources.into_iter().filter_map(|entry| {
                // Without a kind it is only the parent of subresources.
                let kind = entry.response_kind.map(|response| response.kind).filter(|kind| !kind.is_empty())?;
                Some(Resource {
                    identity: GroupVersionResource { group_version: group_version.clone(), resource: entry.resource },
                    kind,
                    singular: entry.singular_resource,
                    namespaced: entry.scope == "Namespaced",
                    verbs: entry.verbs,
                    short_names: entry.short_names,
                    categories: entry.categories,
                })
            });
            add_version(&mut part, resources.collect::<Vec<_>>());
        }
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_version_is_named_and_the_others_are_used() {
        let part = read(
            br#"{"kind":"APIGroupDiscoveryList","items":[
            {"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]},
            {"metadata":{"name":"example.io"},"versions":[
                {"version":"v2","freshness":"Stale"},
                {"version":"v1","freshness":"Current","resources":[
                    {"resource":"indexes","responseKind":{"kind":"Index"},"scope":"Namespaced","verbs":["list"]},
                    {"resource":"parents","responseKind":null,"scope":"Namespaced","verbs":[]},
                    {"resource":"others","responseKind":{"kind":""},"scope":"Cluster","verbs":[]}]},
                {"version":"v1alpha1","freshness":"Current","resources":[
                    {"resource":"indexes","responseKind":{"kind":"Index"},"scope":"Namespaced","verbs":["list"]},
                    {"resource":"olds","responseKind":{"kind":"Old"},"scope":"Cluster","verbs":["list"]}]}]}]}"#,
        )
        .unwrap();
        let found: Vec<_> = part
            .resources
            .iter()
            .map(|found| (found.identity.group_version.to_string(), found.identity.resource.as_str()))
            .collect();
        assert_eq!(found, [("example.io/v1".to_owned(), "indexes"), ("example.io/v1alpha1".to_owned(), "olds")]);
        let failed: Vec<_> = part.failed.iter().map(|failed| failed.group_version.to_string()).collect();
        assert_eq!(failed, ["metrics.k8s.io/v1beta1", "example.io/v2"]);
    }
}
