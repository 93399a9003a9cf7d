//! The server as a test holds it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::{
    delivery::deliver,
    faults::{Disturbance, Fault},
    resource::ResourceDefinition,
    state::{Place, State, meta, object},
    write::WriteContext,
};
use crate::{
    json::Value,
    meta::{GroupVersion, GroupVersionResource, Namespace, ObjectName, ResourceVersion, Status},
    platform::{BoxFuture, Chance, Platform},
    rest::RestClient,
    transport::{Request, Response, Transport, TransportError},
};

/// An API server in memory. Clones are the same server.
///
/// It begins with the namespaces `default`, `kube-system`, `kube-public` and `kube-node-lease`.
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::sync::Arc;
/// use porthole_client_core::{
///     fake::{FakeApiServer, Fault, FaultKind},
///     meta::{GroupVersionResource, Status},
///     platform::{FakePlatform, ready},
/// };
///
/// let server = FakeApiServer::new(Arc::new(FakePlatform::default()));
/// server.insert(&serde_json::json!({
///     "apiVersion": "v1", "kind": "ConfigMap",
///     "metadata": { "name": "settings", "namespace": "default" }, "data": { "colour": "blue" },
/// }))?;
/// server.faults().add(Fault::new(FaultKind::Refuse(Box::new(Status::service_unavailable("not yet")))).once());
///
/// let settings = || {
///     let maps = GroupVersionResource::new("", "v1", "configmaps");
///     server.client().get().resource(&maps).namespace(&"default".into()).name(&"settings".into())
/// };
/// assert!(ready(settings().send()).is_err());
/// assert!(ready(settings().send()).is_ok());
/// assert_eq!(server.requests().len(), 2);
/// # Ok::<(), Status>(())
/// ```
#[derive(Clone)]
pub struct FakeApiServer(Arc<Mutex<State>>);

/// What is to go wrong; belongs to a [`FakeApiServer`].
#[derive(Clone)]
pub struct Faults(Arc<Mutex<State>>);

impl Faults {
    /// One more fault.
    pub fn add(&self, fault: Fault) {
        lock(&self.0).faults.add(fault);
    }

    /// Nothing goes wrong any more.
    pub fn clear(&self) {
        lock(&self.0).faults.clear();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

opaque_debug!(FakeApiServer, Faults);

impl FakeApiServer {
    /// A server whose clock is that of `platform`.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        let server = Self(Arc::new(Mutex::new(State::new(platform))));
        for name in ["default", "kube-system", "kube-public", "kube-node-lease"] {
            let namespace = object([
                ("apiVersion", "v1".into()),
                ("kind", "Namespace".into()),
                ("metadata", object([("name", name.into())])),
            ]);
            // Namespaces are built in, and these are new and well named.
            server.insert_value(namespace).ok();
        }
        server
    }

    /// Registers a resource, in place of the one that is there under this group, version and plural.
    pub fn register(&self, definition: ResourceDefinition) {
        let mut state = lock(&self.0);
        let place = state.definitions.iter().position(|other| other.resource() == definition.resource());
        if let Some(other) = place.and_then(|at| state.definitions.get_mut(at)) {
            *other = definition;
        } else {
            let resource = state.definitions.len();
            state.definitions.push(definition);
            state.history.catch_up(resource);
        }
    }

    /// A transport to this server.
    #[must_use]
    pub fn transport(&self) -> Arc<dyn Transport> {
        Arc::new(self.clone())
    }

    /// A client of this server, on the platform of the server.
    #[must_use]
    pub fn client(&self) -> RestClient {
        let platform = Arc::clone(&lock(&self.0).platform);
        RestClient::new(self.transport(), platform)
    }

    /// Puts an object in, as a controller or a person would: with its status, and in a namespace that is made where it is
    /// missing. An object that is there is replaced.
    ///
    /// # Errors
    /// Where the server refuses the object, or knows no such kind.
    pub fn insert(&self, object: &(impl Serialize + ?Sized)) -> Result<Value, Status> {
        self.insert_value(Value::from_serialize(object).map_err(|error| Status::bad_request(error.to_string()))?)
    }

    /// As [`insert`](Self::insert), for a text. A list puts in its items; the last of them is the answer.
    ///
    /// # Errors
    /// Where the text is no JSON, or as [`insert`](Self::insert).
    pub fn apply_json(&self, text: &str) -> Result<Value, Status> {
        let object: Value = text.parse().map_err(|error| Status::bad_request(format!("{error}")))?;
        match object.field("items").and_then(Value::as_array) {
            Some(items) => items.iter().try_fold(Value::Null, |_, item| self.insert_value(item.clone())),
            None => self.insert_value(object),
        }
    }

    fn insert_value(&self, object: Value) -> Result<Value, Status> {
        let mut state = lock(&self.0);
        let text = |name: &str| object.field(name).and_then(Value::as_str).unwrap_or_default();
        let (kind, version) = (text("kind"), text("apiVersion"));
        let found = state
            .definitions
            .iter()
            .position(|definition| definition.kind == kind && definition.group_version.to_string() == version);
        let resource =
            found.ok_or_else(|| Status::bad_request(format!("no matches for kind {kind:?} in version {version:?}")))?;
        let namespaced = state.definitions.get(resource).is_some_and(|definition| definition.namespaced);
        let own = meta(&object, "namespace");
        let namespace = match (namespaced, own) {
            (false, _) => String::new(),
            (true, "") => "default".to_owned(),
            (true, own) => own.to_owned(),
        };
        let place = Place { resource, namespace, name: meta(&object, "name").to_owned(), subresource: String::new() };
        drop(state);
        if namespaced && self.get(&namespaces(), None, &place.namespace.as_str().into()).is_none() {
            let meta = super::state::object([("name", place.namespace.as_str().into())]);
            self.insert_value(super::state::object([
                ("apiVersion", "v1".into()),
                ("kind", "Namespace".into()),
                ("metadata", meta),
            ]))?;
        }
        state = lock(&self.0);
        let mut context = WriteContext {
            manager: "fake".to_owned(),
            dry_run: false,
            applied: false,
            validation: String::new(),
            warnings: Vec::new(),
        };
        let status = object.field("status").cloned();
        let made = match state.object(&place) {
            Err(_missing) => state.create(&place, object, &mut context)?,
            Ok(live) => {
                let mut object = object;
                for name in ["uid", "resourceVersion"] {
                    super::state::copy_meta(&live, &mut object, name);
                }
                state.replace(&place, &live, object, &mut context)?
            }
        };
        let has_status = state.definition(&place)?.has_status;
        let made = match status {
            Some(status) if has_status && made.field("status") != Some(&status) => {
                let place = Place { name: meta(&made, "name").to_owned(), subresource: "status".to_owned(), ..place };
                let mut new = (*made).clone();
                if let Some(fields) = new.as_object_mut() {
                    fields.insert("status".to_owned(), status);
                }
                state.replace(&place, &made, new, &mut context)?
            }
            _ => made,
        };
        Ok((*made).clone())
    }

    /// An object as it is now.
    #[must_use]
    pub fn get(&self, resource: &GroupVersionResource, namespace: Option<&Namespace>, name: &ObjectName) -> Option<Value> {
        let state = lock(&self.0);
        let resource = state.definitions.iter().position(|definition| definition.resource() == *resource)?;
        let place = Place {
            resource,
            namespace: namespace.map(|namespace| namespace.as_str().to_owned()).unwrap_or_default(),
            name: name.as_str().to_owned(),
            subresource: String::new(),
        };
        state.history.get(&place.key()).map(|object| (**object).clone())
    }

    /// Takes an object out at once, whatever its finalizers say. Says whether it was there.
    #[must_use]
    pub fn remove(&self, resource: &GroupVersionResource, namespace: Option<&Namespace>, name: &ObjectName) -> bool {
        let mut state = lock(&self.0);
        let Some(resource) = state.definitions.iter().position(|definition| definition.resource() == *resource) else {
            return false;
        };
        let key = super::history::Key::new(resource, namespace.map(Namespace::as_str).unwrap_or_default(), name.as_str());
        let was_there = state.history.get(&key).is_some();
        state.remove(&key);
        was_there
    }

    /// Every request so far, in order, those that a fault hit among them.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.0).requests.clone()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        lock(&self.0).requests.clear();
    }

    /// What is to go wrong.
    #[must_use]
    pub fn faults(&self) -> Faults {
        Faults(Arc::clone(&self.0))
    }

    /// The version of the last write.
    #[must_use]
    pub fn resource_version(&self) -> ResourceVersion {
        lock(&self.0).history.version().to_string().into()
    }

    /// Forgets all states and changes before this version: a list at one, a watch from one and a continue token of one have
    /// expired. Of a real server, this is what is left after a compaction and a restart.
    pub fn compact(&self, version: &ResourceVersion) {
        let mut state = lock(&self.0);
        // A version that is no number is none of this server's.
        if let Ok(version) = version.as_str().parse() {
            state.history.compact(version);
            state.history.forget_changes(version);
            state.wake();
        }
    }

    /// Forgets all states before this version: a list at one and a continue token of one have expired. Watches go on, and
    /// begin at one: as those of a real server, which are served from its cache, whatever becomes of its storage.
    pub fn compact_states(&self, version: &ResourceVersion) {
        // A version that is no number is none of this server's.
        if let Ok(version) = version.as_str().parse() {
            lock(&self.0).history.compact(version);
        }
    }

    /// Makes every watch that asked for bookmarks say now how far it is.
    pub fn send_bookmarks(&self) {
        let mut state = lock(&self.0);
        state.bookmarks += 1;
        state.wake();
    }

    /// Ends every watch, as a server does that is stopped.
    pub fn end_watches(&self) {
        let mut state = lock(&self.0);
        state.ended_watches += 1;
        state.wake();
    }

    /// Lets this happen to every watch that is open, after what it has to say already.
    pub fn disturb_watches(&self, disturbance: Disturbance) {
        let mut state = lock(&self.0);
        state.disturbances.push(disturbance);
        state.wake();
    }

    /// How many watches are open.
    #[must_use]
    pub fn open_watches(&self) -> usize {
        lock(&self.0).open_watches
    }

    /// Sends the bodies of answers in small pieces from now on, always the same for one seed; or whole again.
    pub fn set_chunks(&self, seed: Option<u64>) {
        lock(&self.0).chunks = seed.map(Chance);
    }

    /// Refuses bodies of requests above so many bytes with 413; 3 MiB to begin with.
    pub fn set_largest_body(&self, bytes: usize) {
        lock(&self.0).largest_body = bytes;
    }

    /// Uids and generated names follow from this seed from now on.
    pub fn set_seed(&self, seed: u64) {
        lock(&self.0).chance = Chance(seed);
    }
}

fn namespaces() -> GroupVersionResource {
    GroupVersion::new("", "v1").with_resource("namespaces")
}

impl Transport for FakeApiServer {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let state = Arc::clone(&self.0);
        let struck = {
            let mut locked = lock(&state);
            locked.requests.push(request.clone());
            locked.faults.strike(&request)
        };
        Box::pin(deliver(state, request, struck))
    }
}
