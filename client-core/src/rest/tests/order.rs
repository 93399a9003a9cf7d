//! In which order a client asks those it was given: its limit, its backoff, its server, its observer.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::StatusCode;

use super::{Bench, Log, again, code, lost, note};
use crate::{
    flowcontrol::{FakeRateLimiter, RateLimiter, TokenBucket},
    platform::{BoxFuture, FakePlatform, Instant, is_ready, ready},
    rest::{BackoffPolicy, Request, RequestObserver, RestClient},
    transport::{self, Response, ScriptedAnswer, ScriptedTransport, Transport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Writes down what is asked of it.
struct Telltale<T> {
    log: Log,
    inner: T,
}

impl Transport for Telltale<ScriptedTransport> {
    fn send(&self, request: transport::Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        note(&self.log, "send");
        self.inner.send(request)
    }
}

impl RateLimiter for Telltale<()> {
    fn reserve(&self, _now: Instant, _limit: Duration) -> Option<Duration> {
        note(&self.log, "limit");
        Some(Duration::ZERO)
    }
}

/// Delays that grow from zero by so many seconds each.
impl BackoffPolicy for Telltale<u32> {
    fn delay(&self) -> Duration {
        let before = self.log.lock().unwrap().iter().filter(|line| *line == "backoff?").count();
        note(&self.log, "backoff?");
        Duration::from_secs(1) * self.inner * u32::try_from(before).unwrap()
    }

    fn answered(&self, code: Option<StatusCode>, _now: Instant, _random: f64) {
        note(&self.log, format!("backoff {}", code.map_or(0, |code| code.as_u16())));
    }
}

impl RequestObserver for Telltale<()> {
    fn answered(&self, _request: &transport::Request, code: Option<StatusCode>, retries: u32) {
        note(&self.log, format!("answered {} after {retries}", code.map_or(0, |code| code.as_u16())));
    }
}

/// What happens when a request is sent in this way, with a backoff of such steps, and the server asks for one more try.
fn order(asks_for: &str, steps: u32, way: impl AsyncFn(Request)) -> Vec<String> {
    let (bench, log) = (Bench::default(), Log::default());
    bench.server.once("/p", again(500, asks_for));
    bench.server.once("/p", code(200));
    let host = super::Hasty { log: Arc::clone(&log), ..bench.host };
    let server = Arc::new(Telltale { log: Arc::clone(&log), inner: bench.server });
    let client = RestClient::new(server, Arc::new(host))
        .with_rate_limit(Arc::new(Telltale { log: Arc::clone(&log), inner: () }))
        .with_backoff(Arc::new(Telltale { log: Arc::clone(&log), inner: steps }))
        .with_observer(Arc::new(Telltale { log: Arc::clone(&log), inner: () }));
    ready(way(client.get().absolute_path("/p").most_retries(1)));
    let log = log.lock().unwrap();
    log.clone()
}

const ORDER: [&str; 11] = [
    "limit",
    "backoff?",
    "send",
    "answered 500 after 0",
    "backoff 500",
    "backoff?",
    "sleep 5s",
    "limit",
    "send",
    "answered 200 after 1",
    "backoff 200",
];

/// The order, with another wait, from the first that is asked.
fn expected(wait: &'static str, from: usize) -> Vec<&'static str> {
    let order = ORDER.iter().map(|line| if line.starts_with("sleep") { wait } else { line });
    order.skip(from).collect()
}

#[test]
fn a_whole_answer_is_tried_for_in_order() {
    for (asks_for, steps, wait) in [("5", 1, "sleep 5s"), ("2", 4, "sleep 4s")] {
        let order = order(asks_for, steps, async |request: Request| drop(request.send().await.unwrap()));
        assert_eq!(order, expected(wait, 0));
    }
}

#[test]
fn a_stream_is_tried_for_in_order() {
    for (asks_for, steps, wait) in [("5", 1, "sleep 5s"), ("2", 4, "sleep 4s")] {
        let order = order(asks_for, steps, async |request: Request| drop(request.stream().await.unwrap()));
        assert_eq!(order, expected(wait, 0));
    }
}

#[test]
fn a_watch_is_tried_for_in_order_but_not_limited_at_first() {
    for (asks_for, steps, wait) in [("5", 1, "sleep 5s"), ("2", 4, "sleep 4s")] {
        let order = order(asks_for, steps, async |request: Request| drop(request.watch::<()>().await.unwrap()));
        assert_eq!(order, expected(wait, 1));
    }
}

/// The same without a backoff: what is before a try, the try, what is after it.
fn bare_order(way: impl AsyncFn(Request)) -> Vec<String> {
    let mut order = order("1", 0, way);
    order.retain(|line| !line.starts_with("backoff"));
    order
}

#[test]
fn before_each_try_comes_the_wait_and_after_each_its_answer() {
    let expected = ["limit", "send", "answered 500 after 0", "sleep 1s", "limit", "send", "answered 200 after 1"];
    assert_eq!(bare_order(async |request: Request| drop(request.send_unchecked().await.unwrap())), expected);
    assert_eq!(bare_order(async |request: Request| drop(request.stream().await.unwrap())), expected);
    assert_eq!(bare_order(async |request: Request| drop(request.watch::<()>().await.unwrap())), expected[1..]);
}

#[test]
fn requests_share_the_limit_of_their_client_but_watches() {
    let bench = Bench::default();
    bench.server.always("/p", code(200));
    let bucket = Arc::new(TokenBucket::new(2.0, 1));
    let client = bench.client().with_rate_limit(bucket.clone());
    let other = bench.client().with_rate_limit(bucket);
    for client in [&client, &other, &client] {
        ready(client.get().absolute_path("/p").send()).unwrap();
        ready(client.get().absolute_path("/p").watch::<()>()).unwrap();
    }
    assert_eq!(bench.log(), ["sleep 500ms", "sleep 500ms"]);
    assert_eq!(bench.server.count("/p"), 6);
}

#[test]
fn a_limit_that_lets_nothing_through_is_an_error_and_not_a_wait_without_end() {
    let bench = Bench::default();
    let client = bench.client().with_rate_limit(Arc::new(FakeRateLimiter::Never));
    let error = ready(client.get().absolute_path("/p").send()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the rate limit of the client never lets a request to /p?pretty=false through: set a rate above zero"
    );
    assert!(bench.server.requests().is_empty());
    bench.server.always("/p", code(200));
    let client = bench.client().with_rate_limit(Arc::new(FakeRateLimiter::Always));
    ready(client.get().absolute_path("/p").send()).unwrap();
}

#[test]
fn a_retry_that_the_limit_forbids_is_an_error_that_names_the_try_before() {
    let bench = Bench::default();
    bench.server.once("/p", ScriptedAnswer::error(lost("reset")));
    let client = bench.client().with_rate_limit(Arc::new(TokenBucket::new(0.0, 1)));
    let error = ready(client.get().absolute_path("/p").send()).unwrap_err().to_string();
    assert!(error.contains("never lets") && error.contains("(the try before: the connection"), "{error}");
    assert_eq!(bench.server.count("/p"), 1);
}

/// Nothing but what every observer has.
struct Silent;
impl RequestObserver for Silent {}

#[test]
fn an_observer_that_wants_to_know_nothing_is_told_nothing() {
    let bench = Bench::default();
    bench.server.always("/p", ScriptedAnswer::text(Bytes::from_static(b"{}")));
    let client = bench.client().with_observer(Arc::new(Silent));
    assert_eq!(ready(client.get().absolute_path("/p").send()).unwrap().bytes(), "{}");
}

#[test]
fn a_request_that_is_given_up_while_it_waits_leaves_its_turn_to_the_next() {
    let (server, clock) = (ScriptedTransport::default(), FakePlatform::default());
    server.always("/p", code(200));
    let client = RestClient::new(Arc::new(server), Arc::new(clock.clone())).with_rate_limit(Arc::new(TokenBucket::new(10.0, 1)));
    let request = client.get().absolute_path("/p");
    let send = || Box::pin(async { drop(request.send().await.unwrap()) });
    ready(send());
    let mut given_up: Vec<_> = (0..100).map(|_| send()).collect();
    assert!(given_up.iter_mut().all(|send| !is_ready(send)));
    drop(given_up);
    let mut next = send();
    assert!(!is_ready(&mut next));
    clock.advance(Duration::from_millis(100));
    assert!(is_ready(&mut next));
}
