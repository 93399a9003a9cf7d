//! Every verb on a custom resource, whose type no client knows.

use futures::StreamExt as _;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use porthole_client_core::{
    clients::{ClientSet, Deletion, DynamicClient, MetadataClient, ResourceClient, TableClient},
    json::Value,
    meta::GroupVersionResource,
    object::{Object, PartialObjectMetadata, Unstructured},
    patch::{JsonPatch, Patch},
    rest::{DeleteOptions, GetOptions, ListOptions, PatchOptions, ResourcePath},
    wire::{Cell, WatchEvent},
};
use serde_json::json;

use super::{as_manager, client, in_namespace, next, of, support::until_forgotten, unique, until, write};

/// A resource of its own, in a namespace of its own.
pub(crate) struct Custom {
    pub(crate) resource: GroupVersionResource,
    pub(crate) namespace: String,
    kind: String,
}

impl Custom {
    pub(crate) fn client(&self) -> ResourceClient<Unstructured> {
        DynamicClient::new(client()).namespaced(&self.resource, &*self.namespace)
    }

    fn metadata(&self) -> ResourceClient<PartialObjectMetadata> {
        MetadataClient::new(client()).namespaced(&self.resource, &*self.namespace)
    }

    /// An object with this text as the rest of it.
    pub(crate) fn widget(&self, name: &str, rest: &str) -> Unstructured {
        let Self { resource, kind, .. } = self;
        let text = format!(
            r#"{{"apiVersion":"{}","kind":"{kind}","metadata":{{"name":"{name}","labels":{{"app":"a"}}}}{rest}}}"#,
            resource.group_version
        );
        text.parse().unwrap()
    }
}

/// Runs `work` with a new resource, with status, scale and a column, that keeps fields it does not know.
pub(crate) async fn with_custom(work: impl AsyncFnOnce(&Custom)) {
    in_namespace(async |all: ClientSet, namespace| {
        let plural = unique("widgets");
        let kind = format!("Widget{}", plural.replace('-', "x").trim_start_matches("widgets"));
        let group = "clients.example.com";
        let name = format!("{plural}.{group}");
        let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let definition: CustomResourceDefinition = of(json!({"metadata": {"name": name}, "spec": {
            "group": group, "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.to_lowercase(), "kind": kind, "listKind": format!("{kind}Heap")},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": any, "status": any}}},
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}},
                "additionalPrinterColumns": [{"name": "Color", "type": "string", "jsonPath": ".spec.color"}],
            }],
        }}));
        let definitions = all.apiextensions_v1().custom_resource_definitions();
        definitions.create(&definition, &write()).await.unwrap();
        let custom = Custom { resource: GroupVersionResource::new(group, "v1", &*plural), namespace: namespace.to_owned(), kind };
        let client = custom.client();
        until("the resource", async || client.list(&ListOptions::default()).await.is_ok()).await;
        // It is served before every part of the server knows it.
        until("the resource to take objects", async || {
            client.create(&custom.widget("probe", ""), &write()).await.is_ok()
        })
        .await;
        client.delete("probe", &DeleteOptions::default()).await.unwrap();
        work(&custom).await;
        definitions.delete(&*name, &DeleteOptions::default()).await.unwrap();
        until_forgotten(&name).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_of_any_kind_is_created_read_changed_and_deleted() {
    with_custom(async |custom| {
        let widgets = custom.client();
        let created = widgets.create(&custom.widget("a", r#","spec":{"color":"blue"}"#), &write()).await.unwrap();
        assert_eq!(widgets.get("a", &GetOptions::default()).await.unwrap(), created);
        assert!(widgets.create(&created, &write()).await.is_err());
        let mut changed = created.clone();
        changed.set_nested(&["spec", "color"], "red").unwrap();
        let changed = widgets.update(&changed, &write()).await.unwrap();
        assert_eq!(changed.nested::<String>(&["spec", "color"]).unwrap().as_deref(), Some("red"));
        assert!(widgets.update(&created, &write()).await.unwrap_err().is_conflict());

        widgets.create(&custom.widget("b", ""), &write()).await.unwrap();
        let list = widgets.list(&ListOptions { limit: Some(1), ..ListOptions::default() }).await.unwrap();
        // Its lists have a kind of another name.
        assert!(list.kind.unwrap().kind.ends_with("Heap"));
        assert_eq!((list.items[0].name(), list.metadata.continue_token.is_empty()), ("a", false));
        let all = widgets.pages().with_page_size(1).list(ListOptions::default()).await.unwrap();
        assert!(all.is_paged && all.list.items.iter().map(Object::name).eq(["a", "b"]));

        let mut kept = widgets.get("b", &GetOptions::default()).await.unwrap();
        kept.edit_metadata(|metadata| metadata.finalizers.push("example.com/kept".into()));
        widgets.update(&kept, &write()).await.unwrap();
        let Deletion::Pending(pending) = widgets.delete("b", &DeleteOptions::default()).await.unwrap() else {
            panic!("it is gone")
        };
        assert!(pending.deletion_timestamp().is_some());
        let free = Patch::Merge(r#"{"metadata":{"finalizers":null}}"#.parse::<Value>().unwrap());
        widgets.patch("b", &free, &PatchOptions::default()).await.unwrap();
        until("the end of it", async || widgets.get("b", &GetOptions::default()).await.is_err()).await;
        assert!(matches!(widgets.delete("a", &DeleteOptions::default()).await.unwrap(), Deletion::Done(_)));

        widgets.create(&custom.widget("c", ""), &write()).await.unwrap();
        widgets.delete_collection(&DeleteOptions::default(), &ListOptions::default()).await.unwrap();
        assert!(widgets.list(&ListOptions::default()).await.unwrap().items.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_of_any_kind_is_patched_applied_and_watched() {
    with_custom(async |custom| {
        let widgets = custom.client();
        let version = widgets.list(&ListOptions::default()).await.unwrap().metadata.resource_version;
        let mut watch = widgets.watch(&ListOptions { resource_version: Some(version), ..ListOptions::default() }).await.unwrap();
        let blue = custom.widget("a", r#","spec":{"color":"blue"}"#);
        let applied = widgets.apply("a", &blue, &as_manager("first", None)).await.unwrap();
        assert_eq!(next(&mut watch).await, WatchEvent::Added(applied));
        let red = custom.widget("a", r#","spec":{"color":"red"}"#);
        let error = widgets.apply("a", &red, &as_manager("second", None)).await.unwrap_err();
        assert!(error.is_conflict() && error.cause("FieldManagerConflict").is_some(), "{error}");
        let forced = widgets.apply("a", &red, &as_manager("second", Some(true))).await.unwrap();
        assert_eq!(next(&mut watch).await, WatchEvent::Modified(forced));
        let json: JsonPatch = of(json!([{"op": "replace", "path": "/spec/color", "value": "green"}]));
        let merge: Value = r#"{"spec":{"color":"yellow"}}"#.parse().unwrap();
        for (patch, wanted) in [(Patch::Json(json), "green"), (Patch::Merge(merge.clone()), "yellow")] {
            let patched = widgets.patch("a", &patch, &PatchOptions::default()).await.unwrap();
            assert_eq!(patched.nested::<String>(&["spec", "color"]).unwrap().as_deref(), Some(wanted));
            assert_eq!(next(&mut watch).await, WatchEvent::Modified(patched));
        }
        let strategic = widgets.patch("a", &Patch::Strategic(merge), &PatchOptions::default()).await.unwrap_err();
        assert!(strategic.is_unsupported_media_type(), "{strategic}");
        widgets.delete("a", &DeleteOptions::default()).await.unwrap();
        assert!(matches!(next(&mut watch).await, WatchEvent::Deleted(_)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_and_the_scale_are_subresources() {
    with_custom(async |custom| {
        let widgets = custom.client();
        let text = r#","spec":{"color":"blue","replicas":1},"status":{"said":"too early"}"#;
        let mut widget = widgets.create(&custom.widget("a", text), &write()).await.unwrap();
        assert_eq!(widget.nested_json(&["status"]).unwrap().map(|_| ()), None);
        widget.set_nested(&["status", "said"], "in time").unwrap();
        widget.set_nested(&["spec", "color"], "passed over").unwrap();
        let updated = widgets.update_status(&widget, &write()).await.unwrap();
        assert_eq!(updated.nested::<String>(&["status", "said"]).unwrap().as_deref(), Some("in time"));
        assert_eq!(updated.nested::<String>(&["spec", "color"]).unwrap().as_deref(), Some("blue"));
        let status = custom.widget("a", r#","status":{"replicas":3}"#);
        let applied = widgets.apply_status("a", &status, &as_manager("first", None)).await.unwrap();
        assert_eq!(applied.nested::<u8>(&["status", "replicas"]).unwrap(), Some(3));

        let scales = widgets.subresource::<Unstructured>(["scale"]);
        let mut scale = scales.get("a", &GetOptions::default()).await.unwrap();
        assert_eq!(scale.group_version_kind().to_string(), "Scale.autoscaling, version v1");
        assert_eq!(scale.nested::<u8>(&["status", "replicas"]).unwrap(), Some(3));
        scale.set_nested(&["spec", "replicas"], 2_i64).unwrap();
        let after = scales.update("a", &scale, &write()).await.unwrap();
        assert_eq!(after.nested::<u8>(&["spec", "replicas"]).unwrap(), Some(2));
        let patch = Patch::Merge(r#"{"spec":{"replicas":4}}"#.parse::<Value>().unwrap());
        scales.patch("a", &patch, &PatchOptions::default()).await.unwrap();
        let read = widgets.get("a", &GetOptions::default()).await.unwrap();
        assert_eq!(read.nested::<u8>(&["spec", "replicas"]).unwrap(), Some(4));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_keep_their_digits_through_the_server_and_back() {
    with_custom(async |custom| {
        let widgets = custom.client();
        let numbers = r#"{"large":9007199254740993,"negative":-9007199254740993,"most":9223372036854775807,"one":1}"#;
        let widget = custom.widget("a", &format!(r#","spec":{numbers}"#));
        let created = widgets.create(&widget, &write()).await.unwrap();
        let spec = |widget: &Unstructured| widget.nested::<Value>(&["spec"]).unwrap().unwrap();
        assert_eq!(spec(&created), numbers.parse().unwrap());
        let mut read = widgets.get("a", &GetOptions::default()).await.unwrap();
        read.edit_metadata(|metadata| drop(metadata.annotations.insert("a".into(), "b".into())));
        read.set_nested(&["spec", "one"], 2_i64).unwrap();
        let updated = widgets.update(&read, &write()).await.unwrap();
        assert_eq!(spec(&updated), numbers.replace(r#""one":1"#, r#""one":2"#).parse().unwrap());
        let merge = Patch::Merge(r#"{"spec":{"large":9007199254740995}}"#.parse::<Value>().unwrap());
        let patched = widgets.patch("a", &merge, &PatchOptions::default()).await.unwrap();
        assert_eq!(patched.nested::<u64>(&["spec", "large"]).unwrap(), Some(9_007_199_254_740_995));

        // The server reads these as floats, and writes them as it likes: what it wrote is what is kept.
        let floats = r#"{"whole":1.0,"exponent":1e3,"above":18446744073709551615}"#;
        let kept = widgets.create(&custom.widget("b", &format!(r#","spec":{floats}"#)), &write()).await.unwrap();
        assert_eq!(spec(&kept), r#"{"above":18446744073709552000,"exponent":1000,"whole":1}"#.parse().unwrap());
        let again = widgets.update(&kept, &write()).await.unwrap();
        assert_eq!(spec(&again), spec(&kept));
        assert_eq!(again.resource_version(), kept.resource_version());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_alone_is_read_watched_patched_and_deleted() {
    with_custom(async |custom| {
        let (widgets, metadata) = (custom.client(), custom.metadata());
        let widget = widgets.create(&custom.widget("a", r#","spec":{"color":"blue"}"#), &write()).await.unwrap();
        let partial = metadata.get("a", &GetOptions::default()).await.unwrap();
        assert_eq!(partial, PartialObjectMetadata::of(&widget));
        let list = metadata.list(&ListOptions::default()).await.unwrap();
        assert_eq!((list.kind.unwrap().kind.as_str(), &list.items[..]), ("PartialObjectMetadataList", &[partial][..]));
        let from = ListOptions { resource_version: Some(list.metadata.resource_version), ..ListOptions::default() };
        let mut watch = metadata.watch(&from).await.unwrap();
        let patch = Patch::Merge(r#"{"metadata":{"annotations":{"a":"b"}}}"#.parse::<Value>().unwrap());
        let patched = metadata.patch("a", &patch, &PatchOptions::default()).await.unwrap();
        assert_eq!(patched.annotations()["a"], "b");
        assert_eq!(next(&mut watch).await, WatchEvent::Modified(patched));
        let gone = metadata.delete("a", &DeleteOptions::default()).await.unwrap();
        assert!(matches!(gone, Deletion::Done(_)), "{gone:?}");
        assert!(matches!(next(&mut watch).await, WatchEvent::Deleted(_)));
        widgets.create(&custom.widget("b", r#","spec":{"color":"blue"}"#), &write()).await.unwrap();
        metadata.delete_collection(&DeleteOptions::default(), &ListOptions::default()).await.unwrap();
        assert!(metadata.list(&ListOptions::default()).await.unwrap().items.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_the_columns_of_the_resource() {
    with_custom(async |custom| {
        custom.client().create(&custom.widget("a", r#","spec":{"color":"blue"}"#), &write()).await.unwrap();
        let path = ResourcePath::collection(&custom.resource, Some(&(&*custom.namespace).into())).unwrap();
        let tables = TableClient::new(client(), path);
        let table = tables.list(&ListOptions::default()).await.unwrap();
        let columns: Vec<_> = table.columns.unwrap().into_iter().map(|column| column.name).collect();
        assert_eq!(columns, ["Name", "Color"]);
        assert_eq!(table.rows[0].name(), "a");
        assert_eq!(*table.rows[0].cells, [Cell::Text("a".into()), Cell::Text("blue".into())]);
        let from = ListOptions { resource_version: Some(table.resource_version), ..ListOptions::default() };
        let mut watch = tables.open_watch(&from).await.unwrap();
        custom.client().delete("a", &DeleteOptions::default()).await.unwrap();
        let line = watch.next().await.unwrap().unwrap();
        assert!(line.starts_with(br#"{"type":"DELETED","object":{"kind":"Table""#), "{line:?}");
    })
    .await;
}
