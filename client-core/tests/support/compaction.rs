//! Makes a local control plane forget.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, Method, StatusCode};
use porthole_client_core::{
    host::native::{NativeTransport, Tls},
    transport::{Request, Transport as _},
};
use serde_json::{Value, json};

use super::cluster_dir;

/// Makes etcd forget the states before a version, and tells the API server so, as its own compactor does every five minutes.
/// The API server forgets them too within fifteen seconds.
pub(crate) async fn compact(version: u64) {
    let dir = cluster_dir();
    let read = |name: &str| fs::read(dir.join("pki").join(name)).unwrap();
    let state: Value = serde_json::from_slice(&fs::read(dir.join("state.json")).unwrap()).unwrap();
    let tls =
        Tls { authority: read("ca.crt"), certificate: read("kube-apiserver-client.crt"), key: read("kube-apiserver-client.key") };
    let etcd = NativeTransport::new(format!("https://127.0.0.1:{}", state["ports"]["etcd"]), &tls).unwrap();
    let [key, value] = ["compact_rev_key".to_owned(), version.to_string()].map(|text| STANDARD.encode(text));
    for (path, body) in
        [("/v3/kv/compaction", json!({ "revision": version.to_string() })), ("/v3/kv/put", json!({ "key": key, "value": value }))]
    {
        let (path, body) = (path.to_owned(), body.to_string().into());
        let request = Request { method: Method::POST, path, headers: HeaderMap::new(), body };
        let response = etcd.send(request).await.unwrap();
        assert_eq!(response.status, StatusCode::OK, "{:?}", response.headers);
    }
}
