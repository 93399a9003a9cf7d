//! The client: sends, and tells answers from refusals.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};

use super::{ApiError, ResourcePath, decode_status, parse_warnings, path::Query};
use crate::{
    meta::ResourceVersion,
    platform::{MaybeSend, MaybeSync, Platform, timeout},
    transport::{Body, Request, Response, Transport, read_to_end},
};

/// How long a request that is no stream may take: client-go's discovery default.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(32);

/// A table with the metadata of its objects, or what the server has where it has no tables.
const ACCEPT_TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/// Parameters of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListParameters {
    /// A version the answer must not be older than; `None` for the newest, `"0"` for any.
    pub resource_version: Option<ResourceVersion>,
    /// The most items of a page; `None` for all.
    pub limit: Option<u32>,
    /// The token of the page before.
    pub continue_token: Option<String>,
    /// A label selector, as kubectl's `-l` takes it.
    pub label_selector: Option<String>,
    /// A field selector.
    pub field_selector: Option<String>,
}

/// Parameters of a watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchParameters {
    /// Where to go on from; `None` for a consistent start.
    pub resource_version: Option<ResourceVersion>,
    /// Whether the server sends what there is first, and then a bookmark that says so.
    pub send_initial_events: bool,
    /// When the server shall end the stream.
    pub timeout: Duration,
    /// A label selector.
    pub label_selector: Option<String>,
    /// A field selector.
    pub field_selector: Option<String>,
}

/// Receives the server's Warning texts.
pub trait WarningHandler: Fn(&str) + MaybeSend + MaybeSync + 'static {}
impl<T: Fn(&str) + MaybeSend + MaybeSync + 'static> WarningHandler for T {}

/// A client of one API server. Cloning it is cheap.
#[derive(Clone)]
pub struct RestClient {
    transport: Arc<dyn Transport>,
    platform: Arc<dyn Platform>,
    warnings: Option<Arc<dyn WarningHandler>>,
}

impl RestClient {
    /// A client over `transport`.
    #[must_use]
    pub fn new(transport: Arc<dyn Transport>, platform: Arc<dyn Platform>) -> Self {
        Self { transport, platform, warnings: None }
    }

    /// The same client, telling `handler` each Warning of the server.
    #[must_use]
    pub fn with_warnings(mut self, handler: impl WarningHandler) -> Self {
        self.warnings = Some(Arc::new(handler));
        self
    }

    /// The host this client runs on.
    #[must_use]
    pub fn platform(&self) -> &Arc<dyn Platform> {
        &self.platform
    }

    /// A list as a table, streamed.
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached.
    pub async fn list_table(&self, path: &ResourcePath, parameters: &ListParameters) -> Result<Body, ApiError> {
        let limit = parameters.limit.map(|limit| limit.to_string());
        let query = Query::new()
            .with_some("resourceVersion", parameters.resource_version.as_ref().map(ResourceVersion::as_str))
            .with_some("limit", limit.as_deref())
            .with_some("continue", parameters.continue_token.as_deref())
            .with_some("labelSelector", parameters.label_selector.as_deref())
            .with_some("fieldSelector", parameters.field_selector.as_deref());
        Ok(self.open(&query.on(path.as_str()), ACCEPT_TABLE).await?.body)
    }

    /// A watch whose events carry tables; lines arrive until the server or the caller ends it.
    ///
    /// # Errors
    /// Where the server refuses or cannot be reached.
    pub async fn watch_table(&self, path: &ResourcePath, parameters: &WatchParameters) -> Result<Body, ApiError> {
        let seconds = parameters.timeout.as_secs().to_string();
        let mut query = Query::new()
            .with("watch", "true")
            .with("allowWatchBookmarks", "true")
            .with("timeoutSeconds", &seconds)
            .with_some("resourceVersion", parameters.resource_version.as_ref().map(ResourceVersion::as_str))
            .with_some("labelSelector", parameters.label_selector.as_deref())
            .with_some("fieldSelector", parameters.field_selector.as_deref());
        if parameters.send_initial_events {
            query = query.with("sendInitialEvents", "true").with("resourceVersionMatch", "NotOlderThan");
        }
        Ok(self.open(&query.on(path.as_str()), ACCEPT_TABLE).await?.body)
    }

    /// The whole answer to a GET of `path`.
    ///
    /// # Errors
    /// Where the server refuses, cannot be reached, or takes more than 32 seconds.
    pub async fn read(&self, path: &str, accept: &str) -> Result<Bytes, ApiError> {
        Ok(self.read_if_changed(path, accept, None).await?.map(|(body, _)| body).unwrap_or_default())
    }

    /// The whole answer to a GET of `path` with its entity tag, or `None` where the server still has `etag`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_if_changed(
        &self,
        path: &str,
        accept: &str,
        etag: Option<&str>,
    ) -> Result<Option<(Bytes, Option<String>)>, ApiError> {
        let work = async {
            let target = if path.contains('?') { path.to_owned() } else { Query::new().on(path) };
            let mut request = request(&target, accept)?;
            if let Some(etag) = etag
                && let Ok(value) = HeaderValue::from_str(etag)
            {
                request.headers.insert(header::IF_NONE_MATCH, value);
            }
            let response = self.send(request).await?;
            if response.status == StatusCode::NOT_MODIFIED {
                return Ok(None);
            }
            let response = accepted(response).await?;
            let tag = response.headers.get(header::ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
            Ok(Some((Bytes::from(read_to_end(response.body).await?), tag)))
        };
        timeout(&self.platform, REQUEST_TIMEOUT, Box::pin(work))
            .await
            .unwrap_or_else(|| Err(ApiError::TimedOut { path: path.to_owned(), seconds: REQUEST_TIMEOUT.as_secs() }))
    }

    async fn open(&self, target: &str, accept: &str) -> Result<Response, ApiError> {
        accepted(self.send(request(target, accept)?).await?).await
    }

    async fn send(&self, request: Request) -> Result<Response, ApiError> {
        let response = self.transport.send(request).await?;
        if let Some(handler) = &self.warnings {
            for text in parse_warnings(&response.headers) {
                handler(&text);
            }
        }
        Ok(response)
    }
}

fn request(target: &str, accept: &str) -> Result<Request, ApiError> {
    let mut request = Request::read(target);
    let accept = HeaderValue::from_str(accept)
        .map_err(|error| ApiError::Unreadable { path: target.to_owned(), message: error.to_string() })?;
    request.headers.insert(header::ACCEPT, accept);
    Ok(request)
}

/// The response, or, where its status is no success, the Status in its body.
async fn accepted(response: Response) -> Result<Response, ApiError> {
    if response.status.is_success() {
        return Ok(response);
    }
    // The code is the answer; a body that breaks off only leaves out words.
    let body = read_to_end(response.body).await.unwrap_or_default();
    Err(ApiError::Refused(Box::new(decode_status(response.status, &body))))
}
