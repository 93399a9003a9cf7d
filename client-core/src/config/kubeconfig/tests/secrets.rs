use super::super::*;
use crate::config::{PemData, Secret};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// In every place where something secret can stand.
const SECRET: &str = "s3cr3t";

fn config() -> Kubeconfig {
    let text = r"
apiVersion: v1
kind: Config
current-context: x
contexts:
- {name: x, context: {cluster: c, user: token}}
extensions:
- {name: mine, extension: {password: s3cr3t}}
preferences:
  extensions:
  - {name: mine, extension: s3cr3t}
clusters:
- name: c
  cluster:
    server: https://me:s3cr3t@host
    proxy-url: http://me:s3cr3t@proxy
    extensions:
    - {name: client.authentication.k8s.io/exec, extension: {audience: s3cr3t}}
users:
- name: token
  user: {token: s3cr3t, client-key-data: czNjcjN0}
- name: basic
  user: {username: me, password: s3cr3t}
- name: provider
  user: {auth-provider: {name: p, config: {refresh-token: s3cr3t}}}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: plugin
      interactiveMode: Never
      args: [--token=s3cr3t]
      env: [{name: TOKEN, value: s3cr3t}]
";
    Kubeconfig::parse(text).unwrap()
}

#[test]
fn no_secret_reaches_a_debug_print() {
    let config = config();
    let user = AuthInfo { token: Secret::new(SECRET), client_key_data: PemData::new(SECRET), ..AuthInfo::default() };
    let cluster = config.clusters["c"].clone();
    let overrides = Overrides { user, cluster: cluster.clone(), cluster_defaults: cluster, ..Overrides::default() };
    let client = ClientConfig::new(config.clone(), overrides.clone());
    let mut shown = vec![
        format!("{config:?}"),
        format!("{config:#?}"),
        format!("{overrides:?}"),
        format!("{client:?}"),
        format!("{:?}", Loaded { config: config.clone(), warning: None }),
    ];
    for name in config.users.keys() {
        let with = Overrides { context: Context { user: name.clone(), ..Context::default() }, ..Overrides::default() };
        let rest = ClientConfig::new(config.clone(), with).rest_config(&MemoryFiles::default()).unwrap();
        shown.push(format!("{rest:?}"));
    }
    for text in shown {
        assert!(!text.contains(SECRET) && !text.contains("czNjcjN0"), "{text}");
    }
}

#[test]
fn a_view_for_people_holds_no_secret_but_what_processes_show() {
    let config = config();
    for view in [config.redacted(), config.shortened()] {
        let text =
            serde_json::to_string(&Kubeconfig { extensions: Extensions::new(), preferences: Preferences::default(), ..view });
        let text = text.unwrap();
        assert_eq!(text.matches(SECRET).count(), 1, "{text}");
        assert!(text.contains("--token=s3cr3t") && text.contains("@host") && text.contains("@proxy"), "{text}");
    }
}
