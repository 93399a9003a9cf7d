//! What the verbs of subresources send.

use http::Method;

use super::{JSON, PLACES, Sent, client, sent, server, text, widget};
use crate::{
    clients::{Deletion, SubresourceClient},
    json::Value,
    object::Unstructured,
    patch::Patch,
    platform::ready,
    rest::{ApiError, DeleteOptions, GetOptions, PatchOptions, Preconditions, RequestError, WriteOptions},
    transport::ScriptedTransport,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn subresource(server: &ScriptedTransport, namespace: Option<&str>) -> SubresourceClient<Unstructured> {
    client::<Unstructured>(server, namespace).subresource(["srtest"])
}

#[test]
fn a_subresource_is_read_below_its_object() {
    for (namespace, path) in PLACES {
        let server = server(Method::GET, format!("{path}/a/srtest"), text("a"));
        let options = GetOptions { resource_version: Some("7".into()) };
        assert_eq!(ready(subresource(&server, namespace).get("a", &options)).unwrap(), widget("a"));
        let line = format!("GET {path}/a/srtest?resourceVersion=7");
        assert_eq!(sent(&server), Sent { line, accept: JSON.into(), content_type: None, body: String::new() });
    }
}

#[test]
fn a_subresource_is_created_and_updated_under_the_name_of_its_object() {
    for (namespace, path) in PLACES {
        for method in [Method::POST, Method::PUT] {
            let server = server(method.clone(), format!("{path}/a/srtest"), text("a"));
            let client = subresource(&server, namespace);
            let options = WriteOptions { dry_run: true, ..WriteOptions::default() };
            let outcome = match method {
                Method::POST => ready(client.create("a", &widget("b"), &options)),
                _ => ready(client.update("a", &widget("b"), &options)),
            };
            assert_eq!(outcome.unwrap(), widget("a"));
            let line = format!("{method} {path}/a/srtest?dryRun=All");
            assert_eq!(sent(&server), Sent { line, accept: JSON.into(), content_type: Some(JSON.into()), body: text("b") });
        }
    }
}

#[test]
fn a_subresource_is_deleted_with_the_options_as_body() {
    let preconditions = Some(Preconditions { uid: Some("uid".into()), resource_version: None });
    let options = DeleteOptions { preconditions, ..DeleteOptions::default() };
    for (namespace, path) in PLACES {
        let server = server(Method::DELETE, format!("{path}/a/srtest"), r#"{"kind":"Status","status":"Success"}"#);
        let outcome = ready(subresource(&server, namespace).delete("a", &options)).unwrap();
        assert!(matches!(outcome, Deletion::Done(_)));
        let body = r#"{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"uid"}}"#.to_owned();
        let line = format!("DELETE {path}/a/srtest");
        assert_eq!(sent(&server), Sent { line, accept: JSON.into(), content_type: Some(JSON.into()), body });
    }
}

#[test]
fn a_subresource_is_patched_and_applied() {
    for (namespace, path) in PLACES {
        let server = server(Method::PATCH, format!("{path}/a/srtest"), text("a"));
        let client = subresource(&server, namespace);
        let patch = Patch::Strategic(r#"{"a":1}"#.parse::<Value>().unwrap());
        assert_eq!(ready(client.patch("a", &patch, &PatchOptions::default())).unwrap(), widget("a"));
        let request = sent(&server);
        assert_eq!((request.line, request.body), (format!("PATCH {path}/a/srtest"), r#"{"a":1}"#.into()));
        assert_eq!(request.content_type.as_deref(), Some("application/strategic-merge-patch+json"));
        let options = PatchOptions { force: Some(true), ..PatchOptions::default() };
        assert_eq!(ready(client.apply("a", &widget("a"), &options)).unwrap(), widget("a"));
        let request = sent(&server);
        assert_eq!((request.line, request.body), (format!("PATCH {path}/a/srtest?force=true"), text("a")));
        assert_eq!(request.content_type.as_deref(), Some("application/apply-patch+yaml"));
    }
}

#[test]
fn the_status_is_updated_and_applied_by_itself() {
    let path = "/apis/gtest/vtest/namespaces/nstest/rtest/a/status";
    let server = server(Method::PUT, path, text("a"));
    server.always_to(Method::PATCH, path, crate::transport::ScriptedAnswer::text(text("a")));
    let client = client::<Unstructured>(&server, Some("nstest"));
    assert_eq!(ready(client.update_status(&widget("a"), &WriteOptions::default())).unwrap(), widget("a"));
    let request = sent(&server);
    assert_eq!((request.line, request.body), (format!("PUT {path}"), text("a")));
    let options = PatchOptions { force: Some(false), ..PatchOptions::default() };
    assert_eq!(ready(client.apply_status("a", &widget("a"), &options)).unwrap(), widget("a"));
    let request = sent(&server);
    assert_eq!((request.line, request.body), (format!("PATCH {path}?force=false"), text("a")));
}

#[test]
fn a_subresource_needs_an_object_and_a_way_that_does_not_climb() {
    let server = ScriptedTransport::default();
    let error = ready(subresource(&server, None).get("", &GetOptions::default())).unwrap_err().to_string();
    assert!(error.starts_with("the name cannot be used"), "{error}");
    let error = ready(subresource(&server, Some("")).get("a", &GetOptions::default())).unwrap_err();
    assert!(matches!(error, ApiError::Request(RequestError::EmptyNamespace)), "{error}");
    let climbing: SubresourceClient<Unstructured> = client::<Unstructured>(&server, None).subresource(["proxy", ".."]);
    let error = ready(climbing.get("a", &GetOptions::default())).unwrap_err().to_string();
    assert!(error.starts_with("the subresource cannot be used"), "{error}");
    assert!(server.requests().is_empty());
}
