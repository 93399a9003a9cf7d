//! Objects of lists and watches, of which a bad one stops nothing.

use std::{borrow::Cow, fmt};

use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{DecodeError, WatchEvent, event::event_in, items::event_without_managed_fields, object::is_table};
use crate::{
    meta::GroupVersionKind,
    object::{BadObject, Item, WireObject, list_kind},
};

/// An event of a watch whose object may be one that cannot be read.
pub type ObjectEvent<K> = WatchEvent<Item<K>>;

/// Reads an object; `kind` is what it follows to be from the kind of the list that it is an item of.
///
/// # Errors
/// Where it is no `K`, or has neither a name nor an id, by which it could be kept.
pub fn read_item<K: WireObject>(text: &[u8], kind: Option<&GroupVersionKind>) -> Item<K> {
    let object = K::from_list_item(text, kind).map_err(|error| BadObject::new(text, error.to_string()))?;
    if object.name().is_empty() && object.uid().is_empty() {
        return Err(BadObject::new(text, "it has no metadata by which it could be told from others"));
    }
    Ok(object)
}

/// Reads the event in one line of a watch, without the `managedFields` of its object. `expected` is the kind that its objects
/// are to say they are; where it is `None`, it is the kind of the form, where that is of one kind (`getExpectedGVKFromObject`).
/// An object that does not say what it is passes.
///
/// What client-go's reflector skips (`tools/cache/reflector.go`, `handleAnyWatch`) is a [`BadObject`] here: an object of another
/// type or kind, a table, and what has no metadata. Of a bookmark's object, which may be half empty, its version and its mark are
/// read, and nothing else.
///
/// ```
/// use porthole_client_core::{
///     object::{Object as _, Unstructured},
///     wire::{WatchEvent, read_event},
/// };
///
/// let line = br#"{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","managedFields":[]}}}"#;
/// let WatchEvent::Added(Ok(pod)) = read_event::<Unstructured>(line, None)? else { panic!("another event") };
/// assert_eq!(pod.as_json(), r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#);
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
///
/// # Errors
/// Where the line is no event, or where its type is unknown.
pub fn read_event<K: WireObject>(line: &[u8], expected: Option<&GroupVersionKind>) -> Result<ObjectEvent<K>, DecodeError> {
    event_in(&event_without_managed_fields(line), |object| Ok(read_object(object, expected)))
}

fn read_object<K: WireObject>(object: &RawValue, expected: Option<&GroupVersionKind>) -> Item<K> {
    let text = object.get().as_bytes();
    let said = Said::of(text);
    if let Some(kind) = said.kind() {
        if is_table(&kind) {
            return Err(BadObject::new(text, "it is a table where an object was asked for"));
        }
        let own = || K::OF_KIND.map(|(api_version, kind)| list_kind(Some(api_version), kind));
        if let Some(expected) = expected.cloned().or_else(own).filter(|expected| *expected != kind) {
            return Err(BadObject::new(text, format!("it is a {kind}, not a {expected}")));
        }
    }
    read_item(text, None)
}

/// What an object says it is, which a server writes first: the rest of the text is not looked at then.
#[derive(Default)]
struct Said {
    api_version: Option<String>,
    kind: Option<String>,
}

impl Said {
    fn of(text: &[u8]) -> Self {
        let mut said = Self::default();
        // What is no object is told by who reads it.
        drop(serde_json::Deserializer::from_slice(text).deserialize_map(Look(&mut said)));
        said
    }

    fn kind(&self) -> Option<GroupVersionKind> {
        self.kind.as_deref().map(|kind| list_kind(self.api_version.as_deref(), kind))
    }
}

struct Look<'a>(&'a mut Said);

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Self(said) = self;
        while (said.kind.is_none() || said.api_version.is_none())
            && let Some(name) = fields.next_key::<String>()?
        {
            match name.as_str() {
                "apiVersion" => said.api_version = fields.next_value()?,
                "kind" => said.kind = fields.next_value()?,
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// What is followed by a reflector of `K`, in words: the kind that is expected, or the one of the form, or the form
/// (`getTypeDescriptionFromObject`).
#[must_use]
pub fn form_name<K: WireObject>(expected: Option<&GroupVersionKind>) -> Cow<'static, str> {
    match (expected, K::OF_KIND) {
        (Some(kind), _) => kind.to_string().into(),
        (None, Some((api_version, kind))) => format!("{kind}, version {api_version}").into(),
        (None, None) => std::any::type_name::<K>().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        meta::ObjectMeta,
        object::{Compact, Object, PartialObjectMetadata, Unstructured, testing::Pod},
        wire::{Bookmark, LineFramer},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn pod_kind() -> GroupVersionKind {
        GroupVersionKind::new("", "v1", "Pod")
    }

    fn added<K: WireObject>(object: &str, expected: Option<&GroupVersionKind>) -> Item<K> {
        let line = format!(r#"{{"type":"ADDED","object":{object}}}"#);
        match read_event(line.as_bytes(), expected).unwrap() {
            WatchEvent::Added(item) => item,
            _ => panic!("another event"),
        }
    }

    /// The names of what is added, changed and removed, and of what is not taken.
    fn follow<K: WireObject>(lines: &str, expected: Option<&GroupVersionKind>) -> Vec<String> {
        let mut words = Vec::new();
        LineFramer::default().push(lines.as_bytes(), |line| {
            let word = |item: Item<K>| match item {
                Ok(object) => format!("{}@{}", object.name(), object.resource_version()),
                Err(bad) => format!("!{}", bad.name),
            };
            words.push(match read_event::<K>(line, expected).unwrap() {
                WatchEvent::Added(item) => format!("+{}", word(item)),
                WatchEvent::Modified(item) => format!("~{}", word(item)),
                WatchEvent::Deleted(item) => format!("-{}", word(item)),
                WatchEvent::Bookmark(bookmark) => format!("={}", bookmark.resource_version),
                WatchEvent::Error(status) => status.message,
            });
        });
        words
    }

    #[test]
    fn an_object_of_another_kind_is_not_taken_and_the_events_after_it_are() {
        let lines = r#"{"type":"ADDED","object":{"kind":"Service","apiVersion":"v1","metadata":{"name":"rejected"}}}
            {"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"foo"}}}
            {"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"bar","resourceVersion":"55"}}}
            {"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"baz","resourceVersion":"32"}}}
            {"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"60"}}}
            {"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}
        "#;
        let expected = ["+!rejected", "-foo@", "~bar@55", "+baz@32", "=60", "too old"];
        assert_eq!(follow::<Pod>(lines, None), expected);
        assert_eq!(follow::<Compact<Pod>>(lines, None), expected);
        assert_eq!(follow::<Unstructured>(lines, Some(&pod_kind())), expected);
        let of_any_kind = follow::<Unstructured>(lines, None);
        assert_eq!(of_any_kind[0], "+rejected@");
        assert_eq!(follow::<PartialObjectMetadata>(lines, None), of_any_kind);
    }

    #[test]
    fn the_kind_that_is_expected_is_the_one_that_is_given_or_that_of_the_form() {
        let service = r#"{"kind":"Service","apiVersion":"v1","metadata":{"name":"a"}}"#;
        let error = added::<Unstructured>(service, Some(&pod_kind())).unwrap_err();
        assert_eq!(error.to_string(), "a could not be read: it is a Service, version v1, not a Pod, version v1");
        assert_eq!(added::<Unstructured>(service, None).unwrap().name(), "a");
        assert!(added::<Pod>(service, None).is_err() && added::<Compact<Pod>>(service, None).is_err());
        assert_eq!(added::<Pod>(r#"{"metadata":{"name":"a"}}"#, None).unwrap().name(), "a");
        let of_any = r#"{"kind":"MyKind","apiVersion":"mygroup/v1","metadata":{"name":"a"}}"#;
        assert!(added::<Unstructured>(of_any, Some(&GroupVersionKind::new("mygroup", "v1", "MyKind"))).is_ok());
        assert!(added::<Unstructured>(of_any, Some(&GroupVersionKind::new("mygroup", "v2", "MyKind"))).is_err());
    }

    #[test]
    fn what_is_followed_is_called_by_its_kind_where_it_has_one() {
        assert_eq!(form_name::<Pod>(None), "Pod, version v1");
        assert_eq!(form_name::<Compact<Pod>>(None), "Pod, version v1");
        assert!(form_name::<Unstructured>(None).ends_with("::Unstructured"));
        assert_eq!(
            form_name::<Unstructured>(Some(&GroupVersionKind::new("mygroup", "v1", "MyKind"))),
            "MyKind.mygroup, version v1"
        );
    }

    #[test]
    fn a_table_is_not_taken_for_an_object_and_an_object_called_table_is() {
        let table = |version: &str| format!(r#"{{"kind":"Table","apiVersion":"{version}","metadata":{{"name":"a"}},"rows":[]}}"#);
        for version in ["meta.k8s.io/v1", "meta.k8s.io/v1beta1"] {
            let error = added::<Unstructured>(&table(version), None).unwrap_err().to_string();
            assert_eq!(error, "a could not be read: it is a table where an object was asked for");
        }
        assert!(added::<Pod>(&table("meta.k8s.io/v1"), None).is_err());
        assert_eq!(added::<Unstructured>(&table("custom.group/v1"), None).unwrap().name(), "a");
        let nameless = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"rows":[]}"#;
        assert!(added::<Unstructured>(nameless, None).is_err() && added::<PartialObjectMetadata>(nameless, None).is_err());
    }

    #[test]
    fn what_has_no_metadata_is_a_bad_object() {
        for object in
            [r#"{"kind":"Pod","apiVersion":"v1"}"#, r#"{"kind":"Pod","apiVersion":"v1","metadata":{}}"#, "7", "null", "[]"]
        {
            assert!(added::<Pod>(object, None).is_err(), "{object}");
            assert!(added::<Unstructured>(object, None).is_err(), "{object}");
            assert!(added::<PartialObjectMetadata>(object, None).is_err(), "{object}");
            assert!(added::<Compact<Pod>>(object, None).is_err(), "{object}");
        }
    }

    #[test]
    fn a_bad_object_says_what_it_is_called_and_what_is_wrong() {
        let bad = added::<Pod>(r#"{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"},"spec":7}"#, None)
            .unwrap_err();
        assert_eq!(
            (bad.namespace.as_str(), bad.name.as_str(), bad.uid.as_str(), bad.resource_version.as_str()),
            ("n", "a", "u", "7")
        );
        assert!(bad.message.contains("invalid type: integer `7`"), "{bad}");
    }

    #[test]
    fn a_bookmark_is_read_whatever_its_object_lacks() {
        let line = br#"{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"9","creationTimestamp":null,
            "annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"containers":null},"status":{}}}"#;
        let expected = Bookmark { resource_version: "9".into(), ends_initial_events: true };
        let WatchEvent::Bookmark(bookmark) = read_event::<Pod>(line, Some(&pod_kind())).unwrap() else { panic!("another event") };
        assert_eq!(bookmark, expected);
        assert!(read_event::<Pod>(br#"{"type":"PANICKED","object":{}}"#, None).is_err());
        assert!(read_event::<Pod>(b"<html>", None).is_err());
    }

    #[test]
    fn managed_fields_are_not_kept_whichever_the_form() {
        let object = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","managedFields":[{"manager":"m"}]},"data":{"managedFields":"eA=="}}"#;
        let metadata = ObjectMeta { name: "a".into(), ..ObjectMeta::default() };
        assert_eq!(added::<Pod>(object, None).unwrap().metadata, metadata);
        assert_eq!(added::<PartialObjectMetadata>(object, None).unwrap(), PartialObjectMetadata::new(metadata));
        let rest = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"data":{"managedFields":"eA=="}}"#;
        assert_eq!(added::<Unstructured>(object, None).unwrap().as_json(), rest);
        assert_eq!(added::<Compact<Pod>>(object, None).unwrap().as_json(), rest);
    }

    #[test]
    fn a_line_that_is_cut_anywhere_is_an_error_and_no_event() {
        let line = br#"{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"managedFields":[{}],"name":"a"},"spec":{}}}"#;
        for end in 0..line.len() {
            assert!(read_event::<Pod>(&line[..end], None).is_err(), "cut at {end}");
        }
        assert!(matches!(read_event::<Pod>(line, None), Ok(WatchEvent::Added(Ok(_)))));
    }
}
