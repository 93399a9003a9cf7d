//! What a page can connect to: its own origin, or a typed address with a token.

use std::fmt;

use http::HeaderValue;
use thiserror::Error;

use super::{Auth, RestConfig, Secret, server_url::ServerUrl, server_url::without_credentials};

/// An address or a token that a page cannot use.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageConfigError {
    /// Not a URL of a server.
    #[error("\"{0}\" is no address of a server: it begins with https:// or http:// and names a host")]
    NotAnAddress(String),
    /// A name or password in the address: a browser drops or shows it.
    #[error("the address holds a name or a password: leave out what stands before the @ and give a token instead")]
    CredentialsInAddress,
    /// Something after `#`, or a query: no request would carry it.
    #[error("the address holds a \"{0}\": end it before that")]
    NotABase(char),
    /// No token, or one that no header can hold.
    #[error("the token is empty or holds a character that no token has, such as a line break: copy it again")]
    NotAToken,
    /// A token that everybody on the way could read.
    #[error("a token would be sent to {0} without protection: use https://")]
    Unprotected(String),
}

/// What a page connects to. The token is kept in memory and nowhere else, unless a person asks for it
/// ([`remember_connection`](super::remember_connection)): it cannot be serialized, and `Debug` does not show it.
/// `host::web::connect` makes a client of it.
///
/// ```
/// use porthole_client_core::config::PageConfig;
///
/// let typed = PageConfig::typed("https://10.0.0.1:6443/", "abc")?;
/// assert_eq!(typed.base(), "https://10.0.0.1:6443");
/// assert_eq!(PageConfig::own_origin().base(), "");
/// # Ok::<(), porthole_client_core::config::PageConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageConfig {
    server: Option<ServerUrl>,
    token: Option<Secret>,
}

impl PageConfig {
    /// The origin the page came from, which says who we are: `kubectl proxy`, or a gateway.
    #[must_use]
    pub fn own_origin() -> Self {
        Self::default()
    }

    /// A server somewhere else, and a bearer token for it. Blanks around either are passed over, as is `Bearer ` before
    /// the token.
    ///
    /// # Errors
    /// Where the address is no plain `https` or `http` URL, holds credentials, a query or a fragment; where the token is
    /// none; and where it would be sent over an unprotected connection to another machine.
    pub fn typed(address: &str, token: &str) -> Result<Self, PageConfigError> {
        let address = address.trim();
        let not_an_address = || PageConfigError::NotAnAddress(without_credentials(address));
        let (_, rest) = address.split_once("://").ok_or_else(not_an_address)?;
        if let Some(found) = rest.chars().find(|character| matches!(character, '?' | '#')) {
            return Err(PageConfigError::NotABase(found));
        }
        if rest.split('/').next().is_some_and(|authority| authority.contains('@')) {
            return Err(PageConfigError::CredentialsInAddress);
        }
        let server = ServerUrl::parse(address, true).map_err(|_same| not_an_address())?;
        let token = match token.trim() {
            "Bearer" => "",
            whole => whole.strip_prefix("Bearer ").unwrap_or(whole).trim_start(),
        };
        if token.is_empty() || token.contains(' ') || !token.is_ascii() || HeaderValue::from_str(token).is_err() {
            return Err(PageConfigError::NotAToken);
        }
        if !server.is_tls() && !server.is_loopback() {
            return Err(PageConfigError::Unprotected(server.to_string()));
        }
        Ok(Self { server: Some(server), token: Some(Secret::new(token)) })
    }

    /// What stands before each path: empty for the page's own origin.
    #[must_use]
    pub fn base(&self) -> String {
        self.server.as_ref().map(ServerUrl::base).unwrap_or_default()
    }

    /// The token, where there is one.
    #[must_use]
    pub fn token(&self) -> Option<&Secret> {
        self.token.as_ref()
    }

    /// The same as a configuration for any host, without a limit of rate; `None` for the page's own origin, which only the browser
    /// knows.
    #[must_use]
    pub fn rest_config(&self) -> Option<RestConfig> {
        let server = self.server.as_ref()?;
        let auth = Auth { token: self.token.clone(), ..Auth::default() };
        Some(RestConfig { auth, qps: Some(-1.0), ..RestConfig::new(server.base()) })
    }

    /// What must hold at a server before a page from `page_origin`, such as `https://porthole.example`, can talk to it;
    /// for a person whose browser says no more than that the server could not be reached. `None` for the page's own origin.
    ///
    /// A browser asks the server first (`OPTIONS`, CORS), and kube-apiserver allows no other origin unless it was started with
    /// `--cors-allowed-origins`; nor does a browser show why a certificate was refused.
    #[must_use]
    pub fn hint(&self, page_origin: &str) -> Option<String> {
        let server = self.server.as_ref()?;
        Some(CorsHint { server, page_origin }.to_string())
    }
}

struct CorsHint<'a> {
    server: &'a ServerUrl,
    page_origin: &'a str,
}

impl fmt::Display for CorsHint<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (server, origin) = (self.server, self.page_origin);
        write!(
            formatter,
            "For this page to reach {server}: start its kube-apiserver with --cors-allowed-origins='^{}$' (it allows \
             no other page by itself), let the browser trust its certificate (open {server}/version once in a tab), and \
             use a token that is still valid (kubectl create token).",
            escape_pattern(origin)
        )?;
        if origin.starts_with("https://") && !server.is_tls() {
            write!(formatter, " This page came by https, so the browser may refuse an http address.")?;
        }
        Ok(())
    }
}

/// `text` as a regular expression that matches it alone: the flag takes patterns.
fn escape_pattern(text: &str) -> String {
    let mut pattern = String::new();
    for character in text.chars() {
        if !(character.is_ascii_alphanumeric() || matches!(character, '/' | ':' | '-' | '_')) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_address_is_taken_as_a_base_and_a_token_without_what_was_copied_along() {
        let config = PageConfig::typed(" https://host:6443/clusters/one/ ", " Bearer abc.def\n").unwrap();
        assert_eq!(config.base(), "https://host:6443/clusters/one");
        assert_eq!(config.token().unwrap().expose(), "abc.def");
        assert_eq!(PageConfig::typed("http://localhost:8001", "t").unwrap().base(), "http://localhost:8001");
        let rest = config.rest_config().unwrap();
        assert_eq!((rest.host.as_str(), &rest.auth.token), ("https://host:6443/clusters/one", &config.token));
        assert_eq!(rest.validate(), Ok(()));
    }

    #[test]
    fn the_own_origin_has_neither_address_nor_token() {
        let config = PageConfig::own_origin();
        assert_eq!((config.base().as_str(), config.token(), config.rest_config(), config.hint("x")), ("", None, None, None));
    }

    #[test]
    fn what_a_browser_would_drop_or_show_is_refused() {
        let error = |address: &str| PageConfig::typed(address, "t").unwrap_err();
        assert_eq!(error("https://me:s3cr3t@host"), PageConfigError::CredentialsInAddress);
        assert_eq!(error("https://host/#a"), PageConfigError::NotABase('#'));
        assert_eq!(error("https://host/?a"), PageConfigError::NotABase('?'));
        for address in ["", "host", "host:6443", "ftp://host", "https://", "https:///x", "javascript:alert(1)"] {
            assert_eq!(error(address), PageConfigError::NotAnAddress(address.to_owned()), "{address}");
        }
        for token in ["", " ", "Bearer ", "a b", "a\nb", "ü", "a\u{7f}"] {
            assert_eq!(PageConfig::typed("https://host", token), Err(PageConfigError::NotAToken), "{token:?}");
        }
        assert_eq!(error("http://host:8080"), PageConfigError::Unprotected("http://host:8080".into()));
    }

    #[test]
    fn the_token_is_in_memory_only() {
        let config = PageConfig::typed("https://host", "s3cr3t").unwrap();
        assert!(!format!("{config:?}").contains("s3cr3t"));
    }

    #[test]
    fn the_hint_names_the_flag_with_the_origin_as_a_pattern() {
        let hint = PageConfig::typed("https://host:6443", "t").unwrap().hint("https://porthole.example").unwrap();
        assert!(hint.contains("--cors-allowed-origins='^https://porthole\\.example$'"), "{hint}");
        assert!(hint.contains("https://host:6443/version") && !hint.contains("came by https"), "{hint}");
        let mixed = PageConfig::typed("http://127.0.0.1:8001", "t").unwrap().hint("https://porthole.example").unwrap();
        assert!(mixed.contains("may refuse an http address"), "{mixed}");
    }
}
