use super::super::*;
use super::context;
use crate::config::{AuthProviderConfig, ExecConfig, ExecEnvVar, PemData, Secret};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Two contexts: `federal`, the current one, with data, and `shaker` with files.
fn config() -> Kubeconfig {
    let server = |url: &str| Cluster { server: url.into(), ..Cluster::default() };
    let token = |token: &str| AuthInfo { token: Secret::new(token), ..AuthInfo::default() };
    Kubeconfig {
        users: [
            (
                "red".to_owned(),
                AuthInfo {
                    client_certificate_data: PemData::from("cert"),
                    client_key_data: PemData::from("key"),
                    password: Secret::new("red-password"),
                    ..token("red-token")
                },
            ),
            (
                "blue".to_owned(),
                AuthInfo {
                    client_certificate: "/pki/cert".into(),
                    client_key: "key".into(),
                    location_of_origin: "/pki/config".into(),
                    ..token("")
                },
            ),
        ]
        .into(),
        clusters: [
            ("cow".to_owned(), Cluster { certificate_authority_data: PemData::from("ca"), ..server("http://cow.org:8080") }),
            ("chicken".to_owned(), Cluster { certificate_authority: "/pki/ca".into(), ..server("http://chicken.org:8080") }),
        ]
        .into(),
        contexts: [("federal".to_owned(), context("cow", "red")), ("shaker".to_owned(), context("chicken", "blue"))].into(),
        current_context: "federal".into(),
        ..Kubeconfig::default()
    }
}

fn files() -> MemoryFiles {
    MemoryFiles::new([("/pki/cert", "file cert"), ("/pki/key", "file key"), ("/pki/ca", "file ca")])
}

#[test]
fn only_the_current_context_and_what_it_names_is_kept() {
    let reduced = config().minified().unwrap();
    assert_eq!(reduced.contexts.keys().collect::<Vec<_>>(), ["federal"]);
    assert_eq!(reduced.clusters.keys().collect::<Vec<_>>(), ["cow"]);
    assert_eq!(reduced.users.keys().collect::<Vec<_>>(), ["red"]);
    assert_eq!(reduced.users["red"], config().users["red"]);
    assert_eq!(reduced.current_context, "federal");
}

#[test]
fn a_context_to_keep_must_be_there() {
    let reduced = |name: &str| Kubeconfig { current_context: name.into(), ..config() }.minified().unwrap_err();
    assert_eq!(reduced("missing").to_string(), "the context \"missing\" does not exist: kubectl config view lists those that do");
    assert_eq!(reduced(""), KubeconfigError::NoCurrentContext);
}

#[test]
fn the_cluster_of_a_context_to_keep_must_be_there() {
    let mut config = config();
    config.clusters.remove("cow");
    assert_eq!(config.minified().unwrap_err(), KubeconfigError::Missing { what: "cluster", name: "cow".into() });
}

#[test]
fn the_user_of_a_context_to_keep_must_be_there() {
    let mut config = config();
    config.users.remove("red");
    assert_eq!(config.minified().unwrap_err(), KubeconfigError::Missing { what: "user", name: "red".into() });
    config.contexts.insert("federal".into(), context("cow", ""));
    assert!(config.minified().unwrap().users.is_empty());
}

#[test]
fn files_become_data_and_data_stays() {
    let config = config();
    let flat = config.flattened(&files()).unwrap();
    assert_eq!(flat.contexts, config.contexts);
    assert_eq!((&flat.clusters["cow"], &flat.users["red"]), (&config.clusters["cow"], &config.users["red"]));
    let cluster = &flat.clusters["chicken"];
    assert_eq!((cluster.certificate_authority.as_str(), &cluster.certificate_authority_data), ("", &PemData::from("file ca")));
    let user = &flat.users["blue"];
    assert_eq!((user.client_certificate.as_str(), &user.client_certificate_data), ("", &PemData::from("file cert")));
    assert_eq!((user.client_key.as_str(), &user.client_key_data), ("", &PemData::from("file key")));
}

#[test]
fn a_file_beside_data_and_a_file_that_is_missing_cannot_be_flattened() {
    let mut both = config();
    both.users.get_mut("red").unwrap().client_key = "/pki/key".into();
    assert_eq!(
        both.flattened(&files()).unwrap_err().to_string(),
        "the client-key of \"red\" is given both as a file and as data: take one of them out"
    );
    assert_eq!(config().flattened(&MemoryFiles::default()).unwrap_err().to_string(), "there is no file /pki/cert");
}

#[test]
fn what_is_shown_to_people_omits_data_and_redacts_secrets() {
    let config = config();
    let short = config.shortened();
    assert_eq!(short.contexts, config.contexts);
    assert_eq!((&short.clusters["chicken"], &short.users["blue"]), (&config.clusters["chicken"], &config.users["blue"]));
    let yaml = short.minified().unwrap().to_yaml().unwrap();
    assert_eq!(
        yaml,
        "apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: DATA+OMITTED
    server: http://cow.org:8080
  name: cow
contexts:
- context:
    cluster: cow
    user: red
  name: federal
current-context: federal
kind: Config
users:
- name: red
  user:
    client-certificate-data: DATA+OMITTED
    client-key-data: DATA+OMITTED
    password: REDACTED
    token: REDACTED
"
    );
}

#[test]
fn every_secret_is_redacted_and_nothing_else() {
    let mut config = config();
    let user = config.users.get_mut("red").unwrap();
    user.auth_provider =
        Some(AuthProviderConfig { name: "oidc".into(), config: [("id-token".to_owned(), "s3cr3t".to_owned())].into() });
    user.exec =
        Some(ExecConfig { env: vec![ExecEnvVar { name: "TOKEN".into(), value: "s3cr3t".into() }], ..ExecConfig::default() });
    let redacted = config.redacted();
    let user = &redacted.users["red"];
    assert_eq!((user.token.expose(), user.password.expose()), ("REDACTED", "REDACTED"));
    assert_eq!(user.client_key_data, PemData::from("REDACTED"));
    assert_eq!(user.client_certificate_data, PemData::from("cert"));
    assert_eq!(user.auth_provider.as_ref().unwrap().config["id-token"], "REDACTED");
    assert_eq!(user.exec.as_ref().unwrap().env[0].value, "REDACTED");
    assert_eq!((&redacted.contexts, &redacted.clusters), (&config.contexts, &config.clusters));
    assert_eq!(redacted.users["blue"], config.users["blue"]);
}
