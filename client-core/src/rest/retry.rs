//! Which tries are worth another: the table of client-go's `rest/with_retry.go` and of the three ways in
//! `rest/request.go` to send a request.

use std::time::Duration;

use http::{Method, StatusCode};

use super::{ApiError, refusal::retry_after_seconds};
use crate::transport::{Response, TransportError};

/// How often a request is tried again at most: client-go's default.
pub(super) const MOST_RETRIES: u32 = 10;

/// What a request is sent for; it decides which faults are worth another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exchange {
    /// The whole answer.
    Whole,
    /// The answer as it comes.
    Stream,
    /// A watch.
    Watch,
}

/// How long to wait before another try, or `None` where another try is of no use.
///
/// The server asks for one with 429 or a 5xx and `Retry-After`, whatever the method. A connection that is lost before the
/// answer is worth one after a second: for a GET that is read whole, and for a watch, for which a timeout is as good.
pub(super) fn delay(exchange: Exchange, method: &Method, outcome: &Result<Response, TransportError>) -> Option<Duration> {
    let seconds = match outcome {
        Ok(response) => {
            let asks = response.status == StatusCode::TOO_MANY_REQUESTS || response.status.as_u16() >= 500;
            asks.then(|| retry_after_seconds(&response.headers))??
        }
        Err(error) => lost(exchange, method, error).then_some(1)?,
    };
    Some(Duration::from_secs(seconds.into()))
}

/// Whether a watch failed for a connection that was lost again and again: it is a watch without events then.
pub(super) fn is_lost_watch(error: &ApiError) -> bool {
    matches!(error.last(), ApiError::Transport(error) if lost(Exchange::Watch, &Method::GET, error))
}

/// Whether the connection broke in a way that another try may mend.
fn lost(exchange: Exchange, method: &Method, error: &TransportError) -> bool {
    match exchange {
        Exchange::Whole => *method == Method::GET && error.is_connection_lost(),
        Exchange::Stream => false,
        Exchange::Watch => error.is_connection_lost() || error.is_timeout(),
    }
}

#[cfg(test)]
mod tests {
    use futures::stream;
    use http::{HeaderMap, HeaderValue, header};

    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const EXCHANGES: [Exchange; 3] = [Exchange::Whole, Exchange::Stream, Exchange::Watch];

    fn answer(status: u16, retry_after: Option<&'static str>) -> Response {
        let mut headers = HeaderMap::new();
        if let Some(value) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(value));
        }
        Response { status: StatusCode::from_u16(status).unwrap(), headers, body: Box::pin(stream::empty()) }
    }

    #[test]
    fn the_server_asks_for_another_try_with_a_code_and_a_retry_after() {
        for exchange in EXCHANGES {
            for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                for status in [429, 500, 503, 504, 599] {
                    let seconds = |value| delay(exchange, &method, &Ok(answer(status, value))).map(|delay| delay.as_secs());
                    assert_eq!(seconds(Some("5")), Some(5), "{exchange:?} {method} {status}");
                    assert_eq!(seconds(Some("0")), Some(0));
                    for none in [None, Some(""), Some("soon"), Some("-1"), Some("1.5"), Some("Fri, 31 Dec 1999 23:59:59 GMT")] {
                        assert_eq!(seconds(none), None, "{exchange:?} {method} {status} {none:?}");
                    }
                }
                for status in [200, 201, 301, 307, 400, 403, 404, 409, 410, 422] {
                    assert_eq!(delay(exchange, &method, &Ok(answer(status, Some("5")))), None, "{exchange:?} {method} {status}");
                }
            }
        }
    }

    #[test]
    fn a_lost_connection_is_tried_again_where_nothing_can_happen_twice() {
        let second = Some(Duration::from_secs(1));
        let lost = || TransportError::Lost { address: "a".into(), message: "reset".into() };
        assert_eq!(delay(Exchange::Whole, &Method::GET, &Err(lost())), second);
        assert_eq!(delay(Exchange::Whole, &Method::POST, &Err(lost())), None);
        assert_eq!(delay(Exchange::Whole, &Method::DELETE, &Err(lost())), None);
        assert_eq!(delay(Exchange::Stream, &Method::GET, &Err(lost())), None);
        assert_eq!(delay(Exchange::Watch, &Method::GET, &Err(lost())), second);
        let late = || TransportError::TimedOut { address: "a".into() };
        assert_eq!(delay(Exchange::Watch, &Method::GET, &Err(late())), second);
        assert_eq!(delay(Exchange::Whole, &Method::GET, &Err(late())), None);
    }

    #[test]
    fn the_wait_is_what_the_server_asks_for_and_a_second_after_a_lost_connection() {
        let of = |outcome: Result<Response, TransportError>| delay(Exchange::Whole, &Method::GET, &outcome);
        assert_eq!(of(Ok(answer(429, Some("2")))), Some(Duration::from_secs(2)));
        assert_eq!(of(Ok(answer(503, Some(" 3 ")))), Some(Duration::from_secs(3)));
        assert_eq!(of(Ok(answer(429, None))), None);
        let lost = TransportError::Lost { address: "a".into(), message: "fake error".into() };
        assert_eq!(of(Err(lost)), Some(Duration::from_secs(1)));
    }

    #[test]
    fn a_watch_that_was_lost_in_the_end_is_lost_whatever_came_before() {
        let lost = || ApiError::from(TransportError::Lost { address: "a".into(), message: "m".into() });
        let timed_out = ApiError::from(TransportError::TimedOut { address: "a".into() });
        let throttled = || ApiError::Throttled { path: "/".into() };
        assert!(is_lost_watch(&lost()) && is_lost_watch(&timed_out) && is_lost_watch(&lost().after(Some(timed_out.clone()))));
        assert!(!is_lost_watch(&throttled()) && !is_lost_watch(&throttled().after(Some(lost()))));
        assert!(!is_lost_watch(&ApiError::TimedOut { path: "/".into(), seconds: 1 }));
    }

    #[test]
    fn a_refused_connection_and_a_bad_request_are_never_tried_again() {
        for exchange in EXCHANGES {
            let refused = TransportError::Unreachable { address: "a".into(), message: "refused".into() };
            assert_eq!(delay(exchange, &Method::GET, &Err(refused)), None);
            assert_eq!(delay(exchange, &Method::GET, &Err(TransportError::Invalid { message: "m".into() })), None);
        }
    }
}
