//! The events of a watch, one by one.

use std::{
    collections::VecDeque,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::{Stream, StreamExt as _, stream};
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{ApiError, answer::is_json};
use crate::{
    transport::{Body, Response, TransportError},
    wire::{DecodeError, LineFramer, WatchEvent, decode_watch_event},
};

/// The longest event that is read: apimachinery's limit for a frame of a stream. A longer one is passed over with an
/// error, and the events after it are read.
const LONGEST_EVENT: usize = 16 * 1024 * 1024;

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
/// client-go's `StreamWatcher` ends at the first event it cannot read; here one bad object is one error, and the
/// events after it come.
pub struct WatchStream<T> {
    body: Body,
    framer: Option<LineFramer>,
    ready: VecDeque<Result<WatchEvent<T>, WatchError>>,
    object: PhantomData<fn() -> T>,
}

/// Events are moved out of it, never pointed into.
impl<T> Unpin for WatchStream<T> {}

impl<T: DeserializeOwned> WatchStream<T> {
    pub(super) fn open(response: Response, path: String) -> Result<Self, ApiError> {
        is_json(&response.headers).map_err(|message| ApiError::Unreadable { path, message })?;
        Ok(Self::new(response.body))
    }

    /// The events in `body`, a stream of JSON values, one a line.
    #[must_use]
    pub fn new(body: Body) -> Self {
        let framer = LineFramer::with_limit(LONGEST_EVENT);
        Self { body, framer: Some(framer), ready: VecDeque::new(), object: PhantomData }
    }

    /// A watch without events.
    pub(super) fn empty() -> Self {
        Self::new(Box::pin(stream::empty()))
    }

    fn take_in(&mut self, chunk: &[u8]) {
        let Some(framer) = &mut self.framer else { return };
        let ready = &mut self.ready;
        let too_large = framer.push(chunk, |line| ready.push_back(decode_watch_event(line).map_err(WatchError::from)));
        ready.extend((0..too_large).map(|_| Err(WatchError::TooLarge { limit: LONGEST_EVENT })));
    }

    fn finish(&mut self) {
        let ready = &mut self.ready;
        if let Some(framer) = self.framer.take() {
            framer.finish(|line| ready.push_back(decode_watch_event(line).map_err(WatchError::from)));
        }
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
