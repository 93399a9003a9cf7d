//! How an event gets to the server.

use std::{collections::BTreeMap, pin::pin, sync::Arc, time::Duration};

use futures::future::{Either, select};
use http::{Method, header};
use serde::Serialize;

use super::{EventApi, EventError, RecordedEvent, queue::Shared};
use crate::{
    patch::PatchType,
    rest::{ApiError, Request, RestClient},
    transport::TransportError,
};

/// How often an event is tried (client-go `maxTriesPerEvent`).
const MOST_TRIES: u32 = 12;
/// How long an answer may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// An event to write: what is sent where it is to be created, and what where it is there.
pub(super) struct Write<'e, B, P> {
    pub(super) event: &'e RecordedEvent,
    pub(super) body: B,
    pub(super) patch: Option<P>,
}

/// The metadata of an event that is created: without a version, whatever was there before.
#[derive(Serialize)]
pub(super) struct Metadata<'e> {
    name: &'e str,
    namespace: &'e str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotations: &'e BTreeMap<String, String>,
}

impl<'e> Metadata<'e> {
    pub(super) fn of(event: &'e RecordedEvent) -> Self {
        Self { name: event.name.as_str(), namespace: event.namespace.as_str(), annotations: &event.event.annotations }
    }
}

/// Writes events, and tries again where it makes sense.
pub(super) struct Writer {
    pub(super) shared: Arc<Shared>,
    pub(super) client: RestClient,
    pub(super) api: EventApi,
    pub(super) retry_delay: Duration,
}

impl Writer {
    /// Writes it, in several tries where the server cannot be reached (client-go `recordToSink`, `attemptRecording`). Once the
    /// recorder is shut down it is not tried again.
    pub(super) async fn write<B: Serialize, P: Serialize>(&self, write: &Write<'_, B, P>) -> Result<(), EventError> {
        let mut tries = 0;
        loop {
            let Err(error) = self.write_once(write).await else { return Ok(()) };
            // No other event has its name: the try before made it, and its answer was lost.
            if tries > 0 && write.patch.is_none() && error.is_already_exists() {
                return Ok(());
            }
            tries += 1;
            if !may_pass(&error, write.patch.is_some()) {
                return Err(EventError::Refused(error));
            }
            if tries == MOST_TRIES || !self.pause(tries).await {
                return Err(EventError::GivenUp { tries, source: error });
            }
        }
    }

    /// Tries once: changes what is there, and creates it where nothing is, or nothing is any more.
    pub(super) async fn write_once<B: Serialize, P: Serialize>(&self, write: &Write<'_, B, P>) -> Result<(), ApiError> {
        if let Some(patch) = &write.patch {
            let request = self.request(Method::PATCH, write.event).name(&write.event.name).json(patch);
            match request.header(header::CONTENT_TYPE, PatchType::Strategic.content_type()).send().await {
                Err(error) if error.is_not_found() => {}
                patched => return patched.map(drop),
            }
        }
        self.request(Method::POST, write.event).json(&write.body).send().await.map(drop)
    }

    fn request(&self, method: Method, event: &RecordedEvent) -> Request {
        // One that hangs holds up all that follow.
        self.client.request(method).resource(&self.api.resource()).namespace(&event.namespace).timeout(ANSWER_LIMIT)
    }

    /// Waits before another try; gives back whether there is to be one.
    async fn pause(&self, tries: u32) -> bool {
        let random = self.client.platform().random();
        // Not all that wait for a server come at once when it is back.
        let delay = match (self.api, tries) {
            (EventApi::CoreV1, 1) => self.retry_delay.mul_f64(random),
            (EventApi::CoreV1, _) => self.retry_delay,
            (EventApi::EventsV1, _) => self.retry_delay.mul_f64(random.mul_add(0.25, 1.0)),
        };
        let closed = self.shared.queue.wait(|queue| queue.closed.map(drop));
        matches!(select(pin!(closed), self.client.platform().sleep(delay)).await, Either::Right(_))
    }
}

/// Whether another try may end better: where the server could not be reached, and where something was created while it was to be
/// changed.
pub(super) fn may_pass(error: &ApiError, changes: bool) -> bool {
    match error.last() {
        ApiError::Refused(_) => changes && error.is_already_exists(),
        ApiError::Request(_)
        | ApiError::Throttled { .. }
        | ApiError::Transport(TransportError::Invalid { .. } | TransportError::ReadOnly) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{meta::Status, rest::RequestError};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_ends_the_same_way_each_time_is_not_worth_another_try() {
        let text = || "a".to_owned();
        let taken = || ApiError::Refused(Box::new(Status::already_exists(&"events".into(), "a")));
        for never in [
            ApiError::Request(RequestError::NoName),
            ApiError::Throttled { path: text() },
            ApiError::Transport(TransportError::Invalid { message: text() }),
            ApiError::Refused(Box::new(Status::internal_error("oh"))),
        ] {
            assert!(!may_pass(&never, true) && !may_pass(&never, false), "{never}");
        }
        for passes in [
            ApiError::Unreadable { path: text(), message: text() },
            ApiError::TimedOut { path: text(), seconds: 1 },
            ApiError::Transport(TransportError::Credentials { message: text() }),
            ApiError::Transport(TransportError::Broken { message: text() }),
        ] {
            assert!(may_pass(&passes, true) && may_pass(&passes, false), "{passes}");
        }
        assert!(may_pass(&taken(), true) && !may_pass(&taken(), false));
    }
}
