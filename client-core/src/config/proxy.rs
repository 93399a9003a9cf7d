//! The proxy between us and the server.

use std::fmt;

use thiserror::Error;

use super::server_url::without_credentials;

/// A proxy URL that cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the proxy \"{url}\" cannot be used: its URL must begin with http://, https:// or socks5:// and name a host")]
pub struct ProxyUrlError {
    /// What was given, without the credentials in it.
    pub url: String,
}

/// The URL of a proxy. `Debug` and `Display` leave out the credentials in it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProxyUrl(String);

impl ProxyUrl {
    /// Reads a URL (client-go `tools/clientcmd/helpers.go`, `parseProxyURL`).
    ///
    /// # Errors
    /// Where the scheme is not `http`, `https` or `socks5`, or there is no host.
    pub fn parse(url: &str) -> Result<Self, ProxyUrlError> {
        let invalid = || ProxyUrlError { url: without_credentials(url) };
        let (scheme, rest) = url.split_once("://").ok_or_else(invalid)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let known = ["http", "https", "socks5"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        match authority.parse::<http::uri::Authority>() {
            Ok(authority) if known && !authority.host().is_empty() => Ok(Self(url.to_owned())),
            _ => Err(invalid()),
        }
    }

    /// The URL, credentials and all.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProxyUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&without_credentials(&self.0))
    }
}

impl fmt::Debug for ProxyUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{self}\"")
    }
}

/// Which way requests go (client-go `rest.Config.Proxy`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Proxy {
    /// As the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the process say; never for this machine itself.
    #[default]
    Environment,
    /// Straight to the server.
    Direct,
    /// Through this proxy.
    Url(ProxyUrl),
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_proxy_has_a_scheme_that_is_known_and_a_host() {
        for url in ["http://proxy", "https://proxy:3128/", "socks5://user:pass@proxy:1080", "HTTP://proxy"] {
            assert_eq!(ProxyUrl::parse(url).unwrap().as_str(), url);
        }
        for url in ["", "proxy", "socks6://proxy", "user@proxy", "http://", "http:///a", "socks5://a b"] {
            assert!(ProxyUrl::parse(url).is_err(), "{url:?} was taken");
        }
    }

    #[test]
    fn the_credentials_of_a_proxy_are_not_shown() {
        let shown = format!("{:?}", Proxy::Url(ProxyUrl::parse("http://user:s3cr3t@proxy:3128").unwrap()));
        assert_eq!(shown, "Url(\"http://[redacted]@proxy:3128\")");
        let error = ProxyUrl::parse("ftp://user:s3cr3t@proxy").unwrap_err().to_string();
        assert!(!error.contains("s3cr3t"), "{error}");
    }
}
