use super::*;
use crate::config::{ExecEnvVar, ProxyUrl};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A configuration with every field set.
fn full() -> RestConfig {
    let text = |text: &str| Some(text.to_owned());
    RestConfig {
        host: "https://gopher:inurl@localhost:8080".into(),
        api_path: "v1".into(),
        auth: Auth {
            basic: Some(BasicAuth { username: "gopher".into(), password: Secret::new("g0ph3r") }),
            token: Some(Secret::new("1234567890")),
            token_file: text("token.txt"),
            exec: Some(ExecConfig {
                command: "sudo".into(),
                args: vec!["s3cr3t".into()],
                env: vec![ExecEnvVar { name: "name".into(), value: "s3cr3t".into() }],
                config: Some(serde_json::json!("s3cr3t")),
                ..ExecConfig::default()
            }),
            provider: Some(AuthProviderConfig {
                name: "oidc".into(),
                config: [("id".to_owned(), "s3cr3t".to_owned())].into_iter().collect(),
            }),
        },
        impersonate: Impersonation {
            user: "alice".into(),
            uid: "uid123".into(),
            groups: vec!["dev".into()],
            extra: [("scopes".to_owned(), vec!["view".to_owned()])].into_iter().collect(),
        },
        tls: TlsConfig {
            insecure: true,
            server_name: text("kubernetes"),
            ca_data: PemData::from("fake ca"),
            ca_file: text("ca.crt"),
            cert_data: PemData::from("fake cert"),
            cert_file: text("a.crt"),
            key_data: PemData::from("fake key"),
            key_file: text("a.key"),
        },
        user_agent: text("gobot"),
        disable_compression: true,
        qps: Some(1.0),
        burst: Some(2),
        timeout: Some(Duration::from_secs(3)),
        proxy: Proxy::Url(ProxyUrl::parse("http://proxy:inproxy@proxy").unwrap()),
        origin: "the context \"dev\" of /config".into(),
    }
}

#[test]
fn a_connection_is_protected_where_the_scheme_or_a_certificate_says_so() {
    let with = |host: &str, tls: TlsConfig| RestConfig { tls, ..RestConfig::new(host) };
    let cert = || TlsConfig { cert_file: Some("foo".into()), ..TlsConfig::default() };
    assert!(!with("", TlsConfig::default()).is_tls());
    assert!(with("https://localhost", TlsConfig::default()).is_tls());
    assert!(with("localhost", cert()).is_tls());
    assert!(!with("///:://localhost", cert()).is_tls());
    assert!(!with("http://localhost", cert()).is_tls());
    assert!(with("1.2.3.4:567", TlsConfig { insecure: true, ..TlsConfig::default() }).is_tls());
    assert!(with("1.2.3.4:567", TlsConfig { ca_data: PemData::from("ca"), ..TlsConfig::default() }).is_tls());
}

#[test]
fn an_anonymous_copy_keeps_all_but_what_says_who_we_are() {
    let full = full();
    let anonymous = full.anonymous();
    let mut expected = full.clone();
    expected.auth = Auth::default();
    expected.impersonate = Impersonation::default();
    expected.tls.cert_data = PemData::default();
    expected.tls.cert_file = None;
    expected.tls.key_data = PemData::default();
    expected.tls.key_file = None;
    assert_eq!(anonymous, expected);
}

#[test]
fn no_secret_is_shown_and_the_rest_is() {
    let shown = format!("{:?}", full());
    for secret in ["g0ph3r", "1234567890", "s3cr3t", "fake", "inurl", "inproxy"] {
        assert!(!shown.contains(secret), "{secret} is in {shown}");
    }
    for seen in ["localhost:8080", "v1", "gopher", "token.txt", "sudo", "oidc", "alice", "a.crt", "a.key", "gobot", "[redacted]"]
    {
        assert!(shown.contains(seen), "{seen} is not in {shown}");
    }
}

#[test]
fn each_form_of_debug_hides_secrets() {
    let config = full();
    for shown in [format!("{config:?}"), format!("{config:#?}"), format!("{:?}", Some(&config.auth)), format!("{:?}", config.tls)]
    {
        for secret in ["g0ph3r", "1234567890", "s3cr3t", "fake key"] {
            assert!(!shown.contains(secret), "{secret} is in {shown}");
        }
    }
}

#[test]
fn a_client_sends_five_requests_a_second_unless_it_is_told_otherwise() {
    let limit = |qps, burst| RestConfig { qps, burst, ..RestConfig::default() }.rate_limit();
    assert_eq!(limit(None, None), Some(RateLimit { qps: 5.0, burst: 10 }));
    assert_eq!(limit(Some(0.0), Some(0)), Some(RateLimit { qps: 5.0, burst: 10 }));
    assert_eq!(limit(Some(10.0), None), Some(RateLimit { qps: 10.0, burst: 10 }));
    assert_eq!(limit(Some(11.0), Some(12)), Some(RateLimit { qps: 11.0, burst: 12 }));
    assert_eq!(limit(Some(-1.0), Some(12)), None);
}

#[test]
fn settings_that_exclude_each_other_are_told() {
    let conflict = |change: fn(&mut RestConfig)| {
        let mut config = RestConfig::new("https://host");
        change(&mut config);
        config.validate().unwrap_err().to_string()
    };
    assert_eq!(
        conflict(|config| {
            config.auth.basic = Some(BasicAuth::default());
            config.auth.token_file = Some("token".into());
        }),
        "both a name with a password and a bearer token are configured: keep one of them"
    );
    assert!(
        conflict(|config| {
            config.auth.exec = Some(ExecConfig::default());
            config.auth.provider = Some(AuthProviderConfig::default());
        })
        .contains("a credential plugin and an auth provider")
    );
    assert!(
        conflict(|config| {
            config.tls.insecure = true;
            config.tls.ca_file = Some("ca".into());
        })
        .contains("a certificate authority and insecure-skip-tls-verify")
    );
    assert!(conflict(|config| config.host = "a/b".into()).contains("\"a/b\" is no address"));
    assert!(RestConfig::new("https://host").validate().is_ok());
}
