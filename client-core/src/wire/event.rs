//! Events of a watch that carry whole objects.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    DecodeError,
    object::{MetaOnly, WireEvent, error_status, read_text},
};
use crate::meta::{ResourceVersion, Status};

/// One event of a watch (`metav1.WatchEvent`).
#[derive(Clone, Debug, PartialEq)]
pub enum WatchEvent<T> {
    /// The object is new, or, at the beginning of a watch without a version, there.
    Added(T),
    /// The object changed.
    Modified(T),
    /// The object is gone; this is its last state.
    Deleted(T),
    /// Nothing changed up to this version.
    Bookmark(Bookmark),
    /// The server cannot go on.
    Error(Box<Status>),
}

impl<T> WatchEvent<T> {
    /// The object; `None` in a bookmark and an error.
    #[must_use]
    pub const fn object(&self) -> Option<&T> {
        match self {
            Self::Added(object) | Self::Modified(object) | Self::Deleted(object) => Some(object),
            Self::Bookmark(_) | Self::Error(_) => None,
        }
    }

    /// The same event with another object.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> WatchEvent<U> {
        match self {
            Self::Added(object) => WatchEvent::Added(change(object)),
            Self::Modified(object) => WatchEvent::Modified(change(object)),
            Self::Deleted(object) => WatchEvent::Deleted(change(object)),
            Self::Bookmark(bookmark) => WatchEvent::Bookmark(bookmark),
            Self::Error(status) => WatchEvent::Error(status),
        }
    }
}

/// A version to go on from (`watch.Bookmark`). Of its object, which may be half empty, nothing else is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmark {
    /// The version.
    pub resource_version: ResourceVersion,
    /// Whether it ends the initial events, which the server sends where they were asked for
    /// (annotation `k8s.io/initial-events-end`).
    pub ends_initial_events: bool,
}

/// The event in one line of a watch (client-go `rest/watch/decoder.go`).
///
/// ```
/// use porthole_client_core::wire::{WatchEvent, decode_watch_event};
///
/// let event = decode_watch_event::<u8>(br#"{"type":"ADDED","object":7}"#)?;
/// assert_eq!(event, WatchEvent::Added(7));
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
///
/// # Errors
/// Where the line is no event, where its type is unknown, or where its object is not a `T`.
pub fn decode_watch_event<T: DeserializeOwned>(line: &[u8]) -> Result<WatchEvent<T>, DecodeError> {
    event_in(line, |object| decode("an object of the watch", object))
}

/// The event in a line, whose object `read` reads.
pub(super) fn event_in<T>(
    line: &[u8],
    read: impl FnOnce(&RawValue) -> Result<T, DecodeError>,
) -> Result<WatchEvent<T>, DecodeError> {
    let event: WireEvent<'_> =
        serde_json::from_slice(line).map_err(|error| DecodeError::new("a line of the watch", error, line))?;
    let object = || read(event.object);
    match event.kind.as_ref() {
        "ADDED" => object().map(WatchEvent::Added),
        "MODIFIED" => object().map(WatchEvent::Modified),
        "DELETED" => object().map(WatchEvent::Deleted),
        "BOOKMARK" => bookmark(event.object).map(WatchEvent::Bookmark),
        "ERROR" => Ok(WatchEvent::Error(Box::new(error_status(event.object)))),
        other => Err(DecodeError::unknown_event_type(other, line)),
    }
}

fn decode<'a, T: serde::Deserialize<'a>>(what: &'static str, object: &'a RawValue) -> Result<T, DecodeError> {
    read_text(object.get()).map_err(|error| DecodeError::new(what, error, object.get().as_bytes()))
}

fn bookmark(object: &RawValue) -> Result<Bookmark, DecodeError> {
    let meta = decode::<MetaOnly<'_>>("a bookmark", object)?.metadata.unwrap_or_default();
    let ends_initial_events = meta.ends_initial_events();
    Ok(Bookmark { resource_version: meta.resource_version.as_ref().into(), ends_initial_events })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Thing {
        size: u32,
    }

    fn event(line: &str) -> Result<WatchEvent<Thing>, DecodeError> {
        decode_watch_event(line.as_bytes())
    }

    #[test]
    fn each_type_of_event_is_read() {
        let line = |kind: &str| format!(r#"{{"type":"{kind}","object":{{"size":7}}}}"#);
        assert_eq!(event(&line("ADDED")).unwrap(), WatchEvent::Added(Thing { size: 7 }));
        assert_eq!(event(&line("MODIFIED")).unwrap(), WatchEvent::Modified(Thing { size: 7 }));
        assert_eq!(event(&line("DELETED")).unwrap(), WatchEvent::Deleted(Thing { size: 7 }));
        let error = event(r#"{"type":"ERROR","object":{"kind":"Status","reason":"Expired","code":410}}"#).unwrap();
        assert!(matches!(&error, WatchEvent::Error(status) if status.is_expired()), "{error:?}");
    }

    #[test]
    fn a_bookmark_is_a_version_whatever_its_object_lacks() {
        for (annotations, ends) in [
            ("", false),
            (r#","annotations":null"#, false),
            (r#","annotations":{"k8s.io/initial-events-end":"true"}"#, true),
            (r#","annotations":{"k8s.io/initial-events-end":"1"}"#, false),
        ] {
            let line = format!(
                r#"{{"type":"BOOKMARK","object":{{"spec":{{"containers":null}},"metadata":{{"resourceVersion":"18014398509481985"{annotations}}}}}}}"#
            );
            let bookmark = Bookmark { resource_version: "18014398509481985".into(), ends_initial_events: ends };
            assert_eq!(event(&line).unwrap(), WatchEvent::Bookmark(bookmark));
        }
    }

    #[test]
    fn an_event_has_its_object_and_can_have_another() {
        for event in [WatchEvent::Added(7), WatchEvent::Modified(7), WatchEvent::Deleted(7)] {
            assert_eq!(event.object(), Some(&7));
            assert_eq!(event.map(|size| size + 1).object(), Some(&8));
        }
        let bookmark = WatchEvent::<u32>::Bookmark(Bookmark::default());
        assert_eq!(bookmark.object(), None);
        assert_eq!(bookmark.clone().map(|size| size), bookmark);
    }

    #[test]
    fn an_error_without_a_status_shows_what_came_in_its_place() {
        for (object, words) in [
            (
                r#"{"kind":"Pod","metadata":{"name":"p"}}"#,
                r#"an ERROR event without a status: {"kind":"Pod","metadata":{"name":"p"}}"#,
            ),
            ("{}", "an ERROR event without a status: {}"),
            ("7", "an ERROR event without a status: invalid type"),
        ] {
            let event = event(&format!(r#"{{"type":"ERROR","object":{object}}}"#)).unwrap();
            let WatchEvent::Error(status) = event else { panic!("{event:?}") };
            assert!(status.message.starts_with(words) && status.code == 0, "{status:?}");
        }
    }

    #[test]
    fn what_is_no_event_says_what_it_is() {
        for (line, words) in [
            (r#"{"type":"PANICKED","object":{}}"#, "there is no event type \"PANICKED\""),
            (r#"{"type":"ADDED","object":{"size":"x"}}"#, "an object of the watch could not be read: invalid type: string \"x\""),
            (r#"{"kind":"Status","code":500}"#, "missing field `type`"),
            ("<html>", "it starts with \"<html>\""),
        ] {
            let error = event(line).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
