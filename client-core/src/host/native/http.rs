//! Requests by reqwest, with rustls.

use std::{
    error::Error as _,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::{TryStreamExt as _, stream};
use http::{Method, StatusCode, header};

use super::{
    NativeTransportError,
    tls::{Authority, Identity, tls_config},
};
use crate::{
    config::without_credentials,
    platform::BoxFuture,
    transport::{Request, Response, Transport, TransportError, address_of},
};

/// How long a connection may take, TLS and all: client-go's dialer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// How often an idle connection is probed: client-go's dialer.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// client-go `transport/cache.go`, `idleConnsPerHost`.
const IDLE_CONNECTIONS: usize = 25;
/// How often a read is redirected at most: Go's bound.
const MOST_REDIRECTS: usize = 10;

/// Who the server must be, and who we are; all of it PEM.
#[derive(Clone, Default)]
pub struct Tls {
    /// The certificates that may vouch for the server; those of the system where it is empty.
    pub authority: Vec<u8>,
    /// Our certificate, where we have one.
    pub certificate: Vec<u8>,
    /// Its private key.
    pub key: Vec<u8>,
}

/// A transport to the API server at one address, with nothing but TLS. Answers are never compressed. What a
/// configuration can say is said to a [`NativeConnector`](super::NativeConnector) instead.
#[derive(Clone)]
pub struct NativeTransport {
    base: String,
    /// The base for messages.
    shown: String,
    client: reqwest::Client,
}

impl NativeTransport {
    /// A transport to `base`, such as `https://127.0.0.1:6443`.
    ///
    /// # Errors
    /// Where a certificate or key cannot be used.
    pub fn new(base: impl Into<String>, tls: &Tls) -> Result<Self, NativeTransportError> {
        let authority = if tls.authority.is_empty() { Authority::System } else { Authority::Only(tls.authority.clone()) };
        let identity = if tls.certificate.is_empty() { None } else { Some(Identity::from_pem(&tls.certificate, &tls.key)?) };
        let client = client_builder(tls_config(&authority, identity.as_ref(), None)?)
            // Of the proxies of an environment none is meant for a cluster that was named by its address.
            .no_proxy()
            .gzip(false)
            .user_agent(concat!("porthole/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let base = base.into();
        Ok(Self { shown: without_credentials(&base), base, client })
    }
}

impl std::fmt::Debug for NativeTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NativeTransport").field("base", &self.shown).finish_non_exhaustive()
    }
}

/// What all HTTP clients of this host have in common.
pub(super) fn client_builder(tls: rustls::ClientConfig) -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        // Redirects are followed here, where it is known what is sent.
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(KEEP_ALIVE)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
}

impl Transport for NativeTransport {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let [url, address] = [&self.base, &self.shown].map(|base| address_of(base, &request.path));
        Box::pin(exchange(self.client.clone(), url, address, request))
    }
}

/// Sends `request` to `url`. Messages name `address`, which holds no credentials.
pub(super) async fn exchange(
    client: reqwest::Client,
    url: String,
    address: String,
    request: Request,
) -> Result<Response, TransportError> {
    let Request { method, mut headers, body, .. } = request;
    let (mut url, mut redirects) = (url, 0);
    let answer = loop {
        let sent = client.request(method.clone(), &url).headers(headers.clone()).body(body.clone()).send();
        let answer = sent.await.map_err(|error| fault(&error.without_url(), address.clone()))?;
        let Some(next) = redirect(&method, &answer) else { break answer };
        if redirects == MOST_REDIRECTS {
            return Err(TransportError::Unreachable { address, message: format!("it redirects more than {redirects} times") });
        }
        redirects += 1;
        if next.origin() != answer.url().origin() {
            // Who we are, and how this server is called, is not for others.
            for name in [header::AUTHORIZATION, header::COOKIE, header::HOST] {
                headers.remove(name);
            }
        }
        url = next.into();
    };
    Ok(streamed(answer))
}

/// Where a connection is put that was taken over.
pub(super) type UpgradeSlot = Arc<Mutex<Option<reqwest::Upgraded>>>;

/// Sends `request`, which asks for another protocol, to `url`; where the server agrees the connection is in `slot`. A redirect is
/// an answer: as in a browser, nobody follows one on the way to a WebSocket.
pub(super) async fn upgrade(
    client: reqwest::Client,
    url: String,
    address: String,
    request: Request,
    slot: &UpgradeSlot,
) -> Result<Response, TransportError> {
    let Request { method, headers, body, .. } = request;
    let sent = client.request(method, &url).headers(headers).body(body).send();
    let answer = sent.await.map_err(|error| fault(&error.without_url(), address.clone()))?;
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Ok(streamed(answer));
    }
    let (status, headers) = (answer.status(), answer.headers().clone());
    let connection =
        answer.upgrade().await.map_err(|error| TransportError::Lost { address, message: with_sources(&error.without_url()) })?;
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
    Ok(Response { status, headers, body: Box::pin(stream::empty()) })
}

fn streamed(answer: reqwest::Response) -> Response {
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer.bytes_stream().map_err(|error| TransportError::Broken { message: with_sources(&error.without_url()) });
    Response { status, headers, body: Box::pin(body) }
}

/// Where an answer sends who reads. Who writes is told of the redirect: a client that follows one changes a write into a read,
/// whose answer then looks like that of the write, or brings the object to another server than the one that was meant. (Go follows
/// both.)
fn redirect(method: &Method, answer: &reqwest::Response) -> Option<reqwest::Url> {
    let is_redirect = matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    if !is_redirect || !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let location = answer.headers().get(header::LOCATION)?.to_str().ok()?;
    answer.url().join(location).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// What kind of fault it is (apimachinery `util/net`: `IsConnectionReset`, `IsProbableEOF`, `IsTimeout`).
fn fault(error: &reqwest::Error, address: String) -> TransportError {
    let message = with_sources(error);
    if error.is_timeout() || causes(error).any(|cause| io_kind(cause) == Some(io::ErrorKind::TimedOut)) {
        return TransportError::TimedOut { address };
    }
    if error.is_builder() {
        return TransportError::Invalid { message };
    }
    if causes(error).any(is_lost) {
        return TransportError::Lost { address, message };
    }
    TransportError::Unreachable { address, message }
}

/// Whether a connection that was there broke.
fn is_lost(cause: &(dyn std::error::Error + 'static)) -> bool {
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return error.is_incomplete_message() || error.is_closed() || error.is_canceled();
    }
    matches!(
        io_kind(cause),
        Some(
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::UnexpectedEof
        )
    )
}

fn io_kind(cause: &(dyn std::error::Error + 'static)) -> Option<io::ErrorKind> {
    cause.downcast_ref::<io::Error>().map(io::Error::kind)
}

fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

/// An error with what caused it: reqwest's own text leaves the cause out.
fn with_sources(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    for cause in causes(error) {
        text.push_str(": ");
        text.push_str(&cause.to_string());
    }
    text
}
