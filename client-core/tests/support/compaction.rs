//! Makes a local control plane forget.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, Method, StatusCode};
use porthole_client_core::{
    config::{PemData, RestConfig, TlsConfig},
    transport::Request,
};
use serde_json::{Value, json};

use super::{cluster_dir, transport_of};

/// Makes etcd forget the states before a version, and tells the API server so, as its own compactor does every five minutes.
/// The API server forgets them too within fifteen seconds.
pub(crate) async fn compact(version: u64) {
    let dir = cluster_dir();
    let read = |name: &str| fs::read(dir.join("pki").join(name)).unwrap();
    let state: Value = serde_json::from_slice(&fs::read(dir.join("state.json")).unwrap()).unwrap();
    let tls = TlsConfig {
        ca_data: PemData::new(read("ca.crt")),
        cert_data: PemData::new(read("kube-apiserver-client.crt")),
        key_data: PemData::new(read("kube-apiserver-client.key")),
        ..TlsConfig::default()
    };
    let etcd = RestConfig { tls, ..RestConfig::new(format!("https://127.0.0.1:{}", state["ports"]["etcd"])) };
    let etcd = transport_of(&etcd);
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
