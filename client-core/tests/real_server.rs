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

use std::{
    collections::BTreeSet,
    env, fs,
    path::PathBuf,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use porthole_client_core::{
    discovery::fetch,
    host::native::{NativePlatform, NativeTransport, Tls},
    informer::{IdentityCheck, TableInformer, TableSelector},
    meta::{GroupResource, Namespace},
    platform::{BoxFuture, Platform},
    reflector::{Following, HealthState, Identity},
    rest::{ApiError, ResourcePath, RestClient},
};

const LIMIT: Duration = Duration::from_mins(1);

struct SameCluster;

impl IdentityCheck for SameCluster {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        Box::pin(async { Ok(Identity::Same) })
    }
}

fn cluster_dir() -> PathBuf {
    env::var_os("PORTHOLE_TEST_CLUSTER_DIR").expect("PORTHOLE_TEST_CLUSTER_DIR names no control plane").into()
}

fn client() -> RestClient {
    let dir = cluster_dir();
    let state: serde_json::Value = serde_json::from_slice(&fs::read(dir.join("state.json")).unwrap()).unwrap();
    let user = |field: &str| {
        kubectl(&[
            "config",
            "view",
            "--raw",
            "-o",
            &format!("go-template={{{{index (index .users 0).user \"{field}\" | base64decode}}}}"),
        ])
    };
    let tls = Tls {
        authority: fs::read(dir.join("pki/ca.crt")).unwrap(),
        certificate: user("client-certificate-data").into_bytes(),
        key: user("client-key-data").into_bytes(),
    };
    let transport = NativeTransport::new(state["server"].as_str().unwrap(), &tls).unwrap();
    let platform: Arc<dyn Platform> = Arc::new(NativePlatform::new(tokio::runtime::Handle::current()));
    RestClient::new(Arc::new(transport), platform)
}

fn kubectl(arguments: &[&str]) -> String {
    let program = PathBuf::from(env::var_os("PORTHOLE_CLUSTER").unwrap_or_else(|| {
        let cache = env::var_os("PORTHOLE_CACHE").map_or_else(
            || {
                PathBuf::from(
                    env::var_os("XDG_CACHE_HOME").unwrap_or_else(|| format!("{}/.cache", env::var("HOME").unwrap()).into()),
                )
                .join("porthole")
            },
            PathBuf::from,
        );
        cache.join("bin/cluster").into()
    }));
    let output = Command::new(program.with_file_name("control-plane"))
        .args(["kubectl", "--kubeconfig"])
        .arg(cluster_dir().join("kubeconfig"))
        .arg("--cache-dir")
        .arg(cluster_dir().join("kubectl-cache"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "kubectl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn informer(resource: &str, namespace: Option<&str>) -> TableInformer {
    let client = client();
    let catalog = fetch(&client, None).await.unwrap();
    let found = catalog.find(&GroupResource::from(resource)).unwrap_or_else(|| panic!("the server has no {resource}"));
    let path = ResourcePath::collection(&found.identity, namespace.map(Namespace::from).as_ref()).unwrap();
    let informer = TableInformer::start(client, path, TableSelector::default(), Following::WatchList, Arc::new(SameCluster));
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
        let informer =
            TableInformer::start(client.clone(), path, TableSelector::default(), Following::WatchList, Arc::new(SameCluster));
        let name = resource.group_resource().to_string();
        until(&name, || informer.read(|state| state.health.state == HealthState::Live)).await;
        assert!(informer.read(|state| !state.columns.is_empty()), "{name} came without columns");
        assert!(informer.read(|state| state.rows.iter_unsorted().all(|(_, row)| row.fault.is_none())), "{name} has a faulty row");
    }
}
