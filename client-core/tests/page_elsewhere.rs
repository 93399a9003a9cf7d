//! The library in a page, on a real API server at another address. Whoever opens the page says in its address where the server is:
//! `#server=https://127.0.0.1:6443&token=…&allowed=yes`, the last being whether the server allows pages of this origin.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::sync::Arc;

use futures::StreamExt as _;
use js_sys::{Reflect, global};
use porthole_client_core::{
    clients::{Deletion, DynamicClient, ResourceClient, TableClient},
    config::PageConfig,
    discovery::{Discovery as _, DiscoveryClient, MemoryCache},
    host::web::connect,
    mapper::DeferredMapper,
    meta::{GroupVersionResource, Namespace},
    object::{Object as _, Unstructured},
    patch::Patch,
    platform::Platform as _,
    rest::{ApiError, DeleteOptions, GetOptions, ListOptions, PatchOptions, ResourcePath, RestClient, WriteOptions},
    wire::WatchEvent,
};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A member of the page's `location`.
fn location(name: &str) -> String {
    let location = Reflect::get(&global(), &"location".into()).unwrap();
    Reflect::get(&location, &name.into()).unwrap().as_string().unwrap()
}

fn told(name: &str) -> String {
    let hash = location("hash");
    let mut pairs = hash.trim_start_matches('#').split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(found, _)| *found == name).expect(name).1.to_owned()
}

fn is_allowed() -> bool {
    told("allowed") == "yes"
}

fn client_with(token: &str) -> RestClient {
    connect(&PageConfig::typed(&told("server"), token).unwrap()).unwrap()
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
    if !is_allowed() {
        return;
    }
    let client = client_with(&told("token"));
    let name = format!("page-elsewhere-{}", (client.platform().random() * 1e9).floor());
    let maps: ResourceClient<Unstructured> = DynamicClient::new(client.clone()).namespaced(&maps(), "default");
    let one = ListOptions { field_selector: Some(format!("metadata.name={name}").into()), ..ListOptions::default() };
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

    let path = ResourcePath::collection(maps.resource(), Some(&Namespace::from("default"))).unwrap();
    let table = TableClient::new(client, path).list(&one).await.unwrap();
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

#[wasm_bindgen_test]
async fn a_server_that_allows_the_page_says_what_it_has() {
    if !is_allowed() {
        return;
    }
    let discovery = DiscoveryClient::new(client_with(&told("token")));
    assert!(discovery.server_version().await.unwrap().git_version.starts_with('v'));
    let mapper = DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(discovery))));
    assert_eq!(mapper.resolve("deploy").await.unwrap().resource, GroupVersionResource::new("apps", "v1", "deployments"));
}

#[wasm_bindgen_test]
async fn a_token_that_the_server_does_not_know_is_refused() {
    if !is_allowed() {
        return;
    }
    let maps = DynamicClient::new(client_with("nobody")).namespaced(&maps(), "default");
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
    if !is_allowed() {
        assert_hints(&client_with(&told("token"))).await;
    }
}

#[wasm_bindgen_test]
async fn a_server_that_is_not_there_is_told_of_in_the_same_words() {
    assert_hints(&connect(&PageConfig::typed("https://127.0.0.1:1", "abc").unwrap()).unwrap()).await;
}
