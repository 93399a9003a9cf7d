//! Watches over WebSockets, for whoever watches over a streamed answer.

use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt as _;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::{Request, Response, Socket, SocketAnswer, SocketMessage, SocketRequest, SocketTransport, Transport, TransportError};
use crate::platform::BoxFuture;

/// What is wrong where the server answers, but not to a WebSocket.
const BLOCKED: &str = "the same watch is answered without one, so something between here and the server does not pass \
                       WebSockets: have it pass the header Upgrade, or watch by requests";

/// `inner`, but each watch goes over a WebSocket of `sockets`, whose messages are the lines of the body. What is no watch goes
/// the way it went. So both ways of watching are a [`Transport`], and who watches need not know which.
///
/// The events carry whole objects in JSON, whatever the request accepts: a browser sends no `Accept` with a WebSocket, so
/// none is sent anywhere (apiserver `endpoints/handlers/watch.go`, `HandleWS`, would make tables for one that is). In return a
/// browser does not count WebSockets among its six connections to a server.
///
/// A refusal is the answer that it is over a request. A browser hides it: there the same watch is asked by `inner`, for a
/// second, to tell a refusal, which is the answer then, from a server that cannot be reached, and both from WebSockets that do
/// not get through ([`TransportError::NoSocket`]).
///
/// ```
/// use std::sync::Arc;
/// use futures::StreamExt as _;
/// use porthole_client_core::{
///     meta::GroupVersionResource,
///     object::{Object as _, Unstructured},
///     platform::{FakePlatform, ready},
///     rest::{ApiError, RestClient},
///     transport::{ScriptedOpening, ScriptedSockets, ScriptedTransport, SocketMessage},
/// };
///
/// let sockets = ScriptedSockets::default();
/// let event = r#"{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0"}}}"#;
/// sockets.once("/api/v1/pods?watch=true", ScriptedOpening::messages([SocketMessage::Text(event.into())]));
/// let client = RestClient::new(Arc::new(ScriptedTransport::default()), Arc::new(FakePlatform::default()));
/// let client = client.with_socket_watches(Arc::new(sockets));
///
/// let pods = client.get().resource(&GroupVersionResource::new("", "v1", "pods"));
/// let event = ready(async { pods.watch::<Unstructured>().await.unwrap().next().await }).unwrap().unwrap();
/// assert_eq!(event.object().unwrap().name(), "web-0");
/// ```
#[must_use]
pub fn with_socket_watches(inner: Arc<dyn Transport>, sockets: Arc<dyn SocketTransport>) -> Arc<dyn Transport> {
    Arc::new(SocketWatches { inner, sockets })
}

struct SocketWatches {
    inner: Arc<dyn Transport>,
    sockets: Arc<dyn SocketTransport>,
}

impl Transport for SocketWatches {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        if !is_watch(&request) {
            return self.inner.send(request);
        }
        let mut headers = request.headers.clone();
        headers.remove(header::ACCEPT);
        let opening = self.sockets.open(SocketRequest { path: request.path.clone(), headers, protocols: Vec::new() });
        let inner = Arc::clone(&self.inner);
        Box::pin(async move {
            match opening.await {
                Ok(SocketAnswer::Open(socket)) => Ok(watch(socket)),
                // Where something on the way left out what asks for a WebSocket, this is the watch itself.
                Ok(SocketAnswer::Plain(response)) => Ok(response),
                Err(TransportError::NoSocket { address, .. }) => {
                    let response = inner.send(Request { path: for_a_second(&request.path), ..request }).await?;
                    if response.status.is_success() {
                        return Err(TransportError::NoSocket { address, message: BLOCKED.to_owned() });
                    }
                    Ok(response)
                }
                Err(error) => Err(error),
            }
        })
    }
}

/// The parameters of a path.
fn parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split_once('?').map_or("", |(_, query)| query).split('&')
}

/// Whether the server takes it as a watch (apimachinery `conversion.go`, `Convert_Slice_string_To_bool`).
pub(crate) fn is_watch(request: &Request) -> bool {
    let mut watch = parameters(&request.path).filter_map(|parameter| match parameter.split_once('=') {
        None if parameter == "watch" => Some(""),
        Some(("watch", value)) => Some(value),
        _ => None,
    });
    let is_no = |value: &str| value == "0" || value.eq_ignore_ascii_case("false");
    request.method == Method::GET && watch.next().is_some_and(|value| !is_no(value))
}

/// The same watch, which the server ends soon where we do not.
fn for_a_second(path: &str) -> String {
    let bare = path.split('?').next().unwrap_or(path);
    let kept = parameters(path).filter(|parameter| !parameter.is_empty() && !parameter.starts_with("timeoutSeconds="));
    let query: Vec<&str> = kept.chain(["timeoutSeconds=1"]).collect();
    format!("{bare}?{}", query.join("&"))
}

/// The answer that a watch over a request would have.
fn watch(socket: Socket) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response { status: StatusCode::OK, headers, body: Box::pin(socket.map(|message| message.map(line))) }
}

/// A message as one line. A line break in JSON is between its parts, where a blank is as good.
fn line(message: SocketMessage) -> Bytes {
    let mut bytes = match message {
        SocketMessage::Text(text) => text.into_bytes(),
        SocketMessage::Binary(bytes) => bytes.into(),
    };
    bytes.truncate(bytes.trim_ascii_end().len());
    for byte in &mut bytes {
        if *byte == b'\n' {
            *byte = b' ';
        }
    }
    bytes.push(b'\n');
    bytes.into()
}

#[cfg(test)]
mod tests;
