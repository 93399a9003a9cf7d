//! The client: where its requests go, and what they have in common.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Method, StatusCode, header};

use super::{Answer, ApiError, BackoffPolicy, Request, RequestObserver};
use crate::{
    flowcontrol::RateLimiter,
    platform::{MaybeSend, MaybeSync, Platform},
    transport::{SocketTransport, Transport, with_socket_watches},
};

/// How long a request that is no stream may take: client-go's discovery default.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(32);

/// Receives warnings as texts for a person: the server's, and those of a client's own parts (client-go `rest/warnings.go`,
/// `WarningHandler`). Any function of a text is one.
pub trait WarningHandler: Fn(&str) + MaybeSend + MaybeSync + 'static {}
impl<T: Fn(&str) + MaybeSend + MaybeSync + 'static> WarningHandler for T {}

/// A client of one API server (client-go `rest/client.go`, `RESTClient`). Cloning it is cheap; clones share their connections,
/// limits and observers.
///
/// A native program has one of `host::native::NativeConnector`, which takes a
/// configuration; here one is made over any [`Transport`].
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{
///     platform::{FakePlatform, ready},
///     rest::{ApiError, RestClient},
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.always("/healthz", ScriptedAnswer::text("ok"));
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()))
///     .with_warnings(|warning: &str| eprintln!("{warning}"))
///     .with_timeout(Duration::from_secs(10));
///
/// let answer = ready(client.get().absolute_path("/healthz").send())?;
/// assert_eq!(answer.bytes(), "ok");
/// let error = ready(client.get().absolute_path("/livez").send()).unwrap_err();
/// assert!(error.is_not_found());
/// # Ok::<(), ApiError>(())
/// ```
#[derive(Clone)]
pub struct RestClient {
    pub(super) transport: Arc<dyn Transport>,
    pub(super) platform: Arc<dyn Platform>,
    pub(super) warnings: Option<Arc<dyn WarningHandler>>,
    pub(super) limiter: Option<Arc<dyn RateLimiter>>,
    pub(super) backoff: Option<Arc<dyn BackoffPolicy>>,
    pub(super) observer: Option<Arc<dyn RequestObserver>>,
    pub(super) timeout: Option<Duration>,
    #[cfg(feature = "protobuf")]
    pub(super) protobuf: Option<super::protobuf::Protobuf>,
}

opaque_debug!(RestClient);

impl RestClient {
    /// A client over `transport`. It has no rate limit of its own: a server has its own since Kubernetes 1.20, and a page
    /// must not wait for itself.
    #[must_use]
    pub fn new(transport: Arc<dyn Transport>, platform: Arc<dyn Platform>) -> Self {
        Self {
            transport,
            platform,
            warnings: None,
            limiter: None,
            backoff: None,
            observer: None,
            timeout: None,
            #[cfg(feature = "protobuf")]
            protobuf: None,
        }
    }

    /// The same client, telling `handler` each Warning of the server. Nobody is told where none is set. A clone with another
    /// handler leaves this client as it is, so one request can have a handler of its own.
    #[must_use]
    pub fn with_warnings(mut self, handler: impl WarningHandler) -> Self {
        self.warnings = Some(Arc::new(handler));
        self
    }

    /// The same client, telling nobody of Warnings.
    #[must_use]
    pub fn without_warnings(mut self) -> Self {
        self.warnings = None;
        self
    }

    /// The same client, waiting for `limiter` before the first try of each request but a watch, and before every other try
    /// (client-go's `rate limiter`). Clients that share a limiter share its rate.
    #[must_use]
    pub fn with_rate_limit(mut self, limiter: Arc<dyn RateLimiter>) -> Self {
        self.limiter = Some(limiter);
        self
    }

    /// The same client, waiting before each try as `policy` says (client-go's `BackoffManager`), such as a
    /// [`UrlBackoff`](super::UrlBackoff).
    #[must_use]
    pub fn with_backoff(mut self, policy: Arc<dyn BackoffPolicy>) -> Self {
        self.backoff = Some(policy);
        self
    }

    /// The same client, telling `observer` what becomes of its requests: for metrics and logs.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn RequestObserver>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The same client, whose requests fail after `timeout` where they do not say otherwise. The server is told as well.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The same client, whose watches go over WebSockets of `sockets`, with whole objects in JSON; all else goes as it went.
    /// [`with_socket_watches`] says what becomes of refusals.
    #[must_use]
    pub fn with_socket_watches(mut self, sockets: Arc<dyn SocketTransport>) -> Self {
        self.transport = with_socket_watches(self.transport, sockets);
        self
    }

    /// The same client, which reads and writes in protobuf what `schema` has, and the metadata of anything: for the clients of
    /// [`clients`](crate::clients), whose types stay as they are; their subresources, patches and deletions go as JSON. A server
    /// that has no protobuf for an answer sends JSON, which is read as well; after a 406 or a 415 the request is sent again in
    /// JSON, and so are all others of this client and its clones.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use http::{Method, header};
    /// use porthole_client_core::{
    ///     clients::MetadataClient,
    ///     meta::GroupVersionResource,
    ///     platform::{FakePlatform, ready},
    ///     rest::{ListOptions, RestClient},
    ///     transport::ScriptedTransport,
    ///     wire::protobuf::Schema,
    /// };
    ///
    /// let server = Arc::new(ScriptedTransport::default());
    /// let client = RestClient::new(server.clone(), Arc::new(FakePlatform::default()));
    /// let client = client.with_protobuf(Arc::new(Schema::metadata()));
    /// let pods = MetadataClient::new(client).namespaced(&GroupVersionResource::new("", "v1", "pods"), "shop");
    /// assert!(ready(pods.list(&ListOptions::default())).is_err());
    /// assert!(server.requests()[0].headers[header::ACCEPT].to_str().unwrap().starts_with("application/vnd.kubernetes.protobuf;"));
    /// ```
    #[cfg(feature = "protobuf")]
    #[must_use]
    pub fn with_protobuf(mut self, schema: Arc<crate::wire::protobuf::Schema>) -> Self {
        self.protobuf = Some(super::protobuf::Protobuf::new(schema));
        self
    }

    /// The host this client runs on.
    #[must_use]
    pub fn platform(&self) -> &Arc<dyn Platform> {
        &self.platform
    }

    /// A request to read (GET).
    pub fn get(&self) -> Request {
        self.request(Method::GET)
    }

    /// A request to create, and for what is done to a subresource by creating one (POST).
    pub fn post(&self) -> Request {
        self.request(Method::POST)
    }

    /// A request to replace (PUT).
    pub fn put(&self) -> Request {
        self.request(Method::PUT)
    }

    /// A request to change in part; the media type of its body says how (PATCH).
    pub fn patch(&self) -> Request {
        self.request(Method::PATCH)
    }

    /// A request to delete (DELETE).
    pub fn delete(&self) -> Request {
        self.request(Method::DELETE)
    }

    /// A request of any method.
    pub fn request(&self, method: Method) -> Request {
        Request::new(self.clone(), method)
    }

    /// The whole answer to a GET of `path`.
    ///
    /// # Errors
    /// Where the server refuses, cannot be reached, or takes more than 32 seconds.
    pub async fn read(&self, path: &str, accept: &str) -> Result<Bytes, ApiError> {
        Ok(self.read_if_changed(path, accept, None).await?.map(|answer| answer.bytes().clone()).unwrap_or_default())
    }

    /// The whole answer to a GET of `path`, or `None` where the server still has what `etag` names.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_if_changed(&self, path: &str, accept: &str, etag: Option<&str>) -> Result<Option<Answer>, ApiError> {
        let mut request = self.get().uri(path).accept(accept).timeout(self.timeout.unwrap_or(REQUEST_TIMEOUT));
        if let Some(etag) = etag {
            request = request.header(header::IF_NONE_MATCH, etag);
        }
        let answer = request.send_unchecked().await?;
        if answer.status() == StatusCode::NOT_MODIFIED { Ok(None) } else { answer.checked().map(Some) }
    }
}
