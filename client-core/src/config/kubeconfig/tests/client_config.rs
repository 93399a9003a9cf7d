use super::super::*;
use super::{clean, context};
use crate::config::{BasicAuth, ExecConfig, Impersonation, InteractiveMode, PemData, Proxy, RestConfig, Secret};
use serde_json::json;
use std::time::Duration;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn files() -> MemoryFiles {
    MemoryFiles::new([("/my.ca", "ca"), ("/token", "exampletoken\n"), ("/cert", "file cert"), ("/key", "file key")])
}

fn rest(config: Kubeconfig, overrides: Overrides) -> RestConfig {
    ClientConfig::new(config, overrides).rest_config(&files()).unwrap()
}

fn over_cluster(cluster: Cluster) -> Overrides {
    Overrides { cluster, ..Overrides::default() }
}

fn with_ca() -> Kubeconfig {
    let mut config = clean();
    config.clusters.get_mut("clean").unwrap().certificate_authority_data = PemData::new([0, 0]);
    config
}

fn with_user(user: AuthInfo) -> Kubeconfig {
    Kubeconfig { users: [("clean".to_owned(), user)].into(), ..clean() }
}

#[test]
fn compression_can_be_overridden() {
    assert!(!rest(clean(), Overrides::default()).disable_compression);
    assert!(rest(clean(), over_cluster(Cluster { disable_compression: true, ..Cluster::default() })).disable_compression);
}

#[test]
fn an_insecure_override_clears_the_authority() {
    let rest = rest(with_ca(), over_cluster(Cluster { insecure_skip_tls_verify: true, ..Cluster::default() }));
    assert!(rest.tls.insecure && !rest.tls.has_ca());
    assert!(rest.validate().is_ok());
}

#[test]
fn the_file_of_an_authority_overrides_its_data_and_insecurity() {
    let mut config = with_ca();
    config.clusters.get_mut("clean").unwrap().insecure_skip_tls_verify = true;
    let rest = rest(config, over_cluster(Cluster { certificate_authority: "/my.ca".into(), ..Cluster::default() }));
    assert_eq!((rest.tls.insecure, rest.tls.ca_file.as_deref(), rest.tls.ca_data.is_empty()), (false, Some("/my.ca"), true));
}

#[test]
fn the_name_of_the_certificate_can_be_overridden() {
    let rest = rest(clean(), over_cluster(Cluster { tls_server_name: "overridden-server-name".into(), ..Cluster::default() }));
    assert_eq!(rest.tls.server_name.as_deref(), Some("overridden-server-name"));
    assert!(!rest.tls.has_ca());
}

#[test]
fn another_server_does_not_keep_the_name_of_the_certificate() {
    let mut config = clean();
    config.clusters.get_mut("clean").unwrap().tls_server_name = "one".into();
    assert_eq!(rest(config.clone(), Overrides::default()).tls.server_name.as_deref(), Some("one"));
    let other = Overrides::default().with_server("https://something");
    assert_eq!(rest(config, other).tls.server_name, None);
}

#[test]
fn acting_as_another_is_taken_over_in_all_respects() {
    let user = AuthInfo {
        impersonate: "alice".into(),
        impersonate_uid: "abc123".into(),
        impersonate_groups: vec!["group-1".into()],
        impersonate_user_extra: [("some-key".to_owned(), vec!["some-value".to_owned()])].into(),
        ..AuthInfo::default()
    };
    let expected = Impersonation {
        user: "alice".into(),
        uid: "abc123".into(),
        groups: vec!["group-1".into()],
        extra: [("some-key".to_owned(), vec!["some-value".to_owned()])].into(),
    };
    // It is no credential: it goes over an unprotected connection as well.
    for server in ["http://something", "https://something"] {
        assert_eq!(rest(with_user(user.clone()), Overrides::default().with_server(server)).impersonate, expected);
    }
    let bob = Overrides::default().with_impersonated_user("bob");
    assert_eq!(rest(with_user(user), bob).impersonate.user, "bob");
}

#[test]
fn a_namespace_comes_from_the_override_or_the_context_or_is_the_default() {
    let mut config = clean();
    let namespace = |config: &Kubeconfig, overrides| {
        let chosen = ClientConfig::new(config.clone(), overrides).namespace(&files()).unwrap();
        (chosen.namespace.to_string(), chosen.overridden)
    };
    assert_eq!(namespace(&config, Overrides::default()), ("default".into(), false));
    config.contexts.get_mut("clean").unwrap().namespace = "shop".into();
    assert_eq!(namespace(&config, Overrides::default()), ("shop".into(), false));
    assert_eq!(namespace(&config, Overrides::default().with_namespace("ns/other")), ("other".into(), true));
}

#[test]
fn a_namespace_that_is_overridden_needs_no_configuration() {
    let empty = ClientConfig::new(Kubeconfig::default(), Overrides::default().with_namespace("foo"));
    assert_eq!(empty.namespace(&files()).unwrap(), ChosenNamespace { namespace: "foo".into(), overridden: true });
    let error = ClientConfig::default().namespace(&files()).unwrap_err();
    assert!(error.is_empty_config(), "{error}");
}

#[test]
fn data_of_certificates_and_keys_is_taken_over() {
    let mut config = with_user(AuthInfo {
        client_certificate_data: PemData::from("cert-data"),
        client_key_data: PemData::from("key-data"),
        ..AuthInfo::default()
    });
    config.clusters.get_mut("clean").unwrap().certificate_authority_data = PemData::from("ca-data");
    let tls = rest(config, Overrides::default()).tls;
    assert_eq!(
        (tls.ca_data.as_bytes(), tls.cert_data.as_bytes(), tls.key_data.as_bytes()),
        (&b"ca-data"[..], &b"cert-data"[..], &b"key-data"[..])
    );
    assert_eq!((tls.ca_file, tls.cert_file, tls.key_file), (None, None, None));
}

#[test]
fn a_proxy_must_be_one() {
    let with = |url: &str| {
        let mut config = clean();
        config.clusters.get_mut("clean").unwrap().proxy_url = url.into();
        ClientConfig::new(config, Overrides::default()).rest_config(&files())
    };
    assert_eq!(with("").unwrap().proxy, Proxy::Environment);
    for url in ["socks5://example.com", "https://example.com", "http://example.com"] {
        let Proxy::Url(proxy) = with(url).unwrap().proxy else { panic!("{url} is no proxy") };
        assert_eq!(proxy.as_str(), url);
    }
    for url in ["socks6://example.com", "example.com", "chewbacca@example.com"] {
        assert!(with(url).unwrap_err().is_configuration_invalid(), "{url} was taken");
    }
}

#[test]
fn a_name_and_a_password_are_taken_over() {
    let user = AuthInfo { username: "myuser".into(), password: Secret::new("mypass"), ..AuthInfo::default() };
    let expected = BasicAuth { username: "myuser".into(), password: Secret::new("mypass") };
    assert_eq!(rest(with_user(user), Overrides::default()).auth.basic, Some(expected));
}

#[test]
fn the_token_of_a_file_is_read() {
    let user = AuthInfo { token_file: "/token".into(), ..AuthInfo::default() };
    let auth = rest(with_user(user), Overrides::default()).auth;
    assert_eq!((auth.token, auth.token_file.as_deref()), (Some(Secret::new("exampletoken")), Some("/token")));
    let missing = with_user(AuthInfo { token_file: "/missing".into(), ..AuthInfo::default() });
    assert_eq!(
        ClientConfig::new(missing, Overrides::default()).rest_config(&files()).unwrap_err().to_string(),
        "there is no file /missing"
    );
}

#[test]
fn a_token_goes_before_its_file_which_is_kept() {
    let user = AuthInfo { token: Secret::new("expected"), token_file: "/token".into(), ..AuthInfo::default() };
    let auth = rest(with_user(user), Overrides::default()).auth;
    assert_eq!((auth.token, auth.token_file.as_deref()), (Some(Secret::new("expected")), Some("/token")));
}

#[test]
fn the_entries_of_a_context_make_a_client() {
    let config = clean();
    let rest = ClientConfig::new(config, Overrides::default()).with_context("clean").rest_config(&files()).unwrap();
    let mut expected = RestConfig::new("https://anything.com:8080");
    expected.auth.token = Some(Secret::new("the-token"));
    assert_eq!(rest, expected);
}

#[test]
fn the_host_is_the_server_as_it_stands_or_the_default() {
    for (server, host) in [
        ("https://anything.com:8080/foo/bar", "https://anything.com:8080/foo/bar"),
        ("https://anything.com:8080/foo/bar?a=b#c", "https://anything.com:8080/foo/bar"),
        ("http://anything.com:8080/foo/bar/", "http://anything.com:8080/foo/bar/"),
        ("http://anything.com:8080/", "http://anything.com:8080/"),
        ("http://anything.com:8080//", "http://anything.com:8080//"),
        ("anything.com:8080/foo/bar", "anything.com:8080/foo/bar"),
        ("anything.com:8080", "anything.com:8080"),
        ("anything.com", "anything.com"),
        ("anything", "anything"),
        ("", "http://localhost:8080"),
    ] {
        let mut config = clean();
        config.clusters.get_mut("clean").unwrap().server = server.into();
        assert_eq!(rest(config, default_server()).host, host, "{server}");
    }
}

fn default_server() -> Overrides {
    let cluster_defaults = Cluster { server: "http://localhost:8080".into(), ..Cluster::default() };
    Overrides { cluster_defaults, ..Overrides::default() }
}

#[test]
fn the_current_context_is_used_where_none_is_named() {
    let rest = rest(clean(), Overrides::default());
    assert_eq!((rest.host.as_str(), rest.auth.token), ("https://anything.com:8080", Some(Secret::new("the-token"))));
    assert!(!rest.tls.insecure && rest.tls.server_name.is_none());
}

#[test]
fn a_default_server_goes_under_that_of_the_context() {
    let rest = rest(clean(), default_server());
    assert_eq!((rest.host.as_str(), rest.auth.token), ("https://anything.com:8080", Some(Secret::new("the-token"))));
}

#[test]
fn a_context_that_is_missing_is_an_error() {
    let config = ClientConfig::new(clean(), Overrides::default()).with_context("not-present");
    assert!(config.rest_config(&files()).unwrap_err().is_context_not_found());
}

#[test]
fn a_context_that_is_missing_is_named_even_where_there_is_a_default_server() {
    let error = ClientConfig::new(clean(), default_server()).with_context("not-present").rest_config(&files()).unwrap_err();
    assert!(error.to_string().contains("the context \"not-present\" was not found"), "{error}");
}

#[test]
fn what_an_override_names_must_be_there() {
    let named = |cluster: &str, user: &str| Overrides { context: context(cluster, user), ..Overrides::default() };
    for (overrides, expected) in [
        (Overrides::default().with_context("c"), "the context \"c\" does not exist"),
        (named("c", ""), "the cluster \"c\" does not exist"),
        (named("", "c"), "the user \"c\" does not exist"),
    ] {
        let error = ClientConfig::new(clean(), overrides).rest_config(&files()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn the_install_hint_of_a_plugin_cannot_steer_a_terminal() {
    let exec = ExecConfig {
        api_version: "client.authentication.k8s.io/v1beta1".into(),
        command: "some-command".into(),
        install_hint: "some install hint with \u{1b}[1mcontrol chars\u{1b}[0m\nand a newline".into(),
        interactive_mode: InteractiveMode::IfAvailable,
        ..ExecConfig::default()
    };
    let user = AuthInfo { exec: Some(exec), ..AuthInfo::default() };
    let exec = rest(clean(), Overrides { user, ..Overrides::default() }).auth.exec.unwrap();
    assert_eq!(exec.install_hint, "some install hint with U+001B[1mcontrol charsU+001B[0m\nand a newline");
}

#[test]
fn a_plugin_is_told_what_the_cluster_says_to_it() {
    let content = "
apiVersion: v1
clusters:
- cluster:
    server: https://localhost:8080
    extensions:
    - name: client.authentication.k8s.io/exec
      extension:
        audience: foo
        other: bar
  name: foo-cluster
contexts:
- context:
    cluster: foo-cluster
    user: foo-user
    namespace: bar
  name: foo-context
current-context: foo-context
kind: Config
users:
- name: foo-user
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1alpha1
      args:
      - arg-1
      - arg-2
      command: foo-command
      provideClusterInfo: true
";
    let exec = rest(Kubeconfig::parse(content).unwrap(), Overrides::default()).auth.exec.unwrap();
    assert_eq!(exec.args, ["arg-1", "arg-2"]);
    assert!(exec.provide_cluster_info);
    assert_eq!(exec.config, Some(json!({ "audience": "foo", "other": "bar" })));
}

#[test]
fn overrides_are_laid_into_the_entries_they_go_over() {
    let mut config = clean();
    let server = Cluster { server: "https://anything.com:8080".into(), ..Cluster::default() };
    config.clusters.insert("modify".into(), server);
    config.users.insert("modify".into(), AuthInfo { token: Secret::new("the-token"), ..AuthInfo::default() });
    config.contexts.insert("modify".into(), Context { namespace: "modify".into(), ..context("modify", "modify") });
    let overrides = Overrides {
        user: AuthInfo { token: Secret::new("modified-token"), ..AuthInfo::default() },
        context: context("modify", "modify"),
        ..Overrides::default().with_context("modify").with_server("http://localhost:8081")
    }
    .with_namespace("foobar");
    let client = ClientConfig::new(config.clone(), overrides);
    let merged = client.merged(&files()).unwrap();
    assert_eq!(merged.current_context, "modify");
    assert_eq!(merged.clusters["modify"].server, "http://localhost:8081");
    assert_eq!(merged.contexts["modify"].namespace, "foobar");
    assert_eq!(merged.users["modify"].token, Secret::new("modified-token"));
    assert_eq!((&merged.clusters["clean"], &merged.contexts["clean"]), (&config.clusters["clean"], &config.contexts["clean"]));
    assert_eq!(client.raw(), &config);
}

#[test]
fn the_file_of_a_certificate_overrides_its_data_and_the_other_way_round() {
    let data = AuthInfo {
        client_certificate_data: PemData::from("data cert"),
        client_key_data: PemData::from("data key"),
        ..AuthInfo::default()
    };
    let paths = AuthInfo { client_certificate: "/cert".into(), client_key: "/key".into(), ..AuthInfo::default() };
    for (under, over) in [(&data, &paths), (&paths, &data)] {
        let overrides = Overrides { user: over.clone(), ..Overrides::default() };
        let merged = ClientConfig::new(with_user(under.clone()), overrides).merged(&files()).unwrap();
        assert_eq!(&merged.users["clean"], over);
    }
}

#[test]
fn credentials_are_left_out_where_the_connection_is_not_protected() {
    let user = AuthInfo {
        token: Secret::new("token"),
        client_certificate_data: PemData::from("cert"),
        client_key_data: PemData::from("key"),
        ..AuthInfo::default()
    };
    let plain = rest(with_user(user), Overrides::default().with_server("http://something"));
    assert_eq!(plain, RestConfig::new("http://something"));
}

#[test]
fn a_timeout_is_taken_over() {
    let overrides = Overrides { timeout: parse_timeout("1m").unwrap(), ..Overrides::default() };
    assert_eq!(rest(clean(), overrides).timeout, Some(Duration::from_mins(1)));
}
