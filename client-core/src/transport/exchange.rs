//! Requests, responses, and the trait between them.

use std::fmt;

use bytes::Bytes;
use futures::StreamExt as _;
use http::{HeaderMap, Method, StatusCode, header};

use super::TransportError;
use crate::platform::{BoxFuture, BoxStream, MaybeSend, MaybeSync};

/// A request to one server, as it goes over the wire (Go's `http.Request`). The address of the server belongs to the transport.
/// `Debug` shows neither the body nor what a header says who asks.
#[derive(Clone)]
pub struct Request {
    /// The verb.
    pub method: Method,
    /// An absolute path with its query, encoded.
    pub path: String,
    /// Headers to send.
    pub headers: HeaderMap,
    /// The body; empty for none.
    pub body: Bytes,
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self { method, path, headers, .. }, length) = (self, self.body.len());
        let mut headers = headers.clone();
        for name in [header::AUTHORIZATION, header::PROXY_AUTHORIZATION, header::COOKIE] {
            if let Some(value) = headers.get_mut(name) {
                value.set_sensitive(true);
            }
        }
        write!(formatter, "Request({method} {path}, {headers:?}, {length} bytes)")
    }
}

impl Request {
    /// A GET without headers.
    #[must_use]
    pub fn read(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), headers: HeaderMap::new(), body: Bytes::new() }
    }
}

/// Chunks as they arrive, of any size. An error is the last of them. Dropping it frees the connection.
pub type Body = BoxStream<'static, Result<Bytes, TransportError>>;

/// The head of an answer, and its body still arriving (Go's `http.Response`).
pub struct Response {
    /// The status of the answer.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Body,
}

/// Carries requests to one server (Go's `http.RoundTripper`). Hosts have one each; a layer is one over another.
///
/// ```
/// use std::sync::Arc;
/// use bytes::Bytes;
/// use futures::stream;
/// use http::{HeaderMap, StatusCode};
/// use porthole_client_core::{
///     platform::{BoxFuture, FakePlatform, ready},
///     rest::RestClient,
///     transport::{Request, Response, Transport, TransportError},
/// };
///
/// /// Answers every request with its own path.
/// struct Echo;
///
/// impl Transport for Echo {
///     fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
///         let body = Box::pin(stream::iter([Ok(Bytes::from(request.path))]));
///         Box::pin(async { Ok(Response { status: StatusCode::OK, headers: HeaderMap::new(), body }) })
///     }
/// }
///
/// let client = RestClient::new(Arc::new(Echo), Arc::new(FakePlatform::default()));
/// let answer = ready(client.get().absolute_path("/version").send()).unwrap();
/// assert_eq!(answer.bytes(), "/version?pretty=false");
/// ```
pub trait Transport: MaybeSend + MaybeSync + 'static {
    /// Sends `request`; the future ends when the head of the answer is there. Dropping it gives the request up.
    ///
    /// # Errors
    /// Where no answer begins. An answer with any status is one.
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>>;
}

/// The whole body.
///
/// # Errors
/// [`TransportError::Broken`] where it ends early.
pub async fn read_to_end(body: Body) -> Result<Vec<u8>, TransportError> {
    read_at_most(body, usize::MAX).await
}

/// The body, up to the chunk that brings it to `limit` bytes; what comes after is not waited for.
///
/// # Errors
/// [`TransportError::Broken`] where it ends early.
pub(crate) async fn read_at_most(mut body: Body, limit: usize) -> Result<Vec<u8>, TransportError> {
    let mut read = Vec::new();
    while read.len() < limit
        && let Some(chunk) = body.next().await
    {
        read.extend_from_slice(&chunk?);
    }
    Ok(read)
}
