use super::super::*;
use crate::config::{ExecConfig, InteractiveMode, PemData};
use serde_json::{Value, json};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const WHOLE: &str = "\
apiVersion: v1
clusters:
- cluster:
    certificate-authority: ca.crt
    disable-compression: true
    extensions:
    - extension:
        audience: foo
        big: 12345678901234567890
        text: \"1\"
      name: client.authentication.k8s.io/exec
    insecure-skip-tls-verify: true
    proxy-url: socks5://proxy
    server: https://localhost:6443
    tls-server-name: kubernetes
  name: \"0\"
contexts:
- context:
    cluster: \"0\"
    namespace: shop
    user: alice
  name: \"433e40\"
current-context: \"433e40\"
extensions:
- extension: note
  name: mine
kind: Config
preferences:
  colors: true
users:
- name: alice
  user:
    as: bob
    as-groups:
    - dev
    as-uid: uid
    as-user-extra:
      scopes:
      - view
    client-certificate-data: Y2VydA==
    client-key-data: a2V5
    exec:
      apiVersion: client.authentication.k8s.io/v1
      args:
      - get-token
      command: aws
      env:
      - name: AWS_PROFILE
        value: dev
      installHint: |
        brew install aws
        or ask
      interactiveMode: Never
      provideClusterInfo: true
    password: pass
    token: token
    tokenFile: token.txt
    username: user
";

fn error(text: &str) -> String {
    let files = MemoryFiles::new([("/conf", text)]);
    Kubeconfig::from_file(&files, "/conf").unwrap_err().to_string()
}

#[test]
fn what_was_read_is_written_as_the_same_text() {
    let config = Kubeconfig::parse(WHOLE).unwrap();
    assert_eq!(config.to_yaml().unwrap(), WHOLE);
    let user = &config.users["alice"];
    assert_eq!(user.impersonate_user_extra["scopes"], ["view"]);
    assert_eq!(user.client_key_data, PemData::from("key"));
    assert_eq!(user.exec.as_ref().unwrap().interactive_mode, InteractiveMode::Never);
    assert_eq!(config.clusters["0"].extensions["client.authentication.k8s.io/exec"]["text"], json!("1"));
}

#[test]
fn a_configuration_is_written_as_kubectl_writes_it() {
    let cluster = || Cluster { server: "https://localhost:1234".into(), ..Cluster::default() };
    let config = Kubeconfig {
        current_context: "any-context-value".into(),
        contexts: [("433e40".to_owned(), Context { cluster: "433e40".into(), ..Context::default() })].into(),
        clusters: ["433e40", "1", "0"].map(|name| (name.to_owned(), cluster())).into(),
        ..Kubeconfig::default()
    };
    let expected = "\
apiVersion: v1
clusters:
- cluster:
    server: https://localhost:1234
  name: \"0\"
- cluster:
    server: https://localhost:1234
  name: \"1\"
- cluster:
    server: https://localhost:1234
  name: \"433e40\"
contexts:
- context:
    cluster: \"433e40\"
    user: \"\"
  name: \"433e40\"
current-context: any-context-value
kind: Config
users: null
";
    assert_eq!(config.to_yaml().unwrap(), expected);
    assert_eq!(Kubeconfig::parse(expected).unwrap(), config);
}

#[test]
fn a_long_certificate_stays_in_one_line_and_every_text_survives() {
    let texts = [
        "true",
        "null",
        "~",
        "1.0",
        "0x10",
        "- a",
        "a: b",
        "a #b",
        " a ",
        "a\nb\n",
        "é",
        "\u{1b}[1m",
        "'\"",
        "=",
        "2026-01-01",
        "",
    ];
    for text in texts {
        let config = Kubeconfig {
            clusters: [(
                text.to_owned(),
                Cluster { server: text.into(), certificate_authority_data: PemData::new(vec![7; 3000]), ..Cluster::default() },
            )]
            .into(),
            ..Kubeconfig::default()
        };
        let yaml = config.to_yaml().unwrap();
        assert!(yaml.lines().any(|line| line.starts_with("    certificate-authority-data: BwcH") && line.len() > 4000), "{yaml}");
        assert_eq!(Kubeconfig::parse(&yaml).unwrap(), config, "{yaml}");
    }
}

#[test]
fn nothing_and_nulls_are_empty_maps_and_texts() {
    for text in [
        "",
        "# nothing\n",
        "---\n",
        "null\n",
        "{}",
        "kind: Config\nclusters: null\nusers:\ncontexts: []\ncurrent-context:\npreferences: {}\nextensions: ~\n",
    ] {
        let config = Kubeconfig::parse(text).unwrap();
        assert!(config.is_empty(), "{text:?}: {config:?}");
    }
    let config = Kubeconfig::parse("current-context: any-context-value").unwrap();
    assert!(config.clusters.is_empty() && config.users.is_empty() && config.contexts.is_empty());
    let sparse =
        Kubeconfig::parse("users: [{name: a, user: {exec: {command: c, args: null, env: null}, token: null}}, {name: b}]")
            .unwrap();
    assert_eq!(sparse.users["a"].exec, Some(ExecConfig { command: "c".into(), ..ExecConfig::default() }));
    assert_eq!(sparse.users["b"], AuthInfo::default());
}

#[test]
fn a_provider_without_settings_is_read() {
    let config = Kubeconfig::parse(
        "apiVersion: v1
kind: Config
clusters:
- cluster:
    certificate-authority-data: UEhPTlkK
    server: https://1.1.1.1
  name: production
contexts:
- context:
    cluster: production
    user: production
  name: production
current-context: production
users:
- name: production
  user:
    auth-provider:
      name: gcp",
    )
    .unwrap();
    let provider = config.users["production"].auth_provider.clone().unwrap();
    assert_eq!((provider.name.as_str(), provider.config.len()), ("gcp", 0));
}

#[test]
fn texts_without_quotes_are_taken_as_they_stand_and_the_last_of_two_keys_wins() {
    let config = Kubeconfig::parse(
        "{\"current-context\": first, current-context: 433e40, unknown: [1], contexts: [{name: 0x10, context: {user: yes, cluster: 1.10}}]}",
    )
    .unwrap();
    assert_eq!(config.current_context, "433e40");
    assert_eq!((config.contexts["0x10"].user.as_str(), config.contexts["0x10"].cluster.as_str()), ("yes", "1.10"));
}

#[test]
fn older_plugins_may_read_standard_input_where_it_is_not_said() {
    let mode = |exec: &str| {
        let text =
            format!("users: [{{name: a, user: {{exec: {{command: c, apiVersion: client.authentication.k8s.io/{exec}}}}}}}]");
        Kubeconfig::parse(&text).unwrap().users["a"].exec.clone().unwrap().interactive_mode
    };
    assert_eq!(mode("v1alpha1"), InteractiveMode::IfAvailable);
    assert_eq!(mode("v1beta1"), InteractiveMode::IfAvailable);
    assert_eq!(mode("v1"), InteractiveMode::Unset);
    for version in ["v1alpha1", "v1beta1", "v1"] {
        assert_eq!(mode(&format!("{version}, interactiveMode: Never")), InteractiveMode::Never);
    }
}

#[test]
fn two_clusters_of_one_name_are_an_error() {
    assert_eq!(
        error("clusters:\n- name: kubeconfig-cluster\n  cluster: {server: 'https://a'}\n- {name: kubeconfig-cluster}\n"),
        "the kubeconfig /conf cannot be read at line 2, column 3 (clusters): two entries are named \"kubeconfig-cluster\": rename \
         one cluster or take it out"
    );
}

#[test]
fn two_contexts_of_one_name_are_an_error() {
    let text =
        error("contexts: [{name: kubeconfig-context, context: {user: a}}, {name: kubeconfig-context, context: {user: b}}]");
    assert!(text.contains("(contexts): two entries are named \"kubeconfig-context\": rename one context"), "{text}");
}

#[test]
fn two_users_of_one_name_are_an_error() {
    let text = error("users: [{name: kubeconfig-user, user: {tokenFile: a}}, {name: kubeconfig-user, user: {tokenFile: b}}]");
    assert!(text.contains("(users): two entries are named \"kubeconfig-user\": rename one user"), "{text}");
}

#[test]
fn two_extensions_of_one_name_are_an_error() {
    for (place, text) in [
        ("extensions", "extensions: [{name: e, extension: {bytes: test}}, {name: e, extension: {bytes: some-example}}]"),
        ("clusters[0].cluster.extensions", "clusters: [{name: c, cluster: {extensions: [{name: e}, {name: e}]}}]"),
    ] {
        let text = error(text);
        assert!(text.contains(&format!("({place}): two entries are named \"e\": rename one extension")), "{text}");
    }
}

#[test]
fn an_error_names_the_file_the_place_and_the_field_and_nothing_of_the_content() {
    for (text, expected) in [
        (
            "clusters:\n- cluster:\n    insecure-skip-tls-verify: s3cr3t\n",
            "at line 3, column 31 (clusters[0].cluster.insecure-skip-tls-verify): ",
        ),
        ("users: [{user: {token: [s3cr3t]}}]", "at line 1, column 24 (users[0].user.token): "),
        ("users: s3cr3t", "at line 1, column 8 (users): "),
        ("users: [{user: {client-key-data: 's3cr3t!'}}]", "(users[0].user.client-key-data): not base64"),
        ("s3cr3t", "at line 1, column 1: "),
        ("a: [s3cr3t", "at line 1, "),
        ("kind: Pod", "(kind): it says \"Pod\", and a kubeconfig says \"Config\""),
        ("apiVersion: v2", "(apiVersion): it says \"v2\", and a kubeconfig says \"v1\""),
    ] {
        let error = error(text);
        assert!(error.starts_with("the kubeconfig /conf cannot be read "), "{error}");
        assert!(error.contains(expected) && !error.contains("s3cr3t"), "{error}");
    }
    let files = MemoryFiles::default();
    files.write("/binary", &[0xff, 0xff]).unwrap();
    assert!(
        Kubeconfig::from_file(&files, "/binary")
            .unwrap_err()
            .to_string()
            .contains("/binary cannot be read: it is not UTF-8 text")
    );
    assert_eq!(Kubeconfig::from_file(&files, "/missing").unwrap_err().to_string(), "there is no file /missing");
}

#[test]
fn of_several_documents_the_first_is_read() {
    for (text, context) in [
        ("current-context: a\n---\ncurrent-context: b\n", "a"),
        ("current-context: a\n---\n", "a"),
        ("current-context: a\n--- # more\n}no: yaml: {", "a"),
        ("current-context: a\r\n---\r\ncurrent-context: b\r\n", "a"),
        ("current-context: a\n...\n}no: yaml: {", "a"),
        ("# mine\n\n%YAML 1.1\n---\ncurrent-context: a\n---\n}", "a"),
        ("\u{feff}---\ncurrent-context: a\n", "a"),
        ("---\n---\ncurrent-context: b\n", ""),
        ("---\n...\ncurrent-context: b\n", ""),
        ("current-context: |-\n  ---\n  ...\n", "---\n..."),
        ("current-context: ---a\n", "---a"),
        ("---a: b\ncurrent-context: a\n", "a"),
    ] {
        assert_eq!(Kubeconfig::parse(text).unwrap().current_context, context, "{text:?}");
    }
}

#[test]
fn a_file_is_utf_8_or_says_that_it_is_utf_16() {
    let text = WHOLE.replace("note", "ä€🦀");
    let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let encoded = [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [&[0xff, 0xfe][..], &units(u16::to_le_bytes)].concat(),
        [&[0xfe, 0xff][..], &units(u16::to_be_bytes)].concat(),
    ];
    let files = MemoryFiles::default();
    for bytes in encoded {
        files.write("/conf", &bytes).unwrap();
        assert_eq!(Kubeconfig::from_file(&files, "/conf").unwrap().to_yaml().unwrap(), text);
    }
    // Half a unit, and half a pair of units.
    for bytes in [&[0xff, 0xfe, b'a'][..], &[0xff, 0xfe, 0x00, 0xd8]] {
        files.write("/conf", bytes).unwrap();
        let error = Kubeconfig::from_file(&files, "/conf").unwrap_err().to_string();
        assert!(error.ends_with("it begins as UTF-16 text and goes on as none"), "{error}");
    }
}

#[test]
fn null_in_any_place_is_nothing_in_that_place() {
    fn places(value: &Value, path: &str, found: &mut Vec<String>) {
        found.push(path.to_owned());
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| places(value, &format!("{path}/{}", name.replace('/', "~1")), found));
            }
            Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| places(value, &format!("{path}/{at}"), found)),
            _ => {}
        }
    }
    let whole: Value = serde_saphyr::from_str(WHOLE).unwrap();
    let mut found = Vec::new();
    places(&whole, "", &mut found);
    assert!(found.len() > 50);
    for path in found {
        let mut document = whole.clone();
        *document.pointer_mut(&path).unwrap() = Value::Null;
        let read = Kubeconfig::parse(&document.to_string());
        assert!(read.is_ok(), "{path}: {}", read.unwrap_err());
    }
}

#[test]
fn debug_shows_neither_passwords_in_urls_nor_what_extensions_hold() {
    let config = Kubeconfig::parse(
        "clusters: [{name: c, cluster: {server: 'https://me:s3cr3t@host', proxy-url: 'http://me:s3cr3t@proxy', \
         extensions: [{name: e, extension: {key: s3cr3t}}]}}]",
    );
    let shown = format!("{:?}", config.unwrap());
    assert!(["@host", "@proxy", "\"e\""].iter().all(|part| shown.contains(part)) && !shown.contains("s3cr3t"), "{shown}");
}

#[test]
fn each_entry_remembers_its_file() {
    let files = MemoryFiles::new([("/conf", WHOLE)]);
    let config = Kubeconfig::from_file(&files, "/conf").unwrap();
    assert_eq!(config.clusters["0"].location_of_origin, "/conf");
    assert_eq!(config.users["alice"].location_of_origin, "/conf");
    assert_eq!(config.contexts["433e40"].location_of_origin, "/conf");
    assert!(!config.to_yaml().unwrap().contains("/conf"));
}
