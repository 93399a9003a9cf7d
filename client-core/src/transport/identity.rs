//! Who sends a request: a name and a password, a user agent, and as whom.

use std::{collections::BTreeMap, fmt, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderName, HeaderValue, header};

use super::{
    Request, Transport, TransportError,
    layer::{AddHeaders, Unless, WithHeaders},
};
use crate::config::{BasicAuth, Impersonation};

/// `inner` with a name and a password in each request that has no `Authorization` of its own (client-go
/// `transport/round_trippers.go`, `NewBasicAuthRoundTripper`).
///
/// # Errors
/// Where no header can hold them.
pub fn with_basic_auth(inner: Arc<dyn Transport>, auth: &BasicAuth) -> Result<Arc<dyn Transport>, TransportError> {
    let pair = STANDARD.encode(format!("{}:{}", auth.username, auth.password.expose()));
    let mut value = header_value("Authorization", &format!("Basic {pair}"))?;
    value.set_sensitive(true);
    Ok(Arc::new(WithHeaders { inner, headers: Unless { name: header::AUTHORIZATION, value } }))
}

/// `inner` with this name in each request that has no `User-Agent` of its own (client-go `NewUserAgentRoundTripper`). A browser
/// keeps its own.
///
/// # Errors
/// Where no header can hold it.
pub fn with_user_agent(inner: Arc<dyn Transport>, agent: &str) -> Result<Arc<dyn Transport>, TransportError> {
    let value = header_value("User-Agent", agent)?;
    Ok(Arc::new(WithHeaders { inner, headers: Unless { name: header::USER_AGENT, value } }))
}

/// `inner` acting as another user in each request that does not already act as one (client-go
/// `NewImpersonatingRoundTripper`).
///
/// # Errors
/// Where no header can hold a part of it.
pub fn with_impersonation(inner: Arc<dyn Transport>, user: &Impersonation) -> Result<Arc<dyn Transport>, TransportError> {
    let mut headers = vec![(HeaderName::from_static("impersonate-user"), header_value("Impersonate-User", &user.user)?)];
    if !user.uid.is_empty() {
        headers.push((HeaderName::from_static("impersonate-uid"), header_value("Impersonate-Uid", &user.uid)?));
    }
    push_all(&mut headers, "impersonate-group", &user.groups)?;
    push_extra(&mut headers, "impersonate-extra-", &user.extra)?;
    Ok(Arc::new(WithHeaders { inner, headers: Impersonate(headers) }))
}

/// `inner` telling the server who the user is, for a proxy that the server trusts to know (client-go
/// `NewAuthProxyRoundTripper`). What a request says of it already is taken out.
///
/// # Errors
/// Where no header can hold a part of it.
pub fn with_auth_proxy(inner: Arc<dyn Transport>, user: &Impersonation) -> Result<Arc<dyn Transport>, TransportError> {
    let mut headers = vec![(HeaderName::from_static(REMOTE_USER), header_value("X-Remote-User", &user.user)?)];
    if !user.uid.is_empty() {
        headers.push((HeaderName::from_static(REMOTE_UID), header_value("X-Remote-Uid", &user.uid)?));
    }
    push_all(&mut headers, REMOTE_GROUP, &user.groups)?;
    push_extra(&mut headers, REMOTE_EXTRA, &user.extra)?;
    Ok(Arc::new(WithHeaders { inner, headers: AuthProxy(headers) }))
}

const REMOTE_USER: &str = "x-remote-user";
const REMOTE_UID: &str = "x-remote-uid";
const REMOTE_GROUP: &str = "x-remote-group";
const REMOTE_EXTRA: &str = "x-remote-extra-";

struct Impersonate(Vec<(HeaderName, HeaderValue)>);

impl AddHeaders for Impersonate {
    fn add(&self, request: &mut Request) {
        // The user stands for all of it.
        if !request.headers.contains_key("impersonate-user") {
            append(request, &self.0);
        }
    }
}

struct AuthProxy(Vec<(HeaderName, HeaderValue)>);

impl AddHeaders for AuthProxy {
    fn add(&self, request: &mut Request) {
        let claims = |name: &HeaderName| {
            matches!(name.as_str(), REMOTE_USER | REMOTE_UID | REMOTE_GROUP) || name.as_str().starts_with(REMOTE_EXTRA)
        };
        let claimed: Vec<HeaderName> = request.headers.keys().filter(|&name| claims(name)).cloned().collect();
        for name in claimed {
            request.headers.remove(name);
        }
        append(request, &self.0);
    }
}

fn append(request: &mut Request, headers: &[(HeaderName, HeaderValue)]) {
    for (name, value) in headers {
        request.headers.append(name.clone(), value.clone());
    }
}

fn push_all(headers: &mut Vec<(HeaderName, HeaderValue)>, name: &'static str, values: &[String]) -> Result<(), TransportError> {
    for value in values {
        headers.push((HeaderName::from_static(name), header_value(name, value)?));
    }
    Ok(())
}

fn push_extra(
    headers: &mut Vec<(HeaderName, HeaderValue)>,
    prefix: &str,
    extra: &BTreeMap<String, Vec<String>>,
) -> Result<(), TransportError> {
    for (key, values) in extra {
        let text = format!("{prefix}{}", EscapedKey(key));
        let name = HeaderName::from_bytes(text.as_bytes())
            .map_err(|error| TransportError::Invalid { message: format!("the extra attribute \"{key}\": {error}") })?;
        for value in values {
            headers.push((name.clone(), header_value(&text, value)?));
        }
    }
    Ok(())
}

fn header_value(name: &str, value: &str) -> Result<HeaderValue, TransportError> {
    // Not the value itself: it may be a secret.
    HeaderValue::from_str(value).map_err(|_no_reason| TransportError::Invalid {
        message: format!("the value of {name} holds a line break or a control character"),
    })
}

/// A key of an extra attribute as a part of a header's name: what such a name cannot hold, and the `%` itself, becomes `%`
/// and two digits (client-go `headerKeyEscape`).
struct EscapedKey<'a>(&'a str);

impl fmt::Display for EscapedKey<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0.bytes() {
            match byte {
                b'!' | b'#' | b'$' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~' => {
                    write!(formatter, "{}", char::from(byte))?;
                }
                _ if byte.is_ascii_alphanumeric() => write!(formatter, "{}", char::from(byte))?,
                _ => write!(formatter, "%{byte:02X}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::Secret,
        platform::ready,
        transport::{ScriptedTransport, layered::answering},
    };
    use percent_encoding::percent_decode_str;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    type Layer = dyn Fn(Arc<dyn Transport>) -> Result<Arc<dyn Transport>, TransportError>;

    /// The headers of a request with `own` headers after the layer, in their order.
    fn sent(layer: &Layer, own: &[(&'static str, &'static str)]) -> Vec<(String, String)> {
        let scripted = answering(&[200]);
        let transport = layer(Arc::new(scripted.clone())).unwrap();
        let mut request = Request::read("/");
        for &(name, value) in own {
            request.headers.append(name, HeaderValue::from_static(value));
        }
        ready(transport.send(request)).unwrap();
        let requests = scripted.requests();
        let text = |(name, value): (&HeaderName, &HeaderValue)| (name.to_string(), value.to_str().unwrap().to_owned());
        requests[0].headers.iter().map(text).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn user(extra: &[(&str, &[&str])]) -> Impersonation {
        let strings = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
        Impersonation {
            user: "user".into(),
            uid: "uid-a".into(),
            groups: strings(&["one", "two"]),
            extra: extra.iter().map(|&(key, values)| (key.to_owned(), strings(values))).collect(),
        }
    }

    #[test]
    fn a_name_and_a_password_are_sent_unless_the_request_has_credentials() {
        for (password, expected) in [("pass", "Basic dXNlcjpwYXNz"), ("", "Basic dXNlcjo=")] {
            let auth = BasicAuth { username: "user".into(), password: Secret::new(password) };
            let layer = move |inner| with_basic_auth(inner, &auth);
            assert_eq!(sent(&layer, &[]), pairs(&[("authorization", expected)]));
            assert_eq!(sent(&layer, &[("authorization", "Bearer own")]), pairs(&[("authorization", "Bearer own")]));
        }
    }

    #[test]
    fn a_password_is_not_shown_with_the_request() {
        let scripted = answering(&[200]);
        let auth = BasicAuth { username: "user".into(), password: Secret::new("pass") };
        let transport = with_basic_auth(Arc::new(scripted.clone()), &auth).unwrap();
        ready(transport.send(Request::read("/"))).unwrap();
        let shown = format!("{:?}", scripted.requests());
        assert!(shown.contains("Sensitive") && !shown.contains("dXNlcjpwYXNz"), "{shown}");
    }

    #[test]
    fn a_name_is_sent_unless_the_request_has_one() {
        let layer = |inner| with_user_agent(inner, "test");
        assert_eq!(sent(&layer, &[("user-agent", "other")]), pairs(&[("user-agent", "other")]));
        assert_eq!(sent(&layer, &[]), pairs(&[("user-agent", "test")]));
        let error = with_user_agent(Arc::new(ScriptedTransport::default()), "a\nb").err().unwrap().to_string();
        assert!(error.contains("the value of User-Agent holds a line break"), "{error}");
    }

    #[test]
    fn acting_as_another_is_sent_with_keys_escaped() {
        let layer = |user: Impersonation| move |inner| with_impersonation(inner, &user);
        assert_eq!(
            sent(&layer(user(&[("first", &["A", "a"]), ("second", &["B"])])), &[]),
            pairs(&[
                ("impersonate-user", "user"),
                ("impersonate-uid", "uid-a"),
                ("impersonate-group", "one"),
                ("impersonate-group", "two"),
                ("impersonate-extra-first", "A"),
                ("impersonate-extra-first", "a"),
                ("impersonate-extra-second", "B"),
            ])
        );
        let named = Impersonation { user: "user".into(), ..Impersonation::default() };
        assert_eq!(sent(&layer(named.clone()), &[]), pairs(&[("impersonate-user", "user")]));
        for (key, header) in [
            ("test.example.com/thing.thing", "impersonate-extra-test.example.com%2fthing.thing"),
            ("test.example.com/thing%20another", "impersonate-extra-test.example.com%2fthing%2520another"),
        ] {
            let extra = [(key.to_owned(), vec!["A".to_owned()])].into_iter().collect();
            let escaped = Impersonation { extra, ..named.clone() };
            assert_eq!(sent(&layer(escaped), &[]), pairs(&[("impersonate-user", "user"), (header, "A")]));
        }
    }

    #[test]
    fn a_request_that_acts_as_another_is_left_alone() {
        let layer = |inner| with_impersonation(inner, &user(&[("key", &["value"])]));
        assert_eq!(sent(&layer, &[("impersonate-user", "own")]), pairs(&[("impersonate-user", "own")]));
    }

    #[test]
    fn a_trusted_proxy_says_who_the_user_is_and_believes_no_request() {
        let layer = |inner| with_auth_proxy(inner, &user(&[("one", &["alpha", "bravo"]), ("example.com/two%20three", &["c"])]));
        let own =
            [("x-remote-user", "root"), ("x-remote-group", "system:masters"), ("x-remote-extra-scopes", "all"), ("accept", "x")];
        let mut headers = sent(&layer, &own);
        headers.sort();
        assert_eq!(
            headers,
            pairs(&[
                ("accept", "x"),
                ("x-remote-extra-example.com%2ftwo%2520three", "c"),
                ("x-remote-extra-one", "alpha"),
                ("x-remote-extra-one", "bravo"),
                ("x-remote-group", "one"),
                ("x-remote-group", "two"),
                ("x-remote-uid", "uid-a"),
                ("x-remote-user", "user"),
            ])
        );
    }

    #[test]
    fn an_escaped_key_is_decoded_to_itself() {
        for key in [
            "alphabetical",
            "alph4num3r1c",
            "percent%20encoded",
            "almost%zzpercent%xxencoded",
            "example.com/percent%20encoded",
            "example.com/ᛒᚥᛏᛖᚥᚢとロビン",
            "abc123!#$+.-_*\\^`~|'",
            "@=:",
            "",
        ] {
            let escaped = EscapedKey(key).to_string();
            assert_eq!(percent_decode_str(&escaped).decode_utf8().unwrap(), key);
            assert!(HeaderName::from_bytes(format!("x{escaped}").as_bytes()).is_ok(), "{escaped}");
        }
    }
}
