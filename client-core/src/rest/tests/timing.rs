//! Limits of time, and requests that are given up.

use std::{pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{FutureExt as _, future::join_all};

use super::{Bench, again, code, lost};
use crate::{
    flowcontrol::TokenBucket,
    platform::{BoxFuture, Platform, ready},
    rest::{Answer, ApiError},
    transport::{self, Response, ScriptedAnswer, Transport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECOND: Duration = Duration::from_secs(1);

impl Bench {
    fn clock(&self) -> Arc<dyn Platform> {
        Arc::new(self.host.clock.clone())
    }

    /// The outcome of `work`, and after how many seconds it was there; after a hundred it is given up.
    fn after<T>(&self, work: impl Future<Output = T>) -> Option<(T, u64)> {
        let mut work = pin!(work);
        (0..100).find_map(|second| {
            let outcome = work.as_mut().now_or_never();
            self.host.clock.advance(SECOND);
            outcome.map(|outcome| (outcome, second))
        })
    }
}

#[test]
fn an_answer_that_does_not_come_in_time_is_an_error() {
    let bench = Bench::default();
    bench.server.always("/p", ScriptedAnswer::never());
    let request = bench.patient().get().absolute_path("/p").timeout(3 * SECOND);
    let timed_out = "no answer to /p?pretty=false&timeout=3000ms within 3 seconds";
    let whole = bench.after(request.send()).unwrap();
    assert_eq!((whole.0.unwrap_err().to_string().as_str(), whole.1), (timed_out, 3));
    let (error, second) = bench.after(request.stream()).unwrap();
    assert_eq!((error.map(drop).unwrap_err().to_string().as_str(), second), (timed_out, 3));
    // It is its caller who gave it so little time: it is not taken for one that ended.
    let (error, second) = bench.after(request.watch::<()>()).unwrap();
    assert!(error.map(drop).unwrap_err().to_string().starts_with("no answer") && second == 3);
    let soon = bench.patient().get().absolute_path("/p").timeout(SECOND / 2);
    assert!(bench.after(soon.send()).unwrap().0.unwrap_err().to_string().ends_with("within 1 seconds"));
}

#[test]
fn a_request_without_a_limit_waits_and_one_of_a_client_with_one_does_not() {
    let bench = Bench::default();
    bench.server.always("/p", ScriptedAnswer::never());
    assert!(bench.after(bench.patient().get().absolute_path("/p").send()).is_none());
    let client = bench.patient().with_timeout(5 * SECOND);
    assert_eq!(bench.after(client.get().absolute_path("/p").send()).unwrap().1, 5);
    assert_eq!(bench.after(client.get().absolute_path("/p").timeout(9 * SECOND).send()).unwrap().1, 9);
}

#[test]
fn the_limit_is_for_all_tries_and_the_error_names_the_last() {
    let bench = Bench::default();
    bench.server.always("/p", again(429, "4"));
    let request = bench.patient().get().absolute_path("/p").timeout(10 * SECOND);
    let (outcome, second) = bench.after(request.send()).unwrap();
    assert_eq!((bench.server.count("/p"), second), (3, 10));
    let error = outcome.unwrap_err();
    assert!(matches!(error.last(), ApiError::TimedOut { .. }));
    let words =
        "within 10 seconds (the try before: the server has received too many requests and has asked us to try again later)";
    assert!(error.to_string().ends_with(words), "{error}");
}

#[test]
fn a_try_that_hangs_after_one_that_was_lost_names_the_lost_one() {
    let bench = Bench::default();
    bench.server.once("/p", ScriptedAnswer::error(lost("connection reset by peer")));
    bench.server.once("/p", ScriptedAnswer::never());
    let request = bench.patient().get().absolute_path("/p").timeout(10 * SECOND);
    let error = bench.after(request.send()).unwrap().0.unwrap_err().to_string();
    assert!(error.ends_with("broke before the answer came: connection reset by peer)"), "{error}");
}

/// Answers with a body that never ends.
struct Hanging(u16);

impl Transport for Hanging {
    fn send(&self, _request: transport::Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let status = http::StatusCode::from_u16(self.0).unwrap();
        Box::pin(
            async move { Ok(Response { status, headers: http::HeaderMap::new(), body: Box::pin(futures::stream::pending()) }) },
        )
    }
}

#[test]
fn the_limit_is_for_the_body_of_a_whole_answer_and_of_a_refusal_but_not_of_a_stream() {
    let bench = Bench::default();
    let request = |status| {
        let client = crate::rest::RestClient::new(Arc::new(Hanging(status)), bench.clock());
        client.get().timeout(3 * SECOND)
    };
    let timed_out = |error: ApiError| matches!(error, ApiError::TimedOut { .. });
    assert!(timed_out(bench.after(request(200).send()).unwrap().0.unwrap_err()));
    assert!(timed_out(bench.after(request(403).send()).unwrap().0.unwrap_err()));
    assert!(timed_out(bench.after(request(403).stream()).unwrap().0.map(drop).unwrap_err()));
    let mut body = bench.after(request(200).stream()).unwrap().0.unwrap();
    assert!(bench.after(futures::StreamExt::next(&mut body)).is_none());
}

#[test]
fn waiting_for_the_rate_limit_is_not_in_the_time_of_the_first_try() {
    let bench = Bench::default();
    bench.server.always("/p", code(200));
    let client = bench.patient().with_rate_limit(Arc::new(TokenBucket::new(0.2, 1))).with_timeout(2 * SECOND);
    let request = client.get().absolute_path("/p");
    assert_eq!(bench.after(request.send()).unwrap().1, 0);
    // The token comes 5 s after the first was taken, of which one has passed.
    let (outcome, second) = bench.after(request.send()).unwrap();
    assert!(outcome.is_ok() && second == 4, "{second}");
}

#[test]
fn a_request_that_is_dropped_is_given_up_at_the_server() {
    let bench = Bench::default();
    let (hanging, slow) = (ScriptedAnswer::never(), code(200).after(&bench.clock(), SECOND));
    bench.server.once("/p", hanging);
    bench.server.always("/p", slow);
    let client = bench.patient();
    let request = client.get().absolute_path("/p");
    let mut hung = Box::pin(request.send());
    assert!(hung.as_mut().now_or_never().is_none());
    assert_eq!(bench.server.most_at_once(), 1);
    drop(hung);
    // The next one is alone.
    bench.server.forget_requests();
    assert!(bench.after(request.send()).unwrap().0.is_ok());
    assert_eq!(bench.server.most_at_once(), 1);
}

#[test]
fn a_request_that_is_dropped_between_its_tries_makes_no_other() {
    let bench = Bench::default();
    bench.server.always("/p", again(503, "5"));
    let request = bench.patient().get().absolute_path("/p");
    let mut waiting = Box::pin(request.send());
    assert!(waiting.as_mut().now_or_never().is_none());
    drop(waiting);
    bench.host.clock.advance(60 * SECOND);
    assert_eq!(bench.server.count("/p"), 1);
}

#[test]
fn a_request_that_is_sent_twice_is_the_same_twice() {
    let bench = Bench::default();
    bench.server.always_to(http::Method::POST, "/p", ScriptedAnswer::text("{}"));
    let request = bench.client().post().absolute_path("/p").parameter("a", "b").json("body").timeout(SECOND);
    let answers = [ready(request.send()).unwrap(), ready(request.clone().send()).unwrap()];
    assert_eq!(answers[0].bytes(), answers[1].bytes());
    let [first, second] = bench.server.requests().try_into().unwrap();
    assert_eq!((first.method, first.path, first.headers, first.body), (second.method, second.path, second.headers, second.body));
}

#[test]
fn five_hundred_requests_at_once_each_get_their_own_answer() {
    let bench = Bench::default();
    for number in 0..500_u32 {
        let answer = ScriptedAnswer::text(number.to_string()).after(&bench.clock(), SECOND * (number % 7));
        bench.server.always(format!("/p?echo={number}"), answer);
    }
    let client = bench.patient();
    let requests: Vec<_> =
        (0..500).map(|number| client.get().absolute_path("/p").parameter("echo", number.to_string())).collect();
    let sent = join_all(requests.iter().map(crate::rest::Request::send));
    let (answers, second): (Vec<Result<Answer, ApiError>>, u64) = bench.after(sent).unwrap();
    assert_eq!((second, bench.server.most_at_once()), (6, 500));
    for (number, answer) in answers.into_iter().enumerate() {
        assert_eq!(answer.unwrap().bytes(), &Bytes::from(number.to_string()));
    }
}
