//! Every verb on a built-in type.

use futures::StreamExt as _;
use k8s_openapi::api::core::v1::ConfigMap;
use porthole_client_core::{
    clients::{Deletion, ResourceClient},
    json::Value,
    meta::DeletionPropagation,
    object::{Object as _, Unstructured, controller_reference},
    patch::{JsonPatch, Patch},
    rest::{DeleteOptions, GetOptions, ListOptions, Preconditions, WriteOptions},
    wire::WatchEvent,
};
use serde_json::json;

use super::{as_manager, in_namespace, next, of, until, write};

fn config_map(name: &str, value: &str) -> ConfigMap {
    of(json!({"metadata": {"name": name, "labels": {"app": "a"}}, "data": {"key": value}}))
}

fn value(map: &ConfigMap) -> &str {
    &map.data.as_ref().unwrap()["key"]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_is_created_read_changed_and_deleted() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        let dry = WriteOptions { dry_run: true, ..write() };
        let created = maps.create(&config_map("a", "0"), &dry).await.unwrap();
        assert!(!created.uid().is_empty());
        assert!(maps.get("a", &GetOptions::default()).await.unwrap_err().is_not_found());
        let named = WriteOptions { field_manager: Some("creator".into()), ..write() };
        let created = maps.create(&config_map("a", "1"), &named).await.unwrap();
        assert_eq!(created.metadata().managed_fields[0].nested(&["manager"]).unwrap().unwrap().as_str(), Some("creator"));
        assert_eq!(maps.get("a", &GetOptions::default()).await.unwrap(), created);

        let changed = maps.update(&ConfigMap { data: config_map("a", "2").data, ..created.clone() }, &write()).await.unwrap();
        assert_eq!(value(&changed), "2");
        assert_ne!(changed.resource_version(), created.resource_version());
        let stale = maps.update(&created, &write()).await.unwrap_err();
        assert!(stale.is_conflict() && !stale.is_already_exists(), "{stale}");

        let wrong = Preconditions { uid: Some("other".into()), ..Preconditions::default() };
        let error =
            maps.delete("a", &DeleteOptions { preconditions: Some(wrong), ..DeleteOptions::default() }).await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        let right = Preconditions { uid: Some(changed.uid().into()), resource_version: Some(changed.resource_version().into()) };
        let gone = maps.delete("a", &DeleteOptions { preconditions: Some(right), ..DeleteOptions::default() }).await.unwrap();
        let Deletion::Done(status) = gone else { panic!("it is still there") };
        assert_eq!((status.details.name.as_str(), status.details.uid.as_str()), ("a", changed.uid()));
        assert!(maps.get("a", &GetOptions::default()).await.unwrap_err().is_not_found());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_is_patched_in_each_of_the_four_ways() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        maps.create(&config_map("a", "1"), &write()).await.unwrap();
        let value_of = |text: &str| text.parse::<Value>().unwrap();
        let json: JsonPatch = of(json!([{"op": "replace", "path": "/data/key", "value": "json"}]));
        for (patch, wanted) in [
            (Patch::Json(json), "json"),
            (Patch::Merge(value_of(r#"{"data":{"key":"merge"}}"#)), "merge"),
            (Patch::Strategic(value_of(r#"{"data":{"key":"strategic"}}"#)), "strategic"),
        ] {
            assert_eq!(value(&maps.patch("a", &patch, &as_manager("first", None)).await.unwrap()), wanted);
        }
        let yaml = Patch::Apply("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\ndata:\n  key: apply\n".into());
        assert_eq!(value(&maps.patch("b", &yaml, &as_manager("first", None)).await.unwrap()), "apply");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_apply_conflicts_with_another_manager_unless_it_is_forced() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        let applied = maps.apply("a", &config_map("a", "1"), &as_manager("first", None)).await.unwrap();
        assert_eq!(value(&applied), "1");
        let error = maps.apply("a", &config_map("a", "2"), &as_manager("second", None)).await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        assert_eq!(error.cause("FieldManagerConflict").unwrap().field, ".data.key");
        let forced = maps.apply("a", &config_map("a", "2"), &as_manager("second", Some(true))).await.unwrap();
        assert_eq!(value(&forced), "2");
        // What a manager no longer says is taken away.
        let less: ConfigMap = of(json!({"metadata": {"name": "a"}}));
        let less = maps.apply("a", &less, &as_manager("second", None)).await.unwrap();
        assert!(less.data.is_none() && less.labels().contains_key("app"), "{less:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_apply_brings_every_character_as_it_is() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        let odd = "/\"\\\0\t\n\u{1b}\u{7f}\u{80}\u{85}\u{9f}\u{a0}\u{2028}\u{2029}\u{feff}\u{fffd}\u{fffe}\u{ffff}🦀";
        let applied = maps.apply("a", &config_map("a", odd), &as_manager("first", None)).await.unwrap();
        assert_eq!(value(&applied), odd);
        // As programs in other languages write it.
        let text = b"{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"ConfigMap\",\n\"metadata\":{\"name\":\"b\"},\
                     \"data\":{\"key\":\"\\/\\ud83e\\udd80\\u0085\\ufeff\"}}";
        let object = Unstructured::from_slice(text).unwrap();
        assert_eq!(value(&maps.apply("b", &object, &as_manager("first", None)).await.unwrap()), "/🦀\u{85}\u{feff}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_is_listed_selected_and_deleted() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        for name in ["a", "b", "c"] {
            let mut map = config_map(name, name);
            map.edit_metadata(|metadata| metadata.labels = [("app".to_owned(), name.to_owned())].into());
            maps.create(&map, &write()).await.unwrap();
        }
        let names = async |options: ListOptions| -> Vec<String> {
            let list = maps.list(&options).await.unwrap();
            assert!(!list.metadata.resource_version.is_empty());
            assert_eq!(list.kind.unwrap().kind, "ConfigMapList");
            let own = list.items.iter().filter(|map| map.name() != "kube-root-ca.crt");
            own.map(|map| map.name().to_owned()).collect()
        };
        assert_eq!(names(ListOptions::default()).await, ["a", "b", "c"]);
        let by_label = ListOptions { label_selector: Some("app in (a,c)".into()), ..ListOptions::default() };
        assert_eq!(names(by_label.clone()).await, ["a", "c"]);
        let by_field = ListOptions { field_selector: Some("metadata.name=b".into()), ..ListOptions::default() };
        assert_eq!(names(by_field).await, ["b"]);
        let everywhere = all.core_v1().config_maps("").list(&by_label).await.unwrap();
        assert!(everywhere.items.iter().filter(|map| map.metadata().namespace.as_str() == namespace).count() == 2);
        maps.delete_collection(&DeleteOptions::default(), &by_label).await.unwrap();
        assert_eq!(names(ListOptions::default()).await, ["b"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_is_read_page_by_page() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        for number in 0..7 {
            maps.create(&config_map(&format!("m{number}"), ""), &write()).await.unwrap();
        }
        let app = ListOptions { label_selector: Some("app".into()), ..ListOptions::default() };
        let first = maps.list(&ListOptions { limit: Some(3), ..ListOptions::default() }).await.unwrap();
        assert_eq!(first.items.len(), 3);
        assert!(first.metadata.remaining_item_count.unwrap() >= 4);
        let token = Some(first.metadata.continue_token.clone());
        let second = maps.list(&ListOptions { limit: Some(3), continue_token: token, ..ListOptions::default() }).await.unwrap();
        assert_eq!(second.metadata.resource_version, first.metadata.resource_version);
        assert_ne!(second.items[0].name(), first.items[0].name());
        let names = |maps: &[ConfigMap]| maps.iter().map(|map| map.name().to_owned()).collect::<Vec<_>>();
        let whole = names(&maps.list(&app).await.unwrap().items);
        assert_eq!(whole.len(), 7);
        let paged = maps.pages().with_page_size(2).list(app.clone()).await.unwrap();
        assert!(paged.is_paged);
        assert_eq!(names(&paged.list.items), whole);
        assert_eq!(names(&maps.list_all(app.clone()).await.unwrap().list.items), whole);
        let one_by_one: Vec<ConfigMap> = maps.items(ListOptions { limit: Some(2), ..app }).map(Result::unwrap).collect().await;
        assert_eq!(names(&one_by_one), whole);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_tells_what_happens() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        let selected = ListOptions { label_selector: Some("app".into()), ..ListOptions::default() };
        let list = maps.list(&selected).await.unwrap();
        let from = ListOptions { resource_version: Some(list.metadata.resource_version), ..selected };
        let mut watch = maps.watch(&from).await.unwrap();
        let created = maps.create(&config_map("a", "1"), &write()).await.unwrap();
        assert_eq!(next(&mut watch).await, WatchEvent::Added(created.clone()));
        let changed = ConfigMap { data: config_map("a", "2").data, ..created };
        let changed = maps.update(&changed, &write()).await.unwrap();
        assert_eq!(next(&mut watch).await, WatchEvent::Modified(changed));
        maps.delete("a", &DeleteOptions::default()).await.unwrap();
        let WatchEvent::Deleted(gone) = next(&mut watch).await else { panic!("it is not deleted") };
        assert_eq!(value(&gone), "2");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_reaches_what_is_owned_as_it_says() {
    in_namespace(async |all, namespace| {
        let maps: ResourceClient<ConfigMap> = all.core_v1().config_maps(namespace);
        let kind = <ConfigMap as porthole_client_core::object::Kind>::kind();
        let is_there = async |name: &str| maps.get(name, &GetOptions::default()).await.is_ok();
        for propagation in [DeletionPropagation::Orphan, DeletionPropagation::Background, DeletionPropagation::Foreground] {
            let owner = maps.create(&config_map("owner", ""), &write()).await.unwrap();
            let mut dependent = config_map("owned", "");
            dependent.edit_metadata(|metadata| metadata.owner_references = vec![controller_reference(&owner, &kind)]);
            maps.create(&dependent, &write()).await.unwrap();
            let options = DeleteOptions { propagation: Some(propagation), ..DeleteOptions::default() };
            let outcome = maps.delete("owner", &options).await.unwrap();
            // An orphan is let go, and what is owned deleted first, before the owner is gone.
            let waits = propagation != DeletionPropagation::Background;
            assert_eq!(matches!(outcome, Deletion::Pending(_)), waits, "{propagation:?}: {outcome:?}");
            until("the end of the owner", async || !is_there("owner").await).await;
            if propagation == DeletionPropagation::Orphan {
                assert!(is_there("owned").await);
                maps.delete("owned", &DeleteOptions::default()).await.unwrap();
            } else {
                until("the end of what it owned", async || !is_there("owned").await).await;
            }
        }
    })
    .await;
}
