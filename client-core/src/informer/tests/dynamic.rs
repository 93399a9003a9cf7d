//! Informers of any kind, with whole objects or their metadata alone (client-go `dynamic/dynamicinformer/informer_test.go`,
//! `metadata/metadatainformer/informer_test.go`).

use super::bench::{Bench, listen, names, taken};
use crate::{
    fake::{FakeApiServer, Fault, FaultKind},
    informer::{FactoryOptions, InformerHandle, Selection, SharedInformer, SharedInformerFactory},
    meta::{GroupVersionResource, Status},
    object::{Object, PartialObjectMetadata, Unstructured, WireObject},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn deployments() -> GroupVersionResource {
    GroupVersionResource::new("apps", "v1", "deployments")
}

fn put(server: &FakeApiServer, namespace: &str, replicas: u32) {
    let labels = serde_json::json!({ "app": "shop" });
    let object = serde_json::json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "namespace": namespace, "name": "name-foo", "labels": { "environment": "test" } },
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "main", "image": "shop" }] },
            },
        },
    });
    server.insert(&object).unwrap();
}

fn follow<K: WireObject>(bench: &Bench, options: FactoryOptions) -> InformerHandle<SharedInformer<K>> {
    let factory = SharedInformerFactory::new(bench.server.client(), options);
    let informer = factory.objects::<K>(deployments(), true);
    factory.start();
    bench.run();
    informer
}

fn in_namespace(namespace: &str) -> FactoryOptions {
    FactoryOptions { namespace: namespace.into(), ..FactoryOptions::default() }
}

fn syncs_by_one_watch<K: WireObject>() {
    let bench = Bench::with(&[]);
    let informer = follow::<K>(&bench, in_namespace("ns"));
    assert!(informer.has_synced());
    let asked = bench.requests();
    assert!(asked.len() == 1 && asked[0].contains("/apis/apps/v1/namespaces/ns/deployments?"), "{asked:?}");
    assert!(asked[0].contains("watch=true") && asked[0].contains("sendInitialEvents=true"), "{asked:?}");
}

#[test]
fn objects_of_any_kind_are_there_after_one_watch_that_brings_its_list() {
    syncs_by_one_watch::<Unstructured>();
}

#[test]
fn metadata_is_there_after_one_watch_that_brings_its_list() {
    syncs_by_one_watch::<PartialObjectMetadata>();
}

fn syncs_without_streaming<K: WireObject>() {
    let bench = Bench::with(&[]);
    put(&bench.server, "ns", 1);
    let words = "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
    let mut refusal = Status::invalid(&"".into(), "", Vec::new());
    refusal.message = words.to_owned();
    bench.server.faults().add(Fault::new(FaultKind::Refuse(Box::new(refusal))).on_query("sendInitialEvents"));
    let informer = follow::<K>(&bench, in_namespace("ns"));
    assert!(informer.has_synced());
    assert_eq!(names(&informer), ["name-foo"]);
    assert_eq!(bench.server.open_watches(), 1);
}

#[test]
fn objects_of_any_kind_are_there_where_the_server_streams_no_list() {
    syncs_without_streaming::<Unstructured>();
}

#[test]
fn metadata_is_there_where_the_server_streams_no_list() {
    syncs_without_streaming::<PartialObjectMetadata>();
}

#[test]
fn an_object_is_told_where_it_is_of_the_namespace_and_matches_the_selectors() {
    let field = |selector: &str| Selection { field_selector: Some(selector.to_owned()), ..Selection::default() };
    let label = |selector: &str| Selection { label_selector: Some(selector.to_owned()), ..Selection::default() };
    for (namespace, selection, told) in [
        ("ns-bar", Selection::default(), false),
        ("ns-foo", Selection::default(), true),
        ("", Selection::default(), true),
        ("ns-foo", field("metadata.name=name-bar"), false),
        ("ns-foo", field("metadata.name=name-foo"), true),
        ("ns-foo", label("environment=production"), false),
        ("ns-foo", label("environment=test"), true),
    ] {
        let bench = Bench::with(&[]);
        let informer = follow::<Unstructured>(&bench, FactoryOptions { selection: selection.clone(), ..in_namespace(namespace) });
        let (_, log) = listen(&informer);
        bench.run();
        put(&bench.server, "ns-foo", 1);
        bench.run();
        let words = taken(&log);
        assert_eq!(words, if told { vec!["+name-foo"] } else { vec![] }, "{namespace} {selection:?}");
    }
}

fn tells_what_happens<K: WireObject>(same: impl Fn(&K, &Unstructured)) {
    let bench = Bench::with(&[]);
    let informer = follow::<K>(&bench, FactoryOptions::default());
    let (_, told) = listen(&informer);
    bench.run();
    put(&bench.server, "ns-foo", 1);
    bench.run();
    assert_eq!(taken(&told), ["+name-foo"]);
    put(&bench.server, "ns-foo", 2);
    bench.run();
    assert_eq!(taken(&told), ["~name-foo"]);
    let there = bench.server.get(&deployments(), Some(&"ns-foo".into()), &"name-foo".into()).unwrap();
    same(&informer.indexer().find("ns-foo/name-foo").unwrap(), &Unstructured::from_value(&there).unwrap());
    assert!(bench.server.remove(&deployments(), Some(&"ns-foo".into()), &"name-foo".into()));
    bench.run();
    assert_eq!(taken(&told), ["-name-foo"]);
    assert!(informer.indexer().is_empty());
}

#[test]
fn objects_of_any_kind_are_told_when_they_come_change_and_go_and_are_what_the_server_has() {
    tells_what_happens::<Unstructured>(|object, there| {
        let fields = |object: &Unstructured| object.nested::<serde_json::Value>(&["spec"]).unwrap();
        assert_eq!(fields(object), fields(there));
        assert_eq!(object.resource_version(), there.resource_version());
    });
}

#[test]
fn metadata_is_told_when_objects_come_change_and_go_and_is_what_the_server_has() {
    tells_what_happens::<PartialObjectMetadata>(|object, there| {
        let of =
            |object: &dyn Object| (object.uid().to_owned(), object.resource_version().to_owned(), object.labels().into_owned());
        assert_eq!(of(object), of(there));
    });
}
