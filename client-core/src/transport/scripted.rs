//! A server that a test scripts: what it answers to which request, and what it was asked.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde::Serialize;

use super::{Request, Response, Transport, TransportError};
use crate::platform::{BoxFuture, Platform};

/// A transport for tests, which answers by method and path. Clones share the script, so a test keeps one and gives the
/// client another.
///
/// A path with a query (without the `pretty=false` and the `timeout` of a client) answers that query alone; one without answers
/// every query that no other answer is for. What is put into the queue with [`once`](Self::once) comes first, then what
/// [`always`](Self::always) holds; what has no answer gets a `Status` with code 404, and is in [`unscripted`](Self::unscripted).
///
/// ```
/// use std::sync::Arc;
/// use http::StatusCode;
/// use porthole_client_core::{
///     platform::{FakePlatform, ready},
///     rest::RestClient,
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.once("/version", ScriptedAnswer::status(StatusCode::SERVICE_UNAVAILABLE));
/// server.always("/version", ScriptedAnswer::text(r#"{"gitVersion":"v1.36.3"}"#));
/// let client = RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default()));
///
/// assert!(ready(client.read("/version", "application/json")).is_err());
/// assert_eq!(ready(client.read("/version", "application/json")).unwrap(), r#"{"gitVersion":"v1.36.3"}"#);
/// assert_eq!(server.count("/version"), 2);
/// ```
#[derive(Clone, Default)]
pub struct ScriptedTransport(Arc<Mutex<Script>>);

#[derive(Default)]
struct Script {
    queued: HashMap<(Method, String), VecDeque<ScriptedAnswer>>,
    fixed: HashMap<(Method, String), ScriptedAnswer>,
    requests: Vec<Request>,
    unscripted: Vec<Request>,
    under_way: usize,
    most_at_once: usize,
}

/// One answer of a [`ScriptedTransport`].
#[derive(Clone)]
pub struct ScriptedAnswer {
    outcome: Result<(StatusCode, HeaderMap), TransportError>,
    chunks: Vec<Result<Bytes, TransportError>>,
    wait: Wait,
}

#[derive(Clone)]
enum Wait {
    None,
    For(Arc<dyn Platform>, Duration),
    Forever,
}

impl ScriptedAnswer {
    /// Status 200 with this JSON text.
    #[must_use]
    pub fn text(body: impl Into<Bytes>) -> Self {
        Self::status(StatusCode::OK).with_body(body).with_header(header::CONTENT_TYPE, "application/json")
    }

    /// Status 200 with this value as JSON.
    ///
    /// # Panics
    /// Where the value is none that JSON can have.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test writes down what can be written down")]
    pub fn json(value: &impl Serialize) -> Self {
        Self::text(serde_json::to_vec(value).expect("the value can be JSON"))
    }

    /// This status, without a body.
    #[must_use]
    pub fn status(status: StatusCode) -> Self {
        Self { outcome: Ok((status, HeaderMap::new())), chunks: Vec::new(), wait: Wait::None }
    }

    /// No answer, but this error.
    #[must_use]
    pub fn error(error: TransportError) -> Self {
        Self { outcome: Err(error), chunks: Vec::new(), wait: Wait::None }
    }

    /// No answer at all: the request hangs until it is given up.
    #[must_use]
    pub fn never() -> Self {
        Self { wait: Wait::Forever, ..Self::status(StatusCode::OK) }
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        if let Ok((own, _)) = &mut self.outcome {
            *own = status;
        }
        self
    }

    /// The same with this header.
    ///
    /// # Panics
    /// Where `value` cannot be a header's.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test writes down headers that can be sent")]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok((_, headers)) = &mut self.outcome {
            headers.insert(name, HeaderValue::from_str(value).expect("the value can be a header's"));
        }
        self
    }

    /// The same with this entity tag. A request whose `If-None-Match` is this tag gets 304 and no body.
    #[must_use]
    pub fn with_etag(self, etag: &str) -> Self {
        self.with_header(header::ETAG, etag)
    }

    /// The same with this body, in one chunk.
    #[must_use]
    pub fn with_body(self, body: impl Into<Bytes>) -> Self {
        self.with_chunks([Ok(body.into())])
    }

    /// The same with a body of these chunks; an error breaks it off.
    #[must_use]
    pub fn with_chunks(mut self, chunks: impl IntoIterator<Item = Result<Bytes, TransportError>>) -> Self {
        self.chunks = chunks.into_iter().collect();
        self
    }

    /// The same, so much later on the clock of `platform`.
    #[must_use]
    pub fn after(mut self, platform: &Arc<dyn Platform>, delay: Duration) -> Self {
        self.wait = Wait::For(Arc::clone(platform), delay);
        self
    }

    /// What it is, now.
    pub(super) fn into_response(self) -> Result<Response, TransportError> {
        let (status, headers) = self.outcome?;
        Ok(Response { status, headers, body: Box::pin(stream::iter(self.chunks)) })
    }

    /// The status alone, where the request holds the tag this answer has.
    fn unless_known(self, request: &Request) -> Self {
        let Ok((_, headers)) = &self.outcome else { return self };
        match (headers.get(header::ETAG), request.headers.get(header::IF_NONE_MATCH)) {
            (Some(own), Some(known)) if own == known => {
                let headers = headers.clone();
                Self { outcome: Ok((StatusCode::NOT_MODIFIED, headers)), chunks: Vec::new(), wait: self.wait }
            }
            _ => self,
        }
    }
}

opaque_debug!(ScriptedTransport);

impl ScriptedTransport {
    /// The next GET of `path` gets this answer; those of one path are given in the order they were put in.
    pub fn once(&self, path: impl Into<String>, answer: ScriptedAnswer) {
        self.once_to(Method::GET, path, answer);
    }

    /// As [`once`](Self::once), for any method.
    pub fn once_to(&self, method: Method, path: impl Into<String>, answer: ScriptedAnswer) {
        self.lock().queued.entry((method, path.into())).or_default().push_back(answer);
    }

    /// Every GET of `path` gets this answer, in place of the one before.
    pub fn always(&self, path: impl Into<String>, answer: ScriptedAnswer) {
        self.always_to(Method::GET, path, answer);
    }

    /// As [`always`](Self::always), for any method.
    pub fn always_to(&self, method: Method, path: impl Into<String>, answer: ScriptedAnswer) {
        self.lock().fixed.insert((method, path.into()), answer);
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.lock().requests.clone()
    }

    /// The paths of every request so far without their queries, in order.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.lock().requests.iter().map(|request| bare(&request.path).to_owned()).collect()
    }

    /// How many requests went to `path`, whatever their method and query.
    #[must_use]
    pub fn count(&self, path: &str) -> usize {
        self.lock().requests.iter().filter(|request| bare(&request.path) == path).count()
    }

    /// The requests that the script had no answer for.
    #[must_use]
    pub fn unscripted(&self) -> Vec<Request> {
        self.lock().unscripted.clone()
    }

    /// Forgets the requests so far; the script stays.
    pub fn forget_requests(&self) {
        let mut script = self.lock();
        script.requests.clear();
        script.unscripted.clear();
        script.most_at_once = script.under_way;
    }

    /// How many requests waited for their answers at one time, at most.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.lock().most_at_once
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Script {
    fn answer(&mut self, request: &Request) -> ScriptedAnswer {
        let keys = [told(&request.path), bare(&request.path).to_owned()].map(|path| (request.method.clone(), path));
        let queued = keys.iter().find_map(|key| self.queued.get_mut(key).and_then(VecDeque::pop_front));
        let answer = queued.or_else(|| keys.iter().find_map(|key| self.fixed.get(key).cloned()));
        if let Some(answer) = answer {
            return answer.unless_known(request);
        }
        self.unscripted.push(request.clone());
        let message = format!("the script has no answer to {} {}", request.method, request.path);
        let status = serde_json::json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404, "message": message,
        });
        ScriptedAnswer::json(&status).with_status(StatusCode::NOT_FOUND)
    }
}

/// The path and query without what a client says of itself in every request, so that a script need not say it.
pub(super) fn told(path: &str) -> String {
    let (bare, query) = path.split_once('?').unwrap_or((path, ""));
    let own = |part: &&str| !part.is_empty() && *part != "pretty=false" && !part.starts_with("timeout=");
    let parts: Vec<_> = query.split('&').filter(own).collect();
    if parts.is_empty() { bare.to_owned() } else { format!("{bare}?{}", parts.join("&")) }
}

pub(super) fn bare(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

/// Counts a request as under way until it is answered or given up.
struct UnderWay(ScriptedTransport);

impl UnderWay {
    fn begin(transport: &ScriptedTransport) -> Self {
        let mut script = transport.lock();
        script.under_way += 1;
        script.most_at_once = script.most_at_once.max(script.under_way);
        drop(script);
        Self(transport.clone())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.lock().under_way -= 1;
    }
}

impl Transport for ScriptedTransport {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let answer = {
            let mut script = self.lock();
            let answer = script.answer(&request);
            script.requests.push(request);
            answer
        };
        let under_way = UnderWay::begin(self);
        Box::pin(async move {
            match &answer.wait {
                Wait::None => {}
                Wait::For(platform, delay) => platform.sleep(*delay).await,
                Wait::Forever => std::future::pending().await,
            }
            drop(under_way);
            answer.into_response()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::{FakePlatform, ready},
        transport::read_to_end,
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn ask(server: &ScriptedTransport, request: Request) -> Result<(u16, String), TransportError> {
        ready(async {
            let response = server.send(request).await?;
            Ok((response.status.as_u16(), String::from_utf8(read_to_end(response.body).await?).unwrap()))
        })
    }

    fn get(server: &ScriptedTransport, path: &str) -> (u16, String) {
        ask(server, Request::read(path)).unwrap()
    }

    #[test]
    fn the_queue_comes_before_what_is_always_said_and_a_query_before_its_path() {
        let server = ScriptedTransport::default();
        server.always("/a", ScriptedAnswer::text("always"));
        server.always("/a?b=1", ScriptedAnswer::text("b"));
        server.once("/a", ScriptedAnswer::text("first"));
        server.once("/a", ScriptedAnswer::status(StatusCode::IM_A_TEAPOT));
        assert_eq!(get(&server, "/a?x=1"), (200, "first".into()));
        assert_eq!(get(&server, "/a"), (418, String::new()));
        assert_eq!(get(&server, "/a?b=1"), (200, "b".into()));
        assert_eq!(get(&server, "/a?b=2"), (200, "always".into()));
        assert_eq!((server.count("/a"), server.paths().len()), (4, 4));
    }

    #[test]
    fn what_is_not_in_the_script_is_not_found_and_remembered() {
        let server = ScriptedTransport::default();
        server.always_to(Method::POST, "/a", ScriptedAnswer::text("posted"));
        let (status, body) = get(&server, "/a?b=1");
        assert!(status == 404 && body.contains("no answer to GET /a?b=1"), "{body}");
        let post = Request { method: Method::POST, ..Request::read("/a") };
        assert_eq!(ask(&server, post).unwrap(), (200, "posted".into()));
        assert_eq!(server.unscripted().iter().map(|request| request.path.as_str()).collect::<Vec<_>>(), ["/a?b=1"]);
        server.forget_requests();
        assert!(server.requests().is_empty() && server.unscripted().is_empty());
    }

    #[test]
    fn who_knows_the_tag_gets_no_body_again() {
        let server = ScriptedTransport::default();
        server.always("/a", ScriptedAnswer::text("body").with_etag("\"1\""));
        let with_tag = |tag: &str| {
            let mut request = Request::read("/a");
            request.headers.insert(header::IF_NONE_MATCH, tag.parse().unwrap());
            request
        };
        assert_eq!(ask(&server, with_tag("\"1\"")).unwrap(), (304, String::new()));
        assert_eq!(ask(&server, with_tag("\"2\"")).unwrap(), (200, "body".into()));
    }

    #[test]
    fn answers_break_off_fail_and_come_late() {
        let server = ScriptedTransport::default();
        let broken = || TransportError::Broken { message: "reset".into() };
        server.once("/a", ScriptedAnswer::text("").with_chunks([Ok(Bytes::from("half")), Err(broken())]));
        server.once("/a", ScriptedAnswer::error(broken()));
        for _ in 0..2 {
            assert!(matches!(ask(&server, Request::read("/a")), Err(TransportError::Broken { .. })));
        }
        let platform = FakePlatform::default();
        let clock: Arc<dyn Platform> = Arc::new(platform.clone());
        server.once("/a", ScriptedAnswer::text("late").after(&clock, Duration::from_secs(5)));
        server.once("/a", ScriptedAnswer::never());
        let (late, never) = (server.send(Request::read("/a")), server.send(Request::read("/a")));
        let advance = async {
            platform.advance(Duration::from_secs(5));
        };
        assert!(ready(futures::future::join(late, advance)).0.is_ok());
        assert_eq!(server.most_at_once(), 2);
        drop(never);
        server.forget_requests();
        assert_eq!(server.most_at_once(), 0);
    }
}
