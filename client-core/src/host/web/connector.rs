//! From what a page connects to, to a client.

use std::sync::Arc;

use http::{HeaderMap, HeaderValue, header};
use js_sys::{Reflect, global};
use wasm_bindgen::JsValue;

use super::{FetchTransport, WebPlatform};
use crate::{
    config::PageConfig,
    platform::BoxFuture,
    rest::RestClient,
    transport::{Request, Response, Transport, TransportError, with_bearer_token},
};

/// The longest Accept header that a browser sends elsewhere without asking the server whether it may: the CORS-safelisted request
/// headers of the Fetch standard. kube-apiserver allows no longer one (apiserver `server/filters/cors.go`).
const LONGEST_ACCEPT: usize = 128;

/// A client of what `config` says, without a limit of rate: the page's own origin, or a server elsewhere with a token. Where
/// that one cannot be reached the error says what must hold at it, for the browser keeps the cause to itself.
///
/// What a browser lets through between a page and a server elsewhere is less than the library has to say: of a long Accept
/// header the first form and the last are sent, and no request asks whether something is still as it was. Of the answer's
/// headers neither Retry-After nor warnings nor the `ETag` arrive, so nothing is tried again by itself and discovery is read
/// whole.
///
/// # Errors
/// Where no header can hold the token.
pub fn connect(config: &PageConfig) -> Result<RestClient, TransportError> {
    let mut transport: Arc<dyn Transport> = Arc::new(FetchTransport::new(config.base()));
    if let Some(token) = config.token() {
        transport = with_bearer_token(transport, token)?;
    }
    if let Some(hint) = config.hint(&own_origin()) {
        transport = Arc::new(Elsewhere { inner: transport, hint });
    }
    Ok(RestClient::new(transport, Arc::new(WebPlatform)))
}

/// The origin this page or worker came from, such as `http://localhost:8001`.
pub(super) fn own_origin() -> String {
    let origin = Reflect::get(&global(), &JsValue::from_str("origin")).ok().and_then(|origin| origin.as_string());
    origin.unwrap_or_default()
}

/// A server that is not the page's own: what the browser would not let through is left out, and a fault says what may be its
/// cause.
struct Elsewhere {
    inner: Arc<dyn Transport>,
    hint: String,
}

impl Transport for Elsewhere {
    fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        fit(&mut request.headers);
        let (answer, hint) = (self.inner.send(request), self.hint.clone());
        Box::pin(async move {
            answer.await.map_err(|error| match error {
                TransportError::Unreachable { address, message } => {
                    TransportError::Unreachable { address, message: format!("{message}. {hint}") }
                }
                other => other,
            })
        })
    }
}

/// Leaves out what a browser asks the server's leave for, and kube-apiserver never gives.
fn fit(headers: &mut HeaderMap) {
    headers.remove(header::IF_NONE_MATCH);
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).filter(|accept| accept.len() > LONGEST_ACCEPT);
    let ends = accept.and_then(|accept| Some((accept.split_once(',')?.0, accept.rsplit_once(',')?.1)));
    if let Some(Ok(short)) = ends.map(|(first, last)| HeaderValue::try_from(format!("{first},{last}"))) {
        headers.insert(header::ACCEPT, short);
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn fitted(accept: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, accept.parse().unwrap());
        headers.insert(header::IF_NONE_MATCH, "\"tag\"".parse().unwrap());
        headers.insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
        fit(&mut headers);
        assert_eq!((headers.len(), headers.contains_key(header::CONTENT_TYPE)), (2, true));
        headers[header::ACCEPT].to_str().unwrap().to_owned()
    }

    #[wasm_bindgen_test]
    fn what_a_browser_would_not_let_through_is_left_out() {
        let table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
        assert_eq!(fitted(table), table);
        let form = |version: &str| format!("application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList");
        let discovery = format!("{},{},application/json", form("v2"), form("v2beta1"));
        assert_eq!(fitted(&discovery), format!("{},application/json", form("v2")));
        let endless = "a".repeat(200);
        assert_eq!(fitted(&endless), endless);
    }
}
