//! Where a server is.

use std::fmt;

use http::uri::Authority;
use thiserror::Error;

use crate::meta::GroupVersion;

/// An address that is none.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{host}\" is no address of a server: give a URL such as https://10.0.0.1:6443, or a host with an optional port")]
pub struct ServerUrlError {
    /// What was given, without the credentials in it.
    pub host: String,
}

/// The address of an API server: scheme, host and a prefix that stands before every path.
///
/// ```
/// use porthole_client_core::config::ServerUrl;
///
/// let url = ServerUrl::parse("https://gateway/clusters/one/", false)?;
/// assert_eq!(url.join("/api/v1/pods"), "https://gateway/clusters/one/api/v1/pods");
/// # Ok::<(), porthole_client_core::config::ServerUrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServerUrl {
    tls: bool,
    authority: Authority,
    prefix: String,
}

impl ServerUrl {
    /// Reads a URL, a host, or a host and port. What has no scheme gets `https` where `default_tls` is set, `http`
    /// otherwise, and may have no path; query and fragment are left out (client-go `rest/url_utils.go`,
    /// `DefaultServerURL`).
    ///
    /// # Errors
    /// Where it is no address, has a scheme other than `http` and `https`, or a path and no scheme.
    pub fn parse(host: &str, default_tls: bool) -> Result<Self, ServerUrlError> {
        let invalid = || ServerUrlError { host: without_credentials(host) };
        let (tls, rest, bare) = match host.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, rest, false),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, rest, false),
            Some(_) => return Err(invalid()),
            None => (default_tls, host, true),
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end).ok_or_else(invalid)?;
        let authority: Authority = authority.parse().map_err(|_unhelpful| invalid())?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let has_port = !authority.as_str().ends_with(authority.host()) && !authority.as_str().ends_with(':');
        if authority.host().is_empty() || (has_port && authority.port_u16().is_none()) || (bare && !matches!(path, "" | "/")) {
            return Err(invalid());
        }
        Ok(Self { tls, authority, prefix: path.trim_end_matches('/').to_owned() })
    }

    /// Whether the connection is protected.
    #[must_use]
    pub fn is_tls(&self) -> bool {
        self.tls
    }

    /// The host alone; an IPv6 address without its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.authority.host().trim_start_matches('[').trim_end_matches(']')
    }

    /// The port, the scheme's own where none is given.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.authority.port_u16().unwrap_or(if self.tls { 443 } else { 80 })
    }

    /// Host and port as they were given, without credentials: what a `Host` header holds.
    #[must_use]
    pub fn host_and_port(&self) -> &str {
        let text = self.authority.as_str();
        text.rsplit_once('@').map_or(text, |(_, host)| host)
    }

    /// The path that stands before every other; empty, or without a slash at its end.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The whole address as requests use it, credentials in it and all, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> String {
        self.join("")
    }

    /// The URL of an absolute path, query and all.
    #[must_use]
    pub fn join(&self, path: &str) -> String {
        format!("{}://{}{}{path}", self.scheme(), self.authority, self.prefix)
    }

    fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// Whether the host is this machine: `localhost` or a loopback address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let host = self.host();
        host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

/// Without the credentials that the address may hold.
impl fmt::Display for ServerUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}{}", self.scheme(), self.host_and_port(), self.prefix)
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{self}\"")
    }
}

/// `url` with what stands before an `@` in its authority left out.
pub(crate) fn without_credentials(url: &str) -> String {
    let start = url.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = url.split_at_checked(start).unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest.get(..end).and_then(|authority| authority.rfind('@')) {
        Some(at) => format!("{scheme}[redacted]{}", rest.get(at..).unwrap_or_default()),
        None => url.to_owned(),
    }
}

/// The path of a group version below `api_path` (client-go `rest/url_utils.go`, `DefaultVersionedAPIPath`).
#[must_use]
pub fn versioned_api_path(api_path: &str, version: &GroupVersion) -> String {
    let mut path = String::new();
    for part in api_path.split('/').chain([version.group.as_str(), version.version.as_str()]).filter(|part| !part.is_empty()) {
        path.push('/');
        path.push_str(part);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_host_a_host_with_a_port_and_a_url_are_addresses_and_a_host_with_a_path_is_none() {
        let v1 = GroupVersion { group: String::new(), version: "v1".into() };
        for (host, api_path, expected) in [
            ("127.0.0.1", "", "http://127.0.0.1/v1"),
            ("127.0.0.1:8080", "", "http://127.0.0.1:8080/v1"),
            ("foo.bar.com", "", "http://foo.bar.com/v1"),
            ("foo.bar.com/", "", "http://foo.bar.com/v1"),
            ("http://host/prefix", "", "http://host/prefix/v1"),
            ("HTTPS://host/prefix/", "", "https://host/prefix/v1"),
            ("http://host", "", "http://host/v1"),
            ("http://host", "/", "http://host/v1"),
            ("http://host", "/other", "http://host/other/v1"),
            ("https://[::1]:6443?a=b#c", "apis", "https://[::1]:6443/apis/v1"),
        ] {
            let url = ServerUrl::parse(host, false).unwrap();
            assert_eq!(url.join(&versioned_api_path(api_path, &v1)), expected, "{host}");
        }
        for host in ["", "host/server", "///:://localhost", "ftp://host", "http://", "http:///path", "a b", "https://host:port"] {
            assert!(ServerUrl::parse(host, false).is_err(), "{host:?} was taken");
        }
    }

    #[test]
    fn a_group_has_its_own_part_of_the_path() {
        let apps = GroupVersion { group: "apps".into(), version: "v1".into() };
        assert_eq!(versioned_api_path("/apis", &apps), "/apis/apps/v1");
    }

    #[test]
    fn the_parts_of_an_address_are_told() {
        let url = ServerUrl::parse("https://user:s3cr3t@[::1]/x", false).unwrap();
        assert_eq!((url.host(), url.port(), url.host_and_port(), url.prefix()), ("::1", 443, "[::1]", "/x"));
        assert!(url.is_tls() && url.is_loopback());
        let plain = ServerUrl::parse("host:8080", false).unwrap();
        assert_eq!((plain.host(), plain.port(), plain.is_loopback()), ("host", 8080, false));
    }

    #[test]
    fn credentials_in_an_address_are_sent_and_never_shown() {
        let url = ServerUrl::parse("https://user:s3cr3t@host", false).unwrap();
        assert_eq!(url.base(), "https://user:s3cr3t@host");
        assert_eq!(format!("{url} {url:?}"), "https://host \"https://host\"");
        let error = ServerUrl::parse("ftp://user:s3cr3t@host", false).unwrap_err().to_string();
        assert!(error.starts_with("\"ftp://[redacted]@host\" is no address"), "{error}");
    }
}
