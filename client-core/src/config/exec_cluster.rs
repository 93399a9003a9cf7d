//! What a credential plugin is told about the cluster.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::{PemData, Proxy, ProxyUrl, ProxyUrlError, RestConfig, TlsConfig, server_url::without_credentials};
use crate::meta::null_is_default;

/// A cluster as a credential plugin sees it, in `KUBERNETES_EXEC_INFO` (client-go
/// `pkg/apis/clientauthentication/v1`, `Cluster`; v1beta1 writes the same).
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct ExecCluster {
    /// Where the server is.
    #[serde(deserialize_with = "null_is_default")]
    pub server: String,
    /// The name its certificate must have.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub tls_server_name: String,
    /// Whether any server is believed.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub insecure_skip_tls_verify: bool,
    /// The certificates that may vouch for the server.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "PemData::is_empty")]
    pub certificate_authority_data: PemData,
    /// The proxy to go through.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub proxy_url: String,
    /// Whether answers come uncompressed.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub disable_compression: bool,
    /// The cluster's settings for this plugin. Whatever the plugin made of them: they are not looked into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<Value>,
}

/// Shows neither the cluster's own settings nor the passwords in URLs.
impl fmt::Debug for ExecCluster {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ExecCluster")
            .field("server", &without_credentials(&self.server))
            .field("tls_server_name", &self.tls_server_name)
            .field("insecure_skip_tls_verify", &self.insecure_skip_tls_verify)
            .field("certificate_authority_data", &self.certificate_authority_data)
            .field("proxy_url", &without_credentials(&self.proxy_url))
            .field("disable_compression", &self.disable_compression)
            .finish_non_exhaustive()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The certificate authority's file cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the certificate authority for the credential plugin cannot be read from {path}: {message}")]
pub struct ExecClusterError {
    /// The file.
    pub path: String,
    /// Why.
    pub message: String,
}

impl RestConfig {
    /// What a plugin of this configuration is told about the cluster (client-go `rest/exec.go`, `ConfigToExecCluster`). A
    /// certificate authority's file is read by `read`. A proxy of the environment is not told: the plugin has the same
    /// environment.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn exec_cluster(&self, read: impl Fn(&str) -> Result<Vec<u8>, String>) -> Result<ExecCluster, ExecClusterError> {
        let ca = match &self.tls.ca_file {
            Some(path) if self.tls.ca_data.is_empty() => {
                PemData::new(read(path).map_err(|message| ExecClusterError { path: path.clone(), message })?)
            }
            _ => self.tls.ca_data.clone(),
        };
        Ok(ExecCluster {
            server: self.host.clone(),
            tls_server_name: self.tls.server_name.clone().unwrap_or_default(),
            insecure_skip_tls_verify: self.tls.insecure,
            certificate_authority_data: ca,
            proxy_url: match &self.proxy {
                Proxy::Url(url) => url.as_str().to_owned(),
                Proxy::Environment | Proxy::Direct => String::new(),
            },
            disable_compression: self.disable_compression,
            config: self.auth.exec.as_ref().and_then(|exec| exec.config.clone()),
        })
    }
}

impl ExecCluster {
    /// The configuration that a plugin reaches the cluster with; anonymous (client-go `rest/exec.go`,
    /// `ExecClusterToConfig`).
    ///
    /// # Errors
    /// Where the proxy cannot be used.
    pub fn rest_config(&self) -> Result<RestConfig, ProxyUrlError> {
        let text = |text: &String| (!text.is_empty()).then(|| text.clone());
        Ok(RestConfig {
            host: self.server.clone(),
            tls: TlsConfig {
                insecure: self.insecure_skip_tls_verify,
                server_name: text(&self.tls_server_name),
                ca_data: self.certificate_authority_data.clone(),
                ..TlsConfig::default()
            },
            proxy: match text(&self.proxy_url) {
                Some(url) => Proxy::Url(ProxyUrl::parse(&url)?),
                None => Proxy::Environment,
            },
            disable_compression: self.disable_compression,
            ..RestConfig::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Auth, ExecConfig, Impersonation, Secret};
    use serde_json::json;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn debug_shows_neither_settings_nor_passwords() {
        let cluster = ExecCluster {
            server: "https://me:s3cr3t@host:6443".into(),
            proxy_url: "http://me:s3cr3t@proxy".into(),
            config: Some(json!({ "key": "s3cr3t" })),
            ..ExecCluster::default()
        };
        let shown = format!("{cluster:?}");
        assert!(shown.contains("@host:6443") && shown.contains("@proxy") && !shown.contains("s3cr3t"), "{shown}");
    }

    fn no_files(_path: &str) -> Result<Vec<u8>, String> {
        Err("no such file".to_owned())
    }

    fn config() -> RestConfig {
        RestConfig {
            auth: Auth {
                exec: Some(ExecConfig { config: Some(json!({ "audience": "snorlax" })), ..ExecConfig::default() }),
                ..Auth::default()
            },
            tls: TlsConfig {
                insecure: true,
                server_name: Some("some-server-name".into()),
                ca_data: PemData::from("some-ca-data"),
                ..TlsConfig::default()
            },
            proxy: Proxy::Url(ProxyUrl::parse("https://proxy.example/tuna/fish").unwrap()),
            ..RestConfig::new("https://some-host/tuna")
        }
    }

    #[test]
    fn a_plugin_is_told_the_cluster_with_the_authority_from_data_or_file() {
        let expected = ExecCluster {
            server: "https://some-host/tuna".into(),
            tls_server_name: "some-server-name".into(),
            insecure_skip_tls_verify: true,
            certificate_authority_data: PemData::from("some-ca-data"),
            proxy_url: "https://proxy.example/tuna/fish".into(),
            disable_compression: false,
            config: Some(json!({ "audience": "snorlax" })),
        };
        let mut from_data = config();
        from_data.tls.ca_file = Some("not read, as data goes before it".into());
        assert_eq!(from_data.exec_cluster(no_files).unwrap(), expected);

        let mut from_file = config();
        from_file.tls.ca_data = PemData::default();
        from_file.tls.ca_file = Some("ca.pem".into());
        from_file.proxy = Proxy::Environment;
        let told = from_file.exec_cluster(|path| Ok(format!("contents of {path}").into_bytes())).unwrap();
        assert_eq!(
            told,
            ExecCluster { certificate_authority_data: PemData::from("contents of ca.pem"), proxy_url: String::new(), ..expected }
        );
        assert_eq!(
            from_file.exec_cluster(no_files).unwrap_err().to_string(),
            "the certificate authority for the credential plugin cannot be read from ca.pem: no such file"
        );
    }

    #[test]
    fn what_a_plugin_is_told_becomes_the_configuration_without_who_we_are() {
        for proxy in [config().proxy, Proxy::Environment] {
            let original = RestConfig { proxy, disable_compression: true, ..config() };
            let mut everything = original.clone();
            everything.auth.token = Some(Secret::new("token"));
            everything.impersonate = Impersonation { user: "alice".into(), ..Impersonation::default() };
            everything.tls.key_data = PemData::from("key");
            everything.timeout = Some(std::time::Duration::from_secs(1));
            let back = everything.exec_cluster(no_files).unwrap().rest_config().unwrap();
            assert_eq!(back, RestConfig { auth: Auth::default(), ..original });
        }
    }

    #[test]
    fn a_cluster_comes_back_from_the_configuration_it_becomes() {
        let full = ExecCluster { config: None, disable_compression: true, ..config().exec_cluster(no_files).unwrap() };
        for cluster in [ExecCluster::default(), full.clone()] {
            assert_eq!(cluster.rest_config().unwrap().exec_cluster(no_files).unwrap(), cluster);
            let written = serde_json::to_string(&cluster).unwrap();
            assert_eq!(serde_json::from_str::<ExecCluster>(&written).unwrap(), cluster, "{written}");
        }
        assert!(ExecCluster { proxy_url: "socks6://x".into(), ..full }.rest_config().is_err());
    }

    #[test]
    fn a_cluster_is_written_with_the_names_of_the_kubeconfig() {
        let told = serde_json::to_value(config().exec_cluster(no_files).unwrap()).unwrap();
        assert_eq!(
            told,
            json!({
                "server": "https://some-host/tuna",
                "tls-server-name": "some-server-name",
                "insecure-skip-tls-verify": true,
                "certificate-authority-data": "c29tZS1jYS1kYXRh",
                "proxy-url": "https://proxy.example/tuna/fish",
                "config": { "audience": "snorlax" },
            })
        );
    }
}
