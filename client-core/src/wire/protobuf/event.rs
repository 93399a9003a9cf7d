//! The events of a watch in protobuf.

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    Envelope, ProtobufError, Schema,
    decode::decode_envelope,
    special::{bytes_in, text_in},
};
use crate::{
    meta::{ObjectMeta, Status},
    wire::{Bookmark, DecodeError, WatchEvent},
};

/// The event in one frame of a watch, as [`LengthFramer`](crate::wire::LengthFramer) cuts them: a bare `metav1.WatchEvent`, in
/// which the object has an [`Envelope`] of its own (apimachinery `pkg/runtime/serializer/streaming`).
///
/// # Errors
/// Where the frame is no event, where its type is unknown, or where its object is not a `T`.
pub fn decode_protobuf_event<T: DeserializeOwned>(schema: &Schema, frame: &[u8]) -> Result<WatchEvent<T>, DecodeError> {
    event(schema, frame).map_err(|error| DecodeError::new("an event of the watch", error, frame))
}

fn event<T: DeserializeOwned>(schema: &Schema, frame: &[u8]) -> Result<WatchEvent<T>, ProtobufError> {
    let kind = text_in(frame, 1)?;
    let envelope = Envelope::read(bytes_in(bytes_in(frame, 2)?, 1)?)?;
    match kind {
        "ADDED" => decode_envelope(schema, &envelope).map(WatchEvent::Added),
        "MODIFIED" => decode_envelope(schema, &envelope).map(WatchEvent::Modified),
        "DELETED" => decode_envelope(schema, &envelope).map(WatchEvent::Deleted),
        "BOOKMARK" => bookmark(schema, &envelope).map(WatchEvent::Bookmark),
        "ERROR" if envelope.kind == "Status" => decode_envelope::<Status>(schema, &envelope).map(Box::new).map(WatchEvent::Error),
        "ERROR" => {
            let message = format!("an ERROR event without a status: it has a {}", envelope.kind);
            Ok(WatchEvent::Error(Box::new(Status { message, ..Status::default() })))
        }
        other => Err(ProtobufError::Value(format!("there is no event type {other:?}"))),
    }
}

fn bookmark(schema: &Schema, envelope: &Envelope<'_>) -> Result<Bookmark, ProtobufError> {
    #[derive(Deserialize)]
    struct MetaOnly {
        #[serde(default)]
        metadata: ObjectMeta,
    }
    let metadata = decode_envelope::<MetaOnly>(schema, envelope)?.metadata;
    let ends_initial_events = metadata.annotations.get("k8s.io/initial-events-end").is_some_and(|mark| mark == "true");
    Ok(Bookmark { resource_version: metadata.resource_version, ends_initial_events })
}
