//! Elections over the API server in memory and a clock that only the test moves.

mod candidates;
mod ending;
mod leading;
mod locks;
mod trying;

use std::{
    convert::Infallible,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::*;
use crate::{
    fake::{FakeApiServer, Fault, FaultKind},
    informer::latch::Latch,
    meta::GroupVersionResource,
    object::Unstructured,
    platform::{FakePlatform, Platform as _},
};

const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// A server with its clock.
struct Bench {
    platform: FakePlatform,
    server: FakeApiServer,
}

impl Bench {
    fn new() -> Self {
        let platform = FakePlatform::default();
        let server = FakeApiServer::new(Arc::new(platform.clone()));
        server.apply_json(r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"foo"}}"#).unwrap();
        Self { platform, server }
    }

    fn lock(&self, identity: &str) -> LeaseLock {
        LeaseLock::new(self.server.client(), "foo", "bar", identity)
    }

    fn elector(&self, identity: &str, options: LeaderElectionOptions) -> LeaderElector {
        LeaderElector::new(self.lock(identity), options).unwrap()
    }

    /// Puts a lease there with this `spec`.
    fn put(&self, spec: &serde_json::Value) {
        let metadata = serde_json::json!({ "name": "bar", "namespace": "foo" });
        let lease = serde_json::json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": metadata, "spec": spec,
        });
        self.server.insert(&lease).unwrap();
    }

    /// Puts a lease there that this one holds.
    fn put_holder(&self, identity: &str) {
        self.put(&serde_json::json!({ "holderIdentity": identity, "leaseDurationSeconds": 15, "leaseTransitions": 0 }));
    }

    /// The lease as it is.
    fn lease(&self) -> Option<Unstructured> {
        let leases = GroupVersionResource::new("coordination.k8s.io", "v1", "leases");
        self.server.get(&leases, Some(&"foo".into()), &"bar".into()).map(|lease| Unstructured::from_value(&lease).unwrap())
    }

    fn record(&self) -> LeaderElectionRecord {
        self.lease().unwrap().nested(&["spec"]).unwrap().unwrap()
    }

    /// The methods of the requests since the last call.
    fn verbs(&self) -> String {
        let verbs: Vec<_> = self.server.requests().iter().map(|request| request.method.to_string()).collect();
        self.server.forget_requests();
        verbs.join(" ")
    }

    /// This happens to every request of a method from now on.
    fn fault(&self, method: http::Method, kind: FaultKind) {
        self.server.faults().add(Fault::new(kind).on_method(method));
    }

    /// Lets time pass, timer by timer.
    fn pass(&self, time: Duration) {
        self.platform.pass(time);
    }

    /// Runs an elector whose work waits until it is told to end.
    fn run(&self, elector: &LeaderElector) -> Running {
        let running = Running::new(elector);
        let (elector, stop, finish) = (elector.clone(), running.stop.clone(), running.finish.clone());
        let (works, ended) = (Arc::clone(&running.works), Arc::clone(&running.ended));
        self.platform.spawn(Box::pin(async move {
            let stop = async move {
                stop.wait().await;
                "stop"
            };
            let work = || async move {
                works.store(true, Ordering::Relaxed);
                let _working = Working(works);
                finish.wait().await;
                "done"
            };
            let end = elector.run(stop, work).await;
            *ended.lock().unwrap() = Some(end);
        }));
        self.platform.run();
        running
    }
}

/// How a run ended.
type End = Result<&'static str, ElectionError<&'static str>>;

/// An elector that runs.
struct Running {
    elector: LeaderElector,
    stop: Latch,
    finish: Latch,
    /// Whether its work has begun and was not dropped.
    works: Arc<AtomicBool>,
    ended: Arc<Mutex<Option<End>>>,
}

impl Running {
    fn new(elector: &LeaderElector) -> Self {
        let (stop, finish) = (Latch::default(), Latch::default());
        Self { elector: elector.clone(), stop, finish, works: Arc::default(), ended: Arc::default() }
    }

    /// Whether it leads, which is the same as that it works.
    fn leads(&self) -> bool {
        let works = self.works.load(Ordering::Relaxed);
        assert_eq!(works, self.elector.is_leader());
        works
    }

    fn ended(&self) -> Option<End> {
        self.ended.lock().unwrap().clone()
    }
}

struct Working(Arc<AtomicBool>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Writes down what it is told.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn push(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl LeaderElectionObserver for Log {
    fn new_leader(&self, identity: Option<&str>) {
        self.push(format!("leader: {identity:?}"));
    }

    fn leadership(&self, leadership: Leadership<'_>) {
        use crate::object::Object as _;
        let lease = leadership.lease;
        self.push(format!("event on {}/{}: {}", lease.namespace(), lease.name(), leadership.message()));
    }

    fn slow_path(&self) {
        self.push("slow path".to_owned());
    }

    fn failed(&self, error: &LockError) {
        use std::error::Error as _;
        self.push(format!("failed: {error}: {}", error.source().map(ToString::to_string).unwrap_or_default()));
    }
}

fn observed() -> (Arc<Log>, LeaderElectionOptions) {
    let log = Arc::new(Log::default());
    let options = LeaderElectionOptions { observer: Some(log.clone()), ..LeaderElectionOptions::default() };
    (log, options)
}

fn releasing() -> LeaderElectionOptions {
    LeaderElectionOptions { release_on_cancel: true, ..LeaderElectionOptions::default() }
}
