//! Events as a server writes them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Bookmark, WatchEvent};
use crate::meta::{ResourceVersion, Status};

/// The line of a watch that holds this event, with its newline: for servers in tests (client-go `rest/watch/encoder.go`). The
/// object of a bookmark is metadata alone, because its kind is not known.
///
/// ```
/// use porthole_client_core::wire::{WatchEvent, encode_watch_event};
///
/// assert_eq!(encode_watch_event(&WatchEvent::Added([7])).unwrap(), b"{\"type\":\"ADDED\",\"object\":[7]}\n");
/// ```
///
/// # Errors
/// Where the object cannot be JSON.
pub fn encode_watch_event<T: Serialize>(event: &WatchEvent<T>) -> serde_json::Result<Vec<u8>> {
    let mut line = match event {
        WatchEvent::Added(object) => encode("ADDED", object),
        WatchEvent::Modified(object) => encode("MODIFIED", object),
        WatchEvent::Deleted(object) => encode("DELETED", object),
        WatchEvent::Bookmark(Bookmark { resource_version, ends_initial_events }) => {
            let annotations = ends_initial_events.then_some(("k8s.io/initial-events-end", "true")).into_iter().collect();
            encode("BOOKMARK", &MetaOnly { metadata: Metadata { resource_version, annotations } })
        }
        WatchEvent::Error(status) => encode("ERROR", &Whole { kind: "Status", api_version: "v1", status }),
    }?;
    line.push(b'\n');
    Ok(line)
}

fn encode(kind: &str, object: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Line<'a, T> {
        r#type: &'a str,
        object: &'a T,
    }
    serde_json::to_vec(&Line { r#type: kind, object })
}

#[derive(Serialize)]
struct MetaOnly<'a> {
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    resource_version: &'a ResourceVersion,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<&'static str, &'static str>,
}

/// A Status with what says that it is one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'a> {
    kind: &'static str,
    api_version: &'static str,
    #[serde(flatten)]
    status: &'a Status,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{LineFramer, decode_watch_event};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_event_that_was_written_is_read_back_alike() {
        let pod = || serde_json::json!({ "kind": "Pod", "apiVersion": "v1", "metadata": { "name": "foo" } });
        let mut status = Status::expired("too old");
        status.details.retry_after_seconds = 3;
        let bookmark = |ends_initial_events| Bookmark { resource_version: "12".into(), ends_initial_events };
        let events = [
            WatchEvent::Added(pod()),
            WatchEvent::Modified(pod()),
            WatchEvent::Deleted(pod()),
            WatchEvent::Bookmark(bookmark(false)),
            WatchEvent::Bookmark(bookmark(true)),
            WatchEvent::Error(Box::new(status)),
        ];
        let stream: Vec<u8> = events.iter().flat_map(|event| encode_watch_event(event).unwrap()).collect();
        let mut read = Vec::new();
        LineFramer::default().push(&stream, |line| read.push(decode_watch_event::<serde_json::Value>(line).unwrap()));
        assert_eq!(read, events);
    }

    #[test]
    fn an_error_is_an_object_of_the_api() {
        let line = encode_watch_event(&WatchEvent::<()>::Error(Box::new(Status::gone("m")))).unwrap();
        let object = &serde_json::from_slice::<serde_json::Value>(&line).unwrap()["object"];
        assert_eq!((&object["kind"], &object["apiVersion"], &object["code"]), (&"Status".into(), &"v1".into(), &410.into()));
    }
}
