//! A client that changes nothing.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use http::Method;

use super::{
    Request, Response, SocketAnswer, SocketRequest, SocketTransport, Transport, TransportError, TransportLayer,
    socket_watch::is_watch,
};
use crate::platform::BoxFuture;

/// A switch: while it is on, what could change something in the cluster fails before it is sent, with
/// [`TransportError::ReadOnly`]. Clones are the same switch; it begins off. client-go has none.
///
/// What passes: GET, HEAD and OPTIONS, and POSTs that ask what somebody may do (the reviews of `authorization.k8s.io`). Of WebSockets
/// watches and logs pass; those to `exec`, `attach` and `portforward`, and through the server's proxy, do not. What is open goes on
/// when the switch is turned. A GET through the proxy of a service or a node passes, whatever that does.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     platform::ready,
///     transport::{ReadOnly, Request, ScriptedAnswer, ScriptedTransport, TransportError, TransportLayer},
/// };
///
/// let (server, switch) = (ScriptedTransport::default(), ReadOnly::default());
/// server.always("/api/v1/nodes/a", ScriptedAnswer::text("{}"));
/// let transport = switch.wrap(Arc::new(server));
/// switch.set(true);
/// let delete = || Request { method: http::Method::DELETE, ..Request::read("/api/v1/nodes/a") };
/// assert!(matches!(ready(transport.send(delete())), Err(TransportError::ReadOnly)));
/// assert!(ready(transport.send(Request::read("/api/v1/nodes/a"))).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadOnly(Arc<AtomicBool>);

impl ReadOnly {
    /// Turns the switch.
    pub fn set(&self, is_on: bool) {
        self.0.store(is_on, Ordering::Relaxed);
    }

    /// Whether nothing may be changed.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `inner`, which opens nothing that could change something while the switch is on.
    #[must_use]
    pub fn wrap_sockets(&self, inner: Arc<dyn SocketTransport>) -> Arc<dyn SocketTransport> {
        Arc::new(Guarded { inner, switch: self.clone() })
    }
}

impl TransportLayer for ReadOnly {
    fn wrap(&self, inner: Arc<dyn Transport>) -> Arc<dyn Transport> {
        Arc::new(Guarded { inner, switch: self.clone() })
    }
}

struct Guarded<T: ?Sized> {
    switch: ReadOnly,
    inner: Arc<T>,
}

impl Transport for Guarded<dyn Transport> {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        if self.switch.is_on() && !only_reads(&request) {
            return Box::pin(async { Err(TransportError::ReadOnly) });
        }
        self.inner.send(request)
    }
}

impl SocketTransport for Guarded<dyn SocketTransport> {
    fn open(&self, request: SocketRequest) -> BoxFuture<'static, Result<SocketAnswer, TransportError>> {
        if self.switch.is_on() && !only_listens(&request.path) {
            return Box::pin(async { Err(TransportError::ReadOnly) });
        }
        self.inner.open(request)
    }
}

fn only_reads(request: &Request) -> bool {
    match request.method {
        Method::GET | Method::HEAD | Method::OPTIONS => true,
        Method::POST => is_review(bare(&request.path)),
        _ => false,
    }
}

/// Whether this is where the server is asked what somebody may do.
fn is_review(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("/apis/authorization.k8s.io/") else { return false };
    let mut segments = rest.split('/').skip(1);
    match [segments.next(), segments.next(), segments.next(), segments.next()] {
        [Some("namespaces"), Some(_), Some(resource), None] | [Some(resource), None, None, None] => resource.ends_with("reviews"),
        _ => false,
    }
}

/// Whether a WebSocket here only brings something.
fn only_listens(path: &str) -> bool {
    let mut segments: Vec<_> = bare(path).split('/').skip(1).collect();
    // Behind the group and the version, and the namespace: the resource, its name, and what is wanted of it.
    segments.drain(..segments.len().min(if segments.first() == Some(&"api") { 2 } else { 3 }));
    if segments.first() == Some(&"namespaces") && segments.len() > 2 {
        segments.drain(..2);
    }
    match segments.as_slice() {
        ["pods", _, "log"] => true,
        // A watch is of a collection, or of one object.
        [_] | [_, _] => is_watch(&Request::read(path)),
        _ => false,
    }
}

fn bare(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::{FakePlatform, ready},
        rest::RestClient,
        transport::{ScriptedAnswer, ScriptedOpening, ScriptedSockets, ScriptedTransport},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const REVIEW: &str = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    /// Whether a request is sent while the switch is on; what is not fails with the error that says so.
    fn passes(method: &Method, path: &str) -> bool {
        let (server, switch) = (ScriptedTransport::default(), ReadOnly::default());
        let transport = switch.wrap(Arc::new(server.clone()));
        let send = || ready(transport.send(Request { method: method.clone(), ..Request::read(path) }));
        // A switch that is off holds nothing back.
        assert!(send().is_ok());
        switch.set(true);
        let error = send().err();
        switch.set(false);
        assert!(send().is_ok());
        let passed = server.requests().len() == 3;
        assert_eq!(matches!(error, Some(TransportError::ReadOnly)), !passed, "{method} {path}");
        passed
    }

    #[test]
    fn of_the_verbs_only_those_that_read_pass() {
        for (method, is_passed) in [
            (Method::GET, true),
            (Method::HEAD, true),
            (Method::OPTIONS, true),
            (Method::POST, false),
            (Method::PUT, false),
            (Method::PATCH, false),
            (Method::DELETE, false),
            (Method::CONNECT, false),
            (Method::TRACE, false),
            (Method::from_bytes(b"ANY").unwrap(), false),
        ] {
            for path in ["/api/v1/namespaces/a/pods", "/api/v1/pods?watch=true", "/apis/apps/v1/namespaces/a/deployments/d/scale"]
            {
                assert_eq!(passes(&method, path), is_passed, "{method} {path}");
            }
        }
    }

    #[test]
    fn who_asks_what_may_be_done_changes_nothing() {
        for (path, is_passed) in [
            (REVIEW, true),
            ("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews?pretty=false", true),
            ("/apis/authorization.k8s.io/v1/subjectaccessreviews", true),
            ("/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews", true),
            ("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x", false),
            ("/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews/x", false),
            ("/apis/authorization.k8s.io/reviews", false),
            ("/apis/authorization.k8s.io/v1/others", false),
            ("/apis/authorization.k8s.io.evil.io/v1/selfsubjectaccessreviews", false),
            ("/api/v1/namespaces/a/services/s/proxy/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", false),
            ("/apis/example.io/v1/reviews?x=/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", false),
            ("/apis/authentication.k8s.io/v1/tokenreviews", false),
            ("/api/v1/namespaces/a/pods/p/eviction", false),
        ] {
            assert_eq!(passes(&Method::POST, path), is_passed, "{path}");
        }
        assert!(!passes(&Method::DELETE, REVIEW));
    }

    #[test]
    fn of_the_sockets_only_watches_and_logs_are_opened() {
        for (path, is_passed) in [
            ("/api/v1/pods?watch=true", true),
            ("/api/v1/namespaces?watch=true", true),
            ("/api/v1/namespaces/a?watch=true", true),
            ("/api/v1/namespaces/a/pods?watch=1&resourceVersion=7", true),
            ("/apis/apps/v1/namespaces/a/deployments?watch=true", true),
            ("/apis/apps/v1/namespaces/a/deployments/d?watch=true", true),
            ("/api/v1/namespaces/a/pods/p/log?follow=true", true),
            ("/api/v1/namespaces/a/pods/p/exec?command=sh", false),
            ("/api/v1/namespaces/a/pods/p/exec?command=sh&watch=true", false),
            ("/api/v1/namespaces/a/pods/p/attach", false),
            ("/api/v1/namespaces/a/pods/p/portforward?ports=80", false),
            ("/api/v1/namespaces/a/services/s/proxy/pods/p/log", false),
            ("/api/v1/namespaces/a/services/s/proxy?watch=true", false),
            ("/api/v1/nodes/n/proxy/exec/a/p/c?command=sh&watch=true", false),
            ("/api/v1/pods", false),
            ("/", false),
        ] {
            let (sockets, switch) = (ScriptedSockets::default(), ReadOnly::default());
            let guarded = switch.wrap_sockets(Arc::new(sockets.clone()));
            for is_on in [false, true] {
                switch.set(is_on);
                sockets.once(bare(path), ScriptedOpening::messages([]));
                let refused = matches!(ready(guarded.open(SocketRequest::new(path))), Err(TransportError::ReadOnly));
                assert_eq!(refused, is_on && !is_passed, "{path}");
            }
            assert_eq!(sockets.requests().len(), 1 + usize::from(is_passed), "{path}");
        }
    }

    #[test]
    fn the_error_says_what_to_do_and_no_second_try_is_made() {
        let (server, switch, platform) = (ScriptedTransport::default(), ReadOnly::default(), Arc::new(FakePlatform::default()));
        switch.set(true);
        let client = RestClient::new(switch.wrap(Arc::new(server.clone())), platform);
        let error = ready(client.delete().absolute_path("/api/v1/nodes/a").send()).unwrap_err().to_string();
        assert!(error.contains("this cluster is set to read-only here: turn that off to change anything"), "{error}");
        server.always_to(Method::DELETE, "/api/v1/nodes/a", ScriptedAnswer::text("{}"));
        switch.clone().set(false);
        assert!(ready(client.delete().absolute_path("/api/v1/nodes/a").send()).is_ok());
    }
}
