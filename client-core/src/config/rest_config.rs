//! All that a client must know to reach a server.

use std::{collections::BTreeMap, time::Duration};

use thiserror::Error;

use super::{
    AuthProviderConfig, ExecConfig, PemData, Proxy, Secret,
    server_url::{ServerUrl, ServerUrlError},
};

/// client-go's `rest.DefaultQPS`.
const DEFAULT_QPS: f32 = 5.0;
/// client-go's `rest.DefaultBurst`.
const DEFAULT_BURST: u32 = 10;

/// How to reach an API server, and as whom (client-go `rest/config.go`, `Config`). It is data: a transport is made
/// from it by the host, a client by the REST room.
///
/// `Debug` shows no secret: neither token nor password nor key, nor what a plugin is given.
///
/// ```
/// use porthole_client_core::config::{RestConfig, Secret};
///
/// let mut config = RestConfig::new("https://10.0.0.1:6443");
/// config.auth.token = Some(Secret::new("s3cr3t"));
/// assert!(!format!("{config:?}").contains("s3cr3t"));
/// assert!(config.is_tls());
/// assert_eq!(config.anonymous().auth.token, None);
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct RestConfig {
    /// A URL, or a host with an optional port; `localhost` where it is empty.
    pub host: String,
    /// The path of an API root below the host.
    pub api_path: String,
    /// Who we are.
    pub auth: Auth,
    /// As whom we act.
    pub impersonate: Impersonation,
    /// Who the server must be, and the certificate we show it.
    pub tls: TlsConfig,
    /// The name we go by; [`default_user_agent`](super::default_user_agent) where there is none.
    pub user_agent: Option<String>,
    /// Whether answers come uncompressed.
    pub disable_compression: bool,
    /// Requests a second on average: 5 where it is `None`, no limit where it is negative.
    pub qps: Option<f32>,
    /// Requests at once: 10 where it is `None`.
    pub burst: Option<u32>,
    /// How long a request may take; `None` for as long as it does.
    pub timeout: Option<Duration>,
    /// The proxy to go through.
    pub proxy: Proxy,
    /// What it was made of, for messages, such as `the context "dev" of /home/alice/.kube/config`; empty where that is not known.
    pub origin: String,
}

/// Who we are. A transport takes token before password, and asks a plugin only where there is neither of them
/// and no client certificate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Auth {
    /// A name and a password.
    pub basic: Option<BasicAuth>,
    /// A bearer token.
    pub token: Option<Secret>,
    /// A file with a bearer token. It is read again and again; what was read last goes before `token`.
    pub token_file: Option<String>,
    /// A command that prints credentials.
    pub exec: Option<ExecConfig>,
    /// A legacy provider of credentials.
    pub provider: Option<AuthProviderConfig>,
}

/// A name and a password (HTTP basic authentication).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BasicAuth {
    /// The name.
    pub username: String,
    /// The password.
    pub password: Secret,
}

/// As whom we act, where that is not ourselves (client-go `rest.ImpersonationConfig`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Impersonation {
    /// The user.
    pub user: String,
    /// Its uid.
    pub uid: String,
    /// Its groups.
    pub groups: Vec<String>,
    /// What else the server shall believe about it. Keys must be in lower case to come through a round trip.
    pub extra: BTreeMap<String, Vec<String>>,
}

impl Impersonation {
    /// Whether we act as ourselves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.user.is_empty() && self.uid.is_empty() && self.groups.is_empty() && self.extra.is_empty()
    }
}

/// Who the server must be, and the certificate we show it (client-go `rest.TLSClientConfig`). Data goes before the
/// file of the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TlsConfig {
    /// Whether any server is believed. For tests.
    pub insecure: bool,
    /// The name the server's certificate must have, where it is not the host's.
    pub server_name: Option<String>,
    /// The certificates that may vouch for the server; those of the system where neither these nor a file is given.
    pub ca_data: PemData,
    /// A file of them.
    pub ca_file: Option<String>,
    /// Our certificate.
    pub cert_data: PemData,
    /// A file of it.
    pub cert_file: Option<String>,
    /// Its private key.
    pub key_data: PemData,
    /// A file of it.
    pub key_file: Option<String>,
}

impl TlsConfig {
    /// Whether certificate authorities are given.
    #[must_use]
    pub fn has_ca(&self) -> bool {
        !self.ca_data.is_empty() || self.ca_file.is_some()
    }

    /// Whether we have a certificate with its key.
    #[must_use]
    pub fn has_certificate(&self) -> bool {
        (!self.cert_data.is_empty() || self.cert_file.is_some()) && (!self.key_data.is_empty() || self.key_file.is_some())
    }
}

/// How many requests a client sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    /// Requests a second on average.
    pub qps: f32,
    /// Requests at once.
    pub burst: u32,
}

/// A configuration that contradicts itself.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestConfigError {
    /// The host is no address.
    #[error(transparent)]
    Host(#[from] ServerUrlError),
    /// Two ways to say who we are.
    #[error("both {first} and {second} are configured: keep one of them")]
    Conflict {
        /// One of them.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
}

impl RestConfig {
    /// A configuration of nothing but the host.
    #[must_use]
    pub fn new(host: impl Into<String>) -> Self {
        Self { host: host.into(), ..Self::default() }
    }

    /// Where the server is. Without a scheme it is `https` as soon as a certificate authority, a client certificate
    /// or `insecure` is set (client-go `rest/url_utils.go`, `DefaultServerUrlFor`).
    ///
    /// # Errors
    /// Where the host is no address.
    pub fn server_url(&self) -> Result<ServerUrl, ServerUrlError> {
        let default_tls =
            self.tls.has_ca() || !self.tls.cert_data.is_empty() || self.tls.cert_file.is_some() || self.tls.insecure;
        ServerUrl::parse(if self.host.is_empty() { "localhost" } else { &self.host }, default_tls)
    }

    /// Whether the connection will be protected: whether credentials may be sent over it (client-go
    /// `IsConfigTransportTLS`).
    #[must_use]
    pub fn is_tls(&self) -> bool {
        self.server_url().is_ok_and(|url| url.is_tls())
    }

    /// How many requests a client may send; `None` for any number.
    #[must_use]
    pub fn rate_limit(&self) -> Option<RateLimit> {
        let qps = self.qps.filter(|&qps| qps != 0.0).unwrap_or(DEFAULT_QPS);
        let burst = self.burst.filter(|&burst| burst != 0).unwrap_or(DEFAULT_BURST);
        (qps > 0.0).then_some(RateLimit { qps, burst })
    }

    /// This configuration without whatever says who we are (client-go `AnonymousClientConfig`). It is made of what is
    /// known to be harmless, so that a field added later is left out until somebody decides.
    #[must_use]
    pub fn anonymous(&self) -> Self {
        let tls = &self.tls;
        Self {
            host: self.host.clone(),
            api_path: self.api_path.clone(),
            auth: Auth::default(),
            impersonate: Impersonation::default(),
            tls: TlsConfig {
                insecure: tls.insecure,
                server_name: tls.server_name.clone(),
                ca_data: tls.ca_data.clone(),
                ca_file: tls.ca_file.clone(),
                ..TlsConfig::default()
            },
            user_agent: self.user_agent.clone(),
            disable_compression: self.disable_compression,
            qps: self.qps,
            burst: self.burst,
            timeout: self.timeout,
            proxy: self.proxy.clone(),
            origin: self.origin.clone(),
        }
    }

    /// Checks what can be checked without files and sockets.
    ///
    /// # Errors
    /// Where the host is no address, or two settings exclude each other: a name with a password and a token, a plugin and a
    /// legacy provider, a certificate authority and `insecure`.
    pub fn validate(&self) -> Result<(), RestConfigError> {
        self.server_url()?;
        let has_token = self.auth.token.is_some() || self.auth.token_file.is_some();
        for (first, is_first, second, is_second) in [
            ("a name with a password", self.auth.basic.is_some(), "a bearer token", has_token),
            ("a credential plugin", self.auth.exec.is_some(), "an auth provider", self.auth.provider.is_some()),
            ("a certificate authority", self.tls.has_ca(), "insecure-skip-tls-verify", self.tls.insecure),
        ] {
            if is_first && is_second {
                return Err(RestConfigError::Conflict { first, second });
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for RestConfig {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RestConfig")
            .field("host", &super::server_url::without_credentials(&self.host))
            .field("api_path", &self.api_path)
            .field("auth", &self.auth)
            .field("impersonate", &self.impersonate)
            .field("tls", &self.tls)
            .field("user_agent", &self.user_agent)
            .field("disable_compression", &self.disable_compression)
            .field("qps", &self.qps)
            .field("burst", &self.burst)
            .field("timeout", &self.timeout)
            .field("proxy", &self.proxy)
            .field("origin", &self.origin)
            .finish()
    }
}

#[cfg(test)]
mod tests;
