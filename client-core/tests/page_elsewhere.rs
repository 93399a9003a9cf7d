//! The library in a page or a shared worker, on a real API server at another address. Whoever opens the page says on its channel
//! `told` where the server is: `server=https://127.0.0.1:6443&token=…&allowed=yes`, the last being whether the server allows pages
//! of this origin. Without a server it is at the page's own origin.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::{sync::Arc, time::Duration};

use futures::StreamExt as _;
use js_sys::{Promise, Reflect, eval, global};
use porthole_client_core::{
    clients::{Deletion, DynamicClient, ResourceClient, TableClient},
    config::PageConfig,
    discovery::{Discovery as _, DiscoveryClient, MemoryCache},
    host::web::{WebSocketTransport, connect},
    mapper::DeferredMapper,
    meta::{GroupVersionResource, Namespace},
    object::Unstructured,
    patch::Patch,
    rest::{ApiError, DeleteOptions, GetOptions, ListOptions, PatchOptions, ResourcePath, RestClient, WatchStream, WriteOptions},
    wire::WatchEvent,
};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

/// A member of the `location` of the page or worker.
fn location(name: &str) -> String {
    let location = Reflect::get(&global(), &"location".into()).unwrap();
    Reflect::get(&location, &name.into()).unwrap().as_string().unwrap()
}

/// Where the server is.
struct Told {
    server: String,
    token: String,
    is_allowed: bool,
}

impl Told {
    async fn hear() -> Self {
        let heard = "new Promise((resolve) => { new BroadcastChannel('told').onmessage = ({ data }) => resolve(data) })";
        let heard: Promise = eval(heard).unwrap().unchecked_into();
        let heard = JsFuture::from(heard).await.unwrap().as_string().unwrap();
        let told = |name: &str| {
            let mut pairs = heard.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(found, _)| *found == name).expect(name).1.to_owned()
        };
        Self { server: told("server"), token: told("token"), is_allowed: told("allowed") == "yes" }
    }

    /// Whether the server is at the page's own origin, where no token is asked for.
    fn is_own(&self) -> bool {
        self.server.is_empty()
    }

    fn config(&self, token: &str) -> PageConfig {
        if self.is_own() { PageConfig::own_origin() } else { PageConfig::typed(&self.server, token).unwrap() }
    }

    fn client(&self) -> RestClient {
        connect(&self.config(&self.token)).unwrap()
    }

    /// The same, whose watches go over WebSockets.
    fn over_sockets(&self, token: &str) -> RestClient {
        let config = self.config(token);
        connect(&config).unwrap().with_socket_watches(Arc::new(WebSocketTransport::new(&config)))
    }
}

fn maps() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "configmaps")
}

fn map(name: &str, value: &str) -> Unstructured {
    let text = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}},"data":{{"a":"{value}"}}}}"#);
    text.parse().unwrap()
}

fn value(map: &Unstructured) -> Option<String> {
    map.nested(&["data", "a"]).unwrap()
}

#[wasm_bindgen_test]
async fn a_server_that_allows_the_page_is_read_written_and_watched() {
    let told = Told::hear().await;
    if !told.is_allowed {
        return;
    }
    read_write_and_watch(told.client()).await;
}

#[wasm_bindgen_test]
async fn a_server_that_allows_the_page_is_watched_over_a_socket_as_over_a_request() {
    let told = Told::hear().await;
    if told.is_allowed {
        read_write_and_watch(told.over_sockets(&told.token)).await;
    }
}

async fn read_write_and_watch(client: RestClient) {
    let name = format!("page-elsewhere-{}", (client.platform().random() * 1e9).floor());
    let maps: ResourceClient<Unstructured> = DynamicClient::new(client.clone()).namespaced(&maps(), "default");
    let one = ListOptions { field_selector: Some(format!("metadata.name={name}")), ..ListOptions::default() };
    let version = maps.list(&one).await.unwrap().metadata.resource_version;
    let mut events = maps.watch(&ListOptions { resource_version: Some(version), ..one.clone() }).await.unwrap();

    let created = maps.create(&map(&name, "1"), &WriteOptions::default()).await.unwrap();
    assert_eq!(maps.get(&*name, &GetOptions::default()).await.unwrap(), created);
    let updated = maps.update(&map(&name, "2"), &WriteOptions::default()).await.unwrap();
    assert!(maps.create(&updated, &WriteOptions::default()).await.is_err());
    let patch = Patch::Merge(r#"{"data":{"a":"3"}}"#.parse().unwrap());
    assert_eq!(value(&maps.patch(&*name, &patch, &PatchOptions::default()).await.unwrap()).as_deref(), Some("3"));
    let write = WriteOptions { field_manager: Some("page".into()), ..WriteOptions::default() };
    let options = PatchOptions { write, force: Some(true) };
    assert_eq!(value(&maps.apply(&*name, &map(&name, "4"), &options).await.unwrap()).as_deref(), Some("4"));

    let collection = ResourcePath::collection(maps.resource(), Some(&Namespace::from("default"))).unwrap();
    let table = TableClient::new(client, collection).list(&one).await.unwrap();
    assert_eq!((table.rows.len(), table.rows[0].name.as_str()), (1, &*name));
    assert_eq!(table.columns.unwrap()[0].name, "Name");

    assert!(matches!(maps.delete(&*name, &DeleteOptions::default()).await.unwrap(), Deletion::Done(_)));
    assert!(maps.get(&*name, &GetOptions::default()).await.unwrap_err().is_not_found());
    let mut seen = Vec::new();
    while seen.len() < 5 {
        seen.push(match events.next().await.unwrap().unwrap() {
            WatchEvent::Added(map) => ("added", value(&map).unwrap()),
            WatchEvent::Modified(map) => ("modified", value(&map).unwrap()),
            WatchEvent::Deleted(map) => ("deleted", value(&map).unwrap()),
            other => panic!("{other:?}"),
        });
    }
    let wanted = [("added", "1"), ("modified", "2"), ("modified", "3"), ("modified", "4"), ("deleted", "4")];
    assert_eq!(seen, wanted.map(|(word, value)| (word, value.to_owned())));
}

/// A watch of the config maps of a namespace.
async fn watch(client: RestClient, options: ListOptions) -> Result<WatchStream<Unstructured>, ApiError> {
    DynamicClient::new(client).namespaced(&maps(), "default").watch(&options).await
}

#[wasm_bindgen_test]
async fn a_server_is_watched_over_a_socket_whether_or_not_it_allows_the_page() {
    let told = Told::hear().await;
    let mut events = watch(told.over_sockets(&told.token), ListOptions::default()).await.unwrap();
    let event = events.next().await.unwrap().unwrap();
    assert!(
        matches!(&event, WatchEvent::Added(map) if map.nested::<String>(&["kind"]).unwrap().as_deref() == Some("ConfigMap")),
        "{event:?}"
    );
}

#[wasm_bindgen_test]
async fn a_watch_over_a_socket_that_the_server_ends_in_time_ends_without_an_error() {
    let told = Told::hear().await;
    let options = ListOptions { timeout: Some(Duration::from_secs(1)), ..ListOptions::default() };
    let events: Vec<_> = watch(told.over_sockets(&told.token), options).await.unwrap().collect().await;
    assert!(!events.is_empty() && events.iter().all(Result::is_ok), "{events:?}");
}

#[wasm_bindgen_test]
async fn a_version_that_is_too_old_is_an_error_event_of_a_socket() {
    let told = Told::hear().await;
    // What has a definition of its own is younger than the server, which remembers nothing of it from before.
    let products = GroupVersionResource::new("catalog.porthole.example", "v1", "products");
    let products: ResourceClient<Unstructured> = DynamicClient::new(told.over_sockets(&told.token)).cluster(&products);
    let options = ListOptions { resource_version: Some("1".into()), ..ListOptions::default() };
    let events: Vec<_> = products.watch(&options).await.unwrap().collect().await;
    assert!(matches!(&events[..], [Ok(WatchEvent::Error(status))] if status.is_expired()), "{events:?}");
}

#[wasm_bindgen_test]
async fn a_refusal_of_a_socket_is_told_where_the_server_allows_the_page_and_hinted_at_elsewhere() {
    let told = Told::hear().await;
    if told.is_allowed {
        let missing = GroupVersionResource::new("example.com", "v1", "nothing");
        let missing: ResourceClient<Unstructured> = DynamicClient::new(told.over_sockets(&told.token)).cluster(&missing);
        let error = missing.watch(&ListOptions::default()).await.unwrap_err();
        assert!(error.is_not_found(), "{error:?}");
    }
    if told.is_own() {
        return;
    }
    let error = watch(told.over_sockets("nobody"), ListOptions::default()).await.unwrap_err();
    if told.is_allowed {
        assert!(error.is_unauthorized(), "{error:?}");
    } else {
        assert!(error.to_string().contains("--cors-allowed-origins"), "{error:?}");
    }
}

#[wasm_bindgen_test]
async fn a_server_that_allows_the_page_says_what_it_has() {
    let told = Told::hear().await;
    if !told.is_allowed {
        return;
    }
    let discovery = DiscoveryClient::new(told.client());
    assert!(discovery.server_version().await.unwrap().git_version.starts_with('v'));
    let mapper = DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(discovery))));
    assert_eq!(mapper.resolve("deploy").await.unwrap().resource, GroupVersionResource::new("apps", "v1", "deployments"));
}

#[wasm_bindgen_test]
async fn a_token_that_the_server_does_not_know_is_refused() {
    let told = Told::hear().await;
    if !told.is_allowed || told.is_own() {
        return;
    }
    let maps = DynamicClient::new(connect(&told.config("nobody")).unwrap()).namespaced(&maps(), "default");
    let error = maps.list(&ListOptions::default()).await.unwrap_err();
    assert!(error.is_unauthorized(), "{error}");
}

/// What a person is told where the browser says nothing.
async fn assert_hints(client: &RestClient) {
    let error = DynamicClient::new(client.clone()).namespaced(&maps(), "default").list(&ListOptions::default()).await;
    let error = error.map(|list| list.items.len()).unwrap_err();
    let ApiError::Transport(_) = &error else { panic!("{error}") };
    let origin = location("origin").replace('.', r"\.");
    let hint = format!("start its kube-apiserver with --cors-allowed-origins='^{origin}$'");
    assert!(error.to_string().contains(&hint), "{error}\n{hint}");
}

#[wasm_bindgen_test]
async fn a_server_that_allows_no_such_page_is_told_of_with_what_it_must_allow() {
    let told = Told::hear().await;
    if !told.is_allowed {
        assert_hints(&told.client()).await;
    }
}

#[wasm_bindgen_test]
async fn a_server_that_is_not_there_is_told_of_in_the_same_words() {
    assert_hints(&connect(&PageConfig::typed("https://127.0.0.1:1", "abc").unwrap()).unwrap()).await;
}
