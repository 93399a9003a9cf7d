//! The client of the metadata of any resource.

use super::ResourceClient;
use crate::{
    meta::{GroupVersionResource, Namespace},
    object::PartialObjectMetadata,
    rest::RestClient,
};

/// Makes clients of any resource of which only the metadata is read (client-go `metadata/metadata.go`). They read, watch,
/// patch and delete; they cannot create or update.
#[derive(Clone)]
pub struct MetadataClient(RestClient);

impl MetadataClient {
    /// Over `client`.
    #[must_use]
    pub const fn new(client: RestClient) -> Self {
        Self(client)
    }

    /// The client of a resource of the whole cluster.
    #[must_use]
    pub fn cluster(&self, resource: &GroupVersionResource) -> ResourceClient<PartialObjectMetadata> {
        ResourceClient::cluster(self.0.clone(), resource.clone())
    }

    /// The client of a resource in `namespace`; of all namespaces, where that is empty.
    #[must_use]
    pub fn namespaced(
        &self,
        resource: &GroupVersionResource,
        namespace: impl Into<Namespace>,
    ) -> ResourceClient<PartialObjectMetadata> {
        ResourceClient::namespaced(self.0.clone(), resource.clone(), namespace)
    }
}
