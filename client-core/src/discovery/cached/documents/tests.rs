use std::sync::Arc;

use super::*;
use crate::{
    discovery::{Discovery, DiscoveryClient},
    platform::{FakePlatform, MemoryStorage, StorageKey, ready},
    rest::RestClient,
    transport::{ScriptedAnswer, ScriptedTransport},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const PATH: &str = "/openapi/v3/apis/apps/v1?hash=A";

fn storage() -> (MemoryStorage, DocumentCache) {
    let storage = MemoryStorage::new(Arc::new(FakePlatform::default()));
    let tolerant = TolerantStorage::new(Arc::new(storage.clone()), |error| panic!("{error}"));
    (storage, DocumentCache::new(tolerant))
}

fn keep(documents: &DocumentCache, path: &str, body: &str, etag: Option<&str>) {
    let answer = Answer { body: body.to_owned().into(), content_type: None };
    ready(documents.keep(path, "application/json", &answer, etag.map(str::to_owned)));
}

fn kept(documents: &DocumentCache, path: &str) -> Option<String> {
    let kept = ready(documents.get(path, "application/json"))?;
    Some(String::from_utf8(kept.answer.body.to_vec()).unwrap())
}

/// The one value of a storage.
fn value(storage: &MemoryStorage) -> (StorageKey, Vec<u8>) {
    let values = storage.values();
    assert_eq!(values.len(), 1);
    values.into_iter().next().unwrap()
}

#[test]
fn what_was_never_kept_is_cut_or_changed_is_a_miss_and_may_be_kept_over() {
    let (storage, documents) = storage();
    assert_eq!(kept(&documents, PATH), None);
    keep(&documents, PATH, "testing", None);
    assert_eq!(kept(&documents, PATH).as_deref(), Some("testing"));
    let (key, whole) = value(&storage);
    for end in 0..whole.len() {
        storage.put(&key, &whole[..end]);
        assert_eq!(kept(&documents, PATH), None, "{end} bytes of {} were taken", whole.len());
    }
    for index in 0..whole.len() {
        let mut changed = whole.clone();
        changed[index] ^= 1;
        storage.put(&key, changed);
        assert_eq!(kept(&documents, PATH), None, "a change of byte {index} was not seen");
    }
    // The checksum of other bytes.
    let mut other = Sha256::digest(b"testing").to_vec();
    other.extend_from_slice(b"testink");
    storage.put(&key, other);
    assert_eq!(kept(&documents, PATH), None);
    keep(&documents, PATH, "other", None);
    assert_eq!(kept(&documents, PATH).as_deref(), Some("other"));
    ready(TolerantStorage::new(Arc::new(storage.clone()), |error| panic!("{error}")).remove(key.as_str()));
    assert_eq!(kept(&documents, PATH), None);
}

#[test]
fn a_right_checksum_of_something_else_is_a_miss_too() {
    let (storage, documents) = storage();
    keep(&documents, PATH, "testing", None);
    let (key, _) = value(&storage);
    for content in ["", "no line", "{}\nbody", "[]\nbody", "{\"path\":\"/elsewhere\"}\nbody"] {
        let mut value = Sha256::digest(content).to_vec();
        value.extend_from_slice(content.as_bytes());
        storage.put(&key, value);
        assert_eq!(kept(&documents, PATH), None, "{content:?} was taken");
    }
}

#[test]
fn a_document_takes_the_place_of_its_former_content_and_not_of_its_other_forms() {
    let (storage, documents) = storage();
    keep(&documents, PATH, "old", None);
    keep(&documents, "/openapi/v3/apis/apps/v1?hash=B", "new", None);
    assert_eq!(kept(&documents, PATH), None);
    assert_eq!(kept(&documents, "/openapi/v3/apis/apps/v1?hash=B").as_deref(), Some("new"));
    assert_eq!(storage.values().len(), 1);
    let answer = Answer { body: "protobuf".into(), content_type: None };
    ready(documents.keep(PATH, "application/protobuf", &answer, None));
    assert_eq!(storage.values().len(), 2);
    for key in storage.values().into_keys() {
        assert!(key.as_str().len() == 64 && key.as_str().bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    }
}

#[test]
fn what_can_change_and_has_no_tag_is_not_kept() {
    let (storage, documents) = storage();
    keep(&documents, "/version", "{}", None);
    assert!(storage.values().is_empty());
    keep(&documents, "/apis", "{}", Some("\"1\""));
    assert_eq!(storage.values().len(), 1);
}

/// A client of a scripted server that keeps documents.
fn client(server: &ScriptedTransport, documents: &DocumentCache) -> DiscoveryClient {
    let rest = RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default()));
    DiscoveryClient::new(rest).with_documents(documents.clone())
}

const GROUPS: &str = r#"{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"a.io"},"versions":[{"version":"v1"}]}]}"#;

fn groups(client: &DiscoveryClient) -> Vec<String> {
    let groups = ready(client.server_groups()).unwrap().complete().unwrap();
    groups.group_versions().map(|version| version.to_string()).collect()
}

#[test]
fn what_has_not_changed_is_asked_for_with_its_tag_and_not_sent_again() {
    let (_storage, documents) = storage();
    let server = ScriptedTransport::default();
    server.always("/apis", ScriptedAnswer::text(GROUPS).with_etag("\"123456\""));
    for _ in 0..2 {
        // A new client each time: what is kept outlives the one before.
        assert_eq!(groups(&client(&server, &documents)), ["a.io/v1"]);
    }
    let tags: Vec<_> = server.requests().iter().map(|request| request.headers.get("if-none-match").cloned()).collect();
    let apis: Vec<_> = server.paths().into_iter().zip(tags).filter(|(path, _)| path == "/apis").map(|(_, tag)| tag).collect();
    assert_eq!(apis, [None, Some("\"123456\"".parse().unwrap())]);
    let changed = GROUPS.replace("a.io", "b.io");
    server.always("/apis", ScriptedAnswer::text(changed).with_etag("\"2\""));
    assert_eq!(groups(&client(&server, &documents)), ["b.io/v1"]);
}

#[test]
fn a_page_in_the_servers_place_is_not_kept_and_a_document_nobody_can_read_is_asked_for_again() {
    let (storage, documents) = storage();
    let server = ScriptedTransport::default();
    let page = ScriptedAnswer::text("<html>log in</html>").with_etag("\"page\"");
    server.once("/apis", page.clone());
    assert!(ready(client(&server, &documents).server_groups()).is_err());
    assert!(storage.values().is_empty());
    // One that an earlier version of this program could read.
    ready(documents.keep(
        "/apis",
        crate::discovery::format::ACCEPT,
        &Answer { body: "{\"kind\":\"Other\"}".into(), content_type: None },
        Some("\"1\"".into()),
    ));
    server.always("/apis", ScriptedAnswer::text(GROUPS).with_etag("\"1\""));
    assert_eq!(groups(&client(&server, &documents)), ["a.io/v1"]);
}
