//! The client of a resource that can only be created.

use crate::{
    clients::{ResourceClient, Writable},
    meta::Namespace,
    object::Kind,
    rest::{ApiError, RestClient, WriteOptions},
};

/// Asks a server by creating an object that it answers and does not keep: a review, or a binding (client-go
/// `kubernetes/typed/authorization/v1/selfsubjectaccessreview.go` and its like).
pub struct CreateOnlyClient<K>(ResourceClient<K>);

impl<K: Kind + Writable> CreateOnlyClient<K> {
    /// Over `client`; `namespace` counts where the objects belong to namespaces.
    #[must_use]
    pub fn new(client: RestClient, namespace: impl Into<Namespace>) -> Self {
        Self(ResourceClient::of_kind(client, namespace))
    }

    /// Asks.
    ///
    /// # Errors
    /// Where the question makes no sense or may not be asked.
    pub async fn create(&self, object: &K, options: &WriteOptions) -> Result<K, ApiError> {
        self.0.create(object, options).await
    }
}
