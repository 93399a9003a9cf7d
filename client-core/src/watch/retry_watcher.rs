//! A watch that goes on.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures::{FutureExt as _, Stream, StreamExt as _};

use super::{NoStartVersion, WatchEvents, Watcher};
use crate::{
    clients::ResourceClient,
    informer::{Selection, WatchErrorHandler},
    meta::{ResourceVersion, Status},
    object::{Object, WireObject},
    platform::{BoxFuture, Instant, Platform},
    reflector::Failure,
    rest::{ApiError, ListOptions, WatchError},
    wire::WatchEvent,
};

/// Watches begin at least this far apart.
const LEAST_PERIOD: Duration = Duration::from_secs(1);

/// A watch that begins again, from the last version that came, wherever it ends, breaks or reports an error (client-go
/// `tools/watch/retrywatcher.go`). Each change comes once, in the server's order; bookmarks move the version and are not handed
/// out. Dropping it aborts what is open.
///
/// It ends after an [`Error`](WatchEvent::Error) event, where it cannot go on without losing something: the version is too old
/// (410), the watch may not be opened (401, 403), an object or a bookmark has no version, or the type of an event is unknown. All else
/// is tried again, a second after the last try began and not before the server wants it. An object that cannot be read is one error,
/// and the next come; what was cut by the end of a watch is not, because it comes again.
///
/// Where a version is too old at the opening already, client-go tries for ever; here that is the end too.
///
/// ```
/// use std::sync::Arc;
/// use futures::StreamExt as _;
/// use porthole_client_core::{
///     clients::ResourceClient,
///     fake::FakeApiServer,
///     meta::GroupVersionResource,
///     object::{Object as _, Unstructured},
///     platform::{FakePlatform, ready},
///     watch::RetryWatcher,
///     wire::WatchEvent,
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let maps = GroupVersionResource::new("", "v1", "configmaps");
/// let maps = ResourceClient::<Unstructured>::namespaced(server.client(), maps, "default");
///
/// let mut watch = RetryWatcher::of_client(&maps, server.resource_version())?;
/// for name in ["settings", "colours"] {
///     server.apply_json(&format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#))?;
///     let Some(Ok(WatchEvent::Added(map))) = ready(watch.next()) else { panic!() };
///     assert_eq!(map.name(), name);
///     // The watch ends, and begins again behind what came.
///     server.end_watches();
///     platform.advance(std::time::Duration::from_secs(1));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RetryWatcher<K> {
    platform: Arc<dyn Platform>,
    watcher: Box<dyn Watcher<K>>,
    selection: Selection,
    on_failure: Option<Box<dyn WatchErrorHandler>>,
    ends_where_denied: bool,
    version: ResourceVersion,
    /// When the last watch was begun.
    begun: Instant,
    state: State<K>,
}

enum State<K> {
    New,
    Resting(BoxFuture<'static, ()>),
    Opening(BoxFuture<'static, Result<WatchEvents<K>, ApiError>>),
    Open(WatchEvents<K>),
    Ended,
}

/// Events are moved out of it, never pointed into.
impl<K> Unpin for RetryWatcher<K> {}

opaque_debug!(RetryWatcher<K>);

impl<K: WireObject> RetryWatcher<K> {
    /// What happens after `version` to the objects of `client`.
    ///
    /// # Errors
    /// Where `version` is empty or `0`: a watch from there on begins with what there is, as if it were new.
    pub fn of_client(client: &ResourceClient<K>, version: impl Into<ResourceVersion>) -> Result<Self, NoStartVersion> {
        Self::new(Arc::clone(client.rest_client().platform()), client.clone(), version)
    }
}

impl<K: Object> RetryWatcher<K> {
    /// What happens after `version` to the objects that `watcher` watches.
    ///
    /// # Errors
    /// Where `version` is empty or `0`.
    pub fn new(
        platform: Arc<dyn Platform>,
        watcher: impl Watcher<K>,
        version: impl Into<ResourceVersion>,
    ) -> Result<Self, NoStartVersion> {
        let version = version.into();
        if matches!(version.as_str(), "" | "0") {
            return Err(NoStartVersion(version));
        }
        let begun = platform.now();
        let (watcher, selection, state) = (Box::new(watcher), Selection::default(), State::New);
        Ok(Self { platform, watcher, selection, on_failure: None, ends_where_denied: false, version, begun, state })
    }

    /// Only of these objects.
    #[must_use]
    pub fn select(self, selection: Selection) -> Self {
        Self { selection, ..self }
    }

    /// Tells this of each failure after which it tries again.
    #[must_use]
    pub fn on_failure(self, handler: impl WatchErrorHandler) -> Self {
        Self { on_failure: Some(Box::new(handler)), ..self }
    }

    /// Ends, after an error, also where there is no such collection any more, or none that can be watched (404, 405): client-go's
    /// watcher tries that again for ever.
    #[must_use]
    pub fn end_where_denied(self) -> Self {
        Self { ends_where_denied: true, ..self }
    }

    /// How far it has come: the version after which the next event comes. Who has taken all events can go on from there.
    #[must_use]
    pub const fn resource_version(&self) -> &ResourceVersion {
        &self.version
    }

    fn open(&mut self) {
        self.begun = self.platform.now();
        let options =
            ListOptions { resource_version: Some(self.version.clone()), allow_watch_bookmarks: true, ..self.selection.part() };
        self.state = State::Opening(self.watcher.open(options));
    }

    /// Drops what is open, and tries again after this time, or later.
    fn retry(&mut self, failure: Option<Failure>, after_seconds: u32) {
        if let (Some(handler), Some(failure)) = (&mut self.on_failure, failure) {
            handler(&failure);
        }
        let now = self.platform.now();
        let due = (self.begun + LEAST_PERIOD).max(now + Duration::from_secs(after_seconds.into()));
        self.state = match due.since(now) {
            Duration::ZERO => State::New,
            rest => State::Resting(self.platform.sleep(rest)),
        };
    }

    fn end(&mut self, status: Box<Status>) -> WatchEvent<K> {
        self.state = State::Ended;
        WatchEvent::Error(status)
    }

    fn not_opened(&mut self, error: ApiError) -> Option<WatchEvent<K>> {
        match error.into_last() {
            ApiError::Refused(status)
                if status.is_unauthorized()
                    || status.is_forbidden()
                    || is_too_old(&status)
                    || (self.ends_where_denied && status.is_denial()) =>
            {
                Some(self.end(status))
            }
            error => {
                let seconds = error.suggested_delay_seconds().unwrap_or(0);
                self.retry(Some(error.into()), seconds);
                None
            }
        }
    }

    fn event(&mut self, event: WatchEvent<K>) -> Option<WatchEvent<K>> {
        let version = match &event {
            WatchEvent::Error(status) if is_too_old(status) => {
                self.state = State::Ended;
                return Some(event);
            }
            WatchEvent::Error(status) => {
                let seconds = status.details.retry_after_seconds;
                self.retry(Some(Failure::Refused(status.clone())), seconds);
                return None;
            }
            WatchEvent::Bookmark(bookmark) => bookmark.resource_version.clone(),
            WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object) => {
                object.resource_version().into()
            }
        };
        if version.is_empty() {
            let what = event.object().map_or_else(|| "a bookmark".to_owned(), |object| format!("the object {:?}", object.name()));
            return Some(self.end(Box::new(Status::internal_error(&format!("{what} of the watch has no resource version")))));
        }
        self.version = version;
        Some(event).filter(|event| event.object().is_some())
    }

    /// Takes in what the open watch brought, and gives back what is to be handed out.
    fn take_in(&mut self, item: Option<Result<WatchEvent<K>, WatchError>>) -> Option<Result<WatchEvent<K>, WatchError>> {
        match item {
            None => {
                self.retry(None, 0);
                None
            }
            Some(Ok(event)) => self.event(event).map(Ok),
            Some(Err(WatchError::Transport(error))) => {
                self.retry(Some(Failure::Connection(error.to_string())), 0);
                None
            }
            Some(Err(WatchError::Unreadable(error))) if error.is_unknown_event_type() => {
                Some(Ok(self.end(Box::new(Status::internal_error(&error.to_string())))))
            }
            Some(Err(error)) => Some(Err(error)),
        }
    }
}

/// Whether what is asked for is no more.
fn is_too_old(status: &Status) -> bool {
    status.code == 410 || status.is_expired_or_gone()
}

impl<K: Object> Stream for RetryWatcher<K> {
    type Item = Result<WatchEvent<K>, WatchError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            let out = match &mut this.state {
                State::Ended => return Poll::Ready(None),
                State::New => {
                    this.open();
                    None
                }
                State::Resting(rest) => {
                    ready!(rest.poll_unpin(context));
                    this.open();
                    None
                }
                State::Opening(opening) => match ready!(opening.poll_unpin(context)) {
                    Ok(events) => {
                        this.state = State::Open(events);
                        None
                    }
                    Err(error) => this.not_opened(error).map(Ok),
                },
                State::Open(events) => {
                    let item = ready!(events.poll_next_unpin(context));
                    this.take_in(item)
                }
            };
            if let Some(out) = out {
                return Poll::Ready(Some(out));
            }
        }
    }
}
