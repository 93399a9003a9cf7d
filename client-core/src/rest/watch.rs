//! The events of a watch, one by one.

use std::{
    collections::VecDeque,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::{Stream, StreamExt as _, stream};
use http::StatusCode;
use serde::de::DeserializeOwned;
use thiserror::Error;

#[cfg(feature = "protobuf")]
use super::protobuf::{Protobuf, is_protobuf};
use super::{ApiError, answer::is_json};
#[cfg(feature = "protobuf")]
use crate::wire::{
    LengthFramer,
    protobuf::{Schema, decode_protobuf_event},
};
use crate::{
    transport::{Body, Response, TransportError},
    wire::{DecodeError, LONGEST_FRAME, LineFramer, WatchEvent, decode_watch_event, values},
};
#[cfg(feature = "protobuf")]
use std::sync::Arc;

/// What can go wrong with a watch while it runs.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The connection broke; no event follows.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// An event could not be read; others follow.
    #[error(transparent)]
    Unreadable(#[from] DecodeError),
    /// An event is longer than 16 MiB; others follow.
    #[error("an event of the watch is longer than {limit} bytes")]
    TooLarge {
        /// The longest that is read.
        limit: usize,
    },
}

/// The events of a watch. The stream ends where the server ends it, after a version to go on from, or after
/// [`WatchError::Transport`]. Dropping it ends the watch.
///
/// client-go's `StreamWatcher` ends at the first event it cannot read, and says nothing where the connection broke; here one
/// bad object is one error, the events after it come, and a broken connection is told.
///
/// It is a [`Stream`], so what client-go has filters and recorders of watches for are `filter_map` and `inspect` of
/// [`futures::StreamExt`]. A filter sees events one by one: an object that no longer passes it is not `DELETED` for that. A watch
/// for tests is one over a body that the test makes, such as the receiving end of a channel:
///
/// ```
/// use futures::{StreamExt as _, channel::mpsc};
/// use porthole_client_core::{
///     platform::ready,
///     rest::WatchStream,
///     wire::{WatchEvent, encode_watch_event},
/// };
///
/// let (events, body) = mpsc::unbounded();
/// let watch = WatchStream::<String>::new(Box::pin(body));
/// for name in ["foo", "bar", "qux"] {
///     events.unbounded_send(Ok(encode_watch_event(&WatchEvent::Added(name)).unwrap().into())).unwrap();
/// }
/// drop(events);
///
/// let kept = watch.filter_map(async |event| event.ok()?.object().filter(|name| !name.starts_with('b')).cloned());
/// assert_eq!(ready(Box::pin(kept).collect::<Vec<_>>()), ["foo", "qux"]);
/// ```
pub struct WatchStream<T> {
    body: Body,
    framer: Option<Framer>,
    ready: VecDeque<Result<WatchEvent<T>, WatchError>>,
    object: PhantomData<fn() -> T>,
}

opaque_debug!(WatchStream<T>);

/// What cuts the body into events.
enum Framer {
    Json(LineFramer),
    #[cfg(feature = "protobuf")]
    Protobuf(LengthFramer, Arc<Schema>),
}

/// Events are moved out of it, never pointed into.
impl<T> Unpin for WatchStream<T> {}

impl<T: DeserializeOwned> WatchStream<T> {
    pub(super) fn open(response: Response, path: String) -> Result<Self, ApiError> {
        let is_watch = match response.status {
            StatusCode::OK => is_json(&response.headers),
            other => Err(format!("it has status {}, which no watch has", other.as_u16())),
        };
        is_watch.map_err(|message| ApiError::Unreadable { path, message })?;
        Ok(Self::new(response.body))
    }

    /// As [`open`](Self::open), of a watch that may be in protobuf.
    #[cfg(feature = "protobuf")]
    pub(super) fn open_either(response: Response, path: String, protobuf: Option<&Protobuf>) -> Result<Self, ApiError> {
        match protobuf {
            Some(protobuf) if response.status == StatusCode::OK && is_protobuf(&response.headers) => {
                Ok(Self::of_protobuf(response.body, Arc::clone(&protobuf.schema)))
            }
            _ => Self::open(response, path),
        }
    }

    /// The events in `body`, a stream of frames of protobuf, of objects that `schema` has.
    #[cfg(feature = "protobuf")]
    #[must_use]
    pub fn of_protobuf(body: Body, schema: Arc<Schema>) -> Self {
        let framer = Framer::Protobuf(LengthFramer::default(), schema);
        Self { body, framer: Some(framer), ready: VecDeque::new(), object: PhantomData }
    }

    /// The events in `body`, a stream of JSON values, one a line.
    #[must_use]
    pub fn new(body: Body) -> Self {
        let framer = LineFramer::with_limit(LONGEST_FRAME);
        Self { body, framer: Some(Framer::Json(framer)), ready: VecDeque::new(), object: PhantomData }
    }

    /// A watch without events.
    pub(super) fn empty() -> Self {
        Self::new(Box::pin(stream::empty()))
    }

    fn take_in(&mut self, chunk: &[u8]) {
        let Some(framer) = &mut self.framer else { return };
        let ready = &mut self.ready;
        let too_large = || WatchError::TooLarge { limit: LONGEST_FRAME };
        match framer {
            Framer::Json(framer) => {
                let count = framer.push(chunk, |line| read(line, ready));
                ready.extend((0..count).map(|_| Err(too_large())));
            }
            #[cfg(feature = "protobuf")]
            Framer::Protobuf(framer, schema) => framer.push(chunk, |frame| {
                let event = frame.map_err(|_too_long| too_large());
                ready.push_back(event.and_then(|frame| decode_protobuf_event(schema, frame).map_err(WatchError::from)));
            }),
        }
    }

    fn finish(&mut self) {
        // A frame of protobuf that is cut is dropped, as a cut line is: whoever follows goes on from the last version.
        if let Some(Framer::Json(framer)) = self.framer.take() {
            framer.finish(|line| read(line, &mut self.ready));
        }
    }
}

/// Reads the event in a line, or the events, where a server sends several in one.
fn read<T: DeserializeOwned>(line: &[u8], ready: &mut VecDeque<Result<WatchEvent<T>, WatchError>>) {
    match decode_watch_event(line) {
        Ok(event) => ready.push_back(Ok(event)),
        Err(error) => match values(line).as_slice() {
            [] | [_] => ready.push_back(Err(error.into())),
            several => ready.extend(several.iter().map(|value| decode_watch_event(value).map_err(WatchError::from))),
        },
    }
}

impl<T: DeserializeOwned> Stream for WatchStream<T> {
    type Item = Result<WatchEvent<T>, WatchError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(event) = this.ready.pop_front() {
                return Poll::Ready(Some(event));
            }
            if this.framer.is_none() {
                return Poll::Ready(None);
            }
            match ready!(this.body.poll_next_unpin(context)) {
                Some(Ok(chunk)) => this.take_in(&chunk),
                Some(Err(error)) => {
                    this.framer = None;
                    this.ready.push_back(Err(error.into()));
                }
                None => this.finish(),
            }
        }
    }
}
