//! Objects in a list.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::WireObject;
use crate::meta::{GroupVersion, GroupVersionKind, ListMeta};

/// A page of a collection: its objects, and what the list says of itself.
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

/// Reads from `serde_json` alone. `items` may be missing or `null`. What is no list is refused: its kind does not end in
/// `List`.
impl<'de, K: WireObject> Deserialize<'de> for ObjectList<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire<'a> {
            #[serde(borrow, default)]
            api_version: Option<Cow<'a, str>>,
            #[serde(borrow, default)]
            kind: Option<Cow<'a, str>>,
            #[serde(default)]
            metadata: Option<ListMeta>,
            #[serde(borrow, default)]
            items: Option<Vec<&'a RawValue>>,
        }
        let Wire { api_version, kind, metadata, items } = Wire::deserialize(deserializer)?;
        let kind = kind.map(|kind| {
            let group_version = api_version.as_deref().and_then(|text| text.parse().ok());
            group_version.unwrap_or_else(|| GroupVersion::new("", "v1")).with_kind(kind)
        });
        if let Some(kind) = kind.as_ref().filter(|kind| !kind.kind.ends_with("List")) {
            return Err(serde::de::Error::custom(format_args!("its kind is {:?}, not a list", kind.kind)));
        }
        let item = kind.as_ref().and_then(item_kind);
        let items = items.unwrap_or_default().into_iter().enumerate().map(|(index, raw)| {
            let named = |error| serde::de::Error::custom(format_args!("item {index}: {error}"));
            K::from_list_item(raw, item.as_ref()).map_err(named)
        });
        let items = items.collect::<Result<_, _>>()?;
        Ok(Self { kind, metadata: metadata.unwrap_or_default(), items })
    }
}

/// What the items of a list of this kind are; `None` for the list of anything, whose items say it themselves.
fn item_kind(list: &GroupVersionKind) -> Option<GroupVersionKind> {
    let kind = list.kind.strip_suffix("List").filter(|kind| !kind.is_empty())?;
    Some(list.group_version.with_kind(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Object as _, PartialObjectMetadata, Unstructured};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read<K: WireObject>(text: &str) -> Result<ObjectList<K>, serde_json::Error> {
        serde_json::from_slice(text.as_bytes())
    }

    #[test]
    fn a_list_says_its_version_and_how_it_goes_on() {
        let list: ObjectList<PartialObjectMetadata> = read(
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"c","remainingItemCount":3},
            "items":[{"metadata":{"name":"a"}}]}"#,
        )
        .unwrap();
        assert_eq!(list.metadata.resource_version.as_str(), "7");
        assert_eq!((list.metadata.continue_token.as_str(), list.metadata.remaining_item_count), ("c", Some(3)));
        assert_eq!(list.items[0].name(), "a");
    }

    #[test]
    fn a_list_of_nothing_may_be_null_or_missing() {
        for items in ["", r#","items":null"#, r#","items":[]"#] {
            let text = format!(r#"{{"kind":"PodList","apiVersion":"v1"{items}}}"#);
            assert!(read::<Unstructured>(&text).unwrap().items.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_no_list_and_an_item_that_is_no_object_are_refused() {
        let error = read::<Unstructured>(r#"{"kind":"Pod","apiVersion":"v1"}"#).unwrap_err().to_string();
        assert!(error.starts_with("its kind is \"Pod\", not a list"), "{error}");
        let error =
            read::<Unstructured>(r#"{"kind":"PodList","apiVersion":"v1","items":[{},{"metadata":7}]}"#).unwrap_err().to_string();
        assert!(error.starts_with("item 1: not an object of an API server: invalid type: integer `7`"), "{error}");
        assert!(read::<Unstructured>(r#"{"kind":"List","apiVersion":"v1","items":[{}]}"#).is_err());
    }
}
