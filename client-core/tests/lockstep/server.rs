//! The two servers, asked alike.

use std::time::Duration;

use futures::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use porthole_client_core::transport::{Body, Request, Response, Transport, read_to_end};
use serde_json::Value;

/// A request with marks where the two servers have different values: see [`Side::fill`](super::normal::Side::fill).
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) accept: Option<&'static str>,
    pub(crate) body: String,
    /// The events of a watch are read, and no more than these.
    pub(crate) watch: bool,
}

/// What came back.
#[derive(Debug, Default)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) warnings: Vec<String>,
    pub(crate) content_type: String,
    pub(crate) retry_after: String,
    pub(crate) body: Value,
}

pub(crate) async fn send(transport: &dyn Transport, asked: &Asked) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(http::header::USER_AGENT, HeaderValue::from_static("lockstep/1"));
    headers.insert(http::header::ACCEPT, HeaderValue::from_static(asked.accept.unwrap_or("application/json")));
    if let Some(content_type) = asked.content_type {
        headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    let request = Request { method: asked.method.clone(), path: asked.path.clone(), headers, body: asked.body.clone().into() };
    transport.send(request).await.unwrap()
}

pub(crate) async fn ask(transport: &dyn Transport, asked: &Asked) -> Answered {
    answered(send(transport, asked).await).await
}

pub(crate) async fn answered(response: Response) -> Answered {
    let (status, headers) = (response.status.as_u16(), response.headers);
    let warning = HeaderName::from_static("warning");
    let warnings = headers.get_all(warning).iter().map(|value| value.to_str().unwrap().to_owned()).collect();
    let text = |name: HeaderName| headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let (content_type, retry_after) = (text(http::header::CONTENT_TYPE), text(http::header::RETRY_AFTER));
    let bytes = read_to_end(response.body).await.unwrap();
    let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
    Answered { status, warnings, content_type, retry_after, body }
}

/// The events of a watch, one by one.
pub(crate) struct Events {
    body: Body,
    read: Vec<u8>,
}

impl Events {
    pub(crate) fn new(body: Body) -> Self {
        Self { body, read: Vec::new() }
    }

    /// The next event, where one comes in this time.
    pub(crate) async fn next(&mut self, within: Duration) -> Option<Value> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return Some(serde_json::from_slice(&line).unwrap());
            }
            match tokio::time::timeout(within, self.body.next()).await {
                Ok(Some(chunk)) => self.read.extend_from_slice(&chunk.unwrap()),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}
