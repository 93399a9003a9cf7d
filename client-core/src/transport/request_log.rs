//! The last requests, with their timings.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures::Stream;
use http::Method;

use super::{Body, Request, Response, Transport, TransportError, TransportLayer};
use crate::platform::{BoxFuture, Instant, Platform};

/// How many finished requests are kept.
const KEPT: usize = 200;

/// What is sent and when: a layer that keeps the last 200 requests that are over, all that are not, and what became of all by verb
/// and code. client-go has its parts in `transport/round_trippers.go` (`debuggingRoundTripper`) and `tools/metrics`. Clones are the
/// same log.
///
/// Unlike an [`ExchangeObserver`](super::ExchangeObserver) it sees the bodies come. It keeps no headers, no bodies, and of a query
/// only parameters that are known to hold no secret. WebSockets that are opened beside the transport it does not see; watches
/// are in it where it is put above [`with_socket_watches`](super::with_socket_watches).
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     platform::{FakePlatform, ready},
///     rest::RestClient,
///     transport::{RequestLog, ScriptedAnswer, ScriptedTransport, TransportLayer},
/// };
///
/// let (server, platform) = (ScriptedTransport::default(), Arc::new(FakePlatform::default()));
/// server.always("/version", ScriptedAnswer::text("{}"));
/// let log = RequestLog::new(platform.clone());
/// let client = RestClient::new(log.wrap(Arc::new(server)), platform);
/// ready(client.get().absolute_path("/version").send()).unwrap();
/// let seen = log.finished();
/// assert_eq!((seen[0].path.as_str(), seen[0].code, seen[0].bytes), ("/version?pretty=false", Some(200), 2));
/// ```
#[derive(Clone)]
pub struct RequestLog {
    platform: Arc<dyn Platform>,
    state: Arc<Mutex<State>>,
}

opaque_debug!(RequestLog);

#[derive(Default)]
struct State {
    last_number: u64,
    open: Vec<LoggedRequest>,
    finished: VecDeque<LoggedRequest>,
    totals: Vec<RequestTotal>,
}

/// One request, as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Tells it from others of its log; the later the higher.
    pub number: u64,
    /// The verb.
    pub method: Method,
    /// The path and the query, whose unknown values are masked.
    pub path: String,
    /// The code of the answer; `None` before it is there, and where there was none.
    pub code: Option<u16>,
    /// When it was sent.
    pub began: Instant,
    /// When the head of the answer was there.
    pub answered: Option<Instant>,
    /// When the first bytes of the body came.
    pub first_byte: Option<Instant>,
    /// When it was over; `None` while it is open.
    pub ended: Option<Instant>,
    /// The bytes of the body that came so far.
    pub bytes: u64,
    /// Whether it is a watch or follows a log: such a one stays open for long.
    pub is_stream: bool,
    /// How it ended.
    pub end: RequestEnd,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RequestEnd {
    /// Not yet.
    #[default]
    Open,
    /// The answer came whole, whatever its code.
    Whole,
    /// There was no answer, or it broke off.
    Broken,
    /// Who asked gave it up.
    GivenUp,
}

/// What became of all requests of one verb that ended with one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestTotal {
    /// The verb.
    pub method: Method,
    /// The code; `None` for those without an answer.
    pub code: Option<u16>,
    /// How many are over.
    pub count: u64,
    /// The bytes of their bodies.
    pub bytes: u64,
    /// What they took together: see [`LoggedRequest::took`].
    pub time: Duration,
    /// What the slowest took.
    pub worst: Duration,
}

impl LoggedRequest {
    /// How long it took: to its end, or, of a stream, to the head of its answer. `None` before that.
    #[must_use]
    pub fn took(&self) -> Option<Duration> {
        let end = if self.is_stream { self.answered.or(self.ended) } else { self.ended };
        end.map(|end| end.since(self.began))
    }

    /// Whether it is not over.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.ended.is_none()
    }
}

impl RequestLog {
    /// A log by the clock of `platform`.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        Self { platform, state: Arc::default() }
    }

    /// The requests that are not over, in the order in which they were sent.
    #[must_use]
    pub fn open(&self) -> Vec<LoggedRequest> {
        self.state().open.clone()
    }

    /// The last requests that are over, in the order in which they ended.
    #[must_use]
    pub fn finished(&self) -> Vec<LoggedRequest> {
        self.state().finished.iter().cloned().collect()
    }

    /// What became of all requests that are over, also of those that are not kept.
    #[must_use]
    pub fn totals(&self) -> Vec<RequestTotal> {
        self.state().totals.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, request: &Request) -> Entry {
        let mut state = self.state();
        state.last_number += 1;
        let number = state.last_number;
        state.open.push(LoggedRequest {
            number,
            method: request.method.clone(),
            path: without_secrets(&request.path),
            code: None,
            began: self.platform.now(),
            answered: None,
            first_byte: None,
            ended: None,
            bytes: 0,
            is_stream: is_stream(request),
            end: RequestEnd::Open,
        });
        drop(state);
        Entry { log: self.clone(), number }
    }
}

impl TransportLayer for RequestLog {
    fn wrap(&self, inner: Arc<dyn Transport>) -> Arc<dyn Transport> {
        Arc::new(Logged { inner, log: self.clone() })
    }
}

struct Logged {
    inner: Arc<dyn Transport>,
    log: RequestLog,
}

impl Transport for Logged {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let entry = self.log.begin(&request);
        let answer = self.inner.send(request);
        Box::pin(async move {
            match answer.await {
                Ok(Response { status, headers, body }) => {
                    entry.note(|request, now| {
                        request.code = Some(status.as_u16());
                        request.answered = Some(now);
                    });
                    Ok(Response { status, headers, body: Box::pin(LoggedBody { body, entry }) })
                }
                Err(error) => {
                    entry.end(RequestEnd::Broken);
                    Err(error)
                }
            }
        })
    }
}

/// A request that is open. Who drops it before its end has given it up.
struct Entry {
    log: RequestLog,
    number: u64,
}

impl Entry {
    fn note(&self, note: impl FnOnce(&mut LoggedRequest, Instant)) {
        let now = self.log.platform.now();
        if let Some(request) = self.log.state().open.iter_mut().find(|request| request.number == self.number) {
            note(request, now);
        }
    }

    /// Ends it; once it has ended nothing is changed any more.
    fn end(&self, end: RequestEnd) {
        let now = self.log.platform.now();
        let mut state = self.log.state();
        let Some(index) = state.open.iter().position(|request| request.number == self.number) else { return };
        let mut request = state.open.remove(index);
        (request.ended, request.end) = (Some(now), end);
        let took = request.took().unwrap_or_default();
        let known = state.totals.iter().position(|total| total.method == request.method && total.code == request.code);
        let place = known.unwrap_or(state.totals.len());
        if known.is_none() {
            let (method, code) = (request.method.clone(), request.code);
            state.totals.push(RequestTotal { method, code, count: 0, bytes: 0, time: Duration::ZERO, worst: Duration::ZERO });
        }
        if let Some(total) = state.totals.get_mut(place) {
            total.count += 1;
            total.bytes += request.bytes;
            total.time += took;
            total.worst = total.worst.max(took);
        }
        if state.finished.len() == KEPT {
            state.finished.pop_front();
        }
        state.finished.push_back(request);
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.end(RequestEnd::GivenUp);
    }
}

struct LoggedBody {
    body: Body,
    entry: Entry,
}

impl Stream for LoggedBody {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = self.body.as_mut().poll_next(context);
        match &chunk {
            Poll::Ready(Some(Ok(chunk))) => self.entry.note(|request, now| {
                request.bytes += chunk.len() as u64;
                request.first_byte.get_or_insert(now);
            }),
            Poll::Ready(Some(Err(_))) => self.entry.end(RequestEnd::Broken),
            Poll::Ready(None) => self.entry.end(RequestEnd::Whole),
            Poll::Pending => {}
        }
        chunk
    }
}

/// Whether the answer comes for as long as something happens.
fn is_stream(request: &Request) -> bool {
    let query = request.path.split_once('?').map_or("", |(_, query)| query);
    super::socket_watch::is_watch(request) || query.split('&').any(|parameter| parameter == "follow=true")
}

/// The path, and of its query the values of parameters that Kubernetes knows and that hold no secret. Others may: those of a service
/// behind the server's proxy, or of a command.
fn without_secrets(path: &str) -> String {
    const SHOWN: &str = " allowWatchBookmarks container dryRun fieldManager fieldSelector fieldValidation follow force \
                         gracePeriodSeconds includeObject labelSelector limit limitBytes orphanDependents pretty previous \
                         propagationPolicy resourceVersion resourceVersionMatch sendInitialEvents sinceSeconds sinceTime tailLines \
                         timeout timeoutSeconds timestamps watch ";
    let Some((path, query)) = path.split_once('?') else { return path.to_owned() };
    let is_proxied = path.split('/').any(|segment| segment == "proxy");
    let mut text = path.to_owned();
    for (index, parameter) in query.split('&').enumerate() {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let is_shown = !is_proxied && SHOWN.split(' ').any(|shown| shown == name);
        let parts = [if index == 0 { "?" } else { "&" }, name, "=", if is_shown { value } else { "<masked>" }];
        text.extend(parts);
    }
    text
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt as _, StreamExt as _, channel::mpsc};
    use http::StatusCode;

    use super::*;
    use crate::{
        platform::{FakePlatform, ready},
        transport::{ScriptedAnswer, ScriptedTransport, read_to_end},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    struct Bench {
        platform: FakePlatform,
        server: ScriptedTransport,
        log: RequestLog,
        transport: Arc<dyn Transport>,
    }

    fn bench() -> Bench {
        let (platform, server) = (FakePlatform::default(), ScriptedTransport::default());
        let log = RequestLog::new(Arc::new(platform.clone()));
        let transport = log.wrap(Arc::new(server.clone()));
        Bench { platform, server, log, transport }
    }

    /// A server whose answers are channels.
    struct Slow(Mutex<Option<mpsc::UnboundedReceiver<Result<Bytes, TransportError>>>>);

    impl Transport for Slow {
        fn send(&self, _request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
            let body = Box::pin(self.0.lock().unwrap().take().unwrap());
            Box::pin(async { Ok(Response { status: StatusCode::OK, headers: http::HeaderMap::new(), body }) })
        }
    }

    fn after(request: &LoggedRequest, time: Option<Instant>) -> Option<u64> {
        time.map(|time| u64::try_from(time.since(request.began).as_millis()).unwrap())
    }

    #[test]
    fn a_request_is_open_until_its_body_ends_and_has_its_times_and_bytes() {
        let Bench { platform, log, .. } = bench();
        let (sender, body) = mpsc::unbounded();
        let transport = log.wrap(Arc::new(Slow(Mutex::new(Some(body)))));
        let sending = transport.send(Request::read("/api/v1/pods?watch=true&resourceVersion=7"));
        platform.advance(Duration::from_millis(10));
        assert_eq!((log.open()[0].code, log.open()[0].answered, log.open()[0].is_open()), (None, None, true));
        let mut answer = ready(sending).unwrap();
        platform.advance(Duration::from_millis(20));
        for _ in 0..2 {
            sender.unbounded_send(Ok(Bytes::from_static(b"12345"))).unwrap();
            ready(answer.body.next()).unwrap().unwrap();
            platform.advance(Duration::from_millis(30));
        }
        let open = log.open().remove(0);
        assert_eq!((open.method.as_str(), open.code, open.bytes, open.is_stream), ("GET", Some(200), 10, true));
        let times = [open.answered, open.first_byte, open.ended].map(|time| after(&open, time));
        assert_eq!((times, open.end), ([Some(10), Some(30), None], RequestEnd::Open));
        assert_eq!(open.took(), Some(Duration::from_millis(10)));
        assert!(log.finished().is_empty() && log.totals().is_empty());
        drop(sender);
        assert!(ready(answer.body.next()).is_none());
        drop(answer);
        let finished = log.finished().remove(0);
        assert_eq!((after(&finished, finished.ended), finished.end), (Some(90), RequestEnd::Whole));
        assert!(log.open().is_empty());
        let total = log.totals().remove(0);
        assert_eq!((total.code, total.count, total.time.as_millis(), total.worst.as_millis()), (Some(200), 1, 10, 10));
    }

    #[test]
    fn what_breaks_and_what_is_given_up_says_so() {
        let Bench { server, log, transport, .. } = bench();
        let broken = || TransportError::Broken { message: "reset".into() };
        server.once("/none", ScriptedAnswer::error(broken()));
        server.once("/half", ScriptedAnswer::status(StatusCode::OK).with_chunks([Ok(Bytes::from_static(b"a")), Err(broken())]));
        server.once("/never", ScriptedAnswer::never());
        server.once("/unread", ScriptedAnswer::text("{}"));
        assert!(ready(transport.send(Request::read("/none"))).is_err());
        assert!(ready(read_to_end(ready(transport.send(Request::read("/half"))).unwrap().body)).is_err());
        assert!(transport.send(Request::read("/never")).now_or_never().is_none());
        drop(ready(transport.send(Request::read("/unread"))).unwrap());
        let seen: Vec<_> = log.finished().iter().map(|request| (request.path.clone(), request.code, request.end)).collect();
        let expected = [
            ("/none", None, RequestEnd::Broken),
            ("/half", Some(200), RequestEnd::Broken),
            ("/never", None, RequestEnd::GivenUp),
            ("/unread", Some(200), RequestEnd::GivenUp),
        ];
        assert_eq!(seen, expected.map(|(path, code, end)| (path.to_owned(), code, end)));
        assert!(log.open().is_empty());
    }

    #[test]
    fn only_the_last_are_kept_and_all_are_counted_by_verb_and_code() {
        let Bench { platform, server, log, transport } = bench();
        server.always("/", ScriptedAnswer::text("{}"));
        let send = |method: &Method, path: &str, wait| {
            let sending = transport.send(Request { method: method.clone(), ..Request::read(path) });
            platform.advance(Duration::from_millis(wait));
            ready(read_to_end(ready(sending).unwrap().body)).unwrap();
        };
        for index in 0..300 {
            send(&Method::GET, "/", index % 3);
        }
        send(&Method::GET, "/missing", 5);
        send(&Method::DELETE, "/missing", 7);
        let finished = log.finished();
        assert_eq!((finished.len(), finished[0].number, finished[199].number), (200, 103, 302));
        let totals: Vec<_> = log
            .totals()
            .into_iter()
            .map(|total| (total.method.to_string(), total.code, total.count, total.time.as_millis(), total.worst.as_millis()))
            .collect();
        let total = |method: &str, code, count, time, worst| (method.to_owned(), Some(code), count, time, worst);
        assert_eq!(totals, [total("GET", 200, 300, 300, 2), total("GET", 404, 1, 5, 5), total("DELETE", 404, 1, 7, 7)]);
    }

    #[test]
    fn a_query_shows_no_value_that_may_be_a_secret() {
        for (path, shown) in [
            ("/api/v1/pods", "/api/v1/pods"),
            ("/api/v1/pods?limit=500&watch=1", "/api/v1/pods?limit=500&watch=1"),
            ("/api/v1/pods?continue=abc&limit=1", "/api/v1/pods?continue=<masked>&limit=1"),
            (
                "/a/pods/p/exec?command=mysql&command=-psecret&container=c",
                "/a/pods/p/exec?command=<masked>&command=<masked>&container=c",
            ),
            ("/a/services/s/proxy/login?limit=secret", "/a/services/s/proxy/login?limit=<masked>"),
            ("/x?access_token=s&watch", "/x?access_token=<masked>&watch="),
        ] {
            assert_eq!(without_secrets(path), shown);
        }
    }

    #[test]
    fn watches_and_logs_that_are_followed_are_streams() {
        for (path, is) in [
            ("/api/v1/pods?watch=true", true),
            ("/api/v1/pods?watch=false", false),
            ("/api/v1/namespaces/a/pods/p/log?container=c&follow=true", true),
            ("/api/v1/namespaces/a/pods/p/log?follow=false", false),
            ("/api/v1/pods", false),
        ] {
            assert_eq!(is_stream(&Request::read(path)), is, "{path}");
        }
    }
}
