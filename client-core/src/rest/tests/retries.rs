//! Which tries are followed by another, and what is told of them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::{Bench, again, code, late, lost, unreachable_server};
use crate::{
    platform::{BoxFuture, ready},
    rest::{ApiError, RestClient, UrlBackoff},
    transport::{self, Response, ScriptedAnswer, Transport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The ways to send a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Do,
    DoRaw,
    Stream,
    Watch,
}

const WAYS: [Way; 4] = [Way::Do, Way::DoRaw, Way::Stream, Way::Watch];

impl Way {
    fn send(self, bench: &Bench, method: &Method, most_retries: u32) -> Result<(), ApiError> {
        let request = bench.client().request(method.clone()).absolute_path("/p").most_retries(most_retries);
        ready(async {
            match self {
                Self::Do => request.send().await.map(drop),
                Self::DoRaw => request.send_unchecked().await.map(drop),
                Self::Stream => request.stream().await.map(drop),
                Self::Watch => request.watch::<()>().await.map(drop),
            }
        })
    }
}

/// How a server answered in this way comes out with at most two retries, and after how many tries.
fn tries(way: Way, answers: &[ScriptedAnswer]) -> (Result<(), ApiError>, usize) {
    let bench = Bench::default();
    bench.script("/p", answers);
    let outcome = way.send(&bench, &Method::GET, 2);
    assert!(bench.server.unscripted().is_empty(), "more tries than answers");
    (outcome, bench.server.count("/p"))
}

fn reset() -> ScriptedAnswer {
    ScriptedAnswer::error(lost("connection reset by peer"))
}

#[test]
fn a_request_is_tried_again_ten_times_unless_it_says_otherwise() {
    let bench = Bench::default();
    bench.server.always("/p", again(429, "1"));
    assert!(ready(bench.get().send()).unwrap_err().is_too_many_requests());
    assert_eq!(bench.server.count("/p"), 11);
}

#[test]
fn a_request_can_say_how_often_it_is_tried_again() {
    for (most, succeeds, tries) in [(0, false, 1), (1, true, 2), (5, true, 2)] {
        let bench = Bench::default();
        bench.server.once("/p", again(429, "1"));
        bench.server.always("/p", code(200));
        assert_eq!(ready(bench.get().most_retries(most).send()).is_ok(), succeeds);
        assert_eq!(bench.server.count("/p"), tries);
    }
}

#[test]
fn the_server_is_asked_again_when_it_said_to_be() {
    let bench = Bench::default();
    for seconds in ["1", "2", "0", "7"] {
        bench.server.once_to(Method::POST, "/p", again(429, seconds).with_body("Too many requests, please try again later."));
    }
    bench.server.once_to(Method::POST, "/p", code(200));
    ready(bench.client().post().absolute_path("/p").body("abcd".repeat(1000), "text/plain").send()).unwrap();
    assert_eq!(bench.log(), ["sleep 1s", "sleep 2s", "sleep 7s"]);
}

#[test]
fn a_body_is_sent_whole_with_each_try() {
    let bench = Bench::default();
    for status in [429, 500, 501, 504] {
        bench.server.once_to(Method::POST, "/p", again(status, "0"));
    }
    bench.server.once_to(Method::POST, "/p", code(200));
    let body = "abcd".repeat(1000);
    ready(bench.client().post().absolute_path("/p").body(body.clone(), "text/plain").send()).unwrap();
    let sent = bench.server.requests();
    assert_eq!(sent.len(), 5);
    assert!(
        sent.iter().all(|request| request.body == body && request.path == sent[0].path && request.headers == sent[0].headers)
    );
}

#[test]
fn a_connection_that_is_reset_is_tried_again_after_a_second() {
    let bench = Bench::default();
    bench.server.once("/p", reset());
    bench.server.once("/p", ScriptedAnswer::error(lost("unexpected end of file")));
    bench.server.once("/p", code(200));
    ready(bench.get().send()).unwrap();
    assert_eq!((bench.server.count("/p"), bench.log()), (3, vec!["sleep 1s".to_owned(), "sleep 1s".into()]));
}

#[test]
fn what_is_tried_again_depends_on_the_answer_the_method_and_the_way() {
    const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH];
    type Retried = fn(Way, &Method) -> bool;
    let cases: [(&str, ScriptedAnswer, Retried); 12] = [
        ("429 with Retry-After", again(429, "0"), |_, _| true),
        ("503 with Retry-After", again(503, "0"), |_, _| true),
        ("500 without", code(500), |_, _| false),
        ("429 without", code(429), |_, _| false),
        ("503 with a date", again(503, "Fri, 31 Dec 1999 23:59:59 GMT"), |_, _| false),
        ("200", code(200), |_, _| false),
        ("301 with Retry-After", again(301, "0"), |_, _| false),
        ("reset", reset(), |way, method| way == Way::Watch || (way != Way::Stream && *method == Method::GET)),
        ("broken", ScriptedAnswer::error(TransportError::Broken { message: "GOAWAY".into() }), |way, method| {
            way == Way::Watch || (way != Way::Stream && *method == Method::GET)
        }),
        ("refused", ScriptedAnswer::error(unreachable_server()), |_, _| false),
        ("late", ScriptedAnswer::error(late()), |way, _| way == Way::Watch),
        ("invalid", ScriptedAnswer::error(TransportError::Invalid { message: "m".into() }), |_, _| false),
    ];
    for (name, answer, retried) in cases {
        for way in WAYS {
            for method in METHODS {
                let bench = Bench::default();
                bench.server.always_to(method.clone(), "/p", answer.clone());
                way.send(&bench, &method, 2).ok();
                let expected = if retried(way, &method) { 3 } else { 1 };
                assert_eq!(bench.server.count("/p"), expected, "{name}, {way:?} {method}");
            }
        }
    }
}

#[test]
fn a_whole_answer_is_tried_for_until_it_is_there_or_the_tries_are_over() {
    for way in [Way::Do, Way::DoRaw] {
        let (outcome, made) = tries(way, &[again(500, "1"), again(500, "1"), again(500, "1")]);
        assert_eq!((outcome.is_err(), made), (way == Way::Do, 3));
        let (outcome, made) = tries(way, &[reset(), reset(), reset()]);
        assert!(outcome.is_err() && made == 3);
        let (outcome, made) = tries(way, &[again(500, "1"), reset(), code(200)]);
        assert!(outcome.is_ok() && made == 3);
    }
}

#[test]
fn a_stream_is_tried_for_again_at_the_word_of_the_server_alone() {
    let (outcome, made) = tries(Way::Stream, &[again(500, "1"), again(500, "1"), again(500, "1")]);
    assert!(outcome.unwrap_err().is_internal_error() && made == 3);
    assert_eq!(tries(Way::Stream, &[reset()]).1, 1);
    let (outcome, made) = tries(Way::Stream, &[again(500, "1"), reset()]);
    assert!(matches!(outcome.unwrap_err().last(), ApiError::Transport(TransportError::Lost { .. })) && made == 2);
}

#[test]
fn a_watch_is_tried_for_again_at_the_word_of_the_server_and_after_a_lost_connection() {
    let (outcome, made) = tries(Way::Watch, &[again(500, "1"), again(500, "1"), again(500, "1")]);
    assert!(outcome.unwrap_err().is_internal_error() && made == 3);
    let (outcome, made) = tries(Way::Watch, &[again(500, "1"), reset(), code(200)]);
    assert!(outcome.is_ok() && made == 3);
}

/// Answers 503 with a body without an end, then 200 where that body was let go.
#[derive(Clone, Default)]
struct Endless {
    taken: Arc<AtomicUsize>,
    let_go: Arc<AtomicUsize>,
}

impl Transport for Endless {
    fn send(&self, _request: transport::Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        /// Counts when it is dropped.
        struct Held(Arc<AtomicUsize>);
        impl Drop for Held {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        let status = if self.let_go.load(Ordering::Relaxed) == 0 { 503 } else { 200 };
        let (held, taken) = (Held(Arc::clone(&self.let_go)), Arc::clone(&self.taken));
        let body = stream::repeat_with(move || {
            let _held = &held;
            taken.fetch_add(1, Ordering::Relaxed);
            Ok(Bytes::from_static(&[b'x'; 1024]))
        });
        let headers = HeaderMap::from_iter([(header::RETRY_AFTER, HeaderValue::from_static("0"))]);
        let status = StatusCode::from_u16(status).unwrap();
        Box::pin(async move { Ok(Response { status, headers, body: Box::pin(body) }) })
    }
}

#[test]
fn the_body_of_a_failed_try_is_read_a_little_and_let_go_before_the_next() {
    let (server, bench) = (Endless::default(), Bench::default());
    let client = RestClient::new(Arc::new(server.clone()), Arc::new(bench.host.clone()));
    let stream = ready(client.get().stream()).unwrap();
    assert_eq!(server.let_go.load(Ordering::Relaxed), 1);
    assert!((1..=64).contains(&server.taken.load(Ordering::Relaxed)));
    drop(stream);
    assert_eq!(server.let_go.load(Ordering::Relaxed), 2);
}

#[test]
fn requests_of_one_form_are_tried_each_for_itself() {
    let bench = Bench::default();
    bench.server.always_to(Method::POST, "/p", again(500, "1"));
    let request = bench.client().post().absolute_path("/p").most_retries(9);
    let all = futures::future::join_all((0..20).map(|_| request.send()));
    assert!(ready(all).iter().all(Result::is_err));
    assert_eq!(bench.server.count("/p"), 20 * 10);
}

/// The words of the error after a GET, whose server answers like this.
fn words(way: Way, answers: &[ScriptedAnswer]) -> String {
    let bench = Bench::default();
    bench.script("/p", answers);
    let error = way.send(&bench, &Method::GET, 8).map_or_else(|error| error.to_string(), |()| String::new());
    assert_eq!(bench.server.count("/p"), answers.len());
    error
}

#[test]
fn an_error_names_what_the_try_before_it_came_to() {
    let (eof, unexpected) = (ScriptedAnswer::error(lost("EOF")), ScriptedAnswer::error(lost("unexpected EOF")));
    let canceled = || ScriptedAnswer::error(unreachable_server());
    let (refusal, ending) = (unreachable_server().to_string(), |text| format!(" (the try before: {text})"));
    let overloaded = "an error on the server (\"unknown\") has prevented the request from succeeding";
    for way in [Way::Do, Way::DoRaw, Way::Watch] {
        assert_eq!(words(way, &[code(200)]), "");
        assert_eq!(words(way, &[again(500, "1"), again(500, "1"), code(200)]), "");
        assert_eq!(words(way, &[eof.clone(), eof.clone(), code(200)]), "");
        assert_eq!(words(way, &[canceled()]), refusal);
        let after = |answers: &[ScriptedAnswer]| words(way, &[answers, &[canceled()]].concat()).replacen(&refusal, "", 1);
        assert_eq!(after(std::slice::from_ref(&eof)), ending(lost("EOF").to_string()));
        assert_eq!(after(&[unexpected.clone(), eof.clone()]), ending(lost("EOF").to_string()));
        // client-go names lost connections alone.
        assert_eq!(after(&[eof.clone(), again(500, "1")]), ending(overloaded.into()));
        assert_eq!(after(&[again(500, "1"), again(500, "1"), unexpected.clone()]), ending(lost("unexpected EOF").to_string()));
    }
}

#[test]
fn a_refusal_in_the_end_is_one_whatever_came_before() {
    for way in [Way::Do, Way::Stream, Way::Watch] {
        for before in [again(429, "1"), again(503, "1")] {
            let (outcome, _) = tries(way, &[before, code(404)]);
            assert!(matches!(&outcome, Err(ApiError::Refused(status)) if status.is_not_found()), "{outcome:?}");
        }
    }
    let (outcome, _) = tries(Way::Watch, &[reset(), code(403)]);
    assert!(matches!(outcome, Err(ApiError::Refused(_))));
}

#[test]
fn a_try_that_came_to_the_same_is_not_named_twice() {
    assert_eq!(
        words(Way::Do, &[reset(), reset(), ScriptedAnswer::error(unreachable_server())]).matches("the try before").count(),
        1
    );
    let (outcome, _) = tries(Way::Do, &[reset(), reset(), reset()]);
    assert!(matches!(outcome, Err(ApiError::Transport(_))));
}

#[test]
fn a_delay_grows_while_the_server_is_overloaded_and_ends_when_it_is_not() {
    let bench = Bench::default();
    let policy = Arc::new(UrlBackoff::new(Duration::from_secs(1), Duration::from_secs(200)));
    let client = bench.client().with_backoff(policy);
    for status in [504, 504, 504, 504, 200, 504, 504, 504, 200, 200] {
        bench.server.once_to(Method::POST, "/p", code(status));
        let before = bench.host.clock.clone();
        let start = crate::platform::Platform::now(&before);
        ready(client.post().absolute_path("/p").send_unchecked()).unwrap();
        bench.host.log.lock().unwrap().push(format!("{}", crate::platform::Platform::now(&before).since(start).as_secs()));
    }
    let waits: Vec<_> = bench.log().into_iter().filter(|line| !line.starts_with("sleep")).collect();
    assert_eq!(waits, ["0", "1", "2", "4", "8", "0", "1", "2", "4", "0"]);
}

#[test]
fn a_client_without_a_policy_waits_for_nothing() {
    let bench = Bench::default();
    for _ in 0..100 {
        bench.server.once("/p", code(503));
        ready(bench.get().send()).unwrap_err();
    }
    assert!(bench.log().is_empty());
}

/// A client is one of many threads' where there are threads.
#[test]
fn clients_requests_and_their_futures_can_change_threads() {
    fn movable(_: &(impl crate::platform::MaybeSend + ?Sized)) {}
    let bench = Bench::default();
    let client: RestClient = bench.client();
    let request = client.get();
    movable(&client);
    movable(&request);
    movable(&request.send());
    movable(&request.stream());
    movable(&request.watch::<()>());
}
