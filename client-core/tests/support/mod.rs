//! A running local control plane, for tests. `PORTHOLE_TEST_CLUSTER_DIR` names its folder; without it there is nothing to test
//! on, and the tests say so by failing.

#![allow(dead_code, reason = "each file of tests uses a part of it")]

pub(crate) mod compaction;

use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
    sync::Arc,
    time::{Duration, Instant},
};

use porthole_client_core::{
    config::{
        RestConfig,
        kubeconfig::{LoadingRules, Overrides, client_config},
    },
    host::native::{NativeConnector, NativeFiles, NativePlatform, ProcessEnvironment},
    platform::Platform,
    rest::RestClient,
    transport::Transport,
};

const LIMIT: Duration = Duration::from_mins(1);

pub(crate) fn cluster_dir() -> PathBuf {
    env::var_os("PORTHOLE_TEST_CLUSTER_DIR").expect("PORTHOLE_TEST_CLUSTER_DIR names no control plane").into()
}

/// What the kubeconfig of the control plane says.
pub(crate) fn config() -> RestConfig {
    let path = cluster_dir().join("kubeconfig");
    let rules = LoadingRules::explicit(path.to_str().unwrap());
    client_config(&rules, &Overrides::default(), &NativeFiles, &ProcessEnvironment).unwrap().rest
}

pub(crate) fn transport_of(config: &RestConfig) -> Arc<dyn Transport> {
    NativeConnector::new(platform()).transport(config).unwrap()
}

/// A client of `config`, without a limit of rate.
pub(crate) fn client_of(config: &RestConfig) -> RestClient {
    RestClient::new(transport_of(config), platform())
}

pub(crate) fn client() -> RestClient {
    client_of(&config())
}

pub(crate) fn platform() -> Arc<dyn Platform> {
    Arc::new(NativePlatform::new(tokio::runtime::Handle::current()))
}

pub(crate) fn kubectl(arguments: &[&str]) -> String {
    kubectl_with_cache("kubectl-cache", arguments)
}

/// kubectl with its caches in this folder of the control plane's.
pub(crate) fn kubectl_with_cache(cache: &str, arguments: &[&str]) -> String {
    let output = kubectl_output(cache, arguments);
    assert!(output.status.success(), "kubectl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The program that kubectl is a part of.
pub(crate) fn kubectl_program() -> PathBuf {
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
    program.with_file_name("control-plane")
}

/// All that kubectl says, also where it fails.
pub(crate) fn kubectl_output(cache: &str, arguments: &[&str]) -> Output {
    Command::new(kubectl_program())
        .args(["kubectl", "--kubeconfig"])
        .arg(cluster_dir().join("kubeconfig"))
        .arg("--cache-dir")
        .arg(cluster_dir().join(cache))
        .args(arguments)
        .output()
        .unwrap()
}

pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Ends once the server tells of no resource of this name (`plural.group`) any more, which is a while after its definition was
/// deleted: who lists all resources next is not to meet it.
pub(crate) async fn until_forgotten(resource: &str) {
    until(&format!("{resource} is forgotten"), || {
        // A dead group makes it fail after it has printed the others.
        let listed = kubectl_output("kubectl-cache-forgotten", &["api-resources", "-o", "name"]);
        !String::from_utf8_lossy(&listed.stdout).lines().any(|name| name == resource)
    })
    .await;
}
