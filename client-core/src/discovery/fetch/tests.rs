use std::sync::Arc;

use http::StatusCode;

use super::*;
use crate::{
    meta::GroupResource,
    platform::{FakePlatform, ready},
    transport::{ScriptedAnswer, ScriptedTransport},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn ask(server: &ScriptedTransport, known: Option<&Catalog>) -> Result<Catalog, ApiError> {
    ready(fetch(&RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default())), known))
}

fn found(catalog: &Catalog) -> Vec<String> {
    catalog.resources().map(|found| format!("{}.{}", found.identity.group_version, found.identity.resource)).collect()
}

fn failed(catalog: &Catalog) -> Vec<String> {
    catalog.failed().map(|failed| format!("{}: {}", failed.group_version, failed.reason)).collect()
}

const CORE: &str = r#"{"kind":"APIGroupDiscoveryList","items":[{"versions":[{"version":"v1","resources":[
    {"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"scope":"Namespaced","singularResource":"pod",
     "verbs":["list"],"shortNames":["po"],"categories":["all"],
     "subresources":[{"subresource":"log","responseKind":{"version":"v1","kind":"Pod"},"verbs":["get"]}]},
    {"resource":"nodes","responseKind":{"version":"v1","kind":"Node"},"scope":"Cluster","verbs":["list"]}]}]}]}"#;
const GROUPS: &str = r#"{"kind":"APIGroupDiscoveryList","items":[
    {"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]},
    {"metadata":{"name":"example.io"},"versions":[
        {"version":"v2","freshness":"Stale"},
        {"version":"v1","freshness":"Current","resources":[
            {"resource":"indexes","responseKind":{"kind":"Index"},"scope":"Namespaced","verbs":["list"]},
            {"resource":"parents","responseKind":null,"scope":"Namespaced","verbs":[]},
            {"resource":"others","responseKind":{"kind":""},"scope":"Cluster","verbs":[]}]},
        {"version":"v1alpha1","freshness":"Current","resources":[
            {"resource":"indexes","responseKind":{"kind":"Index"},"scope":"Namespaced","verbs":["list"]},
            {"resource":"olds","responseKind":{"kind":"Old"},"scope":"Cluster","verbs":["list"]}]}]}]}"#;

fn aggregating() -> ScriptedTransport {
    let server = ScriptedTransport::default();
    server.always("/api", ScriptedAnswer::text(CORE).with_etag("\"c1\""));
    server.always("/apis", ScriptedAnswer::text(GROUPS).with_etag("\"g1\""));
    server
}

#[test]
fn a_stale_version_is_named_and_the_others_are_used() {
    let catalog = ask(&aggregating(), None).unwrap();
    assert_eq!(found(&catalog), ["v1.pods", "v1.nodes", "example.io/v1.indexes", "example.io/v1alpha1.olds"]);
    let reason = "the server that answers for this group cannot be reached";
    assert_eq!(failed(&catalog), [format!("metrics.k8s.io/v1beta1: {reason}"), format!("example.io/v2: {reason}")]);
    let pods = catalog.find(&GroupResource::from("pods")).unwrap();
    assert_eq!((pods.kind.as_str(), pods.singular.as_str(), pods.namespaced), ("Pod", "pod", true));
    assert_eq!((pods.has("list"), &pods.short_names[..], &pods.categories[..]), (true, &["po".into()][..], &["all".into()][..]));
    assert!(!catalog.find(&"nodes".into()).unwrap().namespaced);
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let server = aggregating();
    let first = ask(&server, None).unwrap();
    assert_eq!((first.core.etag.as_deref(), first.groups.etag.as_deref()), (Some("\"c1\""), Some("\"g1\"")));
    server.forget_requests();
    assert_eq!(ask(&server, Some(&first)).unwrap(), first);
    let tags: Vec<_> = server.requests().iter().map(|request| request.headers["if-none-match"].clone()).collect();
    assert_eq!(tags, ["\"c1\"", "\"g1\""]);
    server.always("/apis", ScriptedAnswer::text(r#"{"kind":"APIGroupDiscoveryList","items":[]}"#).with_etag("\"g2\""));
    let changed = ask(&server, Some(&first)).unwrap();
    assert_eq!(found(&changed), ["v1.pods", "v1.nodes"]);
    assert_eq!(changed.groups.etag.as_deref(), Some("\"g2\""));
    server.always("/apis", ScriptedAnswer::status(StatusCode::NOT_MODIFIED));
    assert!(ask(&server, None).is_err());
}

#[test]
fn a_server_that_does_not_aggregate_is_asked_version_by_version() {
    let server = ScriptedTransport::default();
    server.always("/api", ScriptedAnswer::text(r#"{"kind":"APIVersions","versions":["v1"]}"#).with_etag("\"1\""));
    server.always(
        "/apis",
        ScriptedAnswer::text(
            r#"{"kind":"APIGroupList","groups":[
            {"name":"a.io","versions":[{"groupVersion":"a.io/v1alpha1","version":"v1alpha1"},{"groupVersion":"a.io/v1","version":"v1"}],
             "preferredVersion":{"groupVersion":"a.io/v1","version":"v1"}},
            {"name":"dead.io","versions":[{"groupVersion":"dead.io/v1","version":"v1"}],
             "preferredVersion":{"groupVersion":"dead.io/v1","version":"v1"}}]}"#,
        ),
    );
    server.always(
        "/api/v1",
        ScriptedAnswer::text(
            r#"{"kind":"APIResourceList","groupVersion":"v1","resources":[
            {"name":"pods","kind":"Pod","namespaced":true,"verbs":["list"]},{"name":"pods/log","kind":"Pod","verbs":["get"]},
            {"name":"kindless","kind":""}]}"#,
        ),
    );
    for (version, resources) in
        [("v1", r#"{"name":"as","kind":"A"}"#), ("v1alpha1", r#"{"name":"as","kind":"A"},{"name":"bs","kind":"B"}"#)]
    {
        let list = format!(r#"{{"kind":"APIResourceList","groupVersion":"a.io/{version}","resources":[{resources}]}}"#);
        server.always(format!("/apis/a.io/{version}"), ScriptedAnswer::text(list));
    }
    server.always("/apis/dead.io/v1", ScriptedAnswer::status(StatusCode::SERVICE_UNAVAILABLE));
    let catalog = ask(&server, None).unwrap();
    assert_eq!(found(&catalog), ["v1.pods", "a.io/v1alpha1.bs", "a.io/v1.as"]);
    assert_eq!(failed(&catalog), ["dead.io/v1: the server is currently unable to handle the request"]);
    assert_eq!((catalog.core.etag, catalog.groups.etag), (None, None));
    assert!(server.most_at_once() <= AT_ONCE);
}

#[test]
fn the_core_group_may_be_missing_and_the_others_may_not() {
    let server = aggregating();
    server.always("/api", ScriptedAnswer::status(StatusCode::NOT_FOUND));
    assert_eq!(ask(&server, None).unwrap().core, Part::default());
    server.always("/api", ScriptedAnswer::status(StatusCode::FORBIDDEN));
    assert!(ask(&server, None).is_err());
    let server = aggregating();
    server.always("/apis", ScriptedAnswer::status(StatusCode::NOT_FOUND));
    assert!(ask(&server, None).is_err());
    server.always("/apis", ScriptedAnswer::text("<html>log in</html>"));
    assert!(ask(&server, None).unwrap_err().to_string().contains("/apis"));
}

#[test]
fn a_resource_names_all_its_versions_the_one_to_use_first() {
    let catalog = ask(&aggregating(), None).unwrap();
    let indexes = GroupResource { group: "example.io".into(), resource: "indexes".into() };
    assert_eq!(catalog.find(&indexes).unwrap().versions, ["v1", "v1alpha1"]);
    assert_eq!(catalog.find(&"pods".into()).unwrap().versions, ["v1"]);
    let version = |wanted: &str| catalog.find_version(&indexes, wanted).map(|found| found.to_string());
    assert_eq!(
        version("v1alpha1"),
        Some(crate::meta::GroupVersionResource::new("example.io", "v1alpha1", "indexes").to_string())
    );
    assert!(version("v1").is_some() && version("v2").is_none());
    assert_eq!(catalog.find_version(&"none".into(), "v1"), None);
}

#[test]
fn a_catalog_of_an_older_page_is_read_and_asked_for_whole_once() {
    let server = aggregating();
    let first = ask(&server, None).unwrap();
    let mut stored = serde_json::to_value(&first).unwrap();
    for part in ["core", "groups"] {
        for resource in stored[part]["resources"].as_array_mut().unwrap() {
            assert!(resource.as_object_mut().unwrap().remove("versions").is_some());
        }
    }
    let old: Catalog = serde_json::from_value(stored).unwrap();
    assert!(old.find_version(&"pods".into(), "v1").is_some() && old.find_version(&"pods".into(), "v2").is_none());
    server.forget_requests();
    assert_eq!(ask(&server, Some(&old)).unwrap(), first);
    assert!(server.requests().iter().all(|request| !request.headers.contains_key("if-none-match")));
}
