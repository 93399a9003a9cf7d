//! WebSockets of a page or a worker.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use futures::{
    Sink, Stream, StreamExt as _,
    channel::mpsc::{UnboundedReceiver, unbounded},
};
use js_sys::{Array, JsString, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{BinaryType, CloseEvent, MessageEvent, WebSocket};

use super::{connector::own_origin, words::words};
use crate::{
    config::PageConfig,
    platform::BoxFuture,
    transport::{
        Socket, SocketAnswer, SocketMessage, SocketRequest, SocketTransport, TOKEN_PROTOCOL, TransportError, address_of, closed,
    },
};

/// What is asked for beside a token, where nothing is: the server gives back one subprotocol that is no token, and wants one.
const BESIDE_A_TOKEN: &str = "binary.k8s.io";

/// Opens WebSockets to what a page connects to: its own origin, or a server elsewhere with a token. The token goes as the name of a
/// subprotocol, because a browser sends no header with a WebSocket. Unlike requests, WebSockets need no leave of the server (CORS).
///
/// The browser counts them apart from its six connections to a server. It says nothing of why one does not open, and reads one as
/// fast as it can: there is no way to slow the server down. To a server that asks for a client's certificate, as kube-apiserver does,
/// Chromium opens a WebSocket only after a request of a page was answered there, and so it is with requests of a worker; through
/// `kubectl proxy` nothing asks for one.
///
/// ```no_run
/// use std::sync::Arc;
/// use porthole_client_core::{config::PageConfig, host::web::{WebSocketTransport, connect}};
///
/// let config = PageConfig::own_origin();
/// let client = connect(&config)?.with_socket_watches(Arc::new(WebSocketTransport::new(&config)));
/// # Ok::<(), porthole_client_core::transport::TransportError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WebSocketTransport {
    config: PageConfig,
}

impl WebSocketTransport {
    /// WebSockets to what `config` says.
    #[must_use]
    pub fn new(config: &PageConfig) -> Self {
        Self { config: config.clone() }
    }

    /// The subprotocols to ask for, the token first; whether there is one.
    fn protocols(&self, mut asked: Vec<String>) -> (Vec<String>, bool) {
        let Some(token) = self.config.token() else { return (asked, false) };
        if asked.is_empty() {
            asked.push(BESIDE_A_TOKEN.to_owned());
        }
        asked.insert(0, format!("{TOKEN_PROTOCOL}{}", URL_SAFE_NO_PAD.encode(token.expose())));
        (asked, true)
    }
}

impl SocketTransport for WebSocketTransport {
    fn open(&self, request: SocketRequest) -> BoxFuture<'static, Result<SocketAnswer, TransportError>> {
        let base = match self.config.base() {
            own if own.is_empty() => own_origin(),
            base => base,
        };
        let address = address_of(&base, &request.path);
        let header = request.headers.keys().next().cloned();
        let (protocols, has_token) = self.protocols(request.protocols);
        Box::pin(async move {
            if let Some(name) = header {
                return Err(TransportError::Invalid { message: format!("a browser sends no header {name} with a WebSocket") });
            }
            let protocols: Array = protocols.iter().map(|name| JsValue::from_str(name)).collect();
            // `http` becomes `ws`, `https` becomes `wss`.
            let url = format!("ws{}", address.strip_prefix("http").unwrap_or(&address));
            let socket = WebSocket::new_with_str_sequence(&url, &protocols).map_err(|error| {
                // What the browser says of a subprotocol names it.
                let message = if has_token { "the browser does not allow it".to_owned() } else { words(&error) };
                TransportError::Invalid { message: format!("a WebSocket to {address}: {message}") }
            })?;
            let mut connection = Connection::of(socket);
            match connection.events.next().await {
                Some(Event::Open) => Ok(SocketAnswer::Open(Socket::new(connection.socket.protocol(), connection))),
                other => {
                    let code = if let Some(Event::Closed(code, _)) = other { code } else { 1006 };
                    let message = format!("it was closed with code {code} before it opened, and the browser does not say why");
                    Err(TransportError::NoSocket { address, message })
                }
            }
        })
    }
}

/// What a browser says of a WebSocket.
enum Event {
    Open,
    Message(SocketMessage),
    Closed(u16, String),
}

/// A WebSocket of the browser, closed when it is dropped.
struct Connection {
    socket: WebSocket,
    events: UnboundedReceiver<Event>,
    ended: bool,
    _on_open: Closure<dyn FnMut()>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_close: Closure<dyn FnMut(CloseEvent)>,
}

impl Connection {
    fn of(socket: WebSocket) -> Self {
        socket.set_binary_type(BinaryType::Arraybuffer);
        let (sender, events) = unbounded();
        // Whoever no longer listens has closed the WebSocket.
        let tell = move |event| {
            sender.unbounded_send(event).ok();
        };
        let on_open = Closure::new({
            let tell = tell.clone();
            move || tell(Event::Open)
        });
        let on_message = Closure::new({
            let tell = tell.clone();
            move |event: MessageEvent| tell(Event::Message(message(event.data())))
        });
        let on_close = Closure::new(move |event: CloseEvent| tell(Event::Closed(event.code(), event.reason())));
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        Self { socket, events, ended: false, _on_open: on_open, _on_message: on_message, _on_close: on_close }
    }
}

fn message(data: JsValue) -> SocketMessage {
    match data.dyn_into::<JsString>() {
        Ok(text) => SocketMessage::Text(text.into()),
        Err(buffer) => SocketMessage::Binary(Bytes::from(Uint8Array::new(&buffer).to_vec())),
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        // Without a code there is nothing that can be wrong with it.
        self.socket.close().ok();
    }
}

impl Stream for Connection {
    type Item = Result<SocketMessage, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if this.ended {
            return Poll::Ready(None);
        }
        this.events.poll_next_unpin(context).map(|event| match event {
            Some(Event::Message(message)) => Some(Ok(message)),
            Some(Event::Closed(code, reason)) => {
                this.ended = true;
                closed(code, &reason).map(Err)
            }
            // It opens once, before anybody reads.
            Some(Event::Open) | None => None,
        })
    }
}

impl Sink<SocketMessage> for Connection {
    type Error = TransportError;

    fn poll_ready(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // What is sent after that the browser drops, and says nothing.
        let is_open = self.socket.ready_state() == WebSocket::OPEN;
        let broken = || TransportError::Broken { message: "the WebSocket is closed".to_owned() };
        Poll::Ready(if is_open { Ok(()) } else { Err(broken()) })
    }

    fn start_send(self: Pin<&mut Self>, message: SocketMessage) -> Result<(), TransportError> {
        let sent = match message {
            SocketMessage::Text(text) => self.socket.send_with_str(&text),
            SocketMessage::Binary(bytes) => self.socket.send_with_u8_array(&bytes),
        };
        sent.map_err(|error| TransportError::Broken { message: words(&error) })
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // The browser takes all there is, and sends it when it can.
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(self.socket.close_with_code(1000).map_err(|error| TransportError::Broken { message: words(&error) }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::{host::web::connect, object::Unstructured, rest::ApiError};

    #[wasm_bindgen_test]
    fn a_token_goes_as_a_subprotocol_beside_another() {
        let config = PageConfig::typed("https://127.0.0.1:1", "a?b>c").unwrap();
        let sockets = WebSocketTransport::new(&config);
        let token = format!("{TOKEN_PROTOCOL}YT9iPmM");
        assert_eq!(sockets.protocols(Vec::new()).0, [token.clone(), BESIDE_A_TOKEN.into()]);
        assert_eq!(sockets.protocols(vec!["v5.channel.k8s.io".into()]).0, [token, "v5.channel.k8s.io".into()]);
        assert!(WebSocketTransport::new(&PageConfig::own_origin()).protocols(Vec::new()).0.is_empty());
        assert!(!format!("{sockets:?}").contains("a?b>c"));
    }

    async fn failed(config: &PageConfig, request: SocketRequest) -> TransportError {
        WebSocketTransport::new(config).open(request).await.err().unwrap()
    }

    #[wasm_bindgen_test]
    async fn what_a_browser_cannot_send_is_refused_before_it_is_sent() {
        let mut request = SocketRequest::new("/");
        request.headers.insert(http::header::AUTHORIZATION, http::HeaderValue::from_static("Bearer s3cr3t"));
        let error = failed(&PageConfig::own_origin(), request).await.to_string();
        assert!(error.contains("no header authorization") && !error.contains("s3cr3t"), "{error}");
        let twice = vec!["a".to_owned(), "a".to_owned()];
        let config = PageConfig::typed("https://127.0.0.1:1", "s3cr3t").unwrap();
        let error = failed(&config, SocketRequest { protocols: twice, ..SocketRequest::new("/") }).await;
        assert!(matches!(&error, TransportError::Invalid { .. }), "{error}");
        assert!(!error.to_string().contains(&URL_SAFE_NO_PAD.encode("s3cr3t")), "{error}");
    }

    #[wasm_bindgen_test]
    async fn what_does_not_open_says_where_and_with_which_code() {
        let own = failed(&PageConfig::own_origin(), SocketRequest::new("/no-socket")).await;
        let elsewhere = failed(&PageConfig::typed("https://127.0.0.1:1", "t").unwrap(), SocketRequest::new("/no-socket")).await;
        for (error, place) in [(own, own_origin()), (elsewhere, "https://127.0.0.1:1".to_owned())] {
            let TransportError::NoSocket { address, message } = &error else { panic!("{error}") };
            assert_eq!(*address, format!("{place}/no-socket"));
            assert!(message.contains("1006"), "{message}");
        }
    }

    async fn watched(path: &str) -> ApiError {
        let config = PageConfig::own_origin();
        let client = connect(&config).unwrap().with_socket_watches(Arc::new(WebSocketTransport::new(&config)));
        client.get().absolute_path(path).watch::<Unstructured>().await.err().unwrap()
    }

    #[wasm_bindgen_test]
    async fn a_refusal_is_told_from_a_server_that_passes_no_web_sockets() {
        // The server of these tests knows none, has something at its root, and answers 404 to the rest.
        let error = watched("/").await;
        assert!(matches!(&error, ApiError::Transport(TransportError::NoSocket { .. })), "{error:?}");
        assert!(error.to_string().contains("does not pass WebSockets"), "{error}");
        let error = watched("/nothing-is-here").await;
        assert!(error.is_not_found(), "{error:?}");
    }
}
