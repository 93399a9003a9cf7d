//! Objects of any kind, after apimachinery's `unstructured/*_test.go`.

use std::collections::BTreeMap;

use super::*;
use crate::{
    json::Number,
    meta::{GroupVersion, OwnerReference},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TEXT: &str = r#"{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"18014398509481985","odd":1e3,"labels":{"l":"1"}},"spec":{"big":18446744073709551615,"one":1.0},"status":{"conditions":[{"type":"Ready","status":"True"}]}}"#;

fn widget() -> Unstructured {
    TEXT.parse().unwrap()
}

#[test]
fn an_object_is_known_by_its_parts_and_written_as_it_came() {
    let widget = widget();
    assert_eq!(widget.group_version_kind(), GroupVersionKind::new("example.com", "v1", "Widget"));
    assert_eq!((widget.name(), widget.namespace(), widget.uid()), ("a", "n", "u"));
    assert_eq!(widget.resource_version(), "18014398509481985");
    assert_eq!(widget.labels().get("l").map(String::as_str), Some("1"));
    assert_eq!(serde_json::to_string(&widget).unwrap(), TEXT);
    assert_eq!(format!("{widget:?}"), "Unstructured(Widget.example.com, version v1 n/a)");
}

#[test]
fn an_edit_keeps_the_digits_of_what_it_leaves() {
    let mut widget = widget();
    widget.set_nested(&["spec", "color"], "blue").unwrap();
    assert_eq!(widget.nested_json(&["spec"]).unwrap().unwrap().get(), r#"{"big":18446744073709551615,"color":"blue","one":1.0}"#);
    let spec = widget.nested_json(&["spec"]).unwrap().unwrap().get().to_owned();
    widget.edit_metadata(|metadata| {
        metadata.labels.clear();
        metadata.name = "b".into();
    });
    assert_eq!(widget.nested_json(&["spec"]).unwrap().unwrap().get(), spec);
    assert_eq!(
        widget.nested_json(&["metadata"]).unwrap().unwrap().get(),
        r#"{"name":"b","namespace":"n","odd":1e3,"resourceVersion":"18014398509481985","uid":"u"}"#
    );
    assert_eq!(widget.name(), "b");
}

#[test]
fn a_field_of_another_type_is_an_error_that_says_where() {
    let error = widget().nested::<String>(&["spec", "one"]).unwrap_err().to_string();
    assert_eq!(
        error,
        ".spec.one is not what it is read as: invalid type: floating point `1.0`, expected a string at line 1 column 3"
    );
    assert_eq!(widget().nested::<u64>(&["spec", "big"]).unwrap(), Some(u64::MAX));
    assert_eq!(widget().nested::<String>(&["spec", "none"]).unwrap(), None);
    assert!(widget().nested::<String>(&["spec", "one", "x"]).is_err());
}

#[test]
fn an_edit_that_would_leave_no_object_changes_nothing() {
    let mut widget = widget();
    assert!(widget.set_nested(&["kind"], "").is_err());
    assert!(widget.remove_nested(&["kind"]).is_err());
    assert!(widget.set_nested(&["metadata", "name"], 7_i64).is_err());
    assert_eq!(widget.as_json(), TEXT);
    assert_eq!(widget.remove_nested(&["spec", "none"]).unwrap(), None);
    assert_eq!(widget.as_json(), TEXT);
}

#[test]
fn what_has_no_kind_is_no_object() {
    for text in ["{}", r#"{"kind":""}"#, r#"{"kind":7}"#, "[]", "null", "{", r#"{"apiVersion":"v1"}"#] {
        assert!(text.parse::<Unstructured>().is_err(), "{text}");
    }
    let fresh = Unstructured::new(&GroupVersionKind::new("apps", "v1", "Deployment"));
    assert_eq!(fresh.as_json(), r#"{"apiVersion":"apps/v1","kind":"Deployment"}"#);
}

#[test]
fn objects_are_equal_by_what_is_in_them() {
    let spaced: Unstructured = TEXT.replace(",\"", ", \"").parse().unwrap();
    assert_eq!(spaced, widget());
    let other: Unstructured = TEXT.replace("1e3", "1000").parse().unwrap();
    assert_ne!(other, widget());
}

#[test]
fn the_items_of_a_list_get_its_kind_where_they_have_none() {
    let list: Unstructured = r#"{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"7"},
        "items":[{"metadata":{"name":"a"}},{},{"kind":"Other","apiVersion":"v1"}]}"#
        .parse()
        .unwrap();
    assert!(list.is_list() && !widget().is_list());
    let items = list.items().unwrap();
    let kinds: Vec<_> = items.iter().map(|item| item.group_version_kind().to_string()).collect();
    assert_eq!(kinds, ["Widget.example.com, version v1", "Widget.example.com, version v1", "Other, version v1"]);
    assert_eq!(items[0].as_json(), r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"}}"#);
    assert!(widget().items().unwrap().is_empty());
}

#[test]
fn an_item_keeps_what_it_says_of_itself_and_is_known_behind_the_kind_that_it_gets() {
    let kind = GroupVersionKind::new("example.com", "v1", "Widget");
    let text =
        br#" {"apiVersion":"example.com/v2", "metadata":{"name":"a","namespace":"\u006e","uid":"u","resourceVersion":"7"}} "#;
    let item = Unstructured::from_list_item(text, Some(&kind)).unwrap();
    assert!(item.as_json().starts_with(r#"{"kind":"Widget","apiVersion":"example.com/v2", "metadata""#), "{}", item.as_json());
    assert_eq!(item.group_version_kind(), GroupVersionKind::new("example.com", "v2", "Widget"));
    assert_eq!((item.name(), item.namespace(), item.uid(), item.resource_version()), ("a", "n", "u", "7"));
    assert_eq!(item, item.as_json().parse().unwrap());
    let bare = Unstructured::from_list_item(b"{}", Some(&kind)).unwrap();
    assert_eq!(bare.as_json(), r#"{"apiVersion":"example.com/v1","kind":"Widget"}"#);
    assert_eq!(bare.group_version_kind(), kind);
}

#[test]
fn conditions_are_read_and_put_back() {
    let mut widget = widget();
    let mut conditions = widget.conditions().unwrap();
    assert_eq!(conditions[0].kind, "Ready");
    conditions[0].message = "m".into();
    widget.set_conditions(&conditions).unwrap();
    assert_eq!(widget.conditions().unwrap(), conditions);
    assert!(Unstructured::new(&widget.group_version_kind()).conditions().unwrap().is_empty());
}

#[test]
fn an_edit_of_metadata_leaves_the_rest_byte_for_byte() {
    let text = r#"{ "spec" : {"b":1.0, "a":[ ]}, "metadata" : {"odd":1e3, "name":"a"} , "kind":"Widget", "apiVersion":"v1"}"#;
    let mut widget: Unstructured = text.parse().unwrap();
    widget.edit_metadata(|metadata| metadata.name = "b".into());
    assert_eq!(widget.as_json(), text.replace(r#"{"odd":1e3, "name":"a"}"#, r#"{"name":"b","odd":1e3}"#));
    assert_eq!((widget.name(), widget.group_version_kind().kind.as_str()), ("b", "Widget"));
    let mut fresh: Unstructured = r#"{ "kind":"Widget","spec":{}}"#.parse().unwrap();
    fresh.edit_metadata(|metadata| metadata.name = "b".into());
    assert_eq!(fresh.as_json(), r#"{"metadata":{"name":"b"}, "kind":"Widget","spec":{}}"#);
    let mut null: Unstructured = r#"{"kind":"Widget","metadata":null}"#.parse().unwrap();
    null.edit_metadata(|metadata| metadata.name = "b".into());
    assert_eq!(null.as_json(), r#"{"kind":"Widget","metadata":{"name":"b"}}"#);
}

#[test]
fn metadata_in_a_tree_too_deep_to_read_can_be_edited() {
    let deep = "[".repeat(2000) + &"]".repeat(2000);
    let mut widget: Unstructured = format!(r#"{{"kind":"Widget","metadata":{{"name":"a"}},"spec":{deep}}}"#).parse().unwrap();
    widget.edit_metadata(|metadata| metadata.name = "b".into());
    assert_eq!(widget.name(), "b");
    assert_eq!(widget.nested_json(&["spec"]).unwrap().unwrap().get(), deep);
    let before = widget.clone();
    assert!(widget.set_nested(&["a"], 1_i64).is_err());
    assert_eq!(widget.as_json(), before.as_json());
}

/// Metadata in which everything is set.
fn full() -> ObjectMeta {
    let text = r#"{"name":"a","generateName":"a-","namespace":"b","uid":"c","resourceVersion":"7","generation":7,"creationTimestamp":"2026-11-30T01:50:31Z","deletionTimestamp":"2026-11-30T01:50:32Z","deletionGracePeriodSeconds":30,"labels":{"l":"1"},"annotations":{"x":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u","controller":true,"blockOwnerDeletion":false}],"finalizers":["f"],"managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]}"#;
    serde_json::from_slice(text.as_bytes()).unwrap()
}

#[test]
fn all_metadata_that_is_put_in_is_read_back() {
    let mut object = Unstructured::new(&widget().group_version_kind());
    object.set_metadata(full());
    assert_eq!(*object.metadata(), full());
    assert_eq!((object.name(), object.namespace(), object.uid(), object.resource_version()), ("a", "b", "c", "7"));
    assert_eq!(object.labels().into_owned(), full().labels);
    assert_eq!(object.annotations().into_owned(), full().annotations);
    assert_eq!((object.owner_references(), object.finalizers()), (full().owner_references, full().finalizers));
    assert_eq!(object.creation_timestamp(), full().creation_timestamp);
    assert_eq!(object.deletion_timestamp(), full().deletion_timestamp);
    let mut copy = Unstructured::new(&widget().group_version_kind());
    copy.set_metadata(object.metadata().into_owned());
    assert_eq!(copy, object);
}

/// The text of [`full`] as the metadata of an object.
fn text_of_full() -> String {
    format!(r#"{{"apiVersion":"test_version","kind":"test_kind","metadata":{}}}"#, serde_json::to_string(&full()).unwrap())
}

#[test]
fn each_part_of_the_metadata_in_a_text_is_read() {
    let object: Unstructured = text_of_full().parse().unwrap();
    assert_eq!(object.group_version_kind(), GroupVersionKind::new("", "test_version", "test_kind"));
    let metadata = object.metadata();
    assert_eq!((metadata.name.as_str(), metadata.generate_name.as_str(), metadata.namespace.as_str()), ("a", "a-", "b"));
    assert_eq!((metadata.uid.as_str(), metadata.resource_version.as_str(), metadata.generation), ("c", "7", Some(7)));
    assert_eq!(metadata.creation_timestamp.unwrap().to_string(), "2026-11-30T01:50:31Z");
    assert_eq!(metadata.deletion_timestamp.unwrap().to_string(), "2026-11-30T01:50:32Z");
    assert_eq!(metadata.deletion_grace_period_seconds, Some(30));
    assert_eq!((metadata.labels["l"].as_str(), metadata.annotations["x"].as_str()), ("1", ""));
    let owner = &metadata.owner_references[0];
    assert_eq!((owner.api_version.as_str(), owner.kind.as_str(), owner.name.as_str()), ("apps/v1", "ReplicaSet", "r"));
    assert_eq!((owner.uid.as_str(), owner.controller, owner.block_owner_deletion), ("u", Some(true), Some(false)));
    assert_eq!(metadata.finalizers, ["f"]);
}

#[test]
fn metadata_is_written_under_the_names_of_the_api() {
    let mut object = Unstructured::new(&GroupVersionKind::new("", "test_version", "test_kind"));
    object.set_metadata(full());
    assert_eq!(object.to_value().unwrap(), text_of_full().parse().unwrap());
}

#[test]
fn owners_come_back_as_they_were_put_in() {
    let owner = |name: &str, controller, block_owner_deletion| OwnerReference {
        api_version: "v1".into(),
        kind: "K".into(),
        name: name.into(),
        uid: name.into(),
        controller,
        block_owner_deletion,
    };
    let owners = [owner("1", None, None), owner("2", Some(true), Some(false)), owner("3", Some(false), Some(true))];
    for some in [&owners[..0], &owners[..1], &owners[1..2], &owners[2..], &owners[..]] {
        let mut object = widget();
        object.edit_metadata(|metadata| metadata.owner_references = some.to_vec());
        assert_eq!(object.owner_references(), some);
        let read: Unstructured = object.as_json().parse().unwrap();
        assert_eq!(read.owner_references(), some);
    }
}

#[test]
fn a_part_of_the_metadata_is_put_in_and_taken_away_by_itself() {
    let parts: [fn(&mut ObjectMeta, ObjectMeta); 13] = [
        |metadata, from| metadata.namespace = from.namespace,
        |metadata, from| metadata.name = from.name,
        |metadata, from| metadata.generate_name = from.generate_name,
        |metadata, from| metadata.uid = from.uid,
        |metadata, from| metadata.resource_version = from.resource_version,
        |metadata, from| metadata.generation = from.generation,
        |metadata, from| metadata.creation_timestamp = from.creation_timestamp,
        |metadata, from| metadata.deletion_timestamp = from.deletion_timestamp,
        |metadata, from| metadata.deletion_grace_period_seconds = from.deletion_grace_period_seconds,
        |metadata, from| metadata.labels = from.labels,
        |metadata, from| metadata.annotations = from.annotations,
        |metadata, from| metadata.owner_references = from.owner_references,
        |metadata, from| metadata.finalizers = from.finalizers,
    ];
    for (index, set) in parts.into_iter().enumerate() {
        let mut object = Unstructured::new(&GroupVersionKind::new("", "v1", "Pod"));
        let mut expected = ObjectMeta::default();
        set(&mut expected, full());
        assert_ne!(expected, ObjectMeta::default(), "{index}");
        object.edit_metadata(|metadata| set(metadata, full()));
        assert_eq!(*object.metadata(), expected, "{index}");
        object.edit_metadata(|metadata| set(metadata, ObjectMeta::default()));
        assert_eq!(*object.metadata(), ObjectMeta::default(), "{index}");
    }
    // A delay of zero is one.
    let mut object = widget();
    object.edit_metadata(|metadata| metadata.deletion_grace_period_seconds = Some(0));
    assert_eq!(object.metadata().deletion_grace_period_seconds, Some(0));
}

#[test]
fn the_kind_of_an_object_can_be_changed() {
    let mut object: Unstructured = r#"{"apiVersion":"a","kind":"b"}"#.parse().unwrap();
    assert_eq!(object.group_version_kind(), GroupVersionKind::new("", "a", "b"));
    for (version, kind) in [("c", "d"), ("apps/d", "e")] {
        object.set_nested(&["apiVersion"], version).unwrap();
        object.set_nested(&["kind"], kind).unwrap();
        let group_version = version.parse::<GroupVersion>().unwrap();
        assert_eq!(object.group_version_kind(), GroupVersionKind::new(&group_version.group, &group_version.version, kind));
    }
}

#[test]
fn metadata_that_is_emptied_leaves_no_field_behind() {
    let mut object = Unstructured::new(&widget().group_version_kind());
    object.set_metadata(full());
    object.set_metadata(ObjectMeta::default());
    assert_eq!(object.nested_json(&["metadata"]).unwrap().unwrap().get(), "{}");
    assert_eq!(*object.metadata(), ObjectMeta::default());
}

#[test]
fn a_time_that_is_taken_away_leaves_no_field_behind() {
    let mut object = Unstructured::new(&widget().group_version_kind());
    assert_eq!(object.deletion_timestamp(), None);
    let times = (full().creation_timestamp, full().deletion_timestamp);
    object.edit_metadata(|metadata| (metadata.creation_timestamp, metadata.deletion_timestamp) = times);
    assert_eq!((object.creation_timestamp(), object.deletion_timestamp()), times);
    object.edit_metadata(|metadata| (metadata.creation_timestamp, metadata.deletion_timestamp) = (None, None));
    assert_eq!(object.nested_json(&["metadata"]).unwrap().unwrap().get(), "{}");
}

#[test]
fn metadata_that_cannot_be_read_still_has_its_names() {
    let object: Unstructured = r#"{"kind":"Widget","metadata":{"name":"a","uid":"c","labels":7}}"#.parse().unwrap();
    assert_eq!((object.metadata().name.as_str(), object.metadata().uid.as_str()), ("a", "c"));
    assert!(object.labels().is_empty());
}

#[test]
fn an_object_without_anything_else_is_its_kind_and_copies_are_equal() {
    let fresh = Unstructured::new(&GroupVersionKind::new("", "v1", "Pod"));
    assert_eq!(fresh.to_value().unwrap().to_string(), r#"{"apiVersion":"v1","kind":"Pod"}"#);
    assert_eq!(fresh.clone(), fresh);
    assert_eq!(*fresh.metadata(), ObjectMeta::default());
}

#[test]
fn a_copy_is_changed_by_itself() {
    let original = widget();
    let mut copy = original.clone();
    copy.set_nested(&["spec", "one"], 2_i64).unwrap();
    assert_eq!(original.nested_json(&["spec", "one"]).unwrap().unwrap().get(), "1.0");
    assert_eq!(copy.nested::<u8>(&["spec", "one"]).unwrap(), Some(2));
    let same: Unstructured = Unstructured::from_object(&original).unwrap();
    assert_eq!(same.as_json(), original.as_json());
    assert_eq!(original.to_object::<Unstructured>().unwrap(), original);
}

#[test]
fn a_field_is_found_and_a_null_is_one() {
    let object: Unstructured = r#"{"kind":"A","a":{"b":{"foo":"bar"},"c":null,"d":["foo"],"e":[{"f":"bar"}]}}"#.parse().unwrap();
    let found = |path: &[&str]| object.nested_json(path).map(|found| found.map(RawValue::get));
    assert_eq!(found(&["a", "b"]).unwrap(), Some(r#"{"foo":"bar"}"#));
    assert_eq!(found(&["a", "c"]).unwrap(), Some("null"));
    let error = found(&["a", "d", "foo"]).unwrap_err().to_string();
    assert_eq!(error, ".a.d.foo cannot be reached: .a.d is a list, not an object");
    for path in [&["a", "g"][..], &["a", "g", "f"], &["a", "c", "f"], &["a", "e[0]"]] {
        assert_eq!(found(path).unwrap(), None, "{path:?}");
    }
}

#[test]
fn a_field_that_is_read_is_a_copy() {
    let object: Unstructured = r#"{"kind":"A","a":{"b":{"foo":"bar"},"c":null,"d":["foo"]}}"#.parse().unwrap();
    let mut copy = object.nested::<Value>(&["a", "b"]).unwrap().unwrap();
    copy.set_nested(&["foo"], "baz").unwrap();
    assert_eq!(object.nested::<String>(&["a", "b", "foo"]).unwrap().as_deref(), Some("bar"));
    assert_eq!(object.nested::<Value>(&["a", "c"]).unwrap(), Some(Value::Null));
    assert!(object.nested::<Value>(&["a", "d", "foo"]).is_err());
    assert_eq!(object.nested::<Value>(&["a", "e"]).unwrap(), None);
}

#[test]
fn fields_are_removed_until_nothing_is_left_but_the_kind() {
    let mut object: Unstructured = r#"{"kind":"A","x":{"y":1,"a":"foo"}}"#.parse().unwrap();
    assert_eq!(object.remove_nested(&["x", "a"]).unwrap(), Some("foo".into()));
    assert_eq!(object.as_json(), r#"{"kind":"A","x":{"y":1}}"#);
    object.remove_nested(&["x", "y"]).unwrap();
    assert_eq!(object.as_json(), r#"{"kind":"A","x":{}}"#);
    object.remove_nested(&["x"]).unwrap();
    assert_eq!(object.as_json(), r#"{"kind":"A"}"#);
    assert_eq!(object.remove_nested(&["x"]).unwrap(), None);
}

fn with_field(value: impl Into<Value>) -> String {
    let mut object: Unstructured = r#"{"kind":"A","x":{"y":1,"a":"foo"}}"#.parse().unwrap();
    object.set_nested(&["x", "z"], value).unwrap();
    object.nested_json(&["x"]).unwrap().unwrap().get().to_owned()
}

#[test]
fn a_list_is_put_beside_other_fields() {
    assert_eq!(with_field(vec!["bar"]), r#"{"a":"foo","y":1,"z":["bar"]}"#);
    assert_eq!(with_field(Value::Array(vec!["bar".into(), 1_i64.into()])), r#"{"a":"foo","y":1,"z":["bar",1]}"#);
}

#[test]
fn a_map_is_put_beside_other_fields() {
    assert_eq!(with_field(Value::from_iter([("b", Value::from("bar"))])), r#"{"a":"foo","y":1,"z":{"b":"bar"}}"#);
    let strings = BTreeMap::from([("b", "bar")]);
    assert_eq!(with_field(Value::from_serialize(&strings).unwrap()), r#"{"a":"foo","y":1,"z":{"b":"bar"}}"#);
}

#[test]
fn a_number_is_read_as_any_number_that_holds_it() {
    let object: Unstructured = r#"{"kind":"A","whole":42,"float":42.0,"large":9223372036854775807,"no":true}"#.parse().unwrap();
    assert_eq!(object.nested::<f64>(&["missing"]).unwrap(), None);
    assert_eq!(object.nested::<f64>(&["float"]).unwrap(), Some(42.0));
    assert_eq!(object.nested::<f64>(&["whole"]).unwrap(), Some(42.0));
    let error = object.nested::<f64>(&["no"]).unwrap_err().to_string();
    assert!(error.starts_with(".no is not what it is read as: invalid type: boolean `true`"), "{error}");
    // A float is the nearest one, where client-go refuses; who needs every digit asks for the number itself.
    assert_eq!(object.nested::<f64>(&["large"]).unwrap(), Some(9_223_372_036_854_775_808.0));
    assert_eq!(object.nested::<Number>(&["large"]).unwrap().unwrap().as_str(), "9223372036854775807");
    assert_eq!(object.nested::<i64>(&["large"]).unwrap(), Some(i64::MAX));
    assert!(object.nested::<i32>(&["large"]).is_err() && object.nested::<i64>(&["float"]).is_err());
}

#[test]
fn a_map_of_texts_is_read_with_and_without_nulls() {
    type Texts = BTreeMap<String, Option<String>>;
    let read = |path: &str| {
        let text = r#"{"kind":"A","null":null,"no":0,"empty":{},"texts":{"a":"1","b":"2"},"some":{"a":"1","b":null},"wrong":{"a":"1","c":0}}"#;
        text.parse::<Unstructured>().unwrap().nested::<Option<Texts>>(&[path])
    };
    let texts = |entries: &[(&str, Option<&str>)]| -> Texts {
        entries.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned))).collect()
    };
    assert_eq!(read("missing").unwrap(), None);
    assert_eq!(read("null").unwrap(), Some(None));
    assert!(read("no").unwrap_err().to_string().contains(".no is not what it is read as: invalid type: integer `0`"));
    assert_eq!(read("empty").unwrap(), Some(Some(Texts::new())));
    assert_eq!(read("texts").unwrap(), Some(Some(texts(&[("a", Some("1")), ("b", Some("2"))]))));
    assert_eq!(read("some").unwrap(), Some(Some(texts(&[("a", Some("1")), ("b", None)]))));
    assert!(read("wrong").unwrap_err().to_string().contains("expected a string"));
}

#[test]
fn an_object_can_be_written_by_many_at_once() {
    let list: Unstructured = r#"{"kind":"WidgetList","items":[{"spec":{"one":1.0}}]}"#.parse().unwrap();
    let before = list.clone();
    let written: Vec<_> = (0..10).map(|_| serde_json::to_string(&list).unwrap()).collect();
    assert!(written.iter().all(|text| text == before.as_json()));
    assert_eq!(list, before);
}
