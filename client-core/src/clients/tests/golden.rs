//! The requests and answers that client-go's dynamic client is held to byte by byte (`dynamic/golden_test.go`).

use futures::StreamExt as _;
use http::Method;

use super::{Sent, rest, sent};
use crate::{
    clients::{DynamicClient, ResourceClient},
    json::Value,
    meta::GroupVersionResource,
    object::Unstructured,
    patch::Patch,
    platform::ready,
    rest::{DeleteOptions, FieldValidation, GetOptions, ListOptions, PatchOptions, WriteOptions},
    transport::{ScriptedAnswer, ScriptedTransport},
    wire::{Bookmark, WatchEvent},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

macro_rules! golden {
    ($name:literal) => {
        include_str!(concat!("../../../tests/golden/", $name))
    };
}

/// The request in a fixture. Who sends it, and how the connection packs it, is the transport's.
fn wanted(fixture: &str) -> Sent {
    let (head, body) = fixture.split_once("\r\n\r\n").unwrap();
    let mut lines = head.split("\r\n");
    let line = lines.next().unwrap().strip_suffix(" HTTP/1.1").unwrap().to_owned();
    let headers: Vec<_> = lines.map(|line| line.split_once(": ").unwrap()).collect();
    let header = |wanted| headers.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned());
    Sent { line, accept: header("Accept").unwrap(), content_type: header("Content-Type"), body: body.trim_end().to_owned() }
}

#[test]
fn every_verb_sends_what_the_dynamic_client_of_go_sends() {
    let mips: Value = r#"{"metadata":{"name":"mips"}}"#.parse().unwrap();
    // The fixtures have a word that no server takes, `warn`.
    let write = WriteOptions { field_validation: Some(FieldValidation::Warn), ..WriteOptions::default() };
    let forced = PatchOptions { force: Some(true), ..PatchOptions::default() };
    let (get, list) = (
        GetOptions { resource_version: Some("42".into()) },
        ListOptions { resource_version: Some("42".into()), ..ListOptions::default() },
    );
    let dry = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
    let baz = PatchOptions { write: WriteOptions { field_manager: Some("baz".into()), ..WriteOptions::default() }, force: None };
    let patch = Patch::Strategic(r#"{"foo":"bar"}"#.parse().unwrap());

    let server = ScriptedTransport::default();
    let flips = DynamicClient::new(rest(&server)).namespaced(&GroupVersionResource::new("flops", "v1alpha1", "flips"), "mops");
    let fin = flips.subresource::<Unstructured>(["fin"]);
    let status = flips.subresource::<Unstructured>(["status"]);
    let assert_sent = |fixture: &str| {
        let (ours, theirs) = (sent(&server), wanted(fixture));
        assert_eq!(Sent { line: ours.line.replace("=Warn", "=warn"), ..ours }, theirs);
    };
    ready(async {
        // The server knows none of it, and answers 404.
        fin.create("mips", &mips, &write).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/create"));
        fin.update("mips", &mips, &write).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/update"));
        status.update("mips", &mips, &write).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/updatestatus"));
        fin.delete("mips", &dry).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/delete"));
        flips.delete_collection(&dry, &list).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/deletecollection"));
        fin.get("mips", &get).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/get"));
        flips.list(&list).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/list"));
        flips.watch(&list).await.map(drop).unwrap_err();
        assert_sent(golden!("TestGoldenRequest/watch"));
        fin.patch("mips", &patch, &baz).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/patch"));
        fin.apply("mips", &mips, &forced).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/apply"));
        flips.apply_status("mips", &mips, &forced).await.unwrap_err();
        assert_sent(golden!("TestGoldenRequest/applystatus"));
    });
}

/// The body of the answer in a fixture.
fn body(fixture: &str) -> String {
    let (head, body) = fixture.split_once("\n\n").or_else(|| fixture.split_once("\r\n\r\n")).unwrap();
    if !head.contains("chunked") {
        return body.to_owned();
    }
    let is_size = |line: &&str| u32::from_str_radix(line.trim(), 16).is_ok();
    body.lines().filter(|line| !is_size(line)).collect::<Vec<_>>().join("\n")
}

fn answered(method: Method, path: &str, fixture: &str) -> ResourceClient<Unstructured> {
    let server = ScriptedTransport::default();
    server.once_to(method, path, ScriptedAnswer::text(body(fixture)));
    DynamicClient::new(rest(&server)).cluster(&GroupVersionResource::new("", "v1", "serviceaccounts"))
}

fn parsed(fixture: &str) -> Value {
    fixture.parse().unwrap()
}

#[test]
fn every_answer_is_read_as_the_dynamic_client_of_go_reads_it() {
    const ONE: &str = golden!("TestGoldenResponse/responses/nonlist");
    const OBJECT: &str = "/api/v1/serviceaccounts/name";
    let named: Unstructured = r#"{"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"name"}}"#.parse().unwrap();
    let write = WriteOptions::default();
    ready(async {
        let client = answered(Method::POST, "/api/v1/serviceaccounts", ONE);
        let created = client.create(&named, &write).await.unwrap();
        assert_eq!(created.to_value().unwrap(), parsed(golden!("TestGoldenResponse/create")));
        let updated = answered(Method::PUT, OBJECT, ONE).update(&named, &write).await.unwrap();
        assert_eq!(updated.to_value().unwrap(), parsed(golden!("TestGoldenResponse/update")));
        let updated = answered(Method::PUT, &format!("{OBJECT}/status"), ONE).update_status(&named, &write).await.unwrap();
        assert_eq!(updated.to_value().unwrap(), parsed(golden!("TestGoldenResponse/updatestatus")));
        let read = answered(Method::GET, OBJECT, ONE).get("name", &GetOptions::default()).await.unwrap();
        assert_eq!(read.to_value().unwrap(), parsed(golden!("TestGoldenResponse/get")));
        let client = answered(Method::GET, "/api/v1/serviceaccounts", golden!("TestGoldenResponse/responses/list"));
        let list = client.list(&ListOptions::default()).await.unwrap();
        assert_eq!(Value::from_serialize(&list).unwrap(), parsed(golden!("TestGoldenResponse/list")));

        let client = answered(Method::GET, "/api/v1/serviceaccounts", golden!("TestGoldenResponse/responses/events"));
        let watch = client.watch(&ListOptions::default()).await.unwrap();
        let events: Vec<_> = watch.map(Result::unwrap).collect().await;
        let wanted = parsed(golden!("TestGoldenResponse/watch"));
        let wanted = wanted.as_array().unwrap();
        let added = Unstructured::from_value(wanted[0].nested(&["object"]).unwrap().unwrap()).unwrap();
        // Of a bookmark only its version is kept, and what it ends.
        assert_eq!(wanted[1].nested(&["object", "metadata", "resourceVersion"]).unwrap().unwrap().as_str(), Some("964"));
        let bookmark = Bookmark { resource_version: "964".into(), ends_initial_events: true };
        assert_eq!(events, [WatchEvent::Added(added), WatchEvent::Bookmark(bookmark)]);
    });
}
