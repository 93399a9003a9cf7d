//! Watches over WebSockets on a real API server: directly, and through `kubectl proxy`. See `support`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

mod support;

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use futures::StreamExt as _;
use porthole_client_core::{
    clients::{DynamicClient, ResourceClient, TableClient},
    config::{Auth, Impersonation, PemData, RestConfig, Secret, TlsConfig},
    host::native::NativeConnector,
    informer::{IdentityCheck, Selection, TableInformer},
    meta::{GroupVersionResource, ResourceVersion},
    object::{Object as _, Unstructured},
    platform::BoxFuture,
    reflector::{Following, HealthState, Identity},
    rest::{ApiError, DeleteOptions, ListOptions, ResourcePath, RestClient, WatchError, WatchStream, WriteOptions},
    transport::{SocketAnswer, SocketRequest, TransportError},
    wire::WatchEvent,
};
use support::{client, cluster_dir, config, kubectl, kubectl_program, platform, until};

/// A client of `config` whose watches go over WebSockets.
fn over_sockets(config: &RestConfig) -> RestClient {
    let connector = NativeConnector::new(platform());
    connector.client(config).unwrap().with_socket_watches(connector.sockets(config).unwrap())
}

/// A `kubectl proxy` that ends with it.
struct Proxy(Child, String);

impl Proxy {
    fn start() -> Self {
        let mut command = Command::new(kubectl_program());
        command.args(["kubectl", "--kubeconfig"]).arg(cluster_dir().join("kubeconfig")).args(["proxy", "--port=0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{line}");
        Self(child, format!("http://{address}"))
    }

    fn config(&self) -> RestConfig {
        RestConfig::new(self.1.clone())
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn maps(client: RestClient) -> ResourceClient<Unstructured> {
    DynamicClient::new(client).namespaced(&GroupVersionResource::new("", "v1", "configmaps"), "default")
}

fn map(name: &str, value: &str) -> Unstructured {
    let text = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}},"data":{{"a":"{value}"}}}}"#);
    text.parse().unwrap()
}

fn unique(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

/// A watch of one config map from now on.
async fn watch_of(client: &RestClient, name: &str) -> WatchStream<Unstructured> {
    let one = ListOptions { field_selector: Some(format!("metadata.name={name}")), ..ListOptions::default() };
    let version = maps(client.clone()).list(&one).await.unwrap().metadata.resource_version;
    maps(client.clone()).watch(&ListOptions { resource_version: Some(version), ..one }).await.unwrap()
}

async fn next(watch: &mut WatchStream<Unstructured>) -> WatchEvent<Unstructured> {
    tokio::time::timeout(Duration::from_secs(30), watch.next()).await.expect("no event came").unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_over_a_socket_sees_what_one_over_a_request_sees() {
    let proxy = Proxy::start();
    let name = unique("over-a-socket");
    let mut watches = Vec::new();
    for client in [client(), over_sockets(&config()), over_sockets(&proxy.config())] {
        watches.push(watch_of(&client, &name).await);
    }
    let maps = maps(client());
    maps.create(&map(&name, r"ü🦀\n"), &WriteOptions::default()).await.unwrap();
    maps.update(&map(&name, &"long ".repeat(100_000)), &WriteOptions::default()).await.unwrap();
    maps.delete(&*name, &DeleteOptions::default()).await.unwrap();
    let mut seen = Vec::new();
    for watch in &mut watches {
        seen.push([next(watch).await, next(watch).await, next(watch).await]);
    }
    assert!(
        matches!(&seen[0], [WatchEvent::Added(_), WatchEvent::Modified(_), WatchEvent::Deleted(_)]),
        "{:?}",
        seen[0].each_ref().map(|event| event.object().map(|map| map.name().to_owned()))
    );
    assert!(seen[0] == seen[1] && seen[0] == seen[2]);
}

struct SameCluster;

impl IdentityCheck for SameCluster {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        Box::pin(async { Ok(Identity::Same) })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_informer_over_a_socket_begins_with_all_that_is_there() {
    let path = ResourcePath::collection(&GroupVersionResource::new("apps", "v1", "deployments"), None).unwrap();
    let table = TableClient::new(over_sockets(&config()), path);
    let informer = TableInformer::start(table, Selection::default(), Following::WatchList, Arc::new(SameCluster));
    until("the deployments", || informer.read(|state| state.health.state == HealthState::Live)).await;
    let mut names: Vec<_> = informer.read(|state| state.rows.iter_unsorted().map(|(_, row)| row.name.to_string()).collect());
    names.sort();
    let template = "jsonpath={range .items[*]}{.metadata.name}{\"\\n\"}{end}";
    let listed = kubectl(&["get", "deployments", "--all-namespaces", "-o", template]);
    let mut theirs: Vec<_> = listed.lines().collect();
    theirs.sort_unstable();
    assert_eq!(names, theirs);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_is_too_old_is_an_error_event() {
    let proxy = Proxy::start();
    // What has a definition of its own is younger than the server, which remembers nothing of it from before.
    let products = GroupVersionResource::new("catalog.porthole.example", "v1", "products");
    for config in [config(), proxy.config()] {
        let options = ListOptions { resource_version: Some(ResourceVersion::from("1")), ..ListOptions::default() };
        let products: ResourceClient<Unstructured> = DynamicClient::new(over_sockets(&config)).cluster(&products);
        let mut watch = products.watch(&options).await.unwrap();
        let event = next(&mut watch).await;
        assert!(matches!(&event, WatchEvent::Error(status) if status.is_expired()), "{event:?}");
        assert!(watch.next().await.is_none());
    }
}

/// How a watch of all config maps of a namespace is refused.
async fn refused(client: RestClient) -> ApiError {
    maps(client).watch(&ListOptions::default()).await.unwrap_err()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_of_a_socket_is_the_refusal_of_a_request() {
    let impersonate = Impersonation { user: "nobody".into(), ..Impersonation::default() };
    let forbidden = RestConfig { impersonate, ..config() };
    let error = refused(over_sockets(&forbidden)).await;
    assert!(error.is_forbidden() && error.to_string().contains("\"nobody\""), "{error}");
    assert_eq!(error.to_string(), refused(NativeConnector::new(platform()).client(&forbidden).unwrap()).await.to_string());

    let auth = Auth { token: Some(Secret::new("unknown")), ..Auth::default() };
    let mut unknown = RestConfig { auth, ..config() };
    unknown.tls = TlsConfig { cert_data: PemData::default(), key_data: PemData::default(), ..unknown.tls };
    assert!(refused(over_sockets(&unknown)).await.is_unauthorized());

    let missing = GroupVersionResource::new("example.com", "v1", "nothing");
    let nothing: ResourceClient<Unstructured> = DynamicClient::new(over_sockets(&config())).cluster(&missing);
    assert!(nothing.watch(&ListOptions::default()).await.unwrap_err().is_not_found());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_good_for_a_socket() {
    let account = unique("socket");
    kubectl(&["create", "serviceaccount", &account, "-n", "default"]);
    let token = kubectl(&["create", "token", &account, "-n", "default"]);
    let mut config = RestConfig { auth: Auth { token: Some(Secret::new(token.trim())), ..Auth::default() }, ..config() };
    config.tls = TlsConfig { cert_data: PemData::default(), key_data: PemData::default(), ..config.tls };
    // The account may read nothing, and is known by its name.
    let error = refused(over_sockets(&config)).await;
    kubectl(&["delete", "serviceaccount", &account, "-n", "default"]);
    assert!(error.is_forbidden() && error.to_string().contains(&format!("serviceaccount:default:{account}")), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_the_server_ends_in_time_ends_without_an_error() {
    let proxy = Proxy::start();
    for config in [config(), proxy.config()] {
        let options = ListOptions { timeout: Some(Duration::from_secs(1)), ..ListOptions::default() };
        let start = Instant::now();
        let watch = maps(over_sockets(&config)).watch(&options).await.unwrap();
        let events: Vec<_> = watch.collect().await;
        assert!(events.iter().all(Result::is_ok), "{events:?}");
        assert!((1..20).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_is_told_as_one() {
    let proxy = Proxy::start();
    let mut watch = watch_of(&over_sockets(&proxy.config()), "nothing").await;
    let gone = proxy.config();
    drop(proxy);
    let event = watch.next().await.unwrap();
    assert!(matches!(&event, Err(WatchError::Transport(TransportError::Broken { .. }))), "{event:?}");
    assert!(watch.next().await.is_none());
    let error = refused(over_sockets(&gone)).await;
    assert!(matches!(&error, ApiError::Transport(TransportError::Unreachable { .. })), "{error:?}");
}

/// How many watches of the limit ranges of a namespace the server has under way.
async fn watches_under_way() -> usize {
    let answer = client().get().absolute_path("/metrics").accept("*/*").send().await.unwrap();
    let text = String::from_utf8_lossy(answer.bytes()).into_owned();
    let is_ours = |line: &&str| {
        line.starts_with("apiserver_longrunning_requests{")
            && ["resource=\"limitranges\"", "scope=\"namespace\"", "verb=\"WATCH\""].iter().all(|label| line.contains(label))
    };
    text.lines().filter(is_ours).map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_a_watch_whose_socket_is_dropped() {
    let ranges = GroupVersionResource::new("", "v1", "limitranges");
    let ranges: ResourceClient<Unstructured> = DynamicClient::new(over_sockets(&config())).namespaced(&ranges, "default");
    let before = watches_under_way().await;
    let watch = ranges.watch(&ListOptions::default()).await.unwrap();
    let wait_for = async |wanted: usize| {
        let start = Instant::now();
        while watches_under_way().await != wanted {
            assert!(start.elapsed() < Duration::from_secs(30), "there are {} watches, not {wanted}", watches_under_way().await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    wait_for(before + 1).await;
    drop(watch);
    wait_for(before).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_has_the_subprotocol_that_the_server_chose_and_at_most_one_may_be_asked_for() {
    let sockets = NativeConnector::new(platform()).sockets(&config()).unwrap();
    let path = "/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=1";
    let ask = |protocols: &[&str]| {
        let protocols = protocols.iter().map(|&name| name.to_owned()).collect();
        sockets.open(SocketRequest { protocols, ..SocketRequest::new(path) })
    };
    let Ok(SocketAnswer::Open(socket)) = ask(&["one.k8s.io"]).await else { panic!("no socket") };
    assert_eq!(socket.protocol(), "one.k8s.io");
    let Ok(SocketAnswer::Plain(response)) = ask(&["one.k8s.io", "two.k8s.io"]).await else { panic!("a socket") };
    assert_eq!(response.status, 400);
}
