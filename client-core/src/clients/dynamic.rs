//! The client of any resource.

use super::ResourceClient;
use crate::{
    mapper::RestMapping,
    meta::{GroupVersionResource, Namespace},
    object::Unstructured,
    rest::RestClient,
};

/// Makes clients of any resource, whose objects are [`Unstructured`] (client-go `dynamic/simple.go`).
///
/// ```
/// use porthole_client_core::{
///     clients::DynamicClient,
///     meta::GroupVersionResource,
///     object::Object as _,
///     rest::{ApiError, ListOptions, RestClient},
/// };
///
/// async fn names(client: RestClient) -> Result<Vec<String>, ApiError> {
///     let widgets = GroupVersionResource::new("example.com", "v1", "widgets");
///     let widgets = DynamicClient::new(client).namespaced(&widgets, "shop");
///     let list = widgets.list_all(ListOptions::default()).await?.list;
///     Ok(list.into_iter().map(|widget| widget.name().to_owned()).collect())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct DynamicClient(RestClient);

impl DynamicClient {
    /// Over `client`. Nothing is sent before a verb is called.
    #[must_use]
    pub const fn new(client: RestClient) -> Self {
        Self(client)
    }

    /// The client of what a mapper found; `namespace` counts where the objects belong to namespaces.
    #[must_use]
    pub fn of(&self, mapping: &RestMapping, namespace: impl Into<Namespace>) -> ResourceClient<Unstructured> {
        if mapping.is_namespaced() { self.namespaced(&mapping.resource, namespace) } else { self.cluster(&mapping.resource) }
    }

    /// The client of a resource of the whole cluster.
    #[must_use]
    pub fn cluster(&self, resource: &GroupVersionResource) -> ResourceClient<Unstructured> {
        ResourceClient::cluster(self.0.clone(), resource.clone())
    }

    /// The client of a resource in `namespace`; of all namespaces, where that is empty.
    #[must_use]
    pub fn namespaced(&self, resource: &GroupVersionResource, namespace: impl Into<Namespace>) -> ResourceClient<Unstructured> {
        ResourceClient::namespaced(self.0.clone(), resource.clone(), namespace)
    }
}
