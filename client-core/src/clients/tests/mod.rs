//! Clients against a scripted server, after client-go's `dynamic/client_test.go`, `dynamic/golden_test.go` and
//! `metadata/metadata_test.go`.

mod golden;
mod metadata;
mod pages;
mod subresources;
mod table;
#[cfg(feature = "typed")]
mod typed;
mod verbs;

use std::sync::Arc;

use http::{Method, header};

use crate::{
    clients::ResourceClient,
    meta::GroupVersionResource,
    object::Unstructured,
    platform::FakePlatform,
    rest::RestClient,
    transport::{ScriptedAnswer, ScriptedTransport},
};

const JSON: &str = "application/json";

/// What a server was sent.
#[derive(Debug, PartialEq)]
struct Sent {
    /// The method, and the path with its query but for `pretty=false`.
    line: String,
    accept: String,
    content_type: Option<String>,
    body: String,
}

/// What every server of these tests was sent last, which has to be all it was sent.
fn sent(server: &ScriptedTransport) -> Sent {
    let [request] = server.requests().try_into().unwrap_or_else(|all: Vec<_>| panic!("{} requests", all.len()));
    server.forget_requests();
    let header = |name| request.headers.get(name).map(|value: &http::HeaderValue| value.to_str().unwrap().to_owned());
    let (path, query) = request.path.split_once("?pretty=false").unwrap();
    let query = query.strip_prefix('&').map(|rest| format!("?{rest}")).unwrap_or_default();
    Sent {
        line: format!("{} {path}{query}", request.method),
        accept: header(header::ACCEPT).unwrap(),
        content_type: header(header::CONTENT_TYPE),
        body: String::from_utf8(request.body.to_vec()).unwrap(),
    }
}

fn rest(server: &ScriptedTransport) -> RestClient {
    RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default()))
}

fn widgets() -> GroupVersionResource {
    GroupVersionResource::new("gtest", "vtest", "rtest")
}

/// Where the widgets of a client are: those of the cluster, or of a namespace.
const PLACES: [(Option<&str>, &str); 2] =
    [(None, "/apis/gtest/vtest/rtest"), (Some("nstest"), "/apis/gtest/vtest/namespaces/nstest/rtest")];

fn client<K>(server: &ScriptedTransport, namespace: Option<&str>) -> ResourceClient<K> {
    match namespace {
        None => ResourceClient::cluster(rest(server), widgets()),
        Some(namespace) => ResourceClient::namespaced(rest(server), widgets(), namespace),
    }
}

/// A widget as text.
fn text(name: &str) -> String {
    format!(r#"{{"apiVersion":"gtest/vTest","kind":"rTest","metadata":{{"name":"{name}"}}}}"#)
}

fn widget(name: &str) -> Unstructured {
    text(name).parse().unwrap()
}

/// A server that answers this request with this object.
fn server(method: Method, path: impl Into<String>, answer: impl Into<String>) -> ScriptedTransport {
    let server = ScriptedTransport::default();
    server.always_to(method, path, ScriptedAnswer::text(answer.into()));
    server
}
