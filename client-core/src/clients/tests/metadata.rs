//! The client of metadata alone, after client-go's `metadata/metadata_test.go`.

use futures::StreamExt as _;
use http::Method;

use super::{rest, sent, server};
use crate::{
    clients::{MetadataClient, ResourceClient},
    json::Value,
    meta::{GroupVersionResource, ObjectMeta},
    object::PartialObjectMetadata,
    patch::Patch,
    platform::ready,
    rest::{DeleteOptions, GetOptions, ListOptions, PatchOptions},
    transport::ScriptedTransport,
    wire::WatchEvent,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ONE: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const MANY: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const COLLECTION: &str = "/apis/group/v1/namespaces/ns/resource";
const POD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"name","namespace":"ns","creationTimestamp":null},"spec":{"containers":null},"status":{}}"#;

fn client(server: &ScriptedTransport) -> ResourceClient<PartialObjectMetadata> {
    MetadataClient::new(rest(server)).namespaced(&GroupVersionResource::new("group", "v1", "resource"), "ns")
}

fn partial() -> PartialObjectMetadata {
    PartialObjectMetadata::new(ObjectMeta { name: "name".into(), namespace: "ns".into(), ..ObjectMeta::default() })
}

fn get(answer: &str) -> Result<PartialObjectMetadata, String> {
    let server = server(Method::GET, format!("{COLLECTION}/name"), answer);
    let outcome = ready(client(&server).get("name", &GetOptions::default())).map_err(|error| error.to_string());
    let request = sent(&server);
    assert_eq!((request.line, request.accept.as_str()), (format!("GET {COLLECTION}/name"), ONE));
    outcome
}

#[test]
fn a_whole_object_is_cut_to_its_metadata() {
    assert_eq!(get(POD).unwrap(), partial());
    let own = r#"{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"name","namespace":"ns"}}"#;
    assert_eq!(get(own).unwrap(), partial());
}

#[test]
fn an_object_that_does_not_say_what_it_is_is_refused() {
    for (answer, wanted) in [
        (r#"{"metadata":{"uid":"123"}}"#, "\"kind\" is missing"),
        (r#"{"kind":"Pod","metadata":{"uid":"123"}}"#, "\"apiVersion\" is missing"),
        (r#"{"kind":"Pod","apiVersion":"v1","metadata":{"creationTimestamp":null}}"#, "it has no metadata"),
    ] {
        let error = get(answer).unwrap_err();
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn a_list_of_whole_objects_is_cut_to_their_metadata() {
    let list = format!(r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"253"}},"items":[{POD}]}}"#);
    let server = server(Method::GET, COLLECTION, list);
    let list = ready(client(&server).list(&ListOptions::default())).unwrap();
    assert_eq!((list.metadata.resource_version.as_str(), list.items), ("253", vec![partial()]));
    assert_eq!(sent(&server).accept, MANY);
}

#[test]
fn a_watch_and_a_patch_ask_for_metadata_as_well() {
    let event = format!("{{\"type\":\"ADDED\",\"object\":{POD}}}\n");
    let watched = server(Method::GET, COLLECTION, event);
    let watch = ready(client(&watched).watch(&ListOptions::default())).unwrap();
    let events: Vec<_> = ready(watch.map(Result::unwrap).collect());
    assert_eq!(events, [WatchEvent::Added(partial())]);
    assert_eq!(sent(&watched).accept, ONE);
    let patched = server(Method::PATCH, format!("{COLLECTION}/name"), POD);
    let patch = Patch::Merge(Value::object());
    assert_eq!(ready(client(&patched).patch("name", &patch, &PatchOptions::default())).unwrap(), partial());
    assert_eq!(sent(&patched).accept, ONE);
}

#[test]
fn deletions_have_their_options_as_json() {
    let success = r#"{"kind":"Status","apiVersion":"v1","status":"Success","code":200}"#;
    let server = server(Method::DELETE, COLLECTION, success);
    server.always_to(Method::DELETE, format!("{COLLECTION}/name"), crate::transport::ScriptedAnswer::text(success));
    let options = DeleteOptions::default();
    let body = r#"{"kind":"DeleteOptions","apiVersion":"v1"}"#;
    ready(client(&server).delete("name", &options)).map(drop).unwrap();
    let request = sent(&server);
    assert_eq!((request.line, request.body.as_str()), (format!("DELETE {COLLECTION}/name"), body));
    assert_eq!(request.content_type.as_deref(), Some("application/json"));
    ready(client(&server).delete_collection(&options, &ListOptions::default())).unwrap();
    let request = sent(&server);
    assert_eq!((request.line, request.body.as_str()), (format!("DELETE {COLLECTION}"), body));
    assert_eq!(request.content_type.as_deref(), Some("application/json"));
}

#[test]
fn the_metadata_of_the_whole_cluster_has_no_namespace() {
    let server = server(Method::GET, "/apis/group/v1/resource/name", POD);
    let client = MetadataClient::new(rest(&server)).cluster(&GroupVersionResource::new("group", "v1", "resource"));
    assert_eq!(ready(client.get("name", &GetOptions::default())).unwrap(), partial());
}
