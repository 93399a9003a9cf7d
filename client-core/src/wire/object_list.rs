//! Lists of objects, as their bytes arrive.

use std::{borrow::Cow, marker::PhantomData};

use serde::Deserialize;

use super::{DecodeError, Element, ItemReader, object::is_table, read_item};
use crate::{
    json::text_or_null,
    meta::{GroupVersionKind, ListMeta},
    object::{Item, WireObject, item_kind, list_kind},
};

/// Reads a list of objects item by item as it arrives, without their `managedFields`. An item that cannot be read is a
/// [`BadObject`](crate::object::BadObject) in its place.
///
/// Items that do not say their kind get the one that the list's own says they are. Where that comes behind them, as in a list of
/// custom resources, those which cannot be read without it wait for it, and come with the end.
///
/// ```
/// use porthole_client_core::{
///     object::{Object as _, Unstructured},
///     wire::ObjectListReader,
/// };
///
/// let (mut reader, mut items) = (ObjectListReader::<Unstructured>::default(), Vec::new());
/// for chunk in [&br#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata""#[..],
///     br#":{"name":"a"}},{"metadata":7}]}"#]
/// {
///     reader.push(chunk, &mut items);
/// }
/// assert_eq!(items[0].as_ref().unwrap().name(), "a");
/// assert!(items[1].is_err());
/// assert_eq!(reader.finish(&mut items)?.resource_version.as_str(), "7");
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
pub struct ObjectListReader<K> {
    reader: ItemReader,
    state: State,
    form: PhantomData<fn() -> K>,
}

opaque_debug!(ObjectListReader<K>);

#[derive(Default)]
struct State {
    /// What the list is, once that is known.
    kind: Option<GroupVersionKind>,
    /// What its items are.
    item: Option<GroupVersionKind>,
    /// Items that wait for their kind.
    waiting: Vec<Box<[u8]>>,
    has_items: bool,
}

impl<K> Default for ObjectListReader<K> {
    fn default() -> Self {
        Self { reader: ItemReader::without_managed_fields(), state: State::default(), form: PhantomData }
    }
}

/// What a list says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "text_or_null")]
    api_version: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "text_or_null")]
    kind: Option<Cow<'a, str>>,
    #[serde(default)]
    metadata: Option<ListMeta>,
}

impl<K: WireObject> ObjectListReader<K> {
    /// Takes a chunk of the body in, and appends the items that it completes.
    pub fn push(&mut self, chunk: &[u8], items: &mut Vec<Item<K>>) {
        let state = &mut self.state;
        self.reader.push(chunk, &mut |element| items.extend(state.read(element)));
    }

    /// Ends the body: appends the items that waited, and gives back what the list says of itself.
    ///
    /// # Errors
    /// Where the body was cut, where it is no JSON, and where it is no list of objects, but a table or one object (client-go
    /// `tools/cache/reflector.go`, `isUnsupportedTableListObject`). What was read of it does not count as the list then.
    pub fn finish(mut self, items: &mut Vec<Item<K>>) -> Result<ListMeta, DecodeError> {
        let body = self.reader.finish()?;
        let error = |message: String| DecodeError::new("the list", message, &body);
        let envelope: Envelope<'_> = serde_json::from_slice(&body).map_err(|wrong| error(wrong.to_string()))?;
        self.state.know(&envelope);
        let Self { state: State { kind, item, waiting, has_items }, .. } = self;
        let is_list = has_items || kind.as_ref().is_none_or(|kind| kind.kind.ends_with("List"));
        if let Some(kind) = kind.filter(|kind| is_table(kind) || !is_list) {
            return Err(error(format!("its kind is {kind}, not a list")));
        }
        items.extend(waiting.iter().map(|text| read_item(text, item.as_ref())));
        Ok(envelope.metadata.unwrap_or_default())
    }
}

impl State {
    fn know(&mut self, envelope: &Envelope<'_>) {
        self.kind = envelope.kind.as_deref().map(|kind| list_kind(envelope.api_version.as_deref(), kind));
        self.item = self.kind.as_ref().and_then(item_kind);
    }

    /// Reads an element, where it can be read now and is one of a list of objects.
    fn read<K: WireObject>(&mut self, element: Element<'_>) -> Option<Item<K>> {
        if !std::mem::replace(&mut self.has_items, true)
            && let Ok(envelope) = serde_json::from_slice(element.envelope)
        {
            self.know(&envelope);
        }
        if element.is_row || self.kind.as_ref().is_some_and(is_table) {
            return None;
        }
        let item = read_item(element.text, self.item.as_ref());
        if item.is_err() && self.kind.is_none() {
            self.waiting.push(element.text.into());
            return None;
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Compact, Object, ObjectList, PartialObjectMetadata, Unstructured, testing::Pod};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read<K: WireObject>(text: &str, size: usize) -> (Vec<Item<K>>, Result<ListMeta, DecodeError>) {
        let (mut reader, mut items) = (ObjectListReader::<K>::default(), Vec::new());
        text.as_bytes().chunks(size).for_each(|chunk| reader.push(chunk, &mut items));
        let end = reader.finish(&mut items);
        (items, end)
    }

    const PODS: &str = r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"c","remainingItemCount":3},
        "items":[{"metadata":{"name":"a","managedFields":[{}]}},{"metadata":{"name":"b"},"spec":{"nodeName":"n","containers":[]}}]}"#;

    #[test]
    fn a_list_that_arrives_is_the_list_that_is_read_whole() {
        fn same<K: WireObject + PartialEq + std::fmt::Debug>() {
            let text = PODS.replace(r#","managedFields":[{}]"#, "");
            let whole: ObjectList<K> = serde_json::from_slice(text.as_bytes()).unwrap();
            for size in [1, 7, 100, 10_000] {
                let (items, end) = read::<K>(PODS, size);
                assert_eq!(items.into_iter().map(Result::unwrap).collect::<Vec<_>>(), whole.items);
                assert_eq!(end.unwrap(), whole.metadata);
            }
        }
        same::<Pod>();
        same::<Compact<Pod>>();
        same::<Unstructured>();
        same::<PartialObjectMetadata>();
    }

    #[test]
    fn one_bad_item_stops_nothing() {
        let text =
            PODS.replace(r#""spec":{"#, r#""spec":{"hostNetwork":7,"#).replace("}}]}", "}},{\"metadata\":{\"name\":\"c\"}},17]}");
        let names = |items: Vec<Item<Pod>>| -> Vec<String> {
            let word = |item: Item<Pod>| item.map_or_else(|bad| format!("!{}", bad.name), |pod| pod.name().to_owned());
            items.into_iter().map(word).collect()
        };
        let (items, end) = read(&text, 11);
        assert_eq!((names(items), end.is_ok()), (vec!["a".into(), "!b".into(), "c".into(), "!".into()], true));
    }

    #[test]
    fn items_wait_for_a_kind_that_comes_behind_them_where_they_need_it() {
        let text = r#"{"apiVersion":"example.com/v1","items":[{"metadata":{"name":"a"}},{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"}}],"kind":"WidgetList","metadata":{"resourceVersion":"7"}}"#;
        for size in [1, 1000] {
            let (items, end) = read::<Unstructured>(text, size);
            let items: Vec<_> = items.into_iter().map(Result::unwrap).collect();
            assert_eq!(items.iter().map(Object::name).collect::<Vec<_>>(), ["b", "a"]);
            assert!(items.iter().all(|item| item.group_version_kind() == GroupVersionKind::new("example.com", "v1", "Widget")));
            assert_eq!(end.unwrap().resource_version.as_str(), "7");
        }
        let (items, _) = read::<PartialObjectMetadata>(text, 1000);
        assert_eq!(items.iter().map(|item| item.as_ref().unwrap().name()).collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn what_is_no_list_of_objects_is_refused_and_says_what_it_is() {
        for (text, words) in [
            (
                r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{"cells":[1],"object":{"metadata":{"name":"a"}}}]}"#,
                "its kind is Table.meta.k8s.io, version v1, not a list",
            ),
            (
                r#"{"rows":[{"metadata":{"name":"a"}}],"kind":"Table","apiVersion":"meta.k8s.io/v1beta1"}"#,
                "its kind is Table.meta.k8s.io",
            ),
            (
                r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","items":[{"metadata":{"name":"a"}}]}"#,
                "its kind is Table.meta.k8s.io",
            ),
            (r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}"#, "its kind is Pod, version v1, not a list"),
            (r#"{"kind":"PodList","items":[{"metad"#, "it is cut after 34 bytes and 0 items"),
            ("<html>", "it is no JSON object"),
            ("{\"kind\":7}", "invalid type: integer `7`"),
        ] {
            let (items, end) = read::<PartialObjectMetadata>(text, 1000);
            let error = end.unwrap_err().to_string();
            assert!(items.is_empty() && error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_list_of_nothing_may_be_null_or_missing_and_have_any_kind_with_items() {
        for items in ["", r#","items":null"#, r#","items":[]"#] {
            let (items, end) = read::<Pod>(&format!(r#"{{"kind":"PodList","apiVersion":"v1"{items}}}"#), 5);
            assert!(items.is_empty() && end.is_ok());
        }
        let (items, end) = read::<PartialObjectMetadata>(r#"{"kind":"Heap","items":[{"metadata":{"name":"a"}}]}"#, 5);
        assert!(items.len() == 1 && end.is_ok());
    }
}
