//! The server through its transport, on a clock that stands still.

use std::{sync::Arc, time::Duration};

use futures::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde_json::{Value, json};

use super::{Column, FakeApiServer, Fault, FaultKind, ResourceDefinition};
use crate::{
    discovery::{Discovery as _, DiscoveryClient},
    meta::{GroupVersionResource, Status},
    platform::{FakePlatform, Platform, ready},
    transport::{Body, Request, Transport as _, TransportError, read_to_end},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

mod faults;
mod versions;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

struct Test {
    server: FakeApiServer,
    platform: FakePlatform,
}

impl Test {
    fn new() -> Self {
        let platform = FakePlatform::default();
        Self { server: FakeApiServer::new(Arc::new(platform.clone())), platform }
    }

    fn with_widgets() -> Self {
        let test = Self::new();
        test.server.register(
            ResourceDefinition::custom("example.com", "v1", "widgets", "Widget").with_status().with_column(Column::new(
                "Size",
                "integer",
                ".spec.size",
            )),
        );
        test
    }

    fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(HeaderName, &'static str)],
        body: &str,
    ) -> Result<(u16, HeaderMap, Body), TransportError> {
        let mut request = Request { method, body: body.to_owned().into(), ..Request::read(path) };
        for (name, value) in headers {
            request.headers.insert(name, HeaderValue::from_static(value));
        }
        let response = ready(self.server.send(request))?;
        Ok((response.status.as_u16(), response.headers, response.body))
    }

    fn ask(&self, method: Method, path: &str, headers: &[(HeaderName, &'static str)], body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, _, body) = self.send(method, path, headers, &body).unwrap();
        let bytes = ready(read_to_end(body)).unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    fn get(&self, path: &str) -> (u16, Value) {
        self.ask(Method::GET, path, &[], &Value::Null)
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask(Method::POST, path, &[], body)
    }

    fn put(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask(Method::PUT, path, &[], body)
    }

    fn patch(&self, path: &str, content_type: &'static str, body: &Value) -> (u16, Value) {
        self.ask(Method::PATCH, path, &[(header::CONTENT_TYPE, content_type)], body)
    }

    fn delete(&self, path: &str) -> (u16, Value) {
        self.ask(Method::DELETE, path, &[], &Value::Null)
    }

    fn map(&self, name: &str) -> Value {
        let (status, made) = self.post(MAPS, &json!({ "metadata": { "name": name, "labels": { "name": name } } }));
        assert_eq!(status, 201, "{made}");
        made
    }

    fn watch(&self, path: &str) -> Watched {
        let (status, _, body) = self.send(Method::GET, path, &[], "").unwrap();
        assert_eq!(status, 200);
        Watched { body, read: Vec::new() }
    }
}

struct Watched {
    body: Body,
    read: Vec<u8>,
}

impl Watched {
    /// The types and names of the events that are there now; the last is `end` where the stream ended.
    fn events(&mut self) -> Vec<String> {
        self.lines()
            .iter()
            .map(|event| {
                let meta = &event["object"]["metadata"];
                let name = meta["name"].as_str().or(event["object"]["reason"].as_str()).unwrap_or_default();
                format!("{} {name}", event["type"].as_str().unwrap()).trim().to_owned()
            })
            .collect()
    }

    fn lines(&mut self) -> Vec<Value> {
        let waker = futures::task::noop_waker();
        let mut context = std::task::Context::from_waker(&waker);
        while let std::task::Poll::Ready(next) = self.body.poll_next_unpin(&mut context) {
            let Some(chunk) = next else {
                self.read.extend_from_slice(b"{\"type\":\"end\"}\n");
                break;
            };
            self.read.extend_from_slice(&chunk.unwrap());
        }
        let text = String::from_utf8(std::mem::take(&mut self.read)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["metadata"]["name"].as_str().unwrap()).collect()
}

#[test]
fn an_object_is_what_was_put_in_wherever_it_is_asked_for() {
    let test = Test::with_widgets();
    let made = test.server.insert(&json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": { "name": "w", "namespace": "shop" }, "spec": { "size": 1 }, "status": { "phase": "Ready" },
    }));
    assert_eq!(made.unwrap().nested(&["status", "phase"]).unwrap().unwrap().as_str(), Some("Ready"));
    let (status, found) = test.get("/apis/example.com/v1/namespaces/shop/widgets/w");
    assert_eq!((status, &found["kind"], &found["spec"]["size"]), (200, &json!("Widget"), &json!(1)));
    // No other namespace has it, and without a namespace there is no object.
    assert_eq!(test.get("/apis/example.com/v1/namespaces/default/widgets/w").0, 404);
    assert_eq!(test.get("/apis/example.com/v1/widgets/w").0, 404);
    assert_eq!(test.get("/api/v1/namespaces/shop").0, 200);
    assert_eq!(test.get("/api/v1/namespaces/shop/namespaces/shop").0, 404);
}

#[test]
fn a_list_has_its_own_kind_and_only_its_own_group_in_the_order_of_names() {
    let test = Test::with_widgets();
    test.server.register(ResourceDefinition::custom("other.example.com", "v1", "widgets", "Widget"));
    for (version, name) in
        [("example.com/v1", "foo"), ("other.example.com/v1", "foo2"), ("example.com/v1", "bar"), ("example.com/v1", "baz")]
    {
        test.server.insert(&json!({ "apiVersion": version, "kind": "Widget", "metadata": { "name": name } })).unwrap();
    }
    let (_, list) = test.get("/apis/example.com/v1/widgets");
    assert_eq!((names(&list), &list["kind"]), (vec!["bar", "baz", "foo"], &json!("WidgetList")));
    assert_eq!((&list["apiVersion"], &list["items"][0]["kind"]), (&json!("example.com/v1"), &json!("Widget")));
    assert_eq!(list["metadata"]["resourceVersion"], json!(test.server.resource_version().as_str()));
    // Without objects the list has the kind of its definition too.
    let (_, empty) = test.get("/apis/other.example.com/v1/namespaces/kube-system/widgets");
    assert_eq!((&empty["kind"], &empty["items"]), (&json!("WidgetList"), &json!([])));
}

#[test]
fn a_list_without_objects_has_its_kind() {
    let (status, list) = Test::new().get("/apis/apps/v1/deployments");
    assert_eq!((status, &list["kind"], &list["items"]), (200, &json!("DeploymentList"), &json!([])));
}

#[test]
fn a_list_of_an_unknown_resource_is_not_found_before_it_is_registered() {
    let test = Test::new();
    let path = "/apis/example.com/v1/widgets";
    assert_eq!(test.get(path).0, 404);
    test.server.register(ResourceDefinition::custom("example.com", "v1", "widgets", "Widget"));
    assert_eq!((test.get(path).0, &test.get(path).1["kind"]), (200, &json!("WidgetList")));
}

#[test]
fn a_list_of_metadata_has_no_more_than_that() {
    let test = Test::new();
    for name in ["foo", "bar"] {
        test.map(name);
    }
    let accept = [(header::ACCEPT, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")];
    let (_, list) = test.ask(Method::GET, MAPS, &accept, &Value::Null);
    assert_eq!((names(&list), &list["kind"]), (vec!["bar", "foo"], &json!("PartialObjectMetadataList")));
    assert_eq!(list["items"][0].as_object().unwrap().keys().collect::<Vec<_>>(), ["apiVersion", "kind", "metadata"]);
}

#[test]
fn items_of_a_list_name_their_kind_only_where_they_are_custom() {
    let test = Test::with_widgets();
    test.map("a");
    let (_, list) = test.get(MAPS);
    assert!(list["items"][0]["kind"].is_null() && list["kind"] == "ConfigMapList");
}

#[test]
fn each_kind_of_patch_changes_what_it_says_and_refuses_the_form_of_another() {
    let test = Test::with_widgets();
    let path = "/apis/example.com/v1/namespaces/default/widgets/w";
    let json_patch = "application/json-patch+json";
    for (content_type, body, code, size) in [
        (json_patch, json!([]), 200, 1),
        (json_patch, json!([{ "op": "replace", "path": "/spec/size", "value": 2 }]), 200, 2),
        (json_patch, json!([{ "op": "add", "path": "/spec/new", "value": "x" }]), 200, 1),
        (json_patch, json!([{ "op": "remove", "path": "/spec/old" }]), 200, 1),
        (json_patch, json!([{ "op": "remove", "path": "/spec/missing" }]), 422, 1),
        (MERGE, json!({ "spec": { "size": 3 } }), 200, 3),
        (MERGE, json!([]), 400, 1),
        ("application/strategic-merge-patch+json", json!({ "spec": { "size": 3 } }), 415, 1),
        ("application/strategic-merge-patch+json", json!([]), 415, 1),
        ("text/plain", json!({}), 415, 1),
    ] {
        test.server
            .insert(
                &json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "w" }, "spec": { "size": 1, "old": "x" } }),
            )
            .unwrap();
        let (status, answer) = test.patch(path, content_type, &body);
        assert_eq!(status, code, "{content_type} {body}: {answer}");
        let spec = &test.get(path).1["spec"];
        assert_eq!(spec["size"], size, "{content_type} {body}");
        let is_removed = code == 200 && body.to_string().contains("/spec/old");
        assert_eq!(spec.get("old").is_none(), is_removed, "{content_type} {body}");
        let is_added = body.to_string().contains("/spec/new");
        assert_eq!(spec["new"] == "x", is_added, "{content_type} {body}");
    }
}

#[test]
fn annotations_are_patched_by_every_kind_of_patch_of_a_built_in() {
    let test = Test::new();
    let path = format!("{MAPS}/a");
    for (content_type, body, code, notes) in [
        ("application/strategic-merge-patch+json", json!([]), 400, json!({ "foo": "bar" })),
        ("application/json-patch+json", json!([]), 200, json!({ "foo": "bar" })),
        (
            "application/json-patch+json",
            json!([{ "op": "replace", "path": "/metadata/annotations/foo", "value": "x" }]),
            200,
            json!({ "foo": "x" }),
        ),
        ("application/json-patch+json", json!([{ "op": "remove", "path": "/metadata/annotations/foo" }]), 200, Value::Null),
        (MERGE, json!({ "metadata": { "annotations": { "foo": "baz" } } }), 200, json!({ "foo": "baz" })),
        (
            "application/strategic-merge-patch+json",
            json!({ "metadata": { "annotations": { "new": "1" } } }),
            200,
            json!({ "foo": "bar", "new": "1" }),
        ),
    ] {
        test.server
            .insert(
                &json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a", "annotations": { "foo": "bar" } } }),
            )
            .unwrap();
        let (status, answer) = test.patch(&path, content_type, &body);
        assert_eq!(status, code, "{content_type} {body}: {answer}");
        assert_eq!(test.get(&path).1["metadata"]["annotations"], notes, "{content_type} {body}");
    }
}

#[test]
fn a_patch_of_an_object_that_is_not_there_is_not_found() {
    let test = Test::new();
    let (status, answer) = test.patch("/api/v1/nodes/node-1", "application/strategic-merge-patch+json", &json!({}));
    assert_eq!((status, answer["message"].as_str()), (404, Some("nodes \"node-1\" not found")));
}

#[test]
fn a_named_object_is_found_only_where_it_is() {
    let test = Test::new();
    test.server.apply_json(r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"node"}}"#).unwrap();
    test.server.apply_json(r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod","namespace":"default"}}"#).unwrap();
    for (path, code) in [
        ("/api/v1/nodes/node", 200),
        ("/api/v1/namespaces/ns/nodes/node", 404),
        ("/api/v1/namespaces/default/pods/pod", 200),
        ("/api/v1/namespaces/other/pods/pod", 404),
        ("/api/v1/pods/pod", 404),
    ] {
        assert_eq!(test.get(path).0, code, "{path}");
    }
}

#[test]
fn applying_an_object_creates_it() {
    let test = Test::new();
    let config = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "cm-1" }, "data": { "k": "v" } });
    let (status, made) = test.patch(&format!("{MAPS}/cm-1?fieldManager=m"), APPLY, &config);
    assert_eq!((status, &made["data"]), (201, &json!({ "k": "v" })));
    assert_eq!(made["metadata"]["managedFields"][0]["fieldsV1"], json!({ "f:data": { "f:k": {} } }));
    // YAML is read too.
    let (status, _, _) = test
        .send(
            Method::PATCH,
            &format!("{MAPS}/yaml?fieldManager=m"),
            &[(header::CONTENT_TYPE, APPLY)],
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\n",
        )
        .unwrap();
    assert_eq!(status, 201);
}

#[test]
fn what_is_applied_must_have_its_name() {
    let test = Test::new();
    let config = json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": { "k": "v" } });
    let (status, answer) = test.patch(&format!("{MAPS}/cm-1?fieldManager=m"), APPLY, &config);
    assert_eq!(status, 400);
    assert!(answer["message"].as_str().unwrap().contains("name must be provided"), "{answer}");
}

#[test]
fn appliers_share_an_object_and_conflict_over_its_fields() {
    let test = Test::new();
    let path = format!("{MAPS}/cm-1");
    let apply = |manager: &str, data: Value| {
        let config = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "cm-1" }, "data": data });
        test.patch(&format!("{path}?fieldManager={manager}"), APPLY, &config)
    };
    test.post(&format!("{MAPS}?fieldManager=creator"), &json!({ "metadata": { "name": "cm-1" }, "data": { "k0": "v0" } }));
    assert_eq!(apply("one", json!({ "k1": "v1" })).1["data"], json!({ "k0": "v0", "k1": "v1" }));
    let (status, conflict) = apply("two", json!({ "k1": "xyz" }));
    assert_eq!(
        (status, conflict["message"].as_str()),
        (409, Some("Apply failed with 1 conflict: conflict with \"one\": .data.k1"))
    );
    assert_eq!(apply("two", json!({ "k2": "v2" })).1["data"], json!({ "k0": "v0", "k1": "v1", "k2": "v2" }));
    assert_eq!(apply("one", json!({ "k1": "v101" })).1["data"]["k1"], "v101");
    // What was applied before and is not now is gone, and the rest is forced.
    assert_eq!(apply("two&force=true", json!({ "k1": "v202" })).1["data"], json!({ "k0": "v0", "k1": "v202" }));
    let (_, updated) =
        test.put(&format!("{path}?fieldManager=one"), &json!({ "metadata": { "name": "cm-1" }, "data": { "k99": "v99" } }));
    assert_eq!(updated["data"], json!({ "k99": "v99" }));
}

#[test]
fn managed_fields_of_custom_resources_follow_their_registration() {
    let test = Test::new();
    let path = "/apis/example.com/v1/namespaces/default/widgets/w?fieldManager=m";
    let config =
        json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "w" }, "spec": { "tags": ["a"] } });
    assert_eq!(test.patch(path, APPLY, &config).0, 404);
    let definition = ResourceDefinition::custom("example.com", "v1", "widgets", "Widget");
    test.server.register(definition.clone());
    let fields = |answer: &Value| answer["metadata"]["managedFields"][0]["fieldsV1"].clone();
    assert_eq!(fields(&test.patch(path, APPLY, &config).1), json!({ "f:spec": { "f:tags": {} } }));
    // The same list is a set from now on.
    let schema = r#"{"properties":{"spec":{"properties":{"tags":{"type":"array","x-kubernetes-list-type":"set"}}}}}"#;
    test.server.register(definition.with_schema(schema.parse().unwrap()));
    assert_eq!(fields(&test.patch(path, APPLY, &config).1), json!({ "f:spec": { "f:tags": { "v:\"a\"": {} } } }));
}

#[test]
fn unstructured_objects_are_applied_without_a_schema() {
    let test = Test::with_widgets();
    let path = "/apis/example.com/v1/namespaces/default/widgets/w?fieldManager=m";
    let config = |size: i32| json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "w" }, "spec": { "size": size } });
    assert_eq!(test.patch(path, APPLY, &config(1)).0, 201);
    let (status, new) = test.patch(path, APPLY, &config(2));
    assert_eq!((status, &new["spec"]["size"], &new["metadata"]["generation"]), (200, &json!(2), &json!(2)));
    assert_eq!(new["metadata"]["managedFields"][0]["fieldsV1"], json!({ "f:spec": { "f:size": {} } }));
}

#[test]
fn a_watch_gives_what_was_created() {
    let test = Test::new();
    let mut watch = test.watch(&format!("{MAPS}?watch=1&resourceVersion={}", test.server.resource_version()));
    assert!(watch.lines().is_empty());
    let made = test.map("a");
    assert_eq!(watch.lines(), [json!({ "type": "ADDED", "object": made })]);
}

#[test]
fn watches_of_one_namespace_and_of_all_see_an_object_come_change_and_go() {
    let test = Test::new();
    let from = format!("watch=1&resourceVersion={}", test.server.resource_version());
    let mut one = test.watch(&format!("{MAPS}?{from}"));
    let mut all = test.watch(&format!("/api/v1/configmaps?{from}"));
    let mut other = test.watch(&format!("/api/v1/namespaces/kube-system/configmaps?{from}"));
    test.map("a");
    test.patch(&format!("{MAPS}/a"), MERGE, &json!({ "data": { "k": "v" } }));
    test.delete(&format!("{MAPS}/a"));
    for watch in [&mut one, &mut all] {
        let lines = watch.lines();
        let kinds: Vec<_> = lines.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["ADDED", "MODIFIED", "DELETED"]);
        // What is gone is told as it was last, with the version of its end.
        assert_eq!(lines[2]["object"]["data"], json!({ "k": "v" }));
        assert_eq!(lines[2]["object"]["metadata"]["resourceVersion"], test.server.resource_version().as_str());
    }
    assert!(other.lines().is_empty());
}

#[test]
fn many_watches_each_get_every_event_in_order() {
    let test = Test::new();
    let from = format!("watch=1&resourceVersion={}", test.server.resource_version());
    let watches = |path: &str| [(); 2].map(|()| test.watch(&format!("{path}?{from}")));
    let (of_one, of_all) = (watches(MAPS), watches("/api/v1/configmaps"));
    let elsewhere = "/api/v1/namespaces/kube-system/configmaps";
    for name in ["foo", "bar"] {
        test.map(name);
    }
    test.post(elsewhere, &json!({ "metadata": { "name": "baz" } }));
    for (path, name) in [(MAPS, "bar"), (elsewhere, "baz")] {
        test.patch(&format!("{path}/{name}"), MERGE, &json!({ "data": { "k": "v" } }));
    }
    for (path, name) in [(MAPS, "foo"), (MAPS, "bar"), (elsewhere, "baz")] {
        test.delete(&format!("{path}/{name}"));
    }
    for mut watch in of_one {
        assert_eq!(watch.events(), ["ADDED foo", "ADDED bar", "MODIFIED bar", "DELETED foo", "DELETED bar"]);
    }
    let all =
        ["ADDED foo", "ADDED bar", "ADDED baz", "MODIFIED bar", "MODIFIED baz", "DELETED foo", "DELETED bar", "DELETED baz"];
    for mut watch in of_all {
        assert_eq!(watch.events(), all);
    }
}

#[test]
fn a_watch_that_was_given_up_is_in_nobodys_way() {
    let test = Test::new();
    let mut watch = test.watch(&format!("{MAPS}?watch=1"));
    assert!(watch.lines().is_empty());
    drop(watch);
    test.map("a");
    assert_eq!(test.watch(&format!("{MAPS}?watch=1")).events(), ["ADDED a"]);
}

#[test]
fn objects_enter_and_leave_a_selector() {
    let test = Test::new();
    let mut watch = test.watch(&format!("{MAPS}?watch=1&labelSelector=app%3D1"));
    let label = |value: &str| test.patch(&format!("{MAPS}/a"), MERGE, &json!({ "metadata": { "labels": { "app": value } } }));
    test.map("a");
    label("1");
    label("2");
    label("1");
    test.delete(&format!("{MAPS}/a"));
    assert_eq!(watch.events(), ["ADDED a", "DELETED a", "ADDED a", "DELETED a"]);
}

#[test]
fn a_watch_list_ends_its_initial_events_with_a_bookmark_and_goes_on() {
    let test = Test::new();
    test.map("a");
    let mut watch = test.watch(&format!(
        "{MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=300"
    ));
    let lines = watch.lines();
    assert_eq!(lines.iter().map(|event| event["type"].as_str().unwrap()).collect::<Vec<_>>(), ["ADDED", "BOOKMARK"]);
    let meta = &lines[1]["object"]["metadata"];
    assert_eq!(meta["annotations"], json!({ "k8s.io/initial-events-end": "true" }));
    assert_eq!(meta["resourceVersion"], test.server.resource_version().as_str());
    test.map("b");
    assert_eq!(watch.events(), ["ADDED b"]);
    // Each minute, and when the server is told to, it says how far it is; at the end it ends.
    test.server.send_bookmarks();
    test.platform.advance(Duration::from_mins(1));
    assert_eq!(watch.events(), ["BOOKMARK"]);
    test.platform.advance(Duration::from_mins(1));
    assert_eq!(watch.events(), ["BOOKMARK"]);
    test.platform.advance(Duration::from_mins(3));
    assert_eq!(watch.events(), ["BOOKMARK", "end"]);
}

#[test]
fn a_namespace_ends_with_what_is_in_it() {
    let test = Test::new();
    for name in ["stays", "goes"] {
        let finalizers = if name == "stays" { json!(["example.com/f"]) } else { json!([]) };
        test.server.insert(&json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": "shop", "finalizers": finalizers } })).unwrap();
    }
    let (_, answer) = test.delete("/api/v1/namespaces/shop");
    assert_eq!(answer["status"]["phase"], "Terminating");
    let maps = "/api/v1/namespaces/shop/configmaps";
    assert_eq!(names(&test.get(maps).1), ["stays"]);
    let (status, refused) = test.post(maps, &json!({ "metadata": { "name": "new" } }));
    assert_eq!((status, &refused["details"]["causes"][0]["reason"]), (403, &json!("NamespaceTerminating")));
    test.patch(&format!("{maps}/stays"), MERGE, &json!({ "metadata": { "finalizers": null } }));
    assert_eq!(test.get("/api/v1/namespaces/shop").0, 404);
    assert_eq!(test.post(maps, &json!({ "metadata": { "name": "new" } })).1["message"], "namespaces \"shop\" not found");
}

#[test]
fn a_pod_on_a_node_stays_for_its_grace_period() {
    let test = Test::new();
    let pod = json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "p" }, "spec": { "nodeName": "n" } });
    test.server.insert(&pod).unwrap();
    let path = "/api/v1/namespaces/default/pods/p";
    assert_eq!(test.delete(path).1["metadata"]["deletionGracePeriodSeconds"], 30);
    assert_eq!(test.get(path).0, 200);
    assert_eq!(test.delete(&format!("{path}?gracePeriodSeconds=0")).0, 200);
    assert_eq!(test.get(path).0, 404);
}

#[test]
fn a_deployment_is_scaled_through_its_scale() {
    let test = Test::new();
    let deployment =
        json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "d" }, "spec": { "replicas": 1 } });
    test.server.insert(&deployment).unwrap();
    let path = "/apis/apps/v1/namespaces/default/deployments/d";
    assert_eq!(test.get(&format!("{path}/scale")).1["spec"]["replicas"], 1);
    let (_, scale) = test.patch(&format!("{path}/scale"), MERGE, &json!({ "spec": { "replicas": 4 } }));
    assert_eq!((&scale["kind"], &scale["spec"]["replicas"]), (&json!("Scale"), &json!(4)));
    assert_eq!(test.get(path).1["spec"]["replicas"], 4);
}

#[test]
fn lists_of_containers_are_merged_by_their_names() {
    let test = Test::new();
    let pod = json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "p" }, "spec": { "containers": [{ "name": "a", "image": "1" }, { "name": "b", "image": "1" }] } });
    test.server.insert(&pod).unwrap();
    let patch = json!({ "spec": { "containers": [{ "name": "b", "image": "2" }] } });
    let (_, pod) = test.patch("/api/v1/namespaces/default/pods/p", "application/strategic-merge-patch+json", &patch);
    let images: Vec<_> = pod["spec"]["containers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["image"].as_str().unwrap()))
        .collect();
    assert!(images.contains(&("a", "1")) && images.contains(&("b", "2")) && images.len() == 2, "{images:?}");
}

#[test]
fn discovery_tells_of_what_is_registered_in_both_forms() {
    let test = Test::with_widgets();
    for client in [DiscoveryClient::new(test.server.client()), DiscoveryClient::new(test.server.client()).with_legacy_discovery()]
    {
        let found = ready(client.server_groups_and_resources()).unwrap().complete().unwrap();
        let names: Vec<_> = found.groups.groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["", "apps", "batch", "coordination.k8s.io", "example.com"]);
        let widgets = found.resources.iter().find(|list| list.group_version.group == "example.com").unwrap();
        let names: Vec<_> = widgets.resources.iter().map(|resource| (resource.name.as_str(), resource.kind.as_str())).collect();
        assert_eq!(names, [("widgets", "Widget"), ("widgets/status", "Widget")]);
        assert!(ready(client.server_version()).unwrap().git_version.starts_with("v1."));
    }
    let accept = (header::ACCEPT, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    let (_, headers, _) = test.send(Method::GET, "/apis", std::slice::from_ref(&accept), "").unwrap();
    let etag: &'static str = String::leak(headers[header::ETAG].to_str().unwrap().to_owned());
    assert_eq!(test.send(Method::GET, "/apis", &[accept.clone(), (header::IF_NONE_MATCH, etag)], "").unwrap().0, 304);
    test.server.register(ResourceDefinition::custom("new.example.com", "v1", "things", "Thing"));
    assert_eq!(test.send(Method::GET, "/apis", &[accept, (header::IF_NONE_MATCH, etag)], "").unwrap().0, 200);
}

#[test]
fn a_table_of_a_watch_says_its_columns_once() {
    let test = Test::with_widgets();
    let widget = |name: &str| json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": name }, "spec": { "size": 3 } });
    test.server.insert(&widget("a")).unwrap();
    let accept = [(header::ACCEPT, "application/json;as=Table;v=v1;g=meta.k8s.io")];
    let (_, _, body) = test.send(Method::GET, "/apis/example.com/v1/widgets?watch=1", &accept, "").unwrap();
    let mut watch = Watched { body, read: Vec::new() };
    test.server.insert(&widget("b")).unwrap();
    let lines = watch.lines();
    let columns: Vec<_> =
        lines[0]["object"]["columnDefinitions"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
    assert_eq!((columns, lines.len()), (vec![&json!("Name"), &json!("Size")], 2));
    assert!(lines[1]["object"]["columnDefinitions"].is_null());
    assert_eq!(lines[1]["object"]["rows"][0]["cells"], json!(["b", 3]));
}

#[test]
fn requests_that_make_no_sense_are_refused_by_their_codes() {
    let test = Test::new();
    test.server.set_largest_body(100);
    test.map("a");
    for (method, path, headers, body, code) in [
        (Method::PUT, MAPS, vec![], "{}".to_owned(), 405),
        (Method::POST, "/api/v1/configmaps", vec![], "{}".to_owned(), 405),
        (Method::DELETE, "/api/v1/namespaces", vec![], String::new(), 405),
        (Method::GET, MAPS, vec![(header::ACCEPT, "text/html")], String::new(), 406),
        (Method::POST, MAPS, vec![(header::CONTENT_TYPE, "application/yaml")], "a: b".to_owned(), 415),
        (Method::POST, MAPS, vec![], "x".repeat(101), 413),
        (Method::GET, "/api/v1/unknowns", vec![], String::new(), 404),
        (Method::GET, "/apis/unknown/v1/things", vec![], String::new(), 404),
        (Method::GET, "/api/v1/pods?labelSelector=%3D%3D", vec![], String::new(), 400),
        (Method::GET, "/api/v1/pods?fieldSelector=spec.unknown%3D1", vec![], String::new(), 400),
    ] {
        assert_eq!(test.send(method.clone(), path, &headers, &body).unwrap().0, code, "{method} {path}");
    }
    assert_eq!(test.get("/api/v1/pods?fieldSelector=spec.nodeName%3Dn").0, 200);
}

#[test]
fn a_resource_in_the_path_of_a_fault_covers_it_and_its_subresource_does_not() {
    for (path, asked, hit) in [
        ("/serviceaccounts", "/api/v1/serviceaccounts", true),
        ("/serviceaccounts", "/api/v1/pods", false),
        ("/deployments/d", "/apis/apps/v1/namespaces/default/deployments/d/scale", false),
        ("/deployments/d/scale", "/apis/apps/v1/namespaces/default/deployments/d/scale", true),
        ("/scale", "/apis/apps/v1/namespaces/default/deployments/d/scale", true),
        ("", "/api/v1/pods", true),
    ] {
        let test = Test::new();
        test.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(Status::service_unavailable("no")))).on_path(path));
        assert_eq!(test.get(asked).0 == 503, hit, "{path:?} and {asked}");
    }
}

#[test]
fn an_answer_in_place_of_the_server_leaves_the_recorded_request_as_it_was() {
    let test = Test::new();
    test.server.faults().add(
        Fault::new(FaultKind::Answer(|request| {
            let mut object: Value = serde_json::from_slice(&request.body).unwrap();
            object["metadata"]["selfLink"] = "some-value".into();
            (201, object.to_string())
        }))
        .once(),
    );
    let sent = json!({ "metadata": { "name": "a" } });
    assert_eq!(test.post(MAPS, &sent).1["metadata"]["selfLink"], "some-value");
    let recorded = test.server.requests();
    assert_eq!((recorded.len(), serde_json::from_slice::<Value>(&recorded[0].body).unwrap()), (1, sent));
    // The server itself did nothing.
    assert_eq!(test.get(&format!("{MAPS}/a")).0, 404);
}

#[test]
fn several_faults_hit_one_request_and_the_later_answer_counts() {
    let test = Test::new();
    let answer = |code: u16| -> FaultKind {
        if code == 500 { FaultKind::Answer(|_| (500, "{}".to_owned())) } else { FaultKind::Answer(|_| (418, "{}".to_owned())) }
    };
    test.server.faults().add(Fault::new(answer(500)).once());
    test.server.faults().add(Fault::new(answer(418)).once());
    test.server.faults().add(Fault::new(FaultKind::ContentType("text/strange".to_owned())).once());
    let (status, headers, _) = test.send(Method::POST, MAPS, &[], "{}").unwrap();
    assert_eq!((status, headers[header::CONTENT_TYPE].to_str().unwrap()), (418, "text/strange"));
    assert_eq!(test.server.requests().len(), 1);
    assert_eq!(test.get(MAPS).0, 200);
}

#[test]
fn an_object_is_taken_out_whatever_holds_it() {
    let test = Test::new();
    test.post(MAPS, &json!({ "metadata": { "name": "a", "finalizers": ["example.com/f"] } }));
    let maps = GroupVersionResource::new("", "v1", "configmaps");
    let namespace = "default".into();
    assert!(test.server.get(&maps, Some(&namespace), &"a".into()).is_some());
    assert!(test.server.remove(&maps, Some(&namespace), &"a".into()));
    assert!(!test.server.remove(&maps, Some(&namespace), &"a".into()));
    let platform: Arc<dyn Platform> = Arc::new(test.platform.clone());
    assert!(FakeApiServer::new(platform).insert(&json!({ "apiVersion": "v1", "kind": "Unknown" })).is_err());
}

#[test]
fn a_field_of_the_wrong_type_is_refused_where_it_is_and_in_a_status_from_there() {
    let test = Test::new();
    let schema = r#"{"properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}}},
        "status":{"type":"object","properties":{"phase":{"type":"string"}}}}}"#;
    let definition = ResourceDefinition::custom("example.com", "v1", "widgets", "Widget").with_status();
    test.server.register(definition.with_schema(schema.parse().unwrap()));
    let path = "/apis/example.com/v1/namespaces/default/widgets";
    let widget =
        |spec: Value| json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "w" }, "spec": spec });
    let fault = |(status, answer): (u16, Value)| {
        let cause = &answer["details"]["causes"][0];
        (status, cause["field"].as_str().unwrap_or_default().to_owned(), cause["message"].as_str().unwrap_or_default().to_owned())
    };
    let wrong = |field: &str, message: &str| (422, field.to_owned(), format!("Invalid value: {message}"));
    let words = r#""string": spec.size in body must be of type integer: "string""#;
    assert_eq!(fault(test.post(path, &widget(json!({ "size": "large" })))), wrong("spec.size", words));
    test.server.insert(&widget(json!({ "size": 1 }))).unwrap();
    let of_object = format!("{path}/w");
    let of_status = format!("{path}/w/status");
    let patched = |path: &str, patch: Value| fault(test.patch(path, MERGE, &patch));
    assert_eq!(patched(&of_object, json!({ "spec": { "size": "large" } })), wrong("spec.size", words));
    let words = r#""integer": phase in body must be of type string: "integer""#;
    assert_eq!(patched(&of_status, json!({ "status": { "phase": 1 } })), wrong("status.phase", words));
    let words = r#""string":  in body must be of type object: "string""#;
    assert_eq!(patched(&of_status, json!({ "status": "Ready" })), wrong("status", words));
    // What else is wrong in a write of the status does not count.
    assert_eq!(patched(&of_status, json!({ "spec": { "size": "large" }, "status": { "phase": "Ready" } })).0, 200);
}
