//! The client of the metadata of any resource.

use super::ResourceClient;
use crate::{
    mapper::RestMapping,
    meta::{GroupVersionResource, Namespace},
    object::PartialObjectMetadata,
    rest::RestClient,
};

/// Makes clients of any resource of which only the metadata is read (client-go `metadata/metadata.go`). They read, watch,
/// patch and delete; they cannot create or update.
///
/// ```
/// use porthole_client_core::{
///     clients::MetadataClient,
///     meta::GroupVersionResource,
///     object::Object as _,
///     rest::{ApiError, GetOptions, RestClient},
/// };
///
/// async fn owners(client: RestClient, pod: &str) -> Result<usize, ApiError> {
///     let pods = MetadataClient::new(client).namespaced(&GroupVersionResource::new("", "v1", "pods"), "shop");
///     Ok(pods.get(pod, &GetOptions::default()).await?.owner_references().len())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct MetadataClient(RestClient);

impl MetadataClient {
    /// Over `client`. Nothing is sent before a verb is called.
    #[must_use]
    pub const fn new(client: RestClient) -> Self {
        Self(client)
    }

    /// The client of what a mapper found; `namespace` counts where the objects belong to namespaces.
    #[must_use]
    pub fn of(&self, mapping: &RestMapping, namespace: impl Into<Namespace>) -> ResourceClient<PartialObjectMetadata> {
        if mapping.is_namespaced() { self.namespaced(&mapping.resource, namespace) } else { self.cluster(&mapping.resource) }
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
