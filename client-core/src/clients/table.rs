//! The client of tables.

use std::sync::Arc;

use crate::{
    platform::Platform,
    rest::{ApiError, ListOptions, Request, ResourcePath, RestClient},
    transport::Body,
    wire::{TableList, decode_list},
};

/// A table with the metadata of its objects, or what the server has where it has no tables.
const ACCEPT: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/// Reads a collection as a table with the server's own columns: those that kubectl prints. client-go has no such client.
#[derive(Clone)]
pub struct TableClient {
    client: RestClient,
    path: ResourcePath,
}

impl TableClient {
    /// The tables of the collection at `path`.
    #[must_use]
    pub const fn new(client: RestClient, path: ResourcePath) -> Self {
        Self { client, path }
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
        let answer = self.request().options(options).send().await?;
        decode_list(answer.bytes(), self.client.platform().wall_time())
            .map_err(|error| ApiError::Unreadable { path: self.path.as_str().to_owned(), message: error.to_string() })
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

    fn request(&self) -> Request {
        self.client.get().absolute_path(self.path.as_str()).accept(ACCEPT)
    }
}
