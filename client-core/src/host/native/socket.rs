//! WebSockets over the connections of requests: one begins as a request, and the connection is taken over.

use std::{
    pin::Pin,
    sync::{Arc, PoisonError},
    task::{Context, Poll, ready},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use futures::{Sink, SinkExt as _, Stream, StreamExt as _};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use reqwest::Upgraded;
use sha1::{Digest as _, Sha1};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        self, Message,
        protocol::{CloseFrame, Role, frame::coding::CloseCode},
    },
};

use super::{NativeTransportError, http::UpgradeSlot, layers::Layers, pooled::Pooled};
use crate::{
    platform::{BoxFuture, Platform},
    transport::{
        Request, Socket, SocketAnswer, SocketMessage, SocketRequest, SocketTransport, TransportError, address_of, closed,
    },
};

/// What proves that the server knows WebSockets (RFC 6455, 1.3).
const ACCEPT_SEED: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Opens WebSockets with the connections and layers of a configuration. It relies on them to speak HTTP/1.1, which this host does.
pub(super) struct NativeSockets {
    pooled: Pooled,
    layers: Arc<Layers>,
    origin: HeaderValue,
    platform: Arc<dyn Platform>,
}

impl NativeSockets {
    /// # Errors
    /// Where no header can hold a part of the configuration.
    pub(super) fn new(pooled: Pooled, layers: Layers, platform: &Arc<dyn Platform>) -> Result<Self, NativeTransportError> {
        layers.wrap(Arc::new(pooled.clone()))?;
        let origin = HeaderValue::from_str(origin_of(&pooled.address))
            .map_err(|error| TransportError::Invalid { message: format!("the address of the server: {error}") })?;
        Ok(Self { pooled, layers: Arc::new(layers), origin, platform: Arc::clone(platform) })
    }

    /// Sixteen random bytes, which a server gives back changed.
    fn key(&self) -> String {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of 256 is a byte")]
        let byte = || (self.platform.random() * 256.0) as u8;
        STANDARD.encode(std::array::from_fn::<u8, 16, _>(|_| byte()))
    }

    fn headers(&self, request: &SocketRequest, key: &str) -> Result<HeaderMap, TransportError> {
        let unsendable = |what: &str| TransportError::Invalid { message: format!("{what} has characters that no header has") };
        let mut headers = request.headers.clone();
        headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        let key = HeaderValue::from_str(key).map_err(|_no_reason| unsendable("the key"))?;
        headers.insert(header::SEC_WEBSOCKET_KEY, key);
        if !request.protocols.is_empty() {
            let protocols =
                HeaderValue::from_str(&request.protocols.join(", ")).map_err(|_no_reason| unsendable("a subprotocol"))?;
            headers.insert(header::SEC_WEBSOCKET_PROTOCOL, protocols);
        }
        // The API server watches over no WebSocket without it, as if any client were a page.
        headers.entry(header::ORIGIN).or_insert_with(|| self.origin.clone());
        Ok(headers)
    }
}

/// Scheme, host and port of an address.
fn origin_of(address: &str) -> &str {
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address.get(start..).and_then(|rest| rest.find('/'));
    end.and_then(|end| address.get(..start + end)).unwrap_or(address)
}

impl SocketTransport for NativeSockets {
    fn open(&self, request: SocketRequest) -> BoxFuture<'static, Result<SocketAnswer, TransportError>> {
        let key = self.key();
        let headers = self.headers(&request, &key);
        let (pooled, layers) = (self.pooled.clone(), Arc::clone(&self.layers));
        let address = address_of(&self.pooled.address, &request.path);
        Box::pin(async move {
            let slot = UpgradeSlot::default();
            let lowest = Arc::new(Pooled { upgraded: Some(Arc::clone(&slot)), ..pooled });
            let plain = Request { method: Method::GET, path: request.path, headers: headers?, body: Bytes::new() };
            let response = layers.wrap(lowest)?.send(plain).await?;
            if response.status != StatusCode::SWITCHING_PROTOCOLS {
                return Ok(SocketAnswer::Plain(response));
            }
            let no_socket = |message: &str| TransportError::NoSocket { address, message: message.to_owned() };
            if response.headers.get(header::SEC_WEBSOCKET_ACCEPT).is_none_or(|accept| *accept != accept_of(&key)) {
                return Err(no_socket("the answer agrees to something else"));
            }
            let chosen = response.headers.get(header::SEC_WEBSOCKET_PROTOCOL).map(HeaderValue::to_str);
            let protocol = chosen.transpose().ok().flatten().unwrap_or_default();
            if !protocol.is_empty() && !request.protocols.iter().any(|asked| asked == protocol) {
                return Err(no_socket("the server chose a subprotocol that it was not asked for"));
            }
            let upgraded = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
            let connection = upgraded.ok_or_else(|| no_socket("the answer is not of the connection"))?;
            let stream = WebSocketStream::from_raw_socket(connection, Role::Client, None).await;
            Ok(SocketAnswer::Open(Socket::new(protocol, Connection { stream, ended: false, closing: false })))
        })
    }
}

pub(super) fn accept_of(key: &str) -> String {
    STANDARD.encode(Sha1::new().chain_update(key).chain_update(ACCEPT_SEED).finalize())
}

/// A WebSocket over the connection of a request.
struct Connection {
    stream: WebSocketStream<Upgraded>,
    /// Whether nothing comes any more.
    ended: bool,
    /// Whether we have said that we close.
    closing: bool,
}

fn broken(error: &tungstenite::Error) -> TransportError {
    TransportError::Broken { message: format!("the WebSocket: {error}") }
}

impl Stream for Connection {
    type Item = Result<SocketMessage, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        while !this.ended {
            match ready!(this.stream.poll_next_unpin(context)) {
                Some(Ok(Message::Text(text))) => return Poll::Ready(Some(Ok(SocketMessage::Text(text.as_str().to_owned())))),
                Some(Ok(Message::Binary(bytes))) => return Poll::Ready(Some(Ok(SocketMessage::Binary(bytes)))),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(frame))) => {
                    this.ended = true;
                    let error = frame.and_then(|frame| closed(frame.code.into(), frame.reason.as_str()));
                    return Poll::Ready(error.map(Err));
                }
                None | Some(Err(tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed)) => this.ended = true,
                Some(Err(error)) => {
                    this.ended = true;
                    return Poll::Ready(Some(Err(broken(&error))));
                }
            }
        }
        Poll::Ready(None)
    }
}

impl Sink<SocketMessage> for Connection {
    type Error = TransportError;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.get_mut().stream.poll_ready_unpin(context).map_err(|error| broken(&error))
    }

    fn start_send(self: Pin<&mut Self>, message: SocketMessage) -> Result<(), TransportError> {
        let message = match message {
            SocketMessage::Text(text) => Message::Text(text.into()),
            SocketMessage::Binary(bytes) => Message::Binary(bytes),
        };
        self.get_mut().stream.start_send_unpin(message).map_err(|error| broken(&error))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.get_mut().stream.poll_flush_unpin(context).map_err(|error| broken(&error))
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        let this = self.get_mut();
        if !this.closing {
            ready!(this.stream.poll_ready_unpin(context)).map_err(|error| broken(&error))?;
            this.closing = true;
            let frame = CloseFrame { code: CloseCode::Normal, reason: "".into() };
            this.stream.start_send_unpin(Message::Close(Some(frame))).map_err(|error| broken(&error))?;
        }
        this.stream.poll_flush_unpin(context).map_err(|error| broken(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_a_key_is_that_of_the_standard() {
        assert_eq!(accept_of("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn an_origin_is_an_address_without_its_path() {
        for (address, origin) in [
            ("https://127.0.0.1:6443", "https://127.0.0.1:6443"),
            ("https://gateway/clusters/one", "https://gateway"),
            ("http://[::1]:8001/", "http://[::1]:8001"),
        ] {
            assert_eq!(origin_of(address), origin);
        }
    }
}
