//! Bearer tokens: where they come from, how long they are kept, and how they get into a request.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::lock::Mutex as AsyncMutex;
use http::{HeaderValue, StatusCode, header};

use super::{
    Request, Response, Transport, TransportError,
    layer::{Unless, WithHeaders},
};
use crate::{
    config::Secret,
    platform::{BoxFuture, Instant, MaybeSend, MaybeSync, Platform},
};

/// A token as it is used for one request (Go's `oauth2.Token`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The token; empty for a request without one.
    pub token: Secret,
    /// Whether it was made for this request. One that is refused fresh from its source is not asked for again at once.
    pub fresh: bool,
}

/// Where a request gets its token (client-go `transport/token_source.go`, `ResettableTokenSource`).
pub trait TokenSource: MaybeSend + MaybeSync + 'static {
    /// The token to use now.
    ///
    /// # Errors
    /// Where there is none; the request is not sent then.
    fn token(&self) -> BoxFuture<'static, Result<Bearer, TransportError>>;

    /// The server did not accept `token`: if it is still the one that would be used, the next request gets another.
    fn reject(&self, token: &Secret);
}

/// `inner` with this token in each request that has no `Authorization` of its own (client-go
/// `transport/round_trippers.go`, `NewBearerAuthRoundTripper`).
///
/// # Errors
/// Where no header can hold it.
pub fn with_bearer_token(inner: Arc<dyn Transport>, token: &Secret) -> Result<Arc<dyn Transport>, TransportError> {
    let headers = Unless { name: header::AUTHORIZATION, value: bearer(token)? };
    Ok(Arc::new(WithHeaders { inner, headers }))
}

/// `inner` with a token of `source` in each request that has no `Authorization` of its own. After an answer of 401 the
/// next request asks the source again; the answer itself goes to the caller (client-go
/// `transport/token_source.go`, `ResettableTokenSourceWrapTransport`).
#[must_use]
pub fn with_token_source(inner: Arc<dyn Transport>, source: Arc<dyn TokenSource>) -> Arc<dyn Transport> {
    Arc::new(Sourced { inner, source })
}

struct Sourced {
    inner: Arc<dyn Transport>,
    source: Arc<dyn TokenSource>,
}

impl Transport for Sourced {
    fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        if request.headers.contains_key(header::AUTHORIZATION) {
            return self.inner.send(request);
        }
        let (inner, source) = (Arc::clone(&self.inner), Arc::clone(&self.source));
        Box::pin(async move {
            let Bearer { token, fresh } = source.token().await?;
            if !token.is_empty() {
                request.headers.insert(header::AUTHORIZATION, bearer(&token)?);
            }
            let response = inner.send(request).await?;
            if response.status == StatusCode::UNAUTHORIZED && !fresh {
                source.reject(&token);
            }
            Ok(response)
        })
    }
}

/// `Authorization` with this token, which shows in no `Debug`.
///
/// # Errors
/// [`TransportError::Credentials`] where no header can hold it.
pub(crate) fn bearer(token: &Secret) -> Result<HeaderValue, TransportError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose())).map_err(|_no_reason| {
        TransportError::Credentials { message: "the token holds a line break or a control character".to_owned() }
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// A token fresh from where it is kept or made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedToken {
    /// The token.
    pub token: Secret,
    /// When it must be loaded again; `None` for never.
    pub expires: Option<Instant>,
}

/// Reads or makes a token, however long that takes: what a [`CachingTokenSource`] asks.
pub trait TokenLoader: MaybeSend + MaybeSync + 'static {
    /// A token as it is now.
    ///
    /// # Errors
    /// Where there is none.
    fn load(&self) -> BoxFuture<'static, Result<LoadedToken, TransportError>>;
}

/// Keeps a token until shortly before it expires; requests that need one at the same time load it once (client-go
/// `transport/token_source.go`, `cachingTokenSource`).
///
/// Where a token cannot be loaded again the old one is used on: only the server knows whether it still holds, and its 401 is
/// what the caller hears then.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{
///     config::Secret,
///     platform::{BoxFuture, FakePlatform, ready},
///     rest::RestClient,
///     transport::{
///         CachingTokenSource, LoadedToken, ScriptedTransport, TokenLoader, TransportError, with_token_source,
///     },
/// };
///
/// struct Vault;
///
/// impl TokenLoader for Vault {
///     fn load(&self) -> BoxFuture<'static, Result<LoadedToken, TransportError>> {
///         Box::pin(async { Ok(LoadedToken { token: Secret::new("t0ken"), expires: None }) })
///     }
/// }
///
/// let (server, platform) = (Arc::new(ScriptedTransport::default()), Arc::new(FakePlatform::default()));
/// let tokens = CachingTokenSource::new(Arc::new(Vault), platform.clone(), Duration::from_secs(10));
/// let client = RestClient::new(with_token_source(server.clone(), Arc::new(tokens)), platform);
/// assert!(ready(client.get().absolute_path("/version").send()).is_err());
/// assert_eq!(server.requests()[0].headers["authorization"], "Bearer t0ken");
/// ```
#[derive(Clone)]
pub struct CachingTokenSource {
    loader: Arc<dyn TokenLoader>,
    platform: Arc<dyn Platform>,
    leeway: Duration,
    cached: Arc<Mutex<Option<LoadedToken>>>,
    loading: Arc<AsyncMutex<()>>,
}

impl CachingTokenSource {
    /// The tokens of `loader`, each until `leeway` before it expires.
    #[must_use]
    pub fn new(loader: Arc<dyn TokenLoader>, platform: Arc<dyn Platform>, leeway: Duration) -> Self {
        Self { loader, platform, leeway, cached: Arc::default(), loading: Arc::default() }
    }

    /// The same, with a token to use until the first that is loaded, and in its place where none can be.
    #[must_use]
    pub fn with_initial(self, token: Secret) -> Self {
        self.keep(LoadedToken { token, expires: Some(Instant::default()) });
        self
    }

    /// The token that is kept, where it still holds.
    fn current(&self) -> Option<Secret> {
        let now = self.platform.now();
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |loaded: &&LoadedToken| loaded.expires.is_none_or(|expires| expires > now + self.leeway);
        cached.as_ref().filter(holds).map(|loaded| loaded.token.clone())
    }

    /// The token that is kept, whether it holds or not.
    fn last(&self) -> Option<Secret> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|loaded| loaded.token.clone())
    }

    fn keep(&self, loaded: LoadedToken) {
        *self.cached.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
    }
}

impl TokenSource for CachingTokenSource {
    fn token(&self) -> BoxFuture<'static, Result<Bearer, TransportError>> {
        let this = self.clone();
        Box::pin(async move {
            let kept = |token| Ok(Bearer { token, fresh: false });
            if let Some(token) = this.current() {
                return kept(token);
            }
            let _one_at_a_time = this.loading.lock().await;
            if let Some(token) = this.current() {
                return kept(token);
            }
            match (this.loader.load().await, this.last()) {
                (Ok(loaded), _) => {
                    this.keep(loaded.clone());
                    Ok(Bearer { token: loaded.token, fresh: true })
                }
                (Err(_), Some(old)) => kept(old),
                (Err(error), None) => Err(error),
            }
        })
    }

    fn reject(&self, token: &Secret) {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.as_ref().is_some_and(|loaded| loaded.token == *token) {
            *cached = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::{FakePlatform, ready},
        transport::layered::{answering, last},
    };
    use futures::{FutureExt as _, channel::oneshot, future::join_all, task::noop_waker_ref};
    use std::task::{Context, Poll};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const MINUTE: Duration = Duration::from_mins(1);

    /// Loads what it is told to, and counts.
    #[derive(Clone, Default)]
    struct Loader(Arc<Mutex<(usize, Option<LoadedToken>)>>);

    impl Loader {
        fn will_load(&self, token: &str, expires: Option<Duration>) {
            self.0.lock().unwrap().1 = Some(LoadedToken { token: Secret::new(token), expires: expires.map(Instant::new) });
        }
        fn will_fail(&self) {
            self.0.lock().unwrap().1 = None;
        }
        fn calls(&self) -> usize {
            self.0.lock().unwrap().0
        }
    }

    impl TokenLoader for Loader {
        fn load(&self) -> BoxFuture<'static, Result<LoadedToken, TransportError>> {
            let mut inner = self.0.lock().unwrap();
            inner.0 += 1;
            let answer = inner.1.clone().ok_or(TransportError::Credentials { message: "none today".into() });
            Box::pin(async { answer })
        }
    }

    fn source(loader: &Loader, leeway: Duration) -> (CachingTokenSource, FakePlatform) {
        let platform = FakePlatform::default();
        (CachingTokenSource::new(Arc::new(loader.clone()), Arc::new(platform.clone()), leeway), platform)
    }

    fn token(source: &CachingTokenSource) -> Result<String, String> {
        ready(source.token()).map(|bearer| bearer.token.expose().to_owned()).map_err(|error| error.to_string())
    }

    fn send(transport: &Arc<dyn Transport>) -> StatusCode {
        ready(transport.send(Request::read("/"))).unwrap().status
    }

    #[test]
    fn a_token_is_sent_unless_the_request_has_credentials_and_is_not_shown() {
        let scripted = answering(&[200, 200]);
        let transport = with_bearer_token(Arc::new(scripted.clone()), &Secret::new("test")).unwrap();
        send(&transport);
        assert_eq!(last(&scripted, "authorization").as_deref(), Some("Bearer test"));
        let shown = format!("{:?}", scripted.requests());
        assert!(shown.contains("Sensitive") && !shown.contains("Bearer"), "{shown}");
        let mut own = Request::read("/");
        own.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer own"));
        ready(transport.send(own)).unwrap();
        assert_eq!(last(&scripted, "authorization").as_deref(), Some("Bearer own"));
        let error = with_bearer_token(Arc::new(scripted), &Secret::new("s3cr3t\n")).err().unwrap().to_string();
        assert!(error.contains("line break") && !error.contains("s3cr3t"), "{error}");
    }

    #[test]
    fn a_token_is_kept_until_shortly_before_it_expires() {
        let loader = Loader::default();
        let (source, platform) = source(&loader, MINUTE);
        loader.will_load("a", Some(10 * MINUTE));
        assert_eq!((token(&source), loader.calls()), (Ok("a".into()), 1));
        platform.advance(8 * MINUTE);
        loader.will_load("b", Some(20 * MINUTE));
        assert_eq!((token(&source), loader.calls()), (Ok("a".into()), 1));
        platform.advance(2 * MINUTE);
        assert_eq!((token(&source), loader.calls()), (Ok("b".into()), 2));
        loader.will_load("c", None);
        platform.advance(20 * MINUTE);
        assert_eq!(token(&source), Ok("c".into()));
        platform.advance(10_000 * MINUTE);
        assert_eq!((token(&source), loader.calls()), (Ok("c".into()), 3));
    }

    #[test]
    fn a_token_that_cannot_be_loaded_is_an_error_and_one_that_cannot_be_renewed_is_used_on() {
        let loader = Loader::default();
        let (source, platform) = source(&loader, Duration::ZERO);
        assert_eq!(token(&source), Err("the credentials for the request are not to be had: none today".into()));
        loader.will_load("a", Some(MINUTE));
        assert_eq!(token(&source), Ok("a".into()));
        platform.advance(2 * MINUTE);
        loader.will_fail();
        assert_eq!((token(&source), token(&source), loader.calls()), (Ok("a".into()), Ok("a".into()), 4));
    }

    #[test]
    fn an_initial_token_stands_in_until_one_is_loaded() {
        let loader = Loader::default();
        let (source, _) = source(&loader, Duration::ZERO);
        let source = source.with_initial(Secret::new("initial"));
        assert_eq!(token(&source), Ok("initial".into()));
        loader.will_load("loaded", None);
        assert_eq!((token(&source), loader.calls()), (Ok("loaded".into()), 2));
    }

    #[test]
    fn requests_that_need_a_token_at_the_same_time_load_it_once() {
        struct Slow(Mutex<Vec<oneshot::Receiver<LoadedToken>>>);
        impl TokenLoader for Slow {
            fn load(&self) -> BoxFuture<'static, Result<LoadedToken, TransportError>> {
                let receiver = self.0.lock().unwrap().pop().expect("it was loaded twice");
                Box::pin(async { Ok(receiver.await.unwrap()) })
            }
        }
        let (sender, receiver) = oneshot::channel();
        let loader = Arc::new(Slow(Mutex::new(vec![receiver])));
        let source = CachingTokenSource::new(loader, Arc::new(FakePlatform::default()), Duration::ZERO);
        let mut all = join_all((0..100).map(|_| source.token()));
        let mut context = Context::from_waker(noop_waker_ref());
        assert!(all.poll_unpin(&mut context).is_pending());
        sender.send(LoadedToken { token: Secret::new("a"), expires: None }).unwrap();
        let tokens = loop {
            if let Poll::Ready(tokens) = all.poll_unpin(&mut context) {
                break tokens;
            }
        };
        assert!(tokens.iter().all(|bearer| bearer.as_ref().unwrap().token == Secret::new("a")));
        assert_eq!(tokens.iter().filter(|bearer| bearer.as_ref().unwrap().fresh).count(), 1);
    }

    #[test]
    fn a_kept_token_that_is_refused_is_asked_for_again_and_a_fresh_one_is_not() {
        let loader = Loader::default();
        let (source, _) = source(&loader, Duration::ZERO);
        let scripted = answering(&[401, 401, 200, 200]);
        let transport = with_token_source(Arc::new(scripted.clone()), Arc::new(source.clone()));
        loader.will_load("bad", None);
        // Fresh and refused: kept.
        assert_eq!((send(&transport), loader.calls(), source.current().is_some()), (StatusCode::UNAUTHORIZED, 1, true));
        // Kept and refused: forgotten.
        assert_eq!((send(&transport), loader.calls(), source.current().is_some()), (StatusCode::UNAUTHORIZED, 1, false));
        loader.will_load("good", None);
        assert_eq!((send(&transport), loader.calls()), (StatusCode::OK, 2));
        assert_eq!(last(&scripted, "authorization").as_deref(), Some("Bearer good"));
        // Kept and accepted: kept.
        assert_eq!((send(&transport), loader.calls(), source.current().is_some()), (StatusCode::OK, 2, true));
    }

    #[test]
    fn a_request_with_credentials_asks_for_no_token() {
        let loader = Loader::default();
        let (source, _) = source(&loader, Duration::ZERO);
        let scripted = answering(&[401]);
        let transport = with_token_source(Arc::new(scripted.clone()), Arc::new(source));
        let mut request = Request::read("/");
        request.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer TOKEN"));
        assert_eq!(ready(transport.send(request)).unwrap().status, StatusCode::UNAUTHORIZED);
        assert_eq!((loader.calls(), last(&scripted, "authorization").as_deref()), (0, Some("Bearer TOKEN")));
    }

    #[test]
    fn the_refusal_of_an_old_token_does_not_cost_the_new_one() {
        let loader = Loader::default();
        let (source, _) = source(&loader, Duration::ZERO);
        loader.will_load("new", None);
        assert_eq!(token(&source), Ok("new".into()));
        source.reject(&Secret::new("old"));
        assert_eq!((token(&source), loader.calls()), (Ok("new".into()), 1));
    }

    #[test]
    fn dropping_a_request_ends_it_in_the_transport_below() {
        struct Endless(Arc<Mutex<Option<oneshot::Sender<()>>>>);
        impl Transport for Endless {
            fn send(&self, _request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
                let alive = self.0.lock().unwrap().take();
                Box::pin(async move {
                    futures::future::pending::<()>().await;
                    drop(alive);
                    unreachable!("it is pending for good")
                })
            }
        }
        let loader = Loader::default();
        loader.will_load("a", None);
        let (source, _) = source(&loader, Duration::ZERO);
        for authorized in [true, false] {
            let (sender, mut receiver) = oneshot::channel();
            let inner = Endless(Arc::new(Mutex::new(Some(sender))));
            let transport = with_token_source(Arc::new(inner), Arc::new(source.clone()));
            let mut request = Request::read("/");
            if authorized {
                request.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer TOKEN"));
            }
            let mut work = transport.send(request);
            assert!(work.poll_unpin(&mut Context::from_waker(noop_waker_ref())).is_pending());
            assert_eq!(receiver.try_recv(), Ok(None));
            drop(work);
            assert_eq!(receiver.try_recv(), Err(oneshot::Canceled), "the request below lives on");
        }
    }
}
