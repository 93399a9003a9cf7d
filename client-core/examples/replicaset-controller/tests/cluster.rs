//! A server in memory, a controller on it, and what tests do to both.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::FutureExt as _;
use http::Method;
use porthole_client_core::{
    fake::FakeApiServer,
    k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::Pod},
    meta::GroupVersionResource,
    object::{Object as _, controller_of},
    platform::{FakePlatform, Platform as _, ready},
};
use serde_json::{Value, json};

use crate::{controller::ReplicaSetController, pods::is_active, replica_sets::Told};

/// A cluster whose time stands still.
pub(super) struct TestCluster {
    pub(super) platform: FakePlatform,
    pub(super) server: FakeApiServer,
    /// What was told of sets.
    pub(super) told: Arc<Mutex<Vec<(String, Told)>>>,
    /// What failed, and how.
    pub(super) failed: Arc<Mutex<Vec<String>>>,
}

/// A controller that runs until this is dropped.
pub(super) struct Running {
    pub(super) controller: Arc<ReplicaSetController>,
    end: Option<futures::channel::oneshot::Sender<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.end.take());
    }
}

pub(super) fn sets() -> GroupVersionResource {
    GroupVersionResource::new("apps", "v1", "replicasets")
}

pub(super) fn pods() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "pods")
}

impl TestCluster {
    pub(super) fn new() -> Self {
        let platform = FakePlatform::default();
        platform.set_seed(1);
        let server = FakeApiServer::new(Arc::new(platform.clone()));
        server.insert(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop" } })).unwrap();
        Self { platform, server, told: Arc::default(), failed: Arc::default() }
    }

    /// A controller that has looked at all that is there.
    pub(super) fn start(&self) -> Running {
        let running = self.begin();
        self.platform.run();
        running
    }

    /// A controller that has done nothing yet.
    pub(super) fn begin(&self) -> Running {
        let told = Arc::clone(&self.told);
        let tell = move |set: &ReplicaSet, what| told.lock().unwrap().push((set.name().to_owned(), what));
        let controller = Arc::new(ReplicaSetController::new(self.server.client(), "".into(), |_, _| {}, tell).unwrap());
        let (end, ended) = futures::channel::oneshot::channel::<()>();
        let (run, failed) = (Arc::clone(&controller), Arc::clone(&self.failed));
        self.platform.spawn(Box::pin(async move {
            let failed = move |key: &_, error: &dyn std::error::Error| failed.lock().unwrap().push(format!("{key}: {error}"));
            let mut run = Box::pin(run.run(2, failed)).fuse();
            futures::select_biased! {
                // It is dropped, or was stopped.
                _ = ended.fuse() => {}
                outcome = run => outcome.unwrap(),
            }
        }));
        Running { controller, end: Some(end) }
    }

    /// Lets so many seconds pass.
    pub(super) fn pass(&self, seconds: u64) {
        self.platform.pass(Duration::from_secs(seconds));
    }

    /// Asks the server to delete it.
    pub(super) fn delete(&self, resource: &GroupVersionResource, name: &str) {
        let request = self.server.client().delete().resource(resource).namespace(&"shop".into()).name(&name.into());
        ready(request.send()).unwrap();
    }

    /// Makes a set whose pods have the label `app` of its name.
    pub(super) fn make_set(&self, name: &str, replicas: usize) -> ReplicaSet {
        self.insert(&set(name, replicas))
    }

    pub(super) fn insert<K: serde::de::DeserializeOwned>(&self, object: &Value) -> K {
        let made = self.server.insert(object).unwrap();
        serde_json::from_str(&made.to_string()).unwrap()
    }

    pub(super) fn set(&self, name: &str) -> ReplicaSet {
        let found = self.server.get(&sets(), Some(&"shop".into()), &name.into()).unwrap();
        serde_json::from_str(&found.to_string()).unwrap()
    }

    /// Changes a set, or its status, or a pod, by a merge patch.
    pub(super) fn change(&self, resource: &GroupVersionResource, name: &str, subresource: Option<&'static str>, patch: &Value) {
        let request = self.server.client().patch().resource(resource).namespace(&"shop".into()).name(&name.into());
        let request = match subresource {
            Some(subresource) => request.subresource([subresource]),
            None => request,
        };
        let body = patch.to_string();
        ready(request.body(body, "application/merge-patch+json").send()).unwrap();
    }

    pub(super) fn scale(&self, name: &str, replicas: usize) {
        self.change(&sets(), name, None, &json!({ "spec": { "replicas": replicas } }));
    }

    /// All pods, those that end among them.
    pub(super) fn pods(&self) -> Vec<Pod> {
        let list = self.server.client().get().resource(&pods()).namespace(&"shop".into());
        let list: porthole_client_core::object::ObjectList<Pod> = ready(list.send()).unwrap().read().unwrap();
        list.into_iter().collect()
    }

    /// The names of the pods that count, of the set of this name.
    pub(super) fn active(&self, set: &str) -> Vec<String> {
        let is_its = |pod: &&Pod| controller_of(*pod).is_some_and(|owner| owner.name.as_str() == set);
        self.pods().iter().filter(|pod| is_active(pod)).filter(is_its).map(|pod| pod.name().to_owned()).collect()
    }

    /// What a node says of a pod.
    pub(super) fn run_pod(&self, name: &str, since: i64) {
        let at = crate::testing::time(since);
        let ready = json!({ "type": "Ready", "status": "True", "lastTransitionTime": at });
        self.change(&pods(), name, Some("status"), &json!({ "status": { "phase": "Running", "conditions": [ready] } }));
    }

    /// A pod is gone, as if its node had ended it.
    pub(super) fn lose_pod(&self, name: &str) {
        assert!(self.server.remove(&pods(), Some(&"shop".into()), &name.into()), "there is no pod {name}");
    }

    /// How often something was asked of the server since the last time.
    pub(super) fn requests(&self, method: &Method, path_end: &str) -> usize {
        let is_it = |target: &str| target.split('?').next().is_some_and(|path| path.ends_with(path_end));
        let all = self.server.requests();
        all.iter().filter(|request| request.method == *method && is_it(&request.path)).count()
    }

    pub(super) fn reasons(&self) -> Vec<&'static str> {
        self.told.lock().unwrap().iter().map(|(_, told)| told.reason).collect()
    }
}

/// A set whose pods have the label `app` of its name.
pub(super) fn set(name: &str, replicas: usize) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": { "namespace": "shop", "name": name },
        "spec": {
            "replicas": replicas, "selector": { "matchLabels": { "app": name } },
            "template": { "metadata": { "labels": { "app": name } }, "spec": { "containers": [{ "name": "c", "image": "i" }] } },
        },
    })
}

/// A pod that nobody manages.
pub(super) fn orphan(name: &str, app: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "namespace": "shop", "name": name, "labels": { "app": app } },
        "spec": { "containers": [{ "name": "c", "image": "i" }] },
    })
}

/// A pod that `set` manages.
pub(super) fn owned(name: &str, app: &str, set: &ReplicaSet) -> Value {
    let mut pod = orphan(name, app);
    pod["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": set.name(), "uid": set.uid(), "controller": true, "blockOwnerDeletion": true,
    }]);
    pod
}
