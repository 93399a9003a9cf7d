//! The library on a real API server. `PORTHOLE_TEST_CLUSTER_DIR` names the folder of a running local control
//! plane; without it there is nothing to test on, and the tests say so by failing.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

mod support;

use std::{collections::BTreeSet, fs, sync::Arc, time::Duration};

use porthole_client_core::{
    clients::TableClient,
    discovery::{
        ApiGroup, ApiResourceList, CachedDiscovery as _, Discovery as _, DiscoveryClient, DocumentCache, SchemaFormat,
        StoredCache, fetch, server_supports_version,
    },
    host::native::{FileStorage, discovery_folder},
    informer::{IdentityCheck, Selection, TableInformer},
    meta::{GroupResource, Namespace},
    platform::{BoxFuture, TolerantStorage},
    reflector::{Following, HealthState, Identity},
    rest::{ApiError, ResourcePath},
};
use support::{client, cluster_dir, kubectl, kubectl_with_cache, platform, until};

struct SameCluster;

impl IdentityCheck for SameCluster {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        Box::pin(async { Ok(Identity::Same) })
    }
}

async fn informer(resource: &str, namespace: Option<&str>) -> TableInformer {
    let client = client();
    let catalog = fetch(&client, None).await.unwrap();
    let found = catalog.find(&GroupResource::from(resource)).unwrap_or_else(|| panic!("the server has no {resource}"));
    let path = ResourcePath::collection(&found.identity, namespace.map(Namespace::from).as_ref()).unwrap();
    let informer =
        TableInformer::start(TableClient::new(client, path), Selection::default(), Following::WatchList, Arc::new(SameCluster));
    until(resource, || informer.read(|state| state.health.state == HealthState::Live)).await;
    informer
}

fn names(informer: &TableInformer) -> Vec<String> {
    let mut names: Vec<_> = informer.read(|state| state.rows.iter_unsorted().map(|(_, row)| row.name.to_string()).collect());
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn discovery_finds_what_kubectl_finds_and_names_the_dead_group() {
    let client = client();
    let catalog = fetch(&client, None).await.unwrap();
    let mut ours: Vec<String> = catalog
        .resources()
        .filter(|resource| resource.has("list"))
        .map(|resource| resource.group_resource().to_string())
        .collect();
    let mut theirs: Vec<String> = kubectl_resources();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
    let failed: Vec<_> = catalog.failed().map(|failed| failed.group_version.to_string()).collect();
    assert_eq!(failed, ["metrics.k8s.io/v1beta1"]);
    let again = fetch(&client, Some(&catalog)).await.unwrap();
    assert_eq!(again, catalog);
    assert!(catalog.core.etag.is_some() && catalog.groups.etag.is_some());
}

/// `kubectl api-resources` fails where a group is dead, but prints the others first.
fn kubectl_resources() -> Vec<String> {
    let groups: serde_json::Value = serde_json::from_str(&kubectl(&["get", "--raw", "/apis"])).unwrap();
    let mut found = BTreeSet::new();
    let mut add = |group: &str, version: &str| {
        let path = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        if group == "metrics.k8s.io" {
            return;
        }
        let list: serde_json::Value = serde_json::from_str(&kubectl(&["get", "--raw", &path])).unwrap();
        for resource in list["resources"].as_array().unwrap() {
            let name = resource["name"].as_str().unwrap();
            let listed = resource["verbs"].as_array().unwrap().iter().any(|verb| verb == "list");
            if listed && !name.contains('/') {
                found.insert(GroupResource { group: group.to_owned(), resource: name.to_owned() }.to_string());
            }
        }
    };
    add("", "v1");
    for group in groups["groups"].as_array().unwrap() {
        for version in group["versions"].as_array().unwrap() {
            add(group["name"].as_str().unwrap(), version["version"].as_str().unwrap());
        }
    }
    found.into_iter().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn discovery_finds_the_same_in_one_answer_and_version_by_version() {
    let aggregated = DiscoveryClient::new(client());
    let legacy = DiscoveryClient::new(client()).with_legacy_discovery();
    let (one, stale) = aggregated.server_groups_and_resources().await.unwrap().partial();
    let (each, failed) = legacy.server_groups_and_resources().await.unwrap().partial();
    let failed: Vec<_> = failed.iter().map(|(version, _)| version.to_string()).collect();
    assert_eq!(failed, ["metrics.k8s.io/v1beta1"]);
    assert!(stale.get(&"metrics.k8s.io/v1beta1".parse().unwrap()).is_some());
    let live = |group: &&ApiGroup| group.name != "metrics.k8s.io";
    assert!(one.groups.groups.iter().filter(live).eq(each.groups.groups.iter().filter(live)));
    let names = |lists: &[Arc<ApiResourceList>]| -> BTreeSet<String> {
        let resources = lists.iter().flat_map(|list| {
            let version = &list.group_version;
            list.resources.iter().map(move |resource| {
                format!("{version}.{} {} {:?}", resource.name, resource.group_version_kind(version), resource.verbs)
            })
        });
        resources.collect()
    };
    assert_eq!(names(&one.resources), names(&each.resources));
    assert!(each.resources.iter().flat_map(|list| &list.resources).any(|resource| !resource.storage_version_hash.is_empty()));
    assert!(aggregated.server_version().await.unwrap().git_version.starts_with("v1."));
    server_supports_version(&aggregated, &"apps/v1".parse().unwrap()).await.unwrap();
    assert!(server_supports_version(&aggregated, &"apps/v9".parse().unwrap()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn kubectl_uses_the_files_of_the_stored_cache_and_the_cache_those_of_kubectl() {
    let state: serde_json::Value = serde_json::from_slice(&fs::read(cluster_dir().join("state.json")).unwrap()).unwrap();
    let server = state["server"].as_str().unwrap();
    let platform = platform();
    let cache = |folder: &str| {
        let folder = discovery_folder(&cluster_dir().join(folder).join("discovery"), server);
        let files = Arc::new(FileStorage::new(&folder, tokio::runtime::Handle::current()));
        let storage = TolerantStorage::new(files, |error| panic!("{error}"));
        (folder, StoredCache::for_client(DiscoveryClient::new(client()), storage, Arc::clone(&platform), Duration::from_hours(6)))
    };
    let name = format!("shared-cache-{}", std::process::id());
    let (folder, ours) = cache(&name);
    let (found, _) = ours.server_groups_and_resources().await.unwrap().partial();
    assert!(ours.fresh());
    let written = fs::metadata(folder.join("servergroups.json")).unwrap().modified().unwrap();
    // A resource that only our files have.
    let file = folder.join("apps").join("v1").join("serverresources.json");
    let marked = fs::read_to_string(&file).unwrap().replace("\"deployments\"", "\"ourdeployments\"");
    fs::write(&file, marked).unwrap();
    let listed = kubectl_with_cache(&name, &["api-resources", "--cached", "--no-headers", "-o", "name"]);
    assert!(listed.lines().any(|line| line == "ourdeployments.apps"), "{listed}");
    assert_eq!(fs::metadata(folder.join("servergroups.json")).unwrap().modified().unwrap(), written);
    // And the other way round.
    let theirs = format!("{name}-theirs");
    kubectl_with_cache(&theirs, &["get", "pods", "-A", "-o", "name"]);
    let (_, cache) = cache(&theirs);
    let again = cache.server_groups().await.unwrap().partial().0;
    assert!(!cache.fresh());
    assert_eq!(again, found.groups);
    cache.server_groups_and_resources().await.unwrap().partial();
    for folder in [name, theirs] {
        fs::remove_dir_all(cluster_dir().join(folder)).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn schemas_and_groups_are_kept_with_the_tags_of_the_server() {
    let folder = cluster_dir().join(format!("documents-{}", std::process::id()));
    let files = Arc::new(FileStorage::new(&folder, tokio::runtime::Handle::current()));
    let documents = DocumentCache::new(TolerantStorage::new(files, |error| panic!("{error}")));
    let mut answers = Vec::new();
    for _ in 0..2 {
        let client = DiscoveryClient::new(client()).with_documents(documents.clone());
        let index = client.openapi_v3().await.unwrap();
        let path = index.group_version(&"apps/v1".parse().unwrap()).unwrap();
        assert!(path.hash().is_some());
        let json = client.openapi_v3_schema(path, SchemaFormat::Json).await.unwrap();
        let protobuf = client.openapi_v3_schema(path, SchemaFormat::Protobuf).await.unwrap();
        assert!(json.len() > protobuf.len());
        let groups = client.server_groups_and_resources().await.unwrap().partial().0;
        answers.push((index, json, protobuf, groups));
    }
    assert_eq!(answers[0], answers[1]);
    // Both halves of the groups, and two schemas; the server gives the index no tag.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
    assert!(!DiscoveryClient::new(client()).openapi_v2(SchemaFormat::Protobuf).await.unwrap().is_empty());
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_informer_follows_what_kubectl_does() {
    let informer = informer("configmaps", Some("default")).await;
    let name = format!("followed-{}", std::process::id());
    let version = |informer: &TableInformer| {
        informer.read(|state| {
            state.rows.iter_unsorted().find(|(_, row)| row.name.as_str() == name).map(|(_, row)| row.cells.get(1).cloned())
        })
    };
    kubectl(&["create", "configmap", &name, "-n", "default", "--from-literal=a=1"]);
    until("the new object", || names(&informer).contains(&name)).await;
    let before = version(&informer);
    kubectl(&["patch", "configmap", &name, "-n", "default", "-p", r#"{"data":{"b":"2"}}"#]);
    until("the change", || version(&informer) != before).await;
    kubectl(&["delete", "configmap", &name, "-n", "default"]);
    until("the end", || !names(&informer).contains(&name)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_resource_says_who_may_not_do_what() {
    let client = client();
    let path =
        ResourcePath::collection(&fetch(&client, None).await.unwrap().find(&"pods".into()).unwrap().identity, None).unwrap();
    let error = client.read(&format!("{}/no-such-pod", path.as_str()), "application/json").await.unwrap_err();
    assert_eq!(error.status().map(|status| status.code), Some(404), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_resource_of_the_server_can_be_followed() {
    let client = client();
    let catalog = fetch(&client, None).await.unwrap();
    for resource in catalog.resources().filter(|resource| resource.has("list") && resource.has("watch")) {
        let path = ResourcePath::collection(&resource.identity, None).unwrap();
        let informer = TableInformer::start(
            TableClient::new(client.clone(), path),
            Selection::default(),
            Following::WatchList,
            Arc::new(SameCluster),
        );
        let name = resource.group_resource().to_string();
        until(&name, || informer.read(|state| state.health.state == HealthState::Live)).await;
        assert!(informer.read(|state| !state.columns.is_empty()), "{name} came without columns");
        assert!(informer.read(|state| state.rows.iter_unsorted().all(|(_, row)| row.fault.is_none())), "{name} has a faulty row");
    }
}
