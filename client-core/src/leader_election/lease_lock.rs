//! The lease that an election is about.

use std::{collections::BTreeMap, sync::Mutex};

use super::{LeaderElectionRecord, LockError};
use crate::{
    clients::ResourceClient,
    informer::lock::lock,
    json::{FieldError, Map, Value},
    meta::{GroupVersionKind, GroupVersionResource, Namespace, ObjectMeta, ObjectName},
    object::{Object as _, Unstructured},
    rest::{ApiError, GetOptions, RestClient, WriteOptions},
};

/// A `Lease` that several candidates want, as one of them sees it (client-go `tools/leaderelection/resourcelock/leaselock.go`).
///
/// Who leads is written under the version that was last seen, so that a write of one that knows less is refused.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     fake::FakeApiServer,
///     leader_election::{LeaderElectionRecord, LeaseLock},
///     platform::{FakePlatform, ready},
/// };
///
/// let server = FakeApiServer::new(Arc::new(FakePlatform::default()));
/// let lock = LeaseLock::new(server.client(), "default", "shop", "web-0");
/// assert!(ready(lock.get()).unwrap_err().request().unwrap().is_not_found());
/// ready(lock.create(&LeaderElectionRecord { holder_identity: "web-0".to_owned(), ..Default::default() }))?;
/// assert_eq!(ready(lock.get())?.holder_identity, "web-0");
/// assert_eq!(lock.to_string(), "default/shop");
/// # Ok::<(), porthole_client_core::leader_election::LockError>(())
/// ```
pub struct LeaseLock {
    client: ResourceClient<Unstructured>,
    namespace: Namespace,
    name: ObjectName,
    identity: String,
    labels: BTreeMap<String, String>,
    /// As it was last read or written.
    seen: Mutex<Option<Unstructured>>,
}

opaque_debug!(LeaseLock);

/// The namespace and name of the lease (`Describe`).
impl std::fmt::Display for LeaseLock {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}

impl LeaseLock {
    /// The lease `name`, for a candidate that no other is called like.
    #[must_use]
    pub fn new(
        client: RestClient,
        namespace: impl Into<Namespace>,
        name: impl Into<ObjectName>,
        identity: impl Into<String>,
    ) -> Self {
        let namespace = namespace.into();
        let leases = GroupVersionResource::new("coordination.k8s.io", "v1", "leases");
        Self {
            client: ResourceClient::namespaced(client, leases, namespace.clone()),
            namespace,
            name: name.into(),
            identity: identity.into(),
            labels: BTreeMap::new(),
            seen: Mutex::default(),
        }
    }

    /// The same, with labels that the lease is to have. Those that others put on it stay (`NewWithLabels`).
    #[must_use]
    pub fn with_labels(mut self, labels: impl IntoIterator<Item = (String, String)>) -> Self {
        self.labels = labels.into_iter().collect();
        self
    }

    /// The candidate.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The lease as it was last read or written here.
    #[must_use]
    pub fn seen(&self) -> Option<Unstructured> {
        lock(&self.seen).clone()
    }

    pub(super) const fn client(&self) -> &RestClient {
        self.client.rest_client()
    }

    /// Reads the lease.
    ///
    /// # Errors
    /// Where there is none, where it may not be read, or where it says what none can say.
    pub async fn get(&self) -> Result<LeaderElectionRecord, LockError> {
        let lease = self.client.get(&self.name, &GetOptions::default()).await.map_err(|error| self.failed(error))?;
        let record = lease.nested::<Option<LeaderElectionRecord>>(&["spec"]);
        let record = record.map_err(|source| LockError::Field { lease: self.to_string(), source })?;
        *lock(&self.seen) = Some(lease);
        Ok(record.flatten().unwrap_or_default())
    }

    /// Makes the lease.
    ///
    /// # Errors
    /// Where there is one, or where it may not be made.
    pub async fn create(&self, record: &LeaderElectionRecord) -> Result<(), LockError> {
        let mut lease = Unstructured::new(&GroupVersionKind::new("coordination.k8s.io", "v1", "Lease"));
        let (name, namespace) = (self.name.clone(), self.namespace.clone());
        lease.set_metadata(ObjectMeta { name, namespace, labels: self.labels.clone(), ..ObjectMeta::default() });
        self.say(&mut lease, record)?;
        let made = self.client.create(&lease, &WriteOptions::default()).await.map_err(|error| self.failed(error))?;
        *lock(&self.seen) = Some(made);
        Ok(())
    }

    /// Writes the lease, if it is still as it was last seen here.
    ///
    /// # Errors
    /// Where it was never seen, where it changed meanwhile (a conflict), or where it may not be written.
    pub async fn update(&self, record: &LeaderElectionRecord) -> Result<(), LockError> {
        let mut lease = self.seen().ok_or_else(|| LockError::Unknown { lease: self.to_string() })?;
        self.say(&mut lease, record)?;
        let mut metadata = lease.metadata().into_owned();
        if self.labels.iter().any(|(key, value)| metadata.labels.get(key) != Some(value)) {
            metadata.labels.extend(self.labels.clone());
            lease.set_metadata(metadata);
        }
        let written = self.client.update(&lease, &WriteOptions::default()).await.map_err(|error| self.failed(error))?;
        *lock(&self.seen) = Some(written);
        Ok(())
    }

    /// Puts all that a record says in place of what the lease said, and leaves what no record says.
    fn say(&self, lease: &mut Unstructured, record: &LeaderElectionRecord) -> Result<(), LockError> {
        let said = lease.nested::<Option<Map>>(&["spec"]).and_then(|said| {
            let mut said = said.flatten().unwrap_or_default();
            said.retain(|field, _| !LeaderElectionRecord::FIELDS.contains(&field.as_str()));
            let record = Value::from_serialize(record)
                .map_err(|error| FieldError::WrongType { path: ["spec"].into_iter().collect(), message: error.to_string() })?;
            said.extend(record.as_object().cloned().unwrap_or_default());
            lease.set_nested(&["spec"], Value::from_iter(said))
        });
        said.map_err(|source| LockError::Field { lease: self.to_string(), source })
    }

    fn failed(&self, source: ApiError) -> LockError {
        LockError::Request { lease: self.to_string(), source }
    }
}
