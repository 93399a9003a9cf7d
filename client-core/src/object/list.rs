//! Objects in a list.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::value::RawValue;

use super::WireObject;
use crate::{
    json::text_or_null,
    meta::{GroupVersion, GroupVersionKind, ListMeta},
    rest::PagedList,
};

/// A page of a collection: its objects, and what the list says of itself (apimachinery `unstructured.UnstructuredList`, and the
/// lists of typed objects).
///
/// ```
/// use porthole_client_core::object::{Object as _, ObjectList, Unstructured};
///
/// let list: ObjectList<Unstructured> = serde_json::from_str(
///     r#"{"apiVersion":"example.com/v1","kind":"WidgetList","metadata":{"resourceVersion":"7"},
///         "items":[{"metadata":{"name":"a"}}]}"#,
/// )?;
/// assert_eq!(list.metadata.resource_version.as_str(), "7");
/// assert_eq!(list.items[0].name(), "a");
/// assert_eq!(list.items[0].group_version_kind().kind, "Widget");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectList<K> {
    /// What the list is, such as `PodList, version v1`; `None` where it does not say.
    pub kind: Option<GroupVersionKind>,
    /// Its version, and whether there is more.
    pub metadata: ListMeta,
    /// The objects.
    pub items: Vec<K>,
}

impl<K> Default for ObjectList<K> {
    fn default() -> Self {
        Self { kind: None, metadata: ListMeta::default(), items: Vec::new() }
    }
}

impl<K> IntoIterator for ObjectList<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// Reads from `serde_json` alone. `items` may be missing or `null` where the kind ends in `List`; what has no items and another
/// kind is no list, and refused. The lists of a custom resource can have any kind.
impl<'de, K: WireObject> Deserialize<'de> for ObjectList<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_list(deserializer, K::from_list_item)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    #[serde(borrow, default, deserialize_with = "text_or_null")]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text_or_null")]
    kind: Option<Cow<'a, str>>,
    #[serde(default)]
    metadata: Option<ListMeta>,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}

/// Reads a list whose items `read` reads. It is given what the list's own kind says they are.
pub(super) fn read_list<'de, D: Deserializer<'de>, K>(
    deserializer: D,
    read: impl Fn(&[u8], Option<&GroupVersionKind>) -> Result<K, serde_json::Error>,
) -> Result<ObjectList<K>, D::Error> {
    let Wire { api_version, kind, metadata, items } = Wire::deserialize(deserializer)?;
    let kind = kind.map(|kind| list_kind(api_version.as_deref(), &kind));
    if let Some(kind) = kind.as_ref().filter(|kind| items.is_none() && !kind.kind.ends_with("List")) {
        return Err(D::Error::custom(format_args!("its kind is {:?}, not a list", kind.kind)));
    }
    let item = kind.as_ref().and_then(item_kind);
    let items = items.unwrap_or_default().into_iter().enumerate().map(|(index, raw)| {
        let named = |error| D::Error::custom(format_args!("item {index}: {error}"));
        read(raw.get().as_bytes(), item.as_ref()).map_err(named)
    });
    let items = items.collect::<Result<_, _>>()?;
    Ok(ObjectList { kind, metadata: metadata.unwrap_or_default(), items })
}

/// Writes the list as a server does. One that does not say what it is becomes a `List`, which holds anything; its items must
/// say what they are then.
impl<K: Serialize> Serialize for ObjectList<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Body<'a, K> {
            kind: &'a str,
            api_version: String,
            metadata: &'a ListMeta,
            items: &'a [K],
        }
        let kind = self.kind.as_ref();
        Body {
            kind: kind.map_or("List", |kind| &kind.kind),
            api_version: kind.map_or_else(|| "v1".to_owned(), |kind| kind.group_version.to_string()),
            metadata: &self.metadata,
            items: &self.items,
        }
        .serialize(serializer)
    }
}

impl<K> PagedList for ObjectList<K> {
    type Item = K;

    fn metadata(&mut self) -> &mut ListMeta {
        &mut self.metadata
    }

    fn items(&mut self) -> &mut Vec<K> {
        &mut self.items
    }
}

/// What a list says it is; one without a version is taken to be of the core group.
pub(crate) fn list_kind(api_version: Option<&str>, kind: &str) -> GroupVersionKind {
    let group_version = api_version.and_then(|text| text.parse().ok());
    group_version.unwrap_or_else(|| GroupVersion::new("", "v1")).with_kind(kind)
}

/// What the items of a list of this kind are; `None` for the list of anything, whose items say it themselves.
pub(crate) fn item_kind(list: &GroupVersionKind) -> Option<GroupVersionKind> {
    let kind = list.kind.strip_suffix("List").filter(|kind| !kind.is_empty())?;
    Some(list.group_version.with_kind(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Object, PartialObjectMetadata, Unstructured};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read<K: WireObject>(text: &str) -> Result<ObjectList<K>, serde_json::Error> {
        serde_json::from_slice(text.as_bytes())
    }

    /// A list of objects that are called `0`, `1` and so on, of these kinds in turn.
    fn numbered(list: &str, kinds: &[&str]) -> String {
        let item = |(index, kind): (usize, &&str)| {
            format!(
                r#"{{"apiVersion":"sample.org/v1","kind":"{kind}","metadata":{{"name":"{index}"}},"spec":{{"size":{index}}}}}"#
            )
        };
        let items: Vec<String> = kinds.iter().cycle().take(1000).enumerate().map(item).collect();
        format!(r#"{{"apiVersion":"v1","kind":"{list}","items":[{}]}}"#, items.join(","))
    }

    fn are_all_there(names: impl Iterator<Item = String>) -> bool {
        names.eq((0..1000).map(|index| index.to_string()))
    }

    #[test]
    fn the_items_of_a_list_are_visited_in_order_whatever_their_form() {
        let samples = numbered("SampleList", &["Sample"]);
        let of_any_kind = numbered("List", &["Sample", "Foo"]);
        for text in [&samples, &of_any_kind] {
            assert!(are_all_there(read::<Unstructured>(text).unwrap().items.iter().map(|item| item.name().to_owned())));
            assert!(are_all_there(read::<PartialObjectMetadata>(text).unwrap().into_iter().map(|item| item.name().to_owned())));
        }
        let kinds: Vec<_> =
            read::<Unstructured>(&of_any_kind).unwrap().items.into_iter().map(|item| item.group_version_kind()).collect();
        assert_eq!(kinds[..2].iter().map(|kind| kind.kind.as_str()).collect::<Vec<_>>(), ["Sample", "Foo"]);
    }

    #[test]
    fn the_items_of_an_object_that_is_a_list_can_be_taken_out_and_outlive_it() {
        for text in [numbered("SampleList", &["Sample"]), numbered("List", &["Sample", "Foo"])] {
            let list = Unstructured::from_slice(text.as_bytes()).unwrap();
            assert!(list.is_list());
            let items = list.items().unwrap();
            drop(list);
            assert!(are_all_there(items.iter().map(|item| item.name().to_owned())));
            assert_eq!(items[999].nested::<u32>(&["spec", "size"]).unwrap(), Some(999));
            assert!(!items[0].is_list() && items[0].items().unwrap().is_empty());
        }
    }

    #[test]
    fn a_list_says_its_version_and_how_it_goes_on() {
        let list: ObjectList<PartialObjectMetadata> = read(
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"c","remainingItemCount":3},
            "items":[{"metadata":{"name":"a"}}]}"#,
        )
        .unwrap();
        assert_eq!(list.kind, Some(GroupVersionKind::new("", "v1", "PodList")));
        assert_eq!(list.metadata.resource_version.as_str(), "7");
        assert_eq!((list.metadata.continue_token.as_str(), list.metadata.remaining_item_count), ("c", Some(3)));
        assert_eq!(list.items[0].name(), "a");
    }

    #[test]
    fn what_a_list_says_of_itself_can_be_set() {
        let mut list = ObjectList::<Unstructured>::default();
        assert!(list.metadata.resource_version.is_empty());
        list.kind = Some(GroupVersionKind::new("", "test_version", "test_kind"));
        list.metadata.resource_version = "5".into();
        let text = r#"{"kind":"test_kind","apiVersion":"test_version","metadata":{"resourceVersion":"5"},"items":[]}"#;
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
        assert_eq!(read::<Unstructured>(text).unwrap(), list);
    }

    #[test]
    fn a_list_is_made_of_objects_and_they_are_taken_out_of_it_again() {
        fn there_and_back<K: WireObject + Clone + PartialEq + std::fmt::Debug>(objects: &[K]) {
            let list = ObjectList { items: objects.to_vec(), ..ObjectList::default() };
            assert_eq!(list.into_iter().collect::<Vec<_>>(), objects);
        }
        let named = |name| format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}},"foo":1}}"#);
        for count in 0..4 {
            let texts: Vec<_> = (0..count).map(named).collect();
            there_and_back::<Unstructured>(&texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>());
            there_and_back::<PartialObjectMetadata>(
                &texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect::<Vec<_>>(),
            );
        }
    }

    #[test]
    fn a_list_of_nothing_may_be_null_or_missing() {
        for items in ["", r#","items":null"#, r#","items":[]"#] {
            let text = format!(r#"{{"kind":"PodList","apiVersion":"v1"{items}}}"#);
            assert!(read::<Unstructured>(&text).unwrap().items.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_list_of_a_kind_of_any_name_is_a_list_by_its_items() {
        let text =
            r#"{"kind":"WidgetHeap","apiVersion":"example.com/v1","items":[{"kind":"Widget","apiVersion":"example.com/v1"}]}"#;
        let list = read::<Unstructured>(text).unwrap();
        assert_eq!(list.kind.unwrap().kind, "WidgetHeap");
        assert_eq!(list.items[0].group_version_kind().kind, "Widget");
    }

    #[test]
    fn what_is_written_is_what_was_read_and_writing_changes_nothing() {
        let text = r#"{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"7","continue":"c"},"items":[{"apiVersion":"example.com/v1","kind":"Widget","spec":{"big":18446744073709551615}}]}"#;
        let list = read::<Unstructured>(text).unwrap();
        let before = list.clone();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
        assert_eq!(list, before);
        let empty = serde_json::to_string(&ObjectList::<Unstructured>::default()).unwrap();
        assert_eq!(empty, r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#);
        assert!(read::<Unstructured>(&empty).unwrap().items.is_empty());
    }

    #[test]
    fn the_items_of_a_list_of_anything_say_what_they_are_and_can_be_gone_through() {
        let text = r#"{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"test"}}]}"#;
        let list = read::<Unstructured>(text).unwrap();
        let written: Unstructured = serde_json::to_string(&list).unwrap().parse().unwrap();
        assert_eq!(written.items().unwrap()[0].nested::<String>(&["metadata", "name"]).unwrap().as_deref(), Some("test"));
        let names: Vec<_> = list.into_iter().map(|item| item.name().to_owned()).collect();
        assert_eq!(names, ["test"]);
    }

    #[test]
    fn the_items_of_a_list_are_those_of_its_form() {
        let text = r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"0"}},{"metadata":{"name":"1"}},{"metadata":{"name":"2"}}]}"#;
        let names = ["0", "1", "2"].map(str::to_owned).to_vec();
        let partial = read::<PartialObjectMetadata>(text).unwrap();
        assert_eq!(partial.into_iter().map(|item| item.name().to_owned()).collect::<Vec<_>>(), names);
        let whole = read::<Unstructured>(text).unwrap();
        assert_eq!(whole.into_iter().map(|item| item.name().to_owned()).collect::<Vec<_>>(), names);
        let unread: Unstructured = text.parse().unwrap();
        assert_eq!(unread.items().unwrap().iter().map(Object::name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn what_is_no_list_and_an_item_that_is_no_object_are_refused() {
        let error = read::<Unstructured>(r#"{"kind":"Pod","apiVersion":"v1"}"#).unwrap_err().to_string();
        assert!(error.starts_with("its kind is \"Pod\", not a list"), "{error}");
        let error =
            read::<Unstructured>(r#"{"kind":"PodList","apiVersion":"v1","items":[{},{"metadata":7}]}"#).unwrap_err().to_string();
        assert!(error.starts_with("item 1: not an object of an API server: invalid type: integer `7`"), "{error}");
        for text in [
            r#"{"kind":"List","apiVersion":"v1","items":[{}]}"#,
            r#"{"kind":"PodList","apiVersion":"v1","items":[{"kind":"","metadata":{"name":"a"}}]}"#,
        ] {
            assert!(read::<Unstructured>(text).is_err(), "{text}");
        }
    }
}
