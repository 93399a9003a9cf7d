//! The mapper on a real API server, beside kubectl. See `support`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

mod support;

use std::{fs, process::Output, sync::Arc, time::Duration};

use porthole_client_core::{
    discovery::{ApiResource, DiscoveryClient, MemoryCache, StoredCache},
    host::native::{FileStorage, discovery_folder},
    mapper::{DeferredMapper, MapperError, RestMapping, Scope},
    meta::{GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource},
    platform::TolerantStorage,
};
use support::{client, cluster_dir, kubectl, kubectl_output, kubectl_with_cache, platform, until};

/// The end of the group that a test adds while others look.
const ADDED: &str = ".added-for-a-test.example";

/// A resource as `kubectl api-resources` has it.
struct Listed {
    resource: ApiResource,
    mapping: RestMapping,
}

impl Listed {
    fn group_version(&self) -> &GroupVersion {
        &self.mapping.resource.group_version
    }

    /// `name.group`, or `name` for the core group, as kubectl prints it.
    fn with_group(&self, name: &str) -> String {
        GroupResource { group: self.group_version().group.clone(), resource: name.to_owned() }.to_string()
    }

    /// `name.version.group`.
    fn with_version(&self, name: &str) -> String {
        let GroupVersion { group, version } = self.group_version();
        format!("{name}.{version}.{group}")
    }

    /// The names it goes by in its group, one for each way of naming it.
    fn names(&self) -> Vec<String> {
        let ApiResource { name, singular_name, short_names, kind, .. } = &self.resource;
        let mut names = vec![name.clone(), singular_name.clone(), kind.clone(), kind.to_lowercase(), name.to_uppercase()];
        names.extend(short_names.iter().cloned());
        names
    }
}

/// `kubectl api-resources`, which names each resource in the version that is preferred.
fn listed() -> Vec<Listed> {
    // A dead group makes it fail after it has printed the others.
    let output = kubectl_output("kubectl-cache", &["api-resources", "-o", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut resources: Vec<ApiResource> = serde_json::from_value(list["resources"].clone()).unwrap();
    resources.retain(|resource| !resource.group.ends_with(ADDED));
    assert!(resources.len() > 40, "{list}");
    let listed = |resource: ApiResource| {
        let kind = GroupVersionKind::new(resource.group.as_str(), resource.version.as_str(), resource.kind.as_str());
        let scope = if resource.namespaced { Scope::Namespaced } else { Scope::Cluster };
        let mapping = RestMapping { resource: kind.group_version.with_resource(resource.name.as_str()), kind, scope };
        Listed { resource, mapping }
    };
    resources.into_iter().map(listed).collect()
}

fn mapper() -> DeferredMapper {
    mapper_over(DiscoveryClient::new(client()))
}

fn mapper_over(client: DiscoveryClient) -> DeferredMapper {
    DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(client))))
}

fn error_of(output: &Output) -> String {
    assert!(!output.status.success(), "kubectl found something");
    let text = String::from_utf8_lossy(&output.stderr);
    text.trim().lines().last().unwrap().trim_start_matches("error: ").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_resource_that_kubectl_lists_is_found_by_all_its_names_with_its_group() {
    let listed = listed();
    let printed = kubectl_output("kubectl-cache", &["api-resources", "-o", "name"]).stdout;
    let printed = String::from_utf8(printed).unwrap();
    let ours: Vec<String> = listed.iter().map(|listed| listed.with_group(&listed.resource.name)).collect();
    assert_eq!(printed.lines().filter(|name| !name.ends_with(ADDED)).collect::<Vec<_>>(), ours);
    let aggregated = DiscoveryClient::new(client());
    let mappers = [mapper_over(aggregated.clone()), mapper_over(aggregated.with_legacy_discovery())];
    for (mapper, listed) in mappers.iter().flat_map(|mapper| listed.iter().map(move |listed| (mapper, listed))) {
        for name in listed.names() {
            for text in [listed.with_group(&name), listed.with_version(&name)] {
                assert_eq!(mapper.resolve(&text).await.unwrap(), listed.mapping, "{text}");
            }
        }
        let kind = listed.mapping.kind.group_kind();
        assert_eq!(mapper.rest_mapping(&kind, &[]).await.unwrap(), listed.mapping, "{kind}");
        assert_eq!(mapper.rest_mapping(&kind, &[&listed.group_version().version]).await.unwrap(), listed.mapping, "{kind}");
        let exact = (&listed.mapping.resource).into();
        assert_eq!(mapper.kind_for(&exact).await.unwrap(), listed.mapping.kind);
        assert_eq!(mapper.resource_for(&exact).await.unwrap(), listed.mapping.resource);
        assert_eq!(mapper.resource_singularizer(&exact).await.unwrap(), listed.resource.singular_name);
    }
}

/// What kubectl asks the server for when it is to get these, in order: paths without the server.
fn asked_by_kubectl(names: &[String]) -> Vec<String> {
    let output = kubectl_output("kubectl-cache", &["get", &names.join(","), "-A", "-o", "name", "-v=6"]);
    let log = String::from_utf8_lossy(&output.stderr);
    let path = |line: &str| {
        let url = line.split_once("verb=\"GET\" url=\"https://")?.1;
        let path = &url[url.find('/')?..url.find(['?', '"'])?];
        url.contains("?limit=").then(|| path.to_owned())
    };
    let mut paths: Vec<String> = log.lines().filter_map(path).collect();
    // A list of several pages.
    paths.dedup();
    assert!(!paths.is_empty(), "kubectl get {names:?}: {log}");
    paths
}

/// Where the objects of all namespaces are.
fn path(resource: &GroupVersionResource) -> String {
    format!("{}/{}", resource.group_version.path(), resource.resource)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_without_a_version_means_what_it_means_to_kubectl() {
    let (mapper, listed) = (mapper(), listed());
    let listed: Vec<&Listed> = listed.iter().filter(|listed| listed.resource.has("list")).collect();
    let names =
        |name: &dyn Fn(&Listed) -> Vec<String>| -> Vec<String> { listed.iter().flat_map(|listed| name(listed)).collect() };
    let beginning = |listed: &Listed| listed.group_version().group.split('.').next().unwrap_or("").to_owned();
    for (what, names) in [
        ("plurals", names(&|listed| vec![listed.resource.name.clone()])),
        ("singulars", names(&|listed| vec![listed.resource.singular_name.clone()])),
        ("kinds", names(&|listed| vec![listed.resource.kind.clone()])),
        ("short names", names(&|listed| listed.resource.short_names.clone())),
        (
            "short names of groups",
            names(&|listed| listed.resource.short_names.iter().map(|name| listed.with_group(name)).collect()),
        ),
        ("beginnings of groups", names(&|listed| vec![format!("{}.{}", listed.resource.name, beginning(listed))])),
        ("plurals with groups", names(&|listed| vec![listed.with_group(&listed.resource.name)])),
        ("kinds with groups and versions", names(&|listed| vec![listed.with_version(&listed.resource.kind)])),
    ] {
        let mut ours = Vec::new();
        for name in &names {
            let path = path(&mapper.resolve(name).await.unwrap_or_else(|error| panic!("{name}: {error}")).resource);
            // kubectl asks for a kind once, however often it is named.
            if !ours.contains(&path) {
                ours.push(path);
            }
        }
        assert_eq!(ours, asked_by_kubectl(&names), "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_version_beside_a_name_is_the_one_that_is_asked_for() {
    let mapper = mapper();
    let version = |text: &'static str| {
        let mapper = mapper.clone();
        async move { mapper.resolve(text).await.unwrap().resource.group_version.version }
    };
    let kubectl = asked_by_kubectl(&["horizontalpodautoscalers.v1.autoscaling".to_owned()]);
    assert_eq!(kubectl, ["/apis/autoscaling/v1/horizontalpodautoscalers"]);
    assert_eq!(version("horizontalpodautoscalers.v1.autoscaling").await, "v1");
    assert_eq!(version("HorizontalPodAutoscaler.v1.autoscaling").await, "v1");
    // kubectl forgets the version beside a short name.
    assert_eq!(version("hpa.v1.autoscaling").await, "v1");
    assert_eq!(version("hpa").await, "v2");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_in_kubectls_words_and_the_dead_group_is_named() {
    let mapper = mapper();
    for text in ["nosuchthing", "nosuchthing.apps", "Nosuchthing.v1.apps", "deployments.v9.apps", "deployments.batch"] {
        let kubectl = error_of(&kubectl_output("kubectl-cache", &["get", text]));
        let error = mapper.resolve(text).await.unwrap_err();
        let ours = error.to_string();
        let is_said = if text == "nosuchthing" { ours.starts_with(&kubectl) } else { ours == kubectl };
        assert!(is_said && error.is_no_match(), "{text}: {ours}, and kubectl: {kubectl}");
    }
    for text in ["nosuchthing", "nodes.metrics.k8s.io", "NodeMetrics.v1beta1.metrics.k8s.io"] {
        let error = mapper.resolve(text).await.unwrap_err();
        let metrics = "metrics.k8s.io/v1beta1".parse().unwrap();
        assert!(matches!(&error, MapperError::Incomplete { failed, .. } if failed.get(&metrics).is_some()), "{text}: {error}");
        assert!(error.to_string().contains(", but not all of its API groups answered: metrics.k8s.io/v1beta1: "), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_category_is_what_kubectl_takes_it_for() {
    let mapper = mapper();
    for category in ["all", "api-extensions"] {
        let mut ours = Vec::new();
        for resource in mapper.expand_category(category).await.unwrap().unwrap() {
            ours.push(path(&mapper.resource_for(&(&resource).into()).await.unwrap()));
        }
        assert_eq!(ours, asked_by_kubectl(&[category.to_owned()]), "{category}");
    }
    assert_eq!(mapper.expand_category("pods").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_resource_is_found_by_who_uses_what_kubectl_stored_and_by_who_resets() {
    let id = std::process::id();
    let (group, plural, short) = (format!("mapper-{id}{ADDED}"), format!("widgets-{id}"), format!("wi-{id}"));
    let cache_name = format!("mapper-cache-{id}");
    kubectl_with_cache(&cache_name, &["get", "pods", "-A", "-o", "name"]);
    let long_lived = mapper();
    long_lived.resolve("pods").await.unwrap();

    let platform = platform();
    let state: serde_json::Value = serde_json::from_slice(&fs::read(cluster_dir().join("state.json")).unwrap()).unwrap();
    let folder = discovery_folder(&cluster_dir().join(&cache_name).join("discovery"), state["server"].as_str().unwrap());
    let files = Arc::new(FileStorage::new(&folder, tokio::runtime::Handle::current()));
    let storage = TolerantStorage::new(files, |error| panic!("{error}"));
    let cache = StoredCache::for_client(DiscoveryClient::new(client()), storage, platform, Duration::from_hours(6));
    let next_program = DeferredMapper::new(Arc::new(cache));
    next_program.resolve("pods").await.unwrap();

    let definition = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{group}") },
        "spec": {
            "group": group, "scope": "Cluster",
            "names": {
                "plural": plural, "singular": format!("widget-{id}"), "kind": format!("Widget{id}"), "shortNames": [short],
            },
            "versions": [
                { "name": "v1alpha1", "served": true, "storage": false,
                  "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } } },
                { "name": "v1", "served": true, "storage": true,
                  "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } } },
            ],
        },
    });
    let file = cluster_dir().join(format!("{plural}.json"));
    fs::write(&file, definition.to_string()).unwrap();
    kubectl(&["create", "-f", file.to_str().unwrap()]);
    until("the new resource", || {
        let listed = kubectl_output("kubectl-cache", &["api-resources", "--api-group", &group, "-o", "name"]);
        String::from_utf8_lossy(&listed.stdout).contains(&plural)
    })
    .await;

    let found = next_program.resolve(&short).await.unwrap();
    assert_eq!(found.resource, GroupVersion::new(group.as_str(), "v1").with_resource(plural.as_str()));
    assert_eq!((found.kind.kind.as_str(), found.scope), (format!("Widget{id}").as_str(), Scope::Cluster));
    assert!(long_lived.resolve(&plural).await.unwrap_err().is_no_match());
    long_lived.reset();
    assert_eq!(long_lived.resolve(&format!("Widget{id}.{group}")).await.unwrap(), found);
    assert_eq!(
        long_lived.resolve(&format!("{short}.v1alpha1.{group}")).await.unwrap().resource.group_version.version,
        "v1alpha1"
    );

    kubectl(&["delete", "-f", file.to_str().unwrap()]);
    fs::remove_file(file).unwrap();
    fs::remove_dir_all(cluster_dir().join(cache_name)).unwrap();
}
