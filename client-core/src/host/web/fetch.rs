//! Requests by `fetch`, with streamed bodies.

use bytes::Bytes;
use futures::stream;
use gloo_net::http::RequestBuilder;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader};

use super::words::words;
use crate::{
    platform::BoxFuture,
    transport::{Body, Request, Response, Transport, TransportError, address_of},
};

/// The headers of an answer that are handed on: all that an API server and the client have to say to each other. The
/// table by which `http` reads any name would be a fiftieth of the page.
static HEADERS: [HeaderName; 12] = [
    header::ALLOW,
    HeaderName::from_static("audit-id"),
    header::CACHE_CONTROL,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::DATE,
    header::ETAG,
    header::LAST_MODIFIED,
    header::RETRY_AFTER,
    header::WARNING,
    HeaderName::from_static("x-kubernetes-pf-flowschema-uid"),
    HeaderName::from_static("x-kubernetes-pf-prioritylevel-uid"),
];

/// A transport to the API server at one address. Of an answer's headers those are there that an
/// API server sends and a client has a use for.
#[derive(Clone, Debug)]
pub struct FetchTransport {
    base: String,
}

impl FetchTransport {
    /// Requests go to `base` and the path of each request; an empty `base` is the page's own origin.
    #[must_use]
    pub fn new(base: impl Into<String>) -> Self {
        Self { base: base.into() }
    }
}

impl Transport for FetchTransport {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let address = address_of(&self.base, &request.path);
        Box::pin(async move { fetch(address, request).await })
    }
}

/// Aborts its fetch when it is dropped.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn fetch(address: String, request: Request) -> Result<Response, TransportError> {
    let invalid = |message: String| TransportError::Invalid { message };
    let controller = AbortController::new().map_err(|error| invalid(words(&error)))?;
    let signal = controller.signal();
    let abort = Abort(controller);
    let mut builder = RequestBuilder::new(&address).method(request.method).abort_signal(Some(&signal));
    for (name, value) in &request.headers {
        let value = value.to_str().map_err(|error| invalid(format!("header {name}: {error}")))?;
        builder = builder.header(name.as_str(), value);
    }
    let ready = if request.body.is_empty() { builder.build() } else { builder.body(Uint8Array::from(request.body.as_ref())) };
    let answer = ready
        .map_err(|error| invalid(error.to_string()))?
        .send()
        .await
        .map_err(|error| TransportError::Unreachable { address, message: error.to_string() })?;
    let (mut headers, received) = (HeaderMap::new(), answer.headers());
    for name in &HEADERS {
        // A browser hands each byte out as one character, and no value that a header cannot have.
        let bytes = |value: String| value.chars().filter_map(|byte| u8::try_from(byte).ok()).collect::<Vec<_>>();
        if let Some(value) = received.get(name.as_str()).and_then(|value| HeaderValue::from_bytes(&bytes(value)).ok()) {
            headers.insert(name, value);
        }
    }
    let status = StatusCode::from_u16(answer.status())
        .map_err(|error| TransportError::Broken { message: format!("status {}: {error}", answer.status()) })?;
    let body: Body = match answer.body() {
        None => Box::pin(stream::empty()),
        Some(readable) => {
            let reader: ReadableStreamDefaultReader = readable.get_reader().unchecked_into();
            // The abort handle lives in the stream: whoever drops the body ends the fetch.
            Box::pin(stream::unfold((reader, abort), |(reader, abort)| async move {
                read(&reader).await.transpose().map(|chunk| (chunk, (reader, abort)))
            }))
        }
    };
    Ok(Response { status, headers, body })
}

/// The next chunk; `None` at the end.
async fn read(reader: &ReadableStreamDefaultReader) -> Result<Option<Bytes>, TransportError> {
    let broken = |error: JsValue| TransportError::Broken { message: words(&error) };
    let result = JsFuture::from(reader.read()).await.map_err(broken)?;
    let done = Reflect::get(&result, &JsValue::from_str("done")).map_err(broken)?;
    if done.is_truthy() {
        return Ok(None);
    }
    let chunk: Uint8Array = Reflect::get(&result, &JsValue::from_str("value")).map_err(broken)?.unchecked_into();
    Ok(Some(Bytes::from(chunk.to_vec())))
}
