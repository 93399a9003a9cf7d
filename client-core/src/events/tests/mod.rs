//! Recorders over the API server in memory, or over a scripted one, and a clock that only the test moves.

mod core_v1;
mod correlating;
mod events_v1;
mod recording;
mod shutting_down;
mod trying;

use std::{
    error::Error,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::Method;
use serde_json::Value;

use super::*;
use crate::{
    clients::ResourceClient,
    fake::{FakeApiServer, Fault, FaultKind, ResourceDefinition},
    object::Unstructured,
    platform::{FakePlatform, ready},
    rest::ListOptions,
};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// What an observer was told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Told {
    fn tell(&self, what: String) {
        self.0.lock().unwrap().push(what);
    }

    /// All of it, since this was called before.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// What got lost, and why.
    fn lost(&self) -> Vec<String> {
        self.take().into_iter().filter(|told| told.starts_with("lost")).collect()
    }
}

impl EventObserver for Told {
    fn recorded(&self, event: &RecordedEvent) {
        self.tell(format!("recorded {event}"));
    }

    fn filtered(&self, event: &RecordedEvent) {
        self.tell(format!("filtered {event}"));
    }

    fn lost(&self, event: &RecordedEvent, error: &EventError) {
        let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
        self.tell(format!("lost {event}: {error}{source}"));
    }
}

/// A server, its clock, and a recorder of events for it.
struct Bench {
    platform: FakePlatform,
    server: FakeApiServer,
    told: Told,
    api: EventApi,
    recorder: EventRecorder,
}

impl Bench {
    fn new(api: EventApi) -> Self {
        Self::with(RecorderOptions::of(api))
    }

    fn with(options: RecorderOptions) -> Self {
        let platform = FakePlatform::default();
        let server = FakeApiServer::new(Arc::new(platform.clone()));
        server.register(ResourceDefinition::built_in("events.k8s.io", "v1", "events", "Event"));
        server.apply_json(r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"baz"}}"#).unwrap();
        let (told, api) = (Told::default(), options.api);
        let reporter = Reporter::new("eventTest").instance("i1");
        let recorder = EventRecorder::with_options(server.client(), reporter, options, told.clone());
        Self { platform, server, told, api, recorder }
    }

    /// Lets the task do what it can, and gives back what it sent since this was called before: the method, and the body.
    fn sent(&self) -> Vec<(Method, Value)> {
        self.platform.run();
        let requests = self.server.requests();
        self.server.forget_requests();
        let written = requests.into_iter().filter(|request| request.method != Method::GET);
        written.map(|request| (request.method, serde_json::from_slice(&request.body).unwrap())).collect()
    }

    /// The methods alone.
    fn methods(&self) -> Vec<Method> {
        self.sent().into_iter().map(|(method, _)| method).collect()
    }

    fn advance(&self, by: Duration) {
        self.platform.advance(by);
        self.platform.run();
    }

    /// The events that the server has.
    fn stored(&self) -> Vec<Value> {
        let client = ResourceClient::<Unstructured>::namespaced(self.server.client(), self.api.resource(), "");
        let list = ready(client.list(&ListOptions::DEFAULT)).unwrap();
        list.into_iter().map(|event| serde_json::to_value(event).unwrap()).collect()
    }

    /// Has the server forget all events.
    fn forget_events(&self) {
        for event in self.stored() {
            let text = |field: &str| event["metadata"][field].as_str().unwrap().to_owned();
            assert!(self.server.remove(&self.api.resource(), Some(&text("namespace").into()), &text("name").into()));
        }
    }

    fn fail(&self, kind: FaultKind, times: usize) {
        self.server.faults().add(Fault::new(kind).times(times));
    }
}

/// Such as a pod: of this kind, namespace, name and uid.
fn object(kind: &str, namespace: &str, name: &str, uid: &str) -> Unstructured {
    let metadata = serde_json::json!({ "name": name, "namespace": namespace, "uid": uid });
    serde_json::json!({ "apiVersion": "v1", "kind": kind, "metadata": metadata }).to_string().parse().unwrap()
}

fn pod() -> Unstructured {
    object("Pod", "baz", "foo", "bar")
}
