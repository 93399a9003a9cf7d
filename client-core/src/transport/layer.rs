//! Transports that wrap transports.

use std::sync::Arc;

use http::{HeaderName, HeaderValue};

use super::{Request, Response, Transport, TransportError};
use crate::platform::{BoxFuture, MaybeSend, MaybeSync};

/// Wraps a transport in another (client-go `transport/transport.go`, `WrapperFunc`). Any function from one to another is one.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use porthole_client_core::{
///     platform::{FakePlatform, ready},
///     rest::RestClient,
///     transport::{Exchange, ScriptedTransport, Transport, TransportLayer, with_observer, wrap_all},
/// };
///
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let log = Arc::clone(&lines);
/// let platform = Arc::new(FakePlatform::default());
/// let clock = platform.clone();
/// let layer = move |inner: Arc<dyn Transport>| {
///     let log = Arc::clone(&log);
///     let observer = move |exchange: Exchange| log.lock().unwrap().push(exchange.to_string());
///     with_observer(inner, clock.clone(), Arc::new(observer))
/// };
/// let layers: [Arc<dyn TransportLayer>; 1] = [Arc::new(layer)];
/// let client = RestClient::new(wrap_all(Arc::new(ScriptedTransport::default()), &layers), platform);
/// assert!(ready(client.get().absolute_path("/version").send()).is_err());
/// assert_eq!(*lines.lock().unwrap(), ["GET /version?pretty=false 404 Not Found in 0 ms"]);
/// ```
pub trait TransportLayer: MaybeSend + MaybeSync + 'static {
    /// `inner`, wrapped.
    fn wrap(&self, inner: Arc<dyn Transport>) -> Arc<dyn Transport>;
}

impl<F: Fn(Arc<dyn Transport>) -> Arc<dyn Transport> + MaybeSend + MaybeSync + 'static> TransportLayer for F {
    fn wrap(&self, inner: Arc<dyn Transport>) -> Arc<dyn Transport> {
        self(inner)
    }
}

/// `inner` in each of `layers` in turn, so that the last is the outermost and sees a request first (client-go
/// `transport/transport.go`, `Wrappers`).
#[must_use]
pub fn wrap_all(inner: Arc<dyn Transport>, layers: &[Arc<dyn TransportLayer>]) -> Arc<dyn Transport> {
    layers.iter().fold(inner, |inner, layer| layer.wrap(inner))
}

/// A layer that only adds headers.
pub(super) trait AddHeaders: MaybeSend + MaybeSync + 'static {
    fn add(&self, request: &mut Request);
}

/// A transport below a layer that only adds headers.
pub(super) struct WithHeaders<L> {
    pub(super) inner: Arc<dyn Transport>,
    pub(super) headers: L,
}

impl<L: AddHeaders> Transport for WithHeaders<L> {
    fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        self.headers.add(&mut request);
        self.inner.send(request)
    }
}

/// One header, unless a request has it.
pub(super) struct Unless {
    pub(super) name: HeaderName,
    pub(super) value: HeaderValue,
}

impl AddHeaders for Unless {
    fn add(&self, request: &mut Request) {
        if !request.headers.contains_key(&self.name) {
            request.headers.insert(self.name.clone(), self.value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{platform::ready, transport::layered::answering};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Writes a letter into the header `way`.
    struct Letter(Arc<dyn Transport>, &'static str);

    impl Transport for Letter {
        fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
            request.headers.append("way", HeaderValue::from_static(self.1));
            self.0.send(request)
        }
    }

    fn letter(letter: &'static str) -> Arc<dyn TransportLayer> {
        Arc::new(move |inner| Arc::new(Letter(inner, letter)) as Arc<dyn Transport>)
    }

    #[test]
    fn the_last_layer_sees_a_request_first_and_no_layers_change_nothing() {
        for (layers, expected) in [
            (vec![], vec![]),
            (vec![letter("1")], vec!["1"]),
            (vec![letter("1"), letter("2")], vec!["2", "1"]),
            (vec![letter("1"), letter("2"), letter("3")], vec!["3", "2", "1"]),
        ] {
            let scripted = answering(&[200]);
            let transport = wrap_all(Arc::new(scripted.clone()), &layers);
            assert_eq!(ready(transport.send(Request::read("/"))).unwrap().status, 200);
            let sent = scripted.requests();
            assert_eq!(sent[0].headers.get_all("way").iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_layer_may_answer_in_place_of_what_it_wraps() {
        let (one, two) = (answering(&[201]), answering(&[202]));
        let other = two.clone();
        let layer: Arc<dyn TransportLayer> = Arc::new(move |_inner| Arc::new(other.clone()) as Arc<dyn Transport>);
        let transport = wrap_all(Arc::new(one.clone()), &[layer]);
        assert_eq!(ready(transport.send(Request::read("/"))).unwrap().status, 202);
        assert!(one.requests().is_empty());
    }
}
