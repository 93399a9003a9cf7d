//! Seeing what is sent, without its secrets.

use std::{fmt, sync::Arc, time::Duration};

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::{Request, Response, Transport, TransportError, socket::TOKEN_PROTOCOL};
use crate::platform::{BoxFuture, MaybeSend, MaybeSync, Platform};

/// One request and its answer, for a log. Nothing in it is a secret: credentials are masked before anybody sees them
/// (client-go `transport/round_trippers.go`, `debuggingRoundTripper`).
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The verb.
    pub method: Method,
    /// The path with its query.
    pub path: String,
    /// The headers of the request, masked.
    pub request_headers: HeaderMap,
    /// The status and headers of the answer, or what went wrong.
    pub outcome: Result<(StatusCode, HeaderMap), TransportError>,
    /// From the request to the head of the answer.
    pub duration: Duration,
}

impl Exchange {
    /// A command that sends the same to the server at `base`; credentials are left to who runs it.
    #[must_use]
    pub fn curl(&self, base: &str) -> String {
        let header = |(name, value): (&HeaderName, &HeaderValue)| {
            format!(" -H {}", quoted(&format!("{name}: {}", String::from_utf8_lossy(value.as_bytes()))))
        };
        let headers: String = self.request_headers.iter().map(header).collect();
        format!("curl -v -X{}{headers} {}", self.method, quoted(&format!("{base}{}", self.path)))
    }
}

/// One line: verb, path, outcome and time.
impl fmt::Display for Exchange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} ", self.method, self.path)?;
        match &self.outcome {
            Ok((status, _)) => write!(formatter, "{status}")?,
            Err(error) => write!(formatter, "{error}")?,
        }
        write!(formatter, " in {} ms", self.duration.as_millis())
    }
}

/// Hears of each exchange as soon as the head of its answer is there. Any function of an [`Exchange`] is one.
pub trait ExchangeObserver: MaybeSend + MaybeSync + 'static {
    /// One exchange.
    fn observe(&self, exchange: Exchange);
}

impl<F: Fn(Exchange) + MaybeSend + MaybeSync + 'static> ExchangeObserver for F {
    fn observe(&self, exchange: Exchange) {
        self(exchange);
    }
}

/// `inner`, telling `observer` of each exchange. It sees what the layers above it made of a request: below those that
/// add credentials it sees all that is sent (client-go `transport/round_trippers.go`, `NewDebuggingRoundTripper`).
#[must_use]
pub fn with_observer(
    inner: Arc<dyn Transport>,
    platform: Arc<dyn Platform>,
    observer: Arc<dyn ExchangeObserver>,
) -> Arc<dyn Transport> {
    Arc::new(Observed { inner, platform, observer })
}

struct Observed {
    inner: Arc<dyn Transport>,
    platform: Arc<dyn Platform>,
    observer: Arc<dyn ExchangeObserver>,
}

impl Transport for Observed {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let (method, path) = (request.method.clone(), request.path.clone());
        let request_headers = masked(&request.headers);
        let (platform, observer) = (Arc::clone(&self.platform), Arc::clone(&self.observer));
        let start = platform.now();
        let answer = self.inner.send(request);
        Box::pin(async move {
            let answer = answer.await;
            let outcome = match &answer {
                Ok(response) => Ok((response.status, masked(&response.headers))),
                Err(error) => Err(error.clone()),
            };
            let duration = platform.now().since(start);
            observer.observe(Exchange { method, path, request_headers, outcome, duration });
            answer
        })
    }
}

/// Headers without the secrets in them: of an `Authorization` its scheme stays, where it is a known one; cookies go (client-go
/// `maskValue`).
#[must_use]
pub fn masked(headers: &HeaderMap) -> HeaderMap {
    headers.iter().map(|(name, value)| (name.clone(), masked_value(name, value))).collect()
}

fn masked_value(name: &HeaderName, value: &HeaderValue) -> HeaderValue {
    const MASKED: HeaderValue = HeaderValue::from_static("<masked>");
    if matches!(*name, header::COOKIE | header::SET_COOKIE | header::PROXY_AUTHORIZATION) {
        return MASKED;
    }
    // A WebSocket may carry a token as the name of a subprotocol.
    if *name == header::SEC_WEBSOCKET_PROTOCOL && value.to_str().is_ok_and(|names| names.contains(TOKEN_PROTOCOL)) {
        return MASKED;
    }
    if *name != header::AUTHORIZATION || value.is_empty() {
        return value.clone();
    }
    let (scheme, credentials) = match value.as_bytes().iter().position(|&byte| byte == b' ') {
        Some(end) => value.as_bytes().split_at(end),
        None => (value.as_bytes(), &[][..]),
    };
    if ![&b"bearer"[..], b"basic", b"negotiate"].iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
        return MASKED;
    }
    let masked: &[u8] = if credentials.len() > 1 { b" <masked>" } else { b"" };
    HeaderValue::from_bytes(&[scheme, masked].concat()).unwrap_or(MASKED)
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::{FakePlatform, ready},
        transport::{ScriptedAnswer, ScriptedTransport, layered::last},
    };
    use std::sync::Mutex;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn of_credentials_only_a_known_scheme_is_shown() {
        let mask = |name: &str, value: &'static str| {
            let masked = masked_value(&name.parse().unwrap(), &HeaderValue::from_static(value));
            masked.to_str().unwrap().to_owned()
        };
        for (value, expected) in [
            ("Basic YWxhZGRpbjpvcGVuc2VzYW1l", "Basic <masked>"),
            ("basic", "basic"),
            ("Basic", "Basic"),
            ("Bearer cn389ncoiwuencr", "Bearer <masked>"),
            ("Bearer", "Bearer"),
            ("bearer", "bearer"),
            ("bearer ", "bearer"),
            ("Negotiate cn389ncoiwuencr", "Negotiate <masked>"),
            ("Negotiate", "Negotiate"),
            ("Negotiate ", "Negotiate"),
            ("negotiate", "negotiate"),
            ("abc cn389ncoiwuencr", "<masked>"),
            ("cn389ncoiwuencr", "<masked>"),
            ("", ""),
        ] {
            assert_eq!(mask("Authorization", value), expected, "{value:?}");
        }
        assert_eq!(mask("ABC", "Negotiate cn389ncoiwuencr"), "Negotiate cn389ncoiwuencr");
        assert_eq!(mask("Set-Cookie", "session=1"), "<masked>");
        let protocols = "base64url.bearer.authorization.k8s.io.abc, v5.channel.k8s.io";
        assert_eq!(mask("Sec-WebSocket-Protocol", protocols), "<masked>");
        assert_eq!(mask("Sec-WebSocket-Protocol", "v5.channel.k8s.io"), "v5.channel.k8s.io");
    }

    #[test]
    fn an_exchange_is_told_with_its_headers_masked_its_outcome_and_its_time() {
        let platform = FakePlatform::default();
        let seen: Arc<Mutex<Vec<Exchange>>> = Arc::default();
        let log = Arc::clone(&seen);
        let observer = Arc::new(move |exchange| log.lock().unwrap().push(exchange));
        let slow = platform.clone();
        let scripted = ScriptedTransport::default();
        let answer = ScriptedAnswer::status(StatusCode::OK).with_header(HeaderName::from_static("x-test-response"), "a");
        scripted.once("/api/v1/pods", answer);
        let below = scripted.clone();
        /// Takes 30 ms for an answer.
        struct Slow(ScriptedTransport, FakePlatform);
        impl Transport for Slow {
            fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
                let answer = self.0.send(request);
                let platform = self.1.clone();
                Box::pin(async move {
                    platform.advance(Duration::from_millis(30));
                    answer.await
                })
            }
        }
        let transport = with_observer(Arc::new(Slow(below, slow)), Arc::new(platform), observer);
        let mut request = Request::read("/api/v1/pods?limit=500");
        request.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("bearer secretauthtoken"));
        request.headers.insert("x-test-request", HeaderValue::from_static("it's"));
        ready(transport.send(request)).unwrap();

        // What is sent is not masked.
        assert_eq!(last(&scripted, "authorization").as_deref(), Some("bearer secretauthtoken"));
        let seen = seen.lock().unwrap();
        let [exchange] = seen.as_slice() else { panic!("{} exchanges", seen.len()) };
        assert_eq!(exchange.to_string(), "GET /api/v1/pods?limit=500 200 OK in 30 ms");
        assert_eq!(exchange.request_headers["authorization"], "bearer <masked>");
        assert_eq!(exchange.outcome.as_ref().unwrap().1["x-test-response"], "a");
        assert_eq!(
            exchange.curl("https://127.0.0.1:12345"),
            r"curl -v -XGET -H 'authorization: bearer <masked>' -H 'x-test-request: it'\''s' 'https://127.0.0.1:12345/api/v1/pods?limit=500'"
        );
        assert!(!format!("{exchange:?}").contains("secretauthtoken"));
    }

    #[test]
    fn a_fault_is_told_as_well() {
        struct Broken;
        impl Transport for Broken {
            fn send(&self, _request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
                Box::pin(async { Err(TransportError::Unreachable { address: "a".into(), message: "refused".into() }) })
            }
        }
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        let observer = Arc::new(move |exchange: Exchange| log.lock().unwrap().push(exchange.to_string()));
        let transport = with_observer(Arc::new(Broken), Arc::new(FakePlatform::default()), observer);
        assert!(ready(transport.send(Request::read("/"))).is_err());
        assert_eq!(*seen.lock().unwrap(), ["GET / the server could not be reached at a: refused in 0 ms"]);
    }
}
