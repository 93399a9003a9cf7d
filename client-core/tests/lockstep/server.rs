//! The two servers, asked alike.

use std::{env, fs, path::PathBuf, sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use porthole_client_core::{
    host::native::{NativeTransport, Tls},
    transport::{Body, Request, Response, Transport, read_to_end},
};
use serde_json::{Value, json};

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

fn control_plane() -> PathBuf {
    PathBuf::from(env::var_os("PORTHOLE_TEST_CLUSTER_DIR").expect("PORTHOLE_TEST_CLUSTER_DIR names no control plane"))
}

/// Makes etcd forget the states before a version, and tells the API server so, as its own compactor does every five minutes.
/// The API server forgets them too within fifteen seconds.
pub(crate) async fn compact(version: u64) {
    let dir = control_plane();
    let read = |name: &str| fs::read(dir.join("pki").join(name)).unwrap();
    let state: Value = serde_json::from_slice(&fs::read(dir.join("state.json")).unwrap()).unwrap();
    let tls =
        Tls { authority: read("ca.crt"), certificate: read("kube-apiserver-client.crt"), key: read("kube-apiserver-client.key") };
    let etcd = NativeTransport::new(format!("https://127.0.0.1:{}", state["ports"]["etcd"]), &tls).unwrap();
    let [key, value] = ["compact_rev_key".to_owned(), version.to_string()].map(|text| STANDARD.encode(text));
    for (path, body) in
        [("/v3/kv/compaction", json!({ "revision": version.to_string() })), ("/v3/kv/put", json!({ "key": key, "value": value }))]
    {
        let asked = Asked { method: Method::POST, path: path.to_owned(), body: body.to_string(), ..Asked::default() };
        let answer = ask(&etcd, &asked).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
}

pub(crate) fn real_transport() -> Arc<dyn Transport> {
    let dir = control_plane();
    let config: Value = serde_saphyr::from_str(&fs::read_to_string(dir.join("kubeconfig")).unwrap()).unwrap();
    let cluster = &config["clusters"][0]["cluster"];
    let user = |field: &str| STANDARD.decode(config["users"][0]["user"][field].as_str().unwrap()).unwrap();
    let tls = Tls {
        authority: fs::read(dir.join("pki/ca.crt")).unwrap(),
        certificate: user("client-certificate-data"),
        key: user("client-key-data"),
    };
    Arc::new(NativeTransport::new(cluster["server"].as_str().unwrap(), &tls).unwrap())
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
