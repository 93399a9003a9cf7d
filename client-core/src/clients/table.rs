//! The client of tables.

use std::sync::Arc;

use crate::{
    meta::{GroupVersionResource, Namespace, ObjectName},
    platform::Platform,
    rest::{ApiError, ListOptions, PathError, Request, RequestError, ResourcePath, RestClient},
    transport::Body,
    wire::{TableList, decode_list},
};

/// A table with the metadata of its objects, or what the server has where it has no tables.
const ACCEPT: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/// Reads a collection as a table with the server's own columns: those that kubectl prints. client-go has no such client.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     clients::TableClient,
///     meta::GroupVersionResource,
///     platform::{FakePlatform, ready},
///     rest::{ListOptions, RestClient},
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// let table = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Name","type":"string"}],
///     "rows":[{"cells":["a"],"object":{"metadata":{"name":"a"}}}]}"#;
/// server.always("/apis/example.com/v1/namespaces/shop/widgets", ScriptedAnswer::text(table));
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()));
///
/// let widgets = TableClient::namespaced(client, &GroupVersionResource::new("example.com", "v1", "widgets"), "shop")?;
/// let table = ready(widgets.list(&ListOptions::default()))?;
/// assert_eq!(table.columns.unwrap_or_default()[0].name, "Name");
/// assert_eq!(table.rows[0].cells[0].to_string(), "a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TableClient {
    client: RestClient,
    path: ResourcePath,
    whole_objects: bool,
}

impl TableClient {
    /// The tables of a resource of the whole cluster.
    ///
    /// # Errors
    /// Where the resource cannot be a part of a path.
    pub fn cluster(client: RestClient, resource: &GroupVersionResource) -> Result<Self, PathError> {
        Ok(Self::new(client, ResourcePath::collection(resource, None)?))
    }

    /// The tables of a resource in `namespace`; of all namespaces, where that is empty.
    ///
    /// # Errors
    /// Where the resource or the namespace cannot be a part of a path.
    pub fn namespaced(
        client: RestClient,
        resource: &GroupVersionResource,
        namespace: impl Into<Namespace>,
    ) -> Result<Self, PathError> {
        let namespace = Some(namespace.into()).filter(|namespace| !namespace.as_str().is_empty());
        Ok(Self::new(client, ResourcePath::collection(resource, namespace.as_ref())?))
    }

    /// The tables of the collection at `path`.
    #[must_use]
    pub const fn new(client: RestClient, path: ResourcePath) -> Self {
        Self { client, path, whole_objects: false }
    }

    /// The same client, whose rows carry their objects whole (`includeObject=Object`), and not their metadata alone.
    #[must_use]
    pub fn with_whole_objects(mut self) -> Self {
        self.whole_objects = true;
        self
    }

    /// Where the collection is.
    #[must_use]
    pub const fn path(&self) -> &ResourcePath {
        &self.path
    }

    /// The host its client runs on.
    #[must_use]
    pub fn platform(&self) -> &Arc<dyn Platform> {
        self.client.platform()
    }

    /// The rows, and the columns.
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached, and where the answer is no table and no list. A row that cannot be read
    /// shows what is wrong with it.
    pub async fn list(&self, options: &ListOptions) -> Result<TableList, ApiError> {
        self.read(self.request().options(options)).await
    }

    /// The row of one object, and the columns.
    ///
    /// # Errors
    /// As [`list`](Self::list), where there is no such object, and where the server makes no table of it.
    pub async fn get(&self, name: impl Into<ObjectName>) -> Result<TableList, ApiError> {
        let path = self.path.object(&name.into()).map_err(|source| RequestError::Segment { part: "name", source })?;
        self.read(self.request().absolute_path(path.as_str())).await
    }

    /// The table as it arrives, for [`decode_list`]. A refusal is told at once, whatever the server says of another try: who
    /// follows a collection waits by itself, and shows that it does.
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached.
    pub async fn open_list(&self, options: &ListOptions) -> Result<Body, ApiError> {
        self.request().options(options).most_retries(0).stream().await
    }

    /// The lines of a watch whose events carry tables, for [`decode_event`](crate::wire::decode_event); they arrive until the
    /// server or the caller ends it. A refusal is told at once, as by [`open_list`](Self::open_list).
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached.
    pub async fn open_watch(&self, options: &ListOptions) -> Result<Body, ApiError> {
        self.request().parameter("watch", "true").options(options).most_retries(0).stream().await
    }

    async fn read(&self, request: Request) -> Result<TableList, ApiError> {
        let answer = request.send().await?;
        decode_list(answer.bytes(), self.client.platform().wall_time())
            .map_err(|error| ApiError::Unreadable { path: self.path.as_str().to_owned(), message: error.to_string() })
    }

    fn request(&self) -> Request {
        let request = self.client.get().absolute_path(self.path.as_str()).accept(ACCEPT);
        if self.whole_objects { request.parameter("includeObject", "Object") } else { request }
    }
}
