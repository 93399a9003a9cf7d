//! Who wants to know what becomes of requests: client-go's `tools/metrics`, and the bodies that its logs show.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;

use crate::{
    platform::{MaybeSend, MaybeSync},
    transport::Request,
};

/// Told what becomes of the requests of a client ([`RestClient::with_observer`](super::RestClient::with_observer)). Each method
/// does nothing unless it is written anew. All are called from within the request, so they must be quick.
///
/// The path of a request names objects; what keeps count by path takes [`url_template`](super::url_template) of it. A body can
/// hold a Secret: what writes bodies down, with [`body_excerpt`](super::body_excerpt), shows it to whoever reads that.
///
/// ```
/// use std::{sync::{Arc, Mutex}, time::Duration};
/// use http::StatusCode;
/// use porthole_client_core::{
///     platform::{FakePlatform, ready},
///     rest::{RequestObserver, RestClient},
///     transport::{Request, ScriptedAnswer, ScriptedTransport},
/// };
///
/// #[derive(Default)]
/// struct Codes(Mutex<Vec<u16>>);
///
/// impl RequestObserver for Codes {
///     fn answered(&self, _request: &Request, code: Option<StatusCode>, _retries: u32) {
///         self.0.lock().unwrap().extend(code.map(|code| code.as_u16()));
///     }
/// }
///
/// let (server, codes) = (ScriptedTransport::default(), Arc::new(Codes::default()));
/// server.always("/version", ScriptedAnswer::text("{}"));
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default())).with_observer(codes.clone());
/// ready(client.get().absolute_path("/version").send()).unwrap();
/// assert_eq!(*codes.0.lock().unwrap(), [200]);
/// ```
#[expect(unused_variables, reason = "the names say what an observer is given")]
pub trait RequestObserver: MaybeSend + MaybeSync + 'static {
    /// A try had to wait so long for the client's rate limit; zero where it had not to (`RateLimiterLatency`).
    fn throttled(&self, request: &Request, waited: Duration) {}

    /// A try is sent. The length of its body is client-go's `RequestSize`.
    fn sending(&self, request: &Request) {}

    /// A try was answered with this code, or, with `None`, was not answered (`RequestResult`). So many tries came before it:
    /// where there were some, it is a retry (`RequestRetry`).
    fn answered(&self, request: &Request, code: Option<StatusCode>, retries: u32) {}

    /// The whole body of the last answer is there (`ResponseSize`). What is streamed is not told.
    fn received(&self, request: &Request, body: &Bytes) {}

    /// The request is over: with a whole answer, with the head of one that is streamed, or with an error. It took so long, with
    /// all its tries and waits (`RequestLatency`). One that is given up is not told.
    fn finished(&self, request: &Request, took: Duration) {}
}
