//! WebSockets that a test scripts.

use std::{
    collections::{HashMap, VecDeque},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use futures::{Sink, Stream, StreamExt as _, stream};
use http::StatusCode;

use super::{
    ScriptedAnswer, Socket, SocketAnswer, SocketMessage, SocketRequest, SocketTransport, TransportError,
    scripted::{bare, told},
    socket::closed,
};
use crate::platform::{BoxFuture, BoxStream, MaybeSend};

/// What a [`ScriptedSockets`] answers to one WebSocket.
pub struct ScriptedOpening(Outcome);

enum Outcome {
    Open { protocol: String, messages: Messages },
    Plain(ScriptedAnswer),
    Failed(TransportError),
}

type Messages = BoxStream<'static, Result<SocketMessage, TransportError>>;

opaque_debug!(ScriptedOpening);

impl ScriptedOpening {
    /// It opens; these messages come, and then the server closes in good order.
    #[must_use]
    pub fn messages<I>(messages: I) -> Self
    where
        I: IntoIterator<Item = SocketMessage>,
        I::IntoIter: MaybeSend + 'static,
    {
        Self::stream(stream::iter(messages.into_iter().map(Ok)))
    }

    /// It opens, and what comes of `messages` comes: that of a channel, say. Its end is the end of the WebSocket.
    #[must_use]
    pub fn stream(messages: impl Stream<Item = Result<SocketMessage, TransportError>> + MaybeSend + 'static) -> Self {
        Self(Outcome::Open { protocol: String::new(), messages: Box::pin(messages) })
    }

    /// The same, and after the messages the server closes with this code.
    #[must_use]
    pub fn then_closed(mut self, code: u16, reason: &str) -> Self {
        if let Outcome::Open { messages, .. } = &mut self.0 {
            let before = std::mem::replace(messages, Box::pin(stream::empty()));
            *messages = Box::pin(before.chain(stream::iter(closed(code, reason).map(Err))));
        }
        self
    }

    /// The same, and the server chooses this subprotocol.
    #[must_use]
    pub fn with_protocol(mut self, chosen: &str) -> Self {
        if let Outcome::Open { protocol, .. } = &mut self.0 {
            chosen.clone_into(protocol);
        }
        self
    }

    /// No WebSocket, but an answer as to any request: what a native host hears of a refusal.
    #[must_use]
    pub fn plain(answer: ScriptedAnswer) -> Self {
        Self(Outcome::Plain(answer))
    }

    /// It does not open, and nobody knows why: what a browser says of a refusal, and of a server that is not there.
    #[must_use]
    pub fn unexplained() -> Self {
        Self::error(TransportError::NoSocket { address: "the script".to_owned(), message: "code 1006".to_owned() })
    }

    /// It does not open, with this error.
    #[must_use]
    pub fn error(error: TransportError) -> Self {
        Self(Outcome::Failed(error))
    }
}

/// WebSockets for tests, answered by path. Clones share the script, so a test keeps one and gives the client another.
///
/// Paths are those of a [`ScriptedTransport`](super::ScriptedTransport). What has no answer gets a plain 404.
///
/// ```
/// use futures::{SinkExt as _, StreamExt as _};
/// use porthole_client_core::{
///     platform::ready,
///     transport::{ScriptedOpening, ScriptedSockets, SocketAnswer, SocketMessage, SocketRequest, SocketTransport as _},
/// };
///
/// let sockets = ScriptedSockets::default();
/// sockets.once("/exec", ScriptedOpening::messages([SocketMessage::Text("out".into())]));
/// let Ok(SocketAnswer::Open(mut socket)) = ready(sockets.open(SocketRequest::new("/exec"))) else { unreachable!() };
///
/// ready(socket.send(SocketMessage::Text("in".into()))).unwrap();
/// assert_eq!(ready(socket.next()).unwrap().unwrap(), SocketMessage::Text("out".into()));
/// assert_eq!(sockets.sent(), [SocketMessage::Text("in".into())]);
/// drop(socket);
/// assert_eq!(sockets.open_now(), 0);
/// ```
#[derive(Clone, Default)]
pub struct ScriptedSockets(Arc<Mutex<Script>>);

#[derive(Default)]
struct Script {
    queued: HashMap<String, VecDeque<ScriptedOpening>>,
    requests: Vec<SocketRequest>,
    sent: Vec<SocketMessage>,
    open: usize,
}

opaque_debug!(ScriptedSockets);

impl ScriptedSockets {
    /// The next WebSocket for `path` gets this answer; those of one path are given in the order they were put in.
    pub fn once(&self, path: impl Into<String>, opening: ScriptedOpening) {
        self.lock().queued.entry(path.into()).or_default().push_back(opening);
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<SocketRequest> {
        self.lock().requests.clone()
    }

    /// What was sent through all of them, in order.
    #[must_use]
    pub fn sent(&self) -> Vec<SocketMessage> {
        self.lock().sent.clone()
    }

    /// How many WebSockets are neither closed nor dropped.
    #[must_use]
    pub fn open_now(&self) -> usize {
        self.lock().open
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SocketTransport for ScriptedSockets {
    fn open(&self, request: SocketRequest) -> BoxFuture<'static, Result<SocketAnswer, TransportError>> {
        let mut script = self.lock();
        let keys = [told(&request.path), bare(&request.path).to_owned()];
        let opening = keys.iter().find_map(|key| script.queued.get_mut(key).and_then(VecDeque::pop_front));
        script.requests.push(request);
        drop(script);
        let this = self.clone();
        Box::pin(async move {
            match opening.map(|opening| opening.0) {
                Some(Outcome::Open { protocol, messages }) => {
                    Ok(SocketAnswer::Open(Socket::new(protocol, Scripted::new(this, messages))))
                }
                Some(Outcome::Plain(answer)) => Ok(SocketAnswer::Plain(answer.into_response()?)),
                Some(Outcome::Failed(error)) => Err(error),
                None => Ok(SocketAnswer::Plain(ScriptedAnswer::status(StatusCode::NOT_FOUND).into_response()?)),
            }
        })
    }
}

/// A WebSocket through which these messages come; what is sent goes nowhere.
#[cfg(any(test, feature = "fake"))]
pub(crate) fn receiving(messages: impl Stream<Item = Result<SocketMessage, TransportError>> + MaybeSend + 'static) -> Socket {
    Socket::new("", Scripted::new(ScriptedSockets::default(), Box::pin(messages)))
}

/// One end of a scripted WebSocket.
struct Scripted {
    sockets: ScriptedSockets,
    messages: Option<Messages>,
}

impl Scripted {
    fn new(sockets: ScriptedSockets, messages: Messages) -> Self {
        sockets.lock().open += 1;
        Self { sockets, messages: Some(messages) }
    }

    fn close(&mut self) {
        if self.messages.take().is_some() {
            self.sockets.lock().open -= 1;
        }
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.close();
    }
}

impl Stream for Scripted {
    type Item = Result<SocketMessage, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().messages.as_mut().map_or(Poll::Ready(None), |messages| messages.poll_next_unpin(context))
    }
}

impl Sink<SocketMessage> for Scripted {
    type Error = TransportError;

    fn poll_ready(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        let broken = || TransportError::Broken { message: "the WebSocket is closed".to_owned() };
        Poll::Ready(self.messages.as_ref().map(drop).ok_or_else(broken))
    }

    fn start_send(self: Pin<&mut Self>, message: SocketMessage) -> Result<(), TransportError> {
        self.sockets.lock().sent.push(message);
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.get_mut().close();
        Poll::Ready(Ok(()))
    }
}
