//! Protobuf beside JSON: what is asked for, and what a server that refuses it gets.

use std::sync::Arc;

use futures::StreamExt as _;
use http::{Method, StatusCode, header};
use serde_json::json;

use super::super::{GetOptions, ListOptions, RestClient};
use crate::{
    clients::ResourceClient,
    meta::GroupVersionResource,
    object::{Object as _, PartialObjectMetadata, Unstructured},
    platform::{FakePlatform, ready},
    transport::{Request, ScriptedAnswer, ScriptedTransport},
    wire::{
        WatchEvent,
        protobuf::{Envelope, MEDIA_TYPE, Schema, encode_object},
    },
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const PODS: &str = "/api/v1/namespaces/shop/pods";

const METADATA: &str = r#"{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"a"}}"#;

fn client() -> (Arc<ScriptedTransport>, RestClient) {
    let server = Arc::new(ScriptedTransport::default());
    let client = RestClient::new(server.clone(), Arc::new(FakePlatform::default()));
    (server, client.with_protobuf(Arc::new(Schema::kubernetes())))
}

fn pods<K>(client: &RestClient) -> ResourceClient<K> {
    ResourceClient::namespaced(client.clone(), GroupVersionResource::new("", "v1", "pods"), "shop")
}

fn protobuf(body: Vec<u8>) -> ScriptedAnswer {
    ScriptedAnswer::text(body).with_header(header::CONTENT_TYPE, MEDIA_TYPE)
}

fn metadata(name: &str) -> Vec<u8> {
    let object = json!({ "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": { "name": name } });
    encode_object(&Schema::metadata(), &object).unwrap()
}

fn accepted(request: &Request) -> &str {
    request.headers[header::ACCEPT].to_str().unwrap()
}

#[test]
fn metadata_is_asked_for_in_both_forms_and_read_in_either() {
    let (server, client) = client();
    server.once(format!("{PODS}/a"), protobuf(metadata("a")));
    server.once(format!("{PODS}/a"), ScriptedAnswer::text(METADATA));
    let pods = pods::<PartialObjectMetadata>(&client);
    let read = || ready(pods.get("a", &GetOptions::default())).unwrap();
    assert_eq!(read(), read());
    assert_eq!(
        accepted(&server.requests()[0]),
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
         application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
    );
    let list = json!({ "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList",
        "metadata": { "resourceVersion": "7", "continue": "c", "remainingItemCount": 3 },
        "items": [{ "metadata": { "name": "a" } }, { "metadata": { "name": "b" } }] });
    server.once(PODS, protobuf(encode_object(&Schema::metadata(), &list).unwrap()));
    server.once(PODS, ScriptedAnswer::json(&list));
    let read = || ready(pods.list(&ListOptions::default())).unwrap();
    let (first, second) = (read(), read());
    assert_eq!(first, second);
    assert_eq!((first.items[1].name(), first.metadata.remaining_item_count), ("b", Some(3)));
    assert!(accepted(&server.requests()[2]).contains("protobuf;as=PartialObjectMetadataList;"));
}

#[test]
fn what_has_no_form_in_protobuf_and_what_says_its_own_is_not_asked_for_in_it() {
    let (server, client) = client();
    let body = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#;
    server.always(format!("{PODS}/a"), ScriptedAnswer::text(body));
    ready(pods::<Unstructured>(&client).get("a", &GetOptions::default())).unwrap();
    let pods = pods::<PartialObjectMetadata>(&client);
    ready(pods.object_request(Method::GET, "a").accept_object::<PartialObjectMetadata>().accept("text/plain").send()).unwrap();
    let requests = server.requests();
    assert_eq!((accepted(&requests[0]), accepted(&requests[1])), ("application/json", "text/plain"));
}

#[test]
fn a_refusal_of_the_form_is_followed_by_json_for_good() {
    for status in [StatusCode::NOT_ACCEPTABLE, StatusCode::UNSUPPORTED_MEDIA_TYPE] {
        let (server, client) = client();
        let clone = client.clone();
        server.once(format!("{PODS}/a"), ScriptedAnswer::status(status));
        server.always(format!("{PODS}/a"), ScriptedAnswer::text(METADATA));
        for client in [&client, &client, &clone] {
            ready(pods::<PartialObjectMetadata>(client).get("a", &GetOptions::default())).unwrap();
        }
        let requests = server.requests();
        let forms: Vec<_> = requests.iter().map(|request| accepted(request).starts_with(MEDIA_TYPE)).collect();
        assert_eq!(forms, [true, false, false, false], "{status}");
        assert_eq!(accepted(&requests[1]), "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
    }
}

#[test]
fn another_refusal_changes_nothing_and_a_second_one_is_told() {
    let (server, client) = client();
    let status = json!({ "apiVersion": "v1", "kind": "Status", "status": "Failure", "message": "pods \"a\" not found",
        "reason": "NotFound", "code": 404 });
    let missing = protobuf(encode_object(&Schema::metadata(), &status).unwrap()).with_status(StatusCode::NOT_FOUND);
    server.once(format!("{PODS}/a"), missing);
    server.always(format!("{PODS}/a"), ScriptedAnswer::status(StatusCode::NOT_ACCEPTABLE));
    let read = || ready(pods::<PartialObjectMetadata>(&client).get("a", &GetOptions::default())).unwrap_err();
    let error = read();
    assert!(error.is_not_found() && error.to_string() == "pods \"a\" not found", "{error}");
    assert!(read().is_not_acceptable());
    assert_eq!(server.requests().len(), 3);
    assert!(read().is_not_acceptable());
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn an_answer_in_protobuf_that_is_something_else_is_unreadable() {
    let (server, client) = client();
    for body in [b"{}".to_vec(), Envelope { api_version: "v1", kind: "Nothing", raw: b"" }.write(), metadata("a")[..9].to_vec()] {
        server.once(format!("{PODS}/a"), protobuf(body));
        let error = ready(pods::<PartialObjectMetadata>(&client).get("a", &GetOptions::default())).unwrap_err();
        assert!(error.to_string().starts_with("the answer to /api/v1/namespaces/shop/pods/a?"), "{error}");
    }
    // Nobody asked for it.
    let plain = RestClient::new(server.clone(), Arc::new(FakePlatform::default()));
    server.once(format!("{PODS}/a"), protobuf(metadata("a")));
    let error = ready(pods::<PartialObjectMetadata>(&plain).get("a", &GetOptions::default())).unwrap_err();
    assert!(error.to_string().contains("not JSON"), "{error}");
}

/// The field `number` with these bytes; all are short.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
}

#[test]
fn a_watch_in_protobuf_goes_on_after_a_bad_event_and_drops_a_cut_one() {
    let (server, client) = client();
    let frame = |kind: &str, object: &[u8]| {
        let event = [field(1, kind.as_bytes()), field(2, &field(1, object))].concat();
        [&u32::try_from(event.len()).unwrap().to_be_bytes(), event.as_slice()].concat()
    };
    let too_long = [&(17_u32 << 20).to_be_bytes()[..], &vec![0; 17 << 20]].concat();
    let mut stream = [frame("ADDED", &metadata("a")), frame("ADDED", b"{}"), too_long, frame("DELETED", &metadata("b"))].concat();
    stream.extend(&frame("ADDED", &metadata("c"))[..20]);
    let chunks: Vec<_> = stream.chunks(1000).map(|chunk| Ok(chunk.to_vec().into())).collect();
    let answer = ScriptedAnswer::text("").with_chunks(chunks);
    server.once(PODS, answer.with_header(header::CONTENT_TYPE, "application/vnd.kubernetes.protobuf;stream=watch"));
    let watch = ready(pods::<PartialObjectMetadata>(&client).watch(&ListOptions::default())).unwrap();
    let events: Vec<_> = ready(watch.collect());
    assert!(matches!(&events[0], Ok(WatchEvent::Added(object)) if object.name() == "a"));
    assert!(events[1].as_ref().unwrap_err().to_string().contains("\"k8s\\0\""), "{events:?}");
    assert!(events[2].as_ref().unwrap_err().to_string().contains("longer than"), "{events:?}");
    assert!(matches!(&events[3], Ok(WatchEvent::Deleted(object)) if object.name() == "b"));
    assert_eq!(events.len(), 4);
}

#[cfg(feature = "typed")]
mod typed {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;
    use crate::{rest::WriteOptions, wire::protobuf::decode_object};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const MAPS: &str = "/api/v1/namespaces/shop/configmaps";

    fn map() -> ConfigMap {
        let mut map = ConfigMap { data: Some([("k".to_owned(), "v".to_owned())].into()), ..ConfigMap::default() };
        map.metadata.name = Some("a".into());
        map
    }

    #[test]
    fn a_type_is_written_and_read_in_protobuf() {
        let (server, client) = client();
        let body = encode_object(&Schema::kubernetes(), &map()).unwrap();
        server.always_to(Method::POST, MAPS, protobuf(body.clone()));
        server.always_to(Method::PUT, format!("{MAPS}/a"), ScriptedAnswer::json(&map()));
        let maps = ResourceClient::<ConfigMap>::of_kind(client, "shop");
        assert_eq!(ready(maps.create(&map(), &WriteOptions::default())).unwrap(), map());
        assert_eq!(ready(maps.update(&map(), &WriteOptions::default())).unwrap(), map());
        for request in server.requests() {
            assert_eq!(accepted(&request), "application/vnd.kubernetes.protobuf,application/json");
            assert_eq!(
                (request.headers[header::CONTENT_TYPE].to_str().unwrap(), &request.body),
                (MEDIA_TYPE, &body.clone().into())
            );
            assert_eq!(decode_object::<ConfigMap>(&Schema::kubernetes(), &request.body).unwrap(), map());
        }
    }

    #[test]
    fn a_body_that_is_refused_is_sent_again_as_json() {
        let (server, client) = client();
        server.once_to(Method::POST, MAPS, ScriptedAnswer::status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        server.once_to(Method::POST, MAPS, ScriptedAnswer::json(&map()));
        let maps = ResourceClient::<ConfigMap>::of_kind(client, "shop");
        assert_eq!(ready(maps.create(&map(), &WriteOptions::default())).unwrap(), map());
        let again = &server.requests()[1];
        assert_eq!(
            (&again.headers[header::CONTENT_TYPE], accepted(again)),
            (&"application/json".parse().unwrap(), "application/json")
        );
        assert_eq!(serde_json::from_slice::<ConfigMap>(&again.body).unwrap(), map());
    }

    #[test]
    fn what_the_schema_does_not_have_is_written_and_asked_for_as_json() {
        let server = Arc::new(ScriptedTransport::default());
        let known = "v1/ConfigMap 1:metadata:@.Meta\nv1/Meta 1:name:?s\n";
        for schema in [Schema::metadata(), Schema::parse(known).unwrap()] {
            let client = RestClient::new(server.clone(), Arc::new(FakePlatform::default())).with_protobuf(Arc::new(schema));
            server.once_to(Method::POST, MAPS, ScriptedAnswer::json(&map()));
            let maps = ResourceClient::<ConfigMap>::of_kind(client, "shop");
            assert_eq!(ready(maps.create(&map(), &WriteOptions::default())).unwrap(), map());
        }
        let requests = server.requests();
        assert!(requests.iter().all(|request| request.headers[header::CONTENT_TYPE] == "application/json"));
        assert_eq!(accepted(&requests[0]), "application/json");
    }
}
