//! WebSockets: what opens one, and what goes through it.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::{Sink, SinkExt as _, Stream, StreamExt as _};
use http::HeaderMap;

use super::{Response, TransportError, masked};
use crate::platform::{BoxFuture, MaybeSend, MaybeSync};

/// The scheme by which kube-apiserver takes a bearer token as the name of a subprotocol, for browsers, which can send it in no
/// other way (apiserver `pkg/authentication/request/websocket/protocol.go`).
pub(crate) const TOKEN_PROTOCOL: &str = "base64url.bearer.authorization.k8s.io.";

/// What a WebSocket is opened for. The address of the server belongs to the transport. `Debug` shows nothing that says who asks.
#[derive(Clone, Default)]
pub struct SocketRequest {
    /// An absolute path with its query, encoded.
    pub path: String,
    /// Headers to send. A browser sends none with a WebSocket, and there the request fails where there is one.
    pub headers: HeaderMap,
    /// The subprotocols to choose from, the best first; none for a watch.
    pub protocols: Vec<String>,
}

impl SocketRequest {
    /// A request without headers and subprotocols.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }
}

impl fmt::Debug for SocketRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers = masked(&self.headers);
        let is_token = |protocol: &&String| protocol.starts_with(TOKEN_PROTOCOL);
        let protocols: Vec<_> = self.protocols.iter().map(|name| if is_token(&name) { "<masked>" } else { name }).collect();
        write!(formatter, "SocketRequest({}, {headers:?}, {protocols:?})", self.path)
    }
}

/// One message. `Debug` shows its length alone, for it may hold a secret.
#[derive(Clone, PartialEq, Eq)]
pub enum SocketMessage {
    /// A text.
    Text(String),
    /// Bytes.
    Binary(Bytes),
}

impl fmt::Debug for SocketMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "Text({} bytes)", text.len()),
            Self::Binary(bytes) => write!(formatter, "Binary({} bytes)", bytes.len()),
        }
    }
}

/// Both directions of a WebSocket, as a host has them: messages come until the peer closes or an error, which is the last of
/// them. Dropping it closes the connection. Any such stream and sink is one.
pub trait SocketConnection:
    Stream<Item = Result<SocketMessage, TransportError>> + Sink<SocketMessage, Error = TransportError> + MaybeSend + 'static
{
}
impl<T> SocketConnection for T where
    T: Stream<Item = Result<SocketMessage, TransportError>> + Sink<SocketMessage, Error = TransportError> + MaybeSend + 'static
{
}

/// An open WebSocket. As a [`Stream`] it hands out what comes; it ends where the peer closes in good order. As a [`Sink`] it sends,
/// and closing that closes the WebSocket; [`StreamExt::split`](futures::StreamExt::split) makes two of it. Dropping it, or both
/// halves, closes the connection.
///
/// A browser reads a WebSocket whether or not anybody takes the messages, which then wait in memory; a native host reads as it
/// is asked, so that a slow reader slows the server down.
pub struct Socket {
    protocol: String,
    connection: Pin<Box<dyn SocketConnection>>,
}

opaque_debug!(Socket, SocketAnswer);

impl Socket {
    /// A WebSocket over `connection`, for which the server chose `protocol`; an empty one for none.
    #[must_use]
    pub fn new(protocol: impl Into<String>, connection: impl SocketConnection) -> Self {
        Self { protocol: protocol.into(), connection: Box::pin(connection) }
    }

    /// The subprotocol that the server chose; empty where it chose none.
    #[must_use]
    pub fn protocol(&self) -> &str {
        &self.protocol
    }
}

impl Stream for Socket {
    type Item = Result<SocketMessage, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().connection.poll_next_unpin(context)
    }
}

impl Sink<SocketMessage> for Socket {
    type Error = TransportError;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.get_mut().connection.poll_ready_unpin(context)
    }

    fn start_send(self: Pin<&mut Self>, message: SocketMessage) -> Result<(), TransportError> {
        self.get_mut().connection.start_send_unpin(message)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.get_mut().connection.poll_flush_unpin(context)
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.get_mut().connection.poll_close_unpin(context)
    }
}

/// What a server said to a WebSocket.
pub enum SocketAnswer {
    /// It is open.
    Open(Socket),
    /// The server answered as to any request: a refusal mostly, and the answer itself where something on the way leaves the
    /// request to open a WebSocket out. A browser keeps it to itself.
    Plain(Response),
}

/// Opens WebSockets to one server (client-go `transport/websocket`, `NewRoundTripper`). Hosts have one each.
pub trait SocketTransport: MaybeSend + MaybeSync + 'static {
    /// Opens a WebSocket for `request`. Dropping the future gives it up.
    ///
    /// # Errors
    /// [`TransportError::NoSocket`] where it failed and the host does not know why: always in a browser, which tells a refusal
    /// from a server that is not there by nothing (close code 1006). The others where no answer begins.
    fn open(&self, request: SocketRequest) -> BoxFuture<'static, Result<SocketAnswer, TransportError>>;
}

/// What a close means for who still reads: nothing where the peer is done (1000), goes away (1001) or gives no code (1005).
#[cfg(any(
    test,
    feature = "test-util",
    all(feature = "web", target_family = "wasm"),
    all(feature = "native", not(target_family = "wasm"))
))]
pub(crate) fn closed(code: u16, reason: &str) -> Option<TransportError> {
    if matches!(code, 1000 | 1001 | 1005) {
        return None;
    }
    let colon = if reason.is_empty() { "" } else { ": " };
    Some(TransportError::Broken { message: format!("the WebSocket was closed with code {code}{colon}{reason}") })
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header};

    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn who_asks_and_what_is_said_show_nowhere() {
        let mut request = SocketRequest::new("/api");
        request.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer s3cr3t"));
        request.protocols = vec![format!("{TOKEN_PROTOCOL}s3cr3t"), "v5.channel.k8s.io".into()];
        let shown = format!("{request:?}");
        assert!(shown.contains("/api") && shown.contains("v5.channel.k8s.io") && !shown.contains("s3cr3t"), "{shown}");
        for message in [SocketMessage::Text("s3cr3t".into()), SocketMessage::Binary("s3cr3t".into())] {
            assert!(format!("{message:?}").ends_with("(6 bytes)"), "{message:?}");
        }
    }

    #[test]
    fn a_close_in_good_order_is_an_end_and_any_other_says_its_code() {
        assert!([1000, 1001, 1005].iter().all(|&code| closed(code, "bye").is_none()));
        let words = |code, reason| closed(code, reason).unwrap().to_string();
        assert!(words(1006, "").ends_with("the WebSocket was closed with code 1006"));
        assert!(words(1011, "no etcd").ends_with("the WebSocket was closed with code 1011: no etcd"));
    }
}
