//! What an observer of requests is told.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use http::StatusCode;

use super::{Bench, again, code, lost, note};
use crate::{
    flowcontrol::TokenBucket,
    platform::ready,
    rest::{Request, RequestObserver, body_excerpt, url_template},
    transport::{self, ScriptedAnswer},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Writes all of it down.
#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

impl Diary {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl RequestObserver for Diary {
    fn throttled(&self, _request: &transport::Request, waited: Duration) {
        self.note(format!("waited {waited:?}"));
    }

    fn sending(&self, request: &transport::Request) {
        self.note(format!("{} {} with {} bytes", request.method, url_template(&request.path), request.body.len()));
    }

    fn answered(&self, _request: &transport::Request, code: Option<StatusCode>, retries: u32) {
        self.note(format!("{} after {retries}", code.map_or("none".into(), |code| code.as_u16().to_string())));
    }

    fn received(&self, _request: &transport::Request, body: &Bytes) {
        self.note(format!("{} bytes", body.len()));
    }

    fn finished(&self, _request: &transport::Request, took: Duration) {
        self.note(format!("took {took:?}"));
    }
}

/// What is told of a request whose server answers like this, with one request a second.
fn told(answers: &[ScriptedAnswer], way: impl AsyncFn(Request)) -> Vec<String> {
    let (bench, diary) = (Bench::default(), Arc::new(Diary::default()));
    let path = "/api/v1/namespaces/shop/pods/p";
    bench.script(path, answers);
    let client = bench.client().with_rate_limit(Arc::new(TokenBucket::new(1.0, 1))).with_observer(diary.clone());
    ready(way(client.get().absolute_path(path).body("ping", "text/plain").most_retries(2)));
    diary.take()
}

const SENT: &str = "GET /api/v1/namespaces/{namespace}/pods/{name}?pretty={value} with 4 bytes";

#[test]
fn each_try_is_told_and_then_the_whole() {
    let answers = [ScriptedAnswer::error(lost("reset")), again(429, "5"), ScriptedAnswer::text("pong pong")];
    let expected = [
        "waited 0ns",
        SENT,
        "none after 0", // then a second, in which the next token comes
        "waited 0ns",
        SENT,
        "429 after 1",
        "waited 0ns",
        SENT,
        "200 after 2",
        "9 bytes",
        "took 6s",
    ];
    assert_eq!(told(&answers, async |request: Request| drop(request.send().await.unwrap())), expected);
}

#[test]
fn a_wait_for_the_limit_is_told() {
    let expected = ["waited 0ns", SENT, "503 after 0", "waited 1s", SENT, "200 after 1", "0 bytes", "took 1s"];
    assert_eq!(told(&[again(503, "0"), code(200)], async |request: Request| drop(request.send().await.unwrap())), expected);
}

#[test]
fn of_a_stream_and_a_watch_the_head_is_told() {
    let answers = [ScriptedAnswer::text("{}")];
    let expected = ["waited 0ns", SENT, "200 after 0", "took 0ns"];
    assert_eq!(told(&answers, async |request: Request| drop(request.stream().await.unwrap())), expected);
    let watch = [SENT.replace("pretty={value}", "pretty={value}&watch={value}"), "200 after 0".into(), "took 0ns".into()];
    assert_eq!(told(&answers, async |request: Request| drop(request.watch::<()>().await.unwrap())), watch);
}

#[test]
fn of_a_refusal_the_body_is_told_whatever_the_way() {
    let expected = ["waited 0ns", SENT, "403 after 0", "2 bytes", "took 0ns"];
    let answers = [code(403).with_body("no")];
    assert_eq!(told(&answers, async |request: Request| drop(request.send().await.unwrap_err())), expected);
    assert_eq!(told(&answers, async |request: Request| drop(request.stream().await.map(drop).unwrap_err())), expected);
}

/// A log of bodies, as client-go writes one.
struct Bodies(super::Log, usize);

impl RequestObserver for Bodies {
    fn sending(&self, request: &transport::Request) {
        note(&self.0, format!("request body: {}", body_excerpt(&request.body, self.1)));
    }

    fn received(&self, _request: &transport::Request, body: &Bytes) {
        note(&self.0, format!("response body: {}", body_excerpt(body, self.1)));
    }
}

#[test]
fn a_log_of_bodies_shows_as_much_of_them_as_it_wants() {
    let long = "a".repeat(2000);
    let cut = format!("request body: {} [976 bytes left out]", "a".repeat(1024));
    for (body, most, request) in
        [("ping", 1024, "request body: ping"), (&long, 1024, &cut), ("ping", 0, "request body:  [4 bytes left out]")]
    {
        let bench = Bench::default();
        bench.server.once("/p", ScriptedAnswer::text("pong"));
        let shown = super::Log::default();
        let client = bench.client().with_observer(Arc::new(Bodies(Arc::clone(&shown), most)));
        ready(client.get().absolute_path("/p").body(body.to_owned(), "text/plain").send()).unwrap();
        let answer = format!("response body: {}", body_excerpt(b"pong", most));
        assert_eq!(*shown.lock().unwrap(), [request.to_owned(), answer]);
    }
}
