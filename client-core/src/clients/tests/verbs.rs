//! What each verb sends, and what it makes of the answer.

use std::time::Duration;

use futures::StreamExt as _;
use http::Method;

use super::{JSON, PLACES, Sent, client, rest, sent, server, text, widget, widgets};
use crate::{
    clients::{Deletion, DynamicClient, ResourceClient},
    json::Value,
    meta::DeletionPropagation,
    object::{Object as _, Unstructured},
    patch::{JsonPatch, Patch},
    platform::ready,
    rest::{
        ApiError, DeleteOptions, FieldValidation, GetOptions, ListOptions, PatchOptions, Preconditions, RequestError,
        WriteOptions,
    },
    transport::{ScriptedAnswer, ScriptedTransport},
    wire::WatchEvent,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn bodiless(line: String) -> Sent {
    Sent { line, accept: JSON.into(), content_type: None, body: String::new() }
}

fn with_body(line: String, body: impl Into<String>) -> Sent {
    Sent { line, accept: JSON.into(), content_type: Some(JSON.into()), body: body.into() }
}

#[test]
fn a_list_is_read_with_its_kind_and_its_items() {
    let list = format!(r#"{{"apiVersion":"gtest/vTest","kind":"rTestList","items":[{},{}]}}"#, text("item1"), text("item2"));
    for (namespace, path) in PLACES {
        let server = server(Method::GET, path, &*list);
        let found = ready(client::<Unstructured>(&server, namespace).list(&ListOptions::default())).unwrap();
        assert_eq!(found.kind.unwrap().kind, "rTestList");
        assert_eq!(found.items, [widget("item1"), widget("item2")]);
        assert_eq!(sent(&server), bodiless(format!("GET {path}")));
        let options = ListOptions { label_selector: Some("a=b".into()), limit: Some(5), ..ListOptions::default() };
        ready(client::<Unstructured>(&server, namespace).list(&options)).unwrap();
        assert_eq!(sent(&server).line, format!("GET {path}?labelSelector=a%3Db&limit=5"));
    }
}

#[test]
fn an_object_is_read_by_its_name() {
    for (namespace, path) in PLACES {
        let server = server(Method::GET, format!("{path}/a"), text("a"));
        let options = GetOptions { resource_version: Some("0".into()) };
        assert_eq!(ready(client::<Unstructured>(&server, namespace).get("a", &options)).unwrap(), widget("a"));
        assert_eq!(sent(&server), bodiless(format!("GET {path}/a?resourceVersion=0")));
    }
    for (namespace, path) in PLACES {
        let server = server(Method::GET, format!("{path}/a/srtest"), text("a"));
        let client = client::<Unstructured>(&server, namespace).subresource::<Unstructured>(["srtest"]);
        assert_eq!(ready(client.get("a", &GetOptions::default())).unwrap(), widget("a"));
        assert_eq!(sent(&server), bodiless(format!("GET {path}/a/srtest")));
    }
}

#[test]
fn a_list_can_be_read_where_an_object_is_asked_for() {
    let list = format!(r#"{{"apiVersion":"gtest/vTest","kind":"rTestList","items":[{}]}}"#, text("item1"));
    let server = server(Method::GET, "/apis/gtest/vtest/rtest/a", list);
    let found = ready(client::<Unstructured>(&server, None).get("a", &GetOptions::default())).unwrap();
    assert_eq!(found.items().unwrap(), [widget("item1")]);
}

#[test]
fn an_object_is_created_as_it_is() {
    for (namespace, path) in PLACES {
        let server = server(Method::POST, path, text("a"));
        let options = WriteOptions { field_validation: Some(FieldValidation::Strict), ..WriteOptions::default() };
        assert_eq!(ready(client(&server, namespace).create(&widget("a"), &options)).unwrap(), widget("a"));
        assert_eq!(sent(&server), with_body(format!("POST {path}?fieldValidation=Strict"), text("a")));
    }
}

#[test]
fn an_object_without_a_name_can_be_created_and_not_updated() {
    let server = server(Method::POST, "/apis/gtest/vtest/namespaces/nstest/rtest", text("a-1"));
    let client = client::<Unstructured>(&server, Some("nstest"));
    let nameless: Unstructured =
        r#"{"apiVersion":"gtest/vTest","kind":"rTest","metadata":{"generateName":"a-"}}"#.parse().unwrap();
    assert_eq!(ready(client.create(&nameless, &WriteOptions::default())).unwrap().name(), "a-1");
    server.forget_requests();
    let error = ready(client.update(&nameless, &WriteOptions::default())).unwrap_err();
    assert!(matches!(error, ApiError::Request(RequestError::NoName)), "{error}");
    let error = ready(client.update_status(&nameless, &WriteOptions::default())).unwrap_err();
    assert!(matches!(error, ApiError::Request(RequestError::NoName)), "{error}");
    assert!(server.requests().is_empty());
}

#[test]
fn an_object_is_updated_under_its_own_name() {
    for (namespace, path) in PLACES {
        let server = server(Method::PUT, format!("{path}/a"), text("a"));
        let options = WriteOptions { dry_run: true, field_manager: Some("me".into()), ..WriteOptions::default() };
        assert_eq!(ready(client(&server, namespace).update(&widget("a"), &options)).unwrap(), widget("a"));
        assert_eq!(sent(&server), with_body(format!("PUT {path}/a?dryRun=All&fieldManager=me"), text("a")));
    }
}

#[test]
fn the_options_of_a_deletion_are_its_body_whole() {
    let options = DeleteOptions {
        grace_period_seconds: Some(0),
        preconditions: Some(Preconditions { uid: Some("uid".into()), resource_version: None }),
        propagation: Some(DeletionPropagation::Background),
        dry_run: false,
    };
    let body = r#"{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"preconditions":{"uid":"uid"},"propagationPolicy":"Background"}"#;
    for (namespace, path) in PLACES {
        let server = server(Method::DELETE, format!("{path}/a"), r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#);
        let client = client::<Unstructured>(&server, namespace);
        ready(client.delete("a", &DeleteOptions::default())).unwrap();
        assert_eq!(sent(&server), with_body(format!("DELETE {path}/a"), r#"{"kind":"DeleteOptions","apiVersion":"v1"}"#));
        ready(client.delete("a", &options)).unwrap();
        assert_eq!(sent(&server), with_body(format!("DELETE {path}/a"), body));
    }
}

#[test]
fn a_list_and_the_deletion_of_a_collection_may_take_as_long_as_their_options_say() {
    let collection = "/apis/gtest/vtest/namespaces/nstest/rtest";
    let asked = |seconds: Option<u64>, method: &Method| {
        let server = server(method.clone(), collection, r#"{"kind":"rTestList","apiVersion":"gtest/vTest","items":[]}"#);
        let client = client::<Unstructured>(&server, Some("nstest"));
        let options = ListOptions { timeout: seconds.map(Duration::from_secs), ..ListOptions::default() };
        match *method {
            Method::GET => ready(client.list(&options)).map(drop).unwrap(),
            _ => ready(client.delete_collection(&DeleteOptions::default(), &options)).unwrap(),
        }
        sent(&server).line
    };
    for method in [Method::GET, Method::DELETE] {
        let line = |query: &str| format!("{method} {collection}{query}");
        assert_eq!(asked(Some(21), &method), line("?timeoutSeconds=21&timeout=21000ms"));
        assert_eq!(asked(Some(0), &method), line("?timeoutSeconds=0"));
        assert_eq!(asked(None, &method), line(""));
    }
    // The end of a watch is what its server reads.
    let server = ScriptedTransport::default();
    let options = ListOptions { timeout: Some(Duration::from_secs(21)), ..ListOptions::default() };
    drop(ready(client::<Unstructured>(&server, None).watch(&options)));
    assert_eq!(sent(&server).line, "GET /apis/gtest/vtest/rtest?timeoutSeconds=21&watch=true");
}

#[test]
fn a_deletion_is_done_or_pending() {
    let path = "/apis/gtest/vtest/rtest/a";
    let delete = |answer: ScriptedAnswer| {
        let server = ScriptedTransport::default();
        server.once_to(Method::DELETE, path, answer);
        ready(client::<Unstructured>(&server, None).delete("a", &DeleteOptions::default()))
    };
    let status = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","uid":"u"}}"#;
    let Deletion::Done(status) = delete(ScriptedAnswer::text(status)).unwrap() else { panic!("it is still there") };
    assert_eq!((status.status.as_str(), status.details.uid.as_str()), ("Success", "u"));
    let Deletion::Pending(object) = delete(ScriptedAnswer::text(text("a"))).unwrap() else { panic!("it is gone") };
    assert_eq!(*object, widget("a"));
    let silent = delete(ScriptedAnswer::status(http::StatusCode::OK)).unwrap();
    assert_eq!(silent, Deletion::Done(Box::default()));
    let refused = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409}"#;
    let refused = delete(ScriptedAnswer::text(refused).with_status(http::StatusCode::CONFLICT)).unwrap_err();
    assert!(refused.is_conflict());
    assert!(matches!(delete(ScriptedAnswer::text("[]")), Err(ApiError::Unreadable { .. })));
}

#[test]
fn a_collection_is_deleted_by_what_selects_it() {
    for (namespace, path) in PLACES {
        let server = server(Method::DELETE, path, r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#);
        let client = client::<Unstructured>(&server, namespace);
        let selection = ListOptions { field_selector: Some("metadata.name=a".into()), ..ListOptions::default() };
        let options = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
        ready(client.delete_collection(&options, &selection)).unwrap();
        let line = format!("DELETE {path}?fieldSelector=metadata.name%3Da");
        assert_eq!(sent(&server), with_body(line, r#"{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}"#));
    }
}

#[test]
fn a_watch_hands_out_objects_and_says_that_it_is_one() {
    for (namespace, path) in PLACES {
        let events = ["ADDED", "MODIFIED", "DELETED"].map(|kind| format!("{{\"type\":\"{kind}\",\"object\":{}}}\n", text("a")));
        let server = server(Method::GET, path, events.concat());
        let options = ListOptions { resource_version: Some("7".into()), allow_watch_bookmarks: true, ..ListOptions::default() };
        let watch = ready(client::<Unstructured>(&server, namespace).watch(&options)).unwrap();
        let events: Vec<_> = ready(watch.map(Result::unwrap).collect());
        let wanted = [WatchEvent::Added(widget("a")), WatchEvent::Modified(widget("a")), WatchEvent::Deleted(widget("a"))];
        assert_eq!(events, wanted);
        assert_eq!(sent(&server), bodiless(format!("GET {path}?resourceVersion=7&allowWatchBookmarks=true&watch=true")));
    }
}

#[test]
fn each_patch_has_its_own_content_type() {
    let value: Value = r#"{"spec":{"a":9007199254740993}}"#.parse().unwrap();
    let json: JsonPatch = serde_json::from_str(r#"[{"op":"remove","path":"/a"}]"#).unwrap();
    for (namespace, path) in PLACES {
        for (patch, content_type, body) in [
            (Patch::Json(json.clone()), "application/json-patch+json", r#"[{"op":"remove","path":"/a"}]"#),
            (Patch::Merge(value.clone()), "application/merge-patch+json", r#"{"spec":{"a":9007199254740993}}"#),
            (Patch::Strategic(value.clone()), "application/strategic-merge-patch+json", r#"{"spec":{"a":9007199254740993}}"#),
            (Patch::Apply("a: 1\n".into()), "application/apply-patch+yaml", "a: 1\n"),
        ] {
            let server = server(Method::PATCH, format!("{path}/a"), text("a"));
            let write = WriteOptions { field_manager: Some("me".into()), ..WriteOptions::default() };
            let options = PatchOptions { write, force: None };
            let patched = ready(client::<Unstructured>(&server, namespace).patch("a", &patch, &options)).unwrap();
            assert_eq!(patched, widget("a"));
            let content_type = Some(content_type.to_owned());
            let line = format!("PATCH {path}/a?fieldManager=me");
            assert_eq!(sent(&server), Sent { line, accept: JSON.into(), content_type, body: body.to_owned() });
        }
    }
}

#[test]
fn an_apply_sends_the_object_under_the_name_of_its_manager() {
    let path = "/apis/gtest/vtest/namespaces/nstest/rtest/a";
    let server = server(Method::PATCH, path, text("a"));
    let client = client::<Unstructured>(&server, Some("nstest"));
    let write = WriteOptions { field_manager: Some("me".into()), ..WriteOptions::default() };
    let options = PatchOptions { write, force: Some(true) };
    assert_eq!(ready(client.apply("a", &widget("a"), &options)).unwrap(), widget("a"));
    let line = format!("PATCH {path}?fieldManager=me&force=true");
    let content_type = Some("application/apply-patch+yaml".to_owned());
    assert_eq!(sent(&server), Sent { line, accept: JSON.into(), content_type, body: text("a") });
}

#[test]
fn a_name_or_a_namespace_that_is_no_segment_is_never_sent() {
    let server = ScriptedTransport::default();
    let bad_namespace = client::<Unstructured>(&server, Some("bad/namespace"));
    let (good, bad) = (widget("good"), widget("bad/name"));
    let bad_name = client::<Unstructured>(&server, Some("nstest"));
    let patch = Patch::Merge(Value::object());
    let (get, list, write) = (GetOptions::default(), ListOptions::default(), WriteOptions::default());
    let (delete, patched) = (DeleteOptions::default(), PatchOptions::default());
    ready(async {
        let namespace = [
            bad_namespace.create(&good, &write).await.map(drop),
            bad_namespace.update(&good, &write).await.map(drop),
            bad_namespace.update_status(&good, &write).await.map(drop),
            bad_namespace.delete("good", &delete).await.map(drop),
            bad_namespace.delete_collection(&delete, &list).await,
            bad_namespace.get("good", &get).await.map(drop),
            bad_namespace.list(&list).await.map(drop),
            bad_namespace.watch(&list).await.map(drop),
            bad_namespace.patch("good", &patch, &patched).await.map(drop),
            bad_namespace.apply("good", &good, &patched).await.map(drop),
            bad_namespace.apply_status("good", &good, &patched).await.map(drop),
        ];
        for outcome in namespace {
            let error = outcome.unwrap_err().to_string();
            assert!(error.starts_with("the namespace cannot be used: \"bad/namespace\" cannot be a part of a path"), "{error}");
        }
        let name = [
            bad_name.update(&bad, &write).await.map(drop),
            bad_name.update_status(&bad, &write).await.map(drop),
            bad_name.delete("bad/name", &delete).await.map(drop),
            bad_name.get("bad/name", &get).await.map(drop),
            bad_name.patch("bad/name", &patch, &patched).await.map(drop),
            bad_name.apply("bad/name", &good, &patched).await.map(drop),
            bad_name.apply_status("bad/name", &good, &patched).await.map(drop),
        ];
        for outcome in name {
            let error = outcome.unwrap_err().to_string();
            assert!(error.starts_with("the name cannot be used: \"bad/name\" cannot be a part of a path"), "{error}");
        }
    });
    assert!(server.requests().is_empty());
}

#[test]
fn an_empty_name_reaches_no_collection_and_an_empty_namespace_no_other_object() {
    let server = ScriptedTransport::default();
    let everywhere = client::<Unstructured>(&server, Some(""));
    let cluster = client::<Unstructured>(&server, None);
    let patch = Patch::Merge(Value::object());
    ready(async {
        let delete = DeleteOptions::default();
        for outcome in [
            cluster.get("", &GetOptions::default()).await.map(drop),
            cluster.delete("", &delete).await.map(drop),
            cluster.patch("", &patch, &PatchOptions::default()).await.map(drop),
        ] {
            let error = outcome.unwrap_err().to_string();
            assert!(error.starts_with("the name cannot be used"), "{error}");
        }
        for outcome in [
            everywhere.get("a", &GetOptions::default()).await.map(drop),
            everywhere.create(&widget("a"), &WriteOptions::default()).await.map(drop),
            everywhere.update(&widget("a"), &WriteOptions::default()).await.map(drop),
            everywhere.delete("a", &delete).await.map(drop),
            everywhere.patch("a", &patch, &PatchOptions::default()).await.map(drop),
        ] {
            assert!(matches!(outcome, Err(ApiError::Request(RequestError::EmptyNamespace))), "{outcome:?}");
        }
    });
    assert!(server.requests().is_empty());
}

#[test]
fn all_namespaces_can_be_listed_watched_and_deleted_from() {
    let path = "/apis/gtest/vtest/rtest";
    let server = server(Method::GET, path, r#"{"kind":"rTestList","apiVersion":"gtest/vTest","items":[]}"#);
    server.always_to(Method::DELETE, path, ScriptedAnswer::text(r#"{"kind":"Status","status":"Success"}"#));
    let everywhere = client::<Unstructured>(&server, Some(""));
    ready(everywhere.list(&ListOptions::default())).unwrap();
    assert_eq!(sent(&server).line, format!("GET {path}"));
    ready(everywhere.watch(&ListOptions::default())).map(drop).unwrap();
    assert_eq!(sent(&server).line, format!("GET {path}?watch=true"));
}

#[test]
fn a_dynamic_client_makes_clients_of_any_resource() {
    let server = server(Method::GET, "/apis/gtest/vtest/rtest/a", text("a"));
    server.always("/apis/gtest/vtest/namespaces/nstest/rtest/a", ScriptedAnswer::text(text("a")));
    let dynamic = DynamicClient::new(rest(&server));
    for client in [dynamic.cluster(&widgets()), dynamic.namespaced(&widgets(), "nstest")] {
        assert_eq!(client.resource(), &widgets());
        assert_eq!(ready(client.get("a", &GetOptions::default())).unwrap(), widget("a"));
    }
    let client = dynamic.namespaced(&widgets(), "nstest");
    assert_eq!(format!("{client:?}"), "ResourceClient(rtest.gtest, version vtest, Some(Namespace(\"nstest\")))");
    let cast: ResourceClient<crate::object::PartialObjectMetadata> = client.cast();
    assert_eq!(cast.resource(), &widgets());
}

#[test]
fn a_refusal_names_the_resource_and_the_object() {
    let server = ScriptedTransport::default();
    server.once("/apis/gtest/vtest/rtest/a", ScriptedAnswer::status(http::StatusCode::FORBIDDEN));
    let error = ready(client::<Unstructured>(&server, None).get("a", &GetOptions::default())).unwrap_err();
    assert!(error.is_forbidden());
    let details = &error.status().unwrap().details;
    assert_eq!((details.group.as_str(), details.kind.as_str(), details.name.as_str()), ("gtest", "rtest", "a"));
}
