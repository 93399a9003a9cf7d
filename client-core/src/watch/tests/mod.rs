//! Watches that go on, and waiting, under test.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{FutureExt as _, Stream, StreamExt as _, stream};

use super::{WatchEvents, Watcher};
use crate::{
    clients::ResourceClient,
    fake::FakeApiServer,
    meta::{GroupVersionResource, ObjectMeta, ResourceVersion},
    object::{Object as _, PartialObjectMetadata, Unstructured},
    platform::{BoxFuture, FakePlatform, Instant, Platform as _},
    rest::{ApiError, ListOptions, WatchError},
    wire::WatchEvent,
};

mod informer_watcher;
mod random;
mod retry_watcher;
mod server;
mod until;
mod wait_for;

type Thing = PartialObjectMetadata;
type Event = WatchEvent<Thing>;
type Item = Result<Event, WatchError>;

fn thing(name: &str, version: &str) -> Thing {
    Thing::new(ObjectMeta { name: name.into(), resource_version: version.into(), ..ObjectMeta::default() })
}

/// The event that leads to this version.
fn added(version: u32) -> Event {
    WatchEvent::Added(thing("a", &version.to_string()))
}

/// `ADDED a 7`, of any event.
fn word<T: AsObject>(event: &WatchEvent<T>) -> String {
    let kind = match event {
        WatchEvent::Added(_) => "ADDED",
        WatchEvent::Modified(_) => "MODIFIED",
        WatchEvent::Deleted(_) => "DELETED",
        WatchEvent::Bookmark(bookmark) => return format!("BOOKMARK {}", bookmark.resource_version),
        WatchEvent::Error(status) => return format!("ERROR {} {}", status.code, status.message),
    };
    event.object().map(|object| format!("{kind} {} {}", object.name_of(), object.version_of())).unwrap_or_default()
}

/// An object, owned or shared.
trait AsObject {
    fn name_of(&self) -> &str;
    fn version_of(&self) -> &str;
}

impl AsObject for Thing {
    fn name_of(&self) -> &str {
        self.name()
    }
    fn version_of(&self) -> &str {
        self.resource_version()
    }
}

impl AsObject for Unstructured {
    fn name_of(&self) -> &str {
        self.name()
    }
    fn version_of(&self) -> &str {
        self.resource_version()
    }
}

impl<T: AsObject> AsObject for Arc<T> {
    fn name_of(&self) -> &str {
        (**self).name_of()
    }
    fn version_of(&self) -> &str {
        (**self).version_of()
    }
}

/// What a watch brings that is told in this way.
fn told<T: AsObject>(item: Result<WatchEvent<T>, WatchError>) -> String {
    match item {
        Ok(event) => word(&event),
        Err(error) => format!("! {error}"),
    }
}

/// A server of one history, in the midst of which watches fail.
#[derive(Clone, Default)]
struct Script {
    platform: FakePlatform,
    /// What the first tries to open a watch come to.
    refusals: Vec<ApiError>,
    events: Vec<Event>,
    /// After how many events a watch ends.
    closes_after: Option<usize>,
    /// When watches were asked for, and how.
    asked: Arc<Mutex<Vec<(Duration, ListOptions)>>>,
}

impl Script {
    fn new(events: impl Into<Vec<Event>>) -> Self {
        Self { events: events.into(), ..Self::default() }
    }

    fn closing_after(self, count: usize) -> Self {
        Self { closes_after: Some(count), ..self }
    }

    fn refusing(self, refusals: impl Into<Vec<ApiError>>) -> Self {
        Self { refusals: refusals.into(), ..self }
    }

    fn asked(&self) -> Vec<(Duration, ListOptions)> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// The events after a version. An error comes only behind one of them.
    fn after(&self, version: Option<&ResourceVersion>) -> Vec<Event> {
        let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
        let from = version.map_or(0, |version| number(version.as_str()));
        let mut events = Vec::new();
        for event in &self.events {
            let is_new = match event {
                WatchEvent::Error(_) => !events.is_empty(),
                WatchEvent::Bookmark(bookmark) => number(bookmark.resource_version.as_str()) > from,
                event => event.object().is_some_and(|object| number(object.resource_version()) > from),
            };
            if is_new {
                events.push(event.clone());
            }
        }
        events
    }
}

impl Watcher<Thing> for Script {
    fn open(&mut self, options: ListOptions) -> BoxFuture<'static, Result<WatchEvents<Thing>, ApiError>> {
        let mut asked = self.asked.lock().unwrap();
        let refusal = self.refusals.get(asked.len()).cloned();
        let mut events = self.after(options.resource_version.as_ref());
        asked.push((self.platform.now().since(Instant::default()), options));
        let events: WatchEvents<Thing> = if let Some(count) = self.closes_after {
            events.truncate(count);
            Box::pin(stream::iter(events).map(Ok))
        } else {
            Box::pin(stream::iter(events).map(Ok).chain(stream::pending()))
        };
        Box::pin(async move { refusal.map_or(Ok(events), Err) })
    }
}

/// What comes within this time, and whether it ends.
fn within<S: Stream + Unpin>(platform: &FakePlatform, time: Duration, stream: &mut S) -> (Vec<S::Item>, bool) {
    let (mut items, mut left) = (Vec::new(), time);
    loop {
        platform.run();
        while let Some(next) = stream.next().now_or_never() {
            let Some(item) = next else { return (items, true) };
            items.push(item);
        }
        let Some(next) = platform.next_timer().filter(|next| *next <= left) else {
            platform.advance(left);
            return (items, false);
        };
        platform.advance(next);
        left -= next;
    }
}

/// A server with config maps, and its clock.
#[derive(Clone)]
struct Bench {
    platform: FakePlatform,
    server: FakeApiServer,
}

fn config_maps() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "configmaps")
}

impl Bench {
    fn new() -> Self {
        let platform = FakePlatform::default();
        Self { server: FakeApiServer::new(Arc::new(platform.clone())), platform }
    }

    fn client(&self) -> ResourceClient<Unstructured> {
        ResourceClient::namespaced(self.server.client(), config_maps(), "default")
    }

    /// Makes a config map, or changes the one that is there; gives back its version.
    fn put(&self, name: &str, value: &str) -> String {
        let object = serde_json::json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": "default" }, "data": { "value": value },
        });
        Unstructured::from_value(&self.server.insert(&object).unwrap()).unwrap().resource_version().to_owned()
    }

    fn remove(&self, name: &str) -> bool {
        self.server.remove(&config_maps(), Some(&"default".into()), &name.into())
    }

    /// Lets time pass, timer by timer.
    fn pass(&self, time: Duration) {
        within(&self.platform, time, &mut stream::pending::<()>());
    }

    /// What comes of `work` within this time; `None` where it goes on.
    fn finish<T>(&self, time: Duration, work: &mut (impl Future<Output = T> + Unpin)) -> Option<T> {
        within(&self.platform, time, &mut work.into_stream()).0.pop()
    }

    /// Nothing is left of what was dropped.
    fn assert_quiet(&self) {
        self.platform.run();
        assert_eq!((self.platform.running_tasks(), self.platform.pending_timers(), self.server.open_watches()), (0, 0, 0));
    }
}
