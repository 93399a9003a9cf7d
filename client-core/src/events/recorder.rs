//! The recorder.

use std::{sync::Arc, time::Duration};

use super::{
    Event, EventApi, EventObserver, EventType, ObjectReference, RecorderOptions, Reporter,
    correlator::Correlator,
    queue::Shared,
    series::SeriesCache,
    task::{Memory, run},
    writer::Writer,
};
use crate::rest::RestClient;

/// How much time is left for what waits when nobody waits for it.
const TIME_LEFT: Duration = Duration::from_secs(30);

/// Takes down what happens, for a task of its own that writes it (client-go `EventRecorder` with its `EventBroadcaster`, of
/// `tools/record` and of `tools/events`). Clones share the task. What it promises is said in the [module](super).
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{
///     events::{EventApi, EventError, EventRecorder, EventType, RecordedEvent, RecorderOptions},
///     fake::FakeApiServer,
///     object::Unstructured,
///     platform::FakePlatform,
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let lost = |event: &RecordedEvent, error: &EventError| eprintln!("{event}: {error}");
/// let options = RecorderOptions::of(EventApi::CoreV1);
/// let recorder = EventRecorder::with_options(server.client(), "example.com/scaler", options, lost);
///
/// let pod: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"default"}}"#.parse()?;
/// recorder.event(&pod, EventType::Normal, "Scaled", "from 1 to 2");
/// platform.run();
/// assert_eq!(server.requests().last().map(|request| request.path.as_str()), Some("/api/v1/namespaces/default/events?pretty=false&timeout=30000ms"));
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
#[derive(Clone)]
pub struct EventRecorder {
    handle: Arc<Handle>,
    reporter: Arc<Reporter>,
}

opaque_debug!(EventRecorder);

/// What all recorders of a task have: with the last of them it is shut down.
struct Handle(Arc<Shared>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close(TIME_LEFT);
    }
}

impl EventRecorder {
    /// Tells what `reporter` has to tell as `events.k8s.io/v1` events; `observer`, such as a function, is told what got lost. Its
    /// task is started on the platform of `client`.
    #[must_use]
    pub fn new(client: RestClient, reporter: impl Into<Reporter>, observer: impl EventObserver) -> Self {
        Self::with_options(client, reporter, RecorderOptions::default(), observer)
    }

    /// As [`new`](Self::new), with more said.
    #[must_use]
    pub fn with_options(
        client: RestClient,
        reporter: impl Into<Reporter>,
        options: RecorderOptions,
        observer: impl EventObserver,
    ) -> Self {
        let platform = Arc::clone(client.platform());
        let shared = Arc::new(Shared::new(Arc::clone(&platform), options.queue_limit, observer));
        let memory = match options.api {
            EventApi::CoreV1 => {
                let correlator = Correlator::new(options.correlator, Arc::clone(&shared.moments), Arc::clone(&platform));
                Memory::Core(Box::new(correlator))
            }
            EventApi::EventsV1 => Memory::Series(SeriesCache::default()),
        };
        let writer = Writer { shared: Arc::clone(&shared), client, api: options.api, retry_delay: options.retry_delay };
        platform.spawn(Box::pin(run(writer, memory)));
        Self { handle: Arc::new(Handle(shared)), reporter: Arc::new(reporter.into()) }
    }

    /// A recorder for another reporter, which shares its task and its limits with this one.
    #[must_use]
    pub fn reporting_as(&self, reporter: impl Into<Reporter>) -> Self {
        Self { handle: Arc::clone(&self.handle), reporter: Arc::new(reporter.into()) }
    }

    /// Takes down that something happened to `regarding`: an object, or a reference to one or to a part of it. `reason` is a short
    /// word in `UpperCamelCase`, for programs; `note` is for people.
    pub fn event(
        &self,
        regarding: impl Into<ObjectReference>,
        event_type: EventType,
        reason: impl Into<String>,
        note: impl Into<String>,
    ) {
        self.record(Event::new(regarding, event_type, reason, note));
    }

    /// Takes down an event of which more is to be said. It is written later, or the observer is told that it got lost.
    pub fn record(&self, event: Event) {
        self.handle.0.record(event, &self.reporter);
    }

    /// Takes nothing down any more, for all clones, and ends when all that waits is written. Each event is tried once more, and
    /// what is not written within `limit` gets lost. Where it was called before, the limit of then holds.
    pub async fn shut_down(&self, limit: Duration) {
        let shared = &self.handle.0;
        shared.close(limit);
        shared.queue.wait(|queue| queue.done.then_some(())).await;
    }
}
