//! What a scheme makes of texts.

use std::borrow::Cow;

use serde::Deserialize;

use super::*;
use crate::meta::{GroupVersionResource, ObjectMeta};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
struct Widget {
    #[serde(default)]
    metadata: ObjectMeta,
    #[serde(default)]
    size: u64,
}

impl Object for Widget {
    fn group_version_kind(&self) -> GroupVersionKind {
        Self::kind()
    }

    fn metadata(&self) -> Cow<'_, ObjectMeta> {
        Cow::Borrowed(&self.metadata)
    }

    fn set_metadata(&mut self, metadata: ObjectMeta) {
        self.metadata = metadata;
    }

    fn name(&self) -> &str {
        self.metadata.name.as_str()
    }

    fn namespace(&self) -> &str {
        self.metadata.namespace.as_str()
    }

    fn uid(&self) -> &str {
        self.metadata.uid.as_str()
    }

    fn resource_version(&self) -> &str {
        self.metadata.resource_version.as_str()
    }
}

impl WireObject for Widget {}

impl Kind for Widget {
    const NAMESPACED: bool = true;

    fn kind() -> GroupVersionKind {
        GroupVersionKind::new("example.com", "v1", "Widget")
    }

    fn resource() -> GroupVersionResource {
        GroupVersionResource::new("example.com", "v1", "widgets")
    }
}

fn scheme() -> Scheme {
    Scheme::default().with::<Widget>().with_kind::<Widget>(GroupVersionKind::new("example.com", "v2", "Gadget"))
}

fn object(text: &str) -> Box<dyn DynObject> {
    match scheme().decode(text.as_bytes()).unwrap() {
        Decoded::Object(object) => object,
        Decoded::List(list) => panic!("{list:?}"),
    }
}

#[test]
fn an_object_is_read_as_the_type_of_its_kind() {
    for kind in ["example.com/v1\",\"kind\":\"Widget", "example.com/v2\",\"kind\":\"Gadget"] {
        let object = object(&format!(r#"{{"apiVersion":"{kind}","metadata":{{"name":"a"}},"size":9007199254740993}}"#));
        assert_eq!(object.name(), "a");
        assert_eq!(object.downcast::<Widget>().unwrap().size, 9_007_199_254_740_993);
    }
}

#[test]
fn an_object_without_a_type_is_kept_as_it_is() {
    for text in [
        r#"{"apiVersion":"example.com/v9","kind":"Widget","metadata":{"name":"a"},"size":1e3}"#,
        r#"{"apiVersion":"v1","kind":"Widget","metadata":{"name":"a"}}"#,
        r#"{"kind":"Widget","metadata":{"name":"a"}}"#,
    ] {
        assert_eq!(object(text).downcast::<Unstructured>().unwrap().as_json(), text);
    }
}

#[test]
fn a_list_is_known_by_its_items_and_each_is_read_as_the_type_of_its_own_kind() {
    let decode = |text: &str| match scheme().decode(text.as_bytes()).unwrap() {
        Decoded::List(list) => list,
        Decoded::Object(object) => panic!("{object:?}"),
    };
    let list = decode(
        r#"{"apiVersion":"example.com/v1","kind":"WidgetList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}]}"#,
    );
    assert_eq!((list.kind.unwrap().kind.as_str(), list.metadata.resource_version.as_str()), ("WidgetList", "7"));
    assert!(list.items[0].is::<Widget>() && list.items[1].is::<Unstructured>());
    let mixed = decode(r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"example.com/v1","kind":"Widget","size":7}]}"#);
    assert_eq!(mixed.items[0].downcast_ref::<Widget>().unwrap().size, 7);
    let heap = decode(
        r#"{"apiVersion":"example.com/v1","kind":"WidgetHeap","items":[{"kind":"Widget","apiVersion":"example.com/v1"}]}"#,
    );
    assert!(heap.items[0].is::<Widget>());
    // A kind whose name ends so is no list for that.
    assert_eq!(
        object(r#"{"apiVersion":"example.com/v1","kind":"AccessList","spec":{}}"#).group_version_kind().kind,
        "AccessList"
    );
}

#[test]
fn one_object_and_the_items_of_a_list_are_taken_out_alike() {
    let names = |text: &str| -> Vec<String> {
        let objects = scheme().decode(text.as_bytes()).unwrap().into_objects();
        objects.iter().map(|object| object.name().to_owned()).collect()
    };
    let item = |name: u8| format!(r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"{name}"}}}}"#);
    assert_eq!(names(&item(0)), ["0"]);
    let all = (0..3).map(item).collect::<Vec<_>>().join(",");
    assert_eq!(names(&format!(r#"{{"apiVersion":"v1","kind":"List","items":[{all}]}}"#)), ["0", "1", "2"]);
}

#[test]
fn a_list_is_made_of_objects_of_several_types() {
    let objects = || {
        let any: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"1"}}"#.parse().unwrap();
        let metadata = ObjectMeta { name: "0".into(), ..ObjectMeta::default() };
        vec![Box::new(Widget { metadata, size: 7 }) as Box<dyn DynObject>, Box::new(any)]
    };
    let list = ObjectList { items: objects(), ..ObjectList::default() };
    assert_eq!(list.items.iter().map(|item| item.name().to_owned()).collect::<Vec<_>>(), ["0", "1"]);
    assert_eq!(list.items[0].downcast_ref::<Widget>().unwrap().size, 7);
    assert!(list.into_iter().zip(objects()).all(|(item, object)| item.group_version_kind() == object.group_version_kind()));
}

#[test]
fn an_error_says_which_kind_of_which_version_it_is_about() {
    let error = |text: &str| scheme().decode(text.as_bytes()).unwrap_err().to_string();
    let wrong = error(r#"{"apiVersion":"example.com/v1","kind":"Widget","size":"large"}"#);
    assert!(wrong.starts_with("the object says that it is a Widget.example.com, version v1, and cannot be read as one: invalid type: string \"large\""), "{wrong}");
    let item = error(r#"{"apiVersion":"example.com/v1","kind":"WidgetList","items":[{},{"size":-1}]}"#);
    assert!(
        item.starts_with(
            "the object says that it is a WidgetList.example.com, version v1, and cannot be read as one: item 1: invalid value"
        ),
        "{item}"
    );
    assert!(error(r#"{"apiVersion":"v1"}"#).starts_with("\"kind\" is missing"));
    assert!(error("[]").starts_with("not an object of an API server: invalid type: sequence"));
    assert!(error("{").starts_with("not an object of an API server: EOF"));
    let nameless = error(r#"{"apiVersion":"v1","kind":"List","items":[{"metadata":{}}]}"#);
    assert!(nameless.contains("item 0: \"kind\" is missing"), "{nameless}");
}

#[test]
fn an_object_becomes_typed_where_its_version_has_a_type() {
    let any: Unstructured = r#"{"apiVersion":"example.com/v1","kind":"Widget","size":7}"#.parse().unwrap();
    assert_eq!(scheme().typed(&any).unwrap().downcast::<Widget>().unwrap().size, 7);
    for kind in [GroupVersionKind::new("example.com", "v9", "Widget"), GroupVersionKind::new("", "v1", "Widget")] {
        let error = scheme().typed(&Unstructured::new(&kind)).unwrap_err().to_string();
        assert_eq!(error, format!("no type is registered for {kind}: add one to the scheme, or read the object as it is"));
    }
    let wrong: Unstructured = r#"{"apiVersion":"example.com/v1","kind":"Widget","size":"large"}"#.parse().unwrap();
    assert!(matches!(scheme().typed(&wrong), Err(ParseObjectError::Unreadable { .. })));
}

#[test]
fn a_scheme_says_the_kinds_of_a_type_and_the_type_of_a_kind() {
    let scheme = scheme();
    let gadget = GroupVersionKind::new("example.com", "v2", "Gadget");
    assert!(scheme.kinds_of::<Widget>().eq([&Widget::kind(), &gadget]));
    assert!(scheme.kinds().eq(scheme.kinds_of::<Widget>()));
    assert_eq!(scheme.kinds_of::<Unstructured>().count(), 0);
    assert!(scheme.recognizes(&gadget) && !scheme.recognizes(&GroupVersionKind::new("example.com", "v1", "Gadget")));
    assert_eq!(scheme.type_of(&gadget), Some(TypeId::of::<Widget>()));
    assert_eq!(scheme.type_of(&GroupVersionKind::new("", "v1", "Pod")), None);
    let replaced = scheme.with_kind::<crate::object::PartialObjectMetadata>(gadget.clone());
    assert_eq!((replaced.kinds().count(), replaced.kinds_of::<Widget>().count()), (2, 1));
    assert!(format!("{replaced:?}").contains("PartialObjectMetadata"));
}
