//! The client of one subresource.

use serde::{Serialize, de::DeserializeOwned};

use super::{
    Deletion, ResourceClient,
    resource::{apply_patch, with_patch},
};
use crate::{
    meta::ObjectName,
    patch::Patch,
    rest::{ApiError, DeleteOptions, GetOptions, PatchOptions, Request, WriteOptions},
};

/// Reads and writes a subresource of the objects of one resource as `S`: a part of the object, such as its `status`, or
/// something beside it, such as its `scale` (the `subresources` of client-go's `dynamic/interface.go`). It speaks JSON, whatever
/// the client speaks of whole objects.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     clients::ResourceClient,
///     meta::GroupVersionResource,
///     object::Unstructured,
///     platform::{FakePlatform, ready},
///     rest::{GetOptions, RestClient},
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.once(
///     "/apis/example.com/v1/namespaces/shop/widgets/a/scale",
///     ScriptedAnswer::text(r#"{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":3}}"#),
/// );
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()));
///
/// let widgets = GroupVersionResource::new("example.com", "v1", "widgets");
/// let widgets = ResourceClient::<Unstructured>::namespaced(client, widgets, "shop");
/// let scale: Unstructured = ready(widgets.subresource(["scale"]).get("a", &GetOptions::default())).unwrap();
/// assert_eq!(scale.nested::<u32>(&["spec", "replicas"]).unwrap(), Some(3));
/// ```
#[derive(Clone, Debug)]
pub struct SubresourceClient<S> {
    objects: ResourceClient<S>,
    path: Vec<String>,
}

impl<S> SubresourceClient<S> {
    pub(super) const fn new(objects: ResourceClient<S>, path: Vec<String>) -> Self {
        Self { objects, path }
    }

    /// A request for the subresource of one object, to which more can be said.
    pub fn request(&self, method: http::Method, name: impl Into<ObjectName>) -> Request {
        self.objects.object_request(method, name).subresource(self.path.iter().map(String::as_str))
    }
}

impl<S: DeserializeOwned> SubresourceClient<S> {
    /// The subresource of the object `name`.
    ///
    /// # Errors
    /// Where there is no such object or no such subresource, where it may not be read, or where it is no `S`.
    pub async fn get(&self, name: impl Into<ObjectName>, options: &GetOptions) -> Result<S, ApiError> {
        self.request(http::Method::GET, name).options(options).send().await?.read()
    }

    /// Hands `body` to the subresource of the object `name`: a binding, say.
    ///
    /// # Errors
    /// Where the server refuses it, or answers something else than an `S`.
    pub async fn create(
        &self,
        name: impl Into<ObjectName>,
        body: &(impl Serialize + ?Sized),
        options: &WriteOptions,
    ) -> Result<S, ApiError> {
        self.request(http::Method::POST, name).options(options).json(body).send().await?.read()
    }

    /// Puts `body` in place of the subresource of the object `name`.
    ///
    /// # Errors
    /// As [`ResourceClient::update`].
    pub async fn update(
        &self,
        name: impl Into<ObjectName>,
        body: &(impl Serialize + ?Sized),
        options: &WriteOptions,
    ) -> Result<S, ApiError> {
        self.request(http::Method::PUT, name).options(options).json(body).send().await?.read()
    }

    /// Deletes the subresource of the object `name`.
    ///
    /// # Errors
    /// As [`ResourceClient::delete`].
    pub async fn delete(&self, name: impl Into<ObjectName>, options: &DeleteOptions) -> Result<Deletion<S>, ApiError> {
        Deletion::read(&self.request(http::Method::DELETE, name).json(options).send().await?)
    }

    /// Changes the subresource of the object `name` in part.
    ///
    /// # Errors
    /// As [`ResourceClient::patch`].
    pub async fn patch(&self, name: impl Into<ObjectName>, patch: &Patch, options: &PatchOptions) -> Result<S, ApiError> {
        with_patch(self.request(http::Method::PATCH, name), patch)?.options(options).send().await?.read()
    }

    /// Says what the fields of the subresource of the object `name` shall be.
    ///
    /// # Errors
    /// As [`ResourceClient::apply`].
    pub async fn apply(
        &self,
        name: impl Into<ObjectName>,
        object: &(impl Serialize + ?Sized),
        options: &PatchOptions,
    ) -> Result<S, ApiError> {
        self.patch(name, &apply_patch(object, None)?, options).await
    }
}
