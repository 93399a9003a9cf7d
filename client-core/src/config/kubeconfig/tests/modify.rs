use super::super::*;
use super::{clean, context};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ALL: &str = "
clusters: [{name: kubeconfig-cluster, cluster: {server: 'https://kubernetes.default.svc:443', certificate-authority: /ca.crt}}]
contexts: [{name: context-a, context: {cluster: kubeconfig-cluster, namespace: default, user: kubeconfig-user}}]
current-context: context-a
users: [{name: kubeconfig-user, user: {tokenFile: /token}}]";
const CONTEXT: &str = "
contexts: [{name: context-b, context: {cluster: kubeconfig-cluster, namespace: other, user: kubeconfig-user}}]
current-context: context-b";

fn two() -> (LoadingRules, MemoryFiles) {
    // Listed in the reverse order of their names, so that sorting them would show.
    (LoadingRules::of(["/b", "/a"]), MemoryFiles::new([("/a", ALL), ("/b", CONTEXT)]))
}

fn read(files: &MemoryFiles, path: &str) -> Kubeconfig {
    Kubeconfig::from_file(files, path).unwrap()
}

#[test]
fn a_current_context_is_written_to_the_first_file_alone() {
    let (rules, files) = two();
    let mut config = rules.load(&files).unwrap().config;
    config.current_context = "new-context".into();
    modify_config(&rules, &files, &config, false).unwrap();
    assert_eq!(read(&files, "/a").current_context, "context-a");
    assert_eq!(read(&files, "/b").current_context, "new-context");
    assert_eq!(files.writes(), ["/b"]);
}

#[test]
fn new_entries_are_written_to_a_file_that_is_made_for_them() {
    let (rules, files) = (LoadingRules::of(["/home/.kube/config"]), MemoryFiles::default());
    let mut config = clean();
    config.contexts.insert("updated".into(), context("updated", "updated"));
    config.current_context = "updated".into();
    modify_config(&rules, &files, &config, true).unwrap();
    let written = rules.load(&files).unwrap().config;
    assert_eq!(written.current_context, "updated");
    assert_eq!(written.contexts.keys().collect::<Vec<_>>(), ["clean", "updated"]);
    assert_eq!(written.users["clean"].token, config.users["clean"].token);
    assert_eq!(files.writes(), ["/home/.kube/config"]);
}

#[test]
fn a_change_goes_to_the_file_of_its_entry() {
    let (rules, files) = two();
    let mut config = rules.load(&files).unwrap().config;
    config.clusters.get_mut("kubeconfig-cluster").unwrap().server = "https://changed".into();
    config.contexts.get_mut("context-b").unwrap().namespace = "changed".into();
    config.users.clear();
    modify_config(&rules, &files, &config, false).unwrap();
    assert_eq!(files.writes(), ["/a", "/b"]);
    let (a, b) = (read(&files, "/a"), read(&files, "/b"));
    assert_eq!(a.clusters["kubeconfig-cluster"].server, "https://changed");
    assert_eq!(b.contexts["context-b"].namespace, "changed");
    assert!(a.users.is_empty() && b.clusters.is_empty());
    assert_eq!(a.current_context, "context-a");
}

#[test]
fn a_configuration_that_did_not_change_is_not_written() {
    let (rules, files) = two();
    let config = rules.load(&files).unwrap().config;
    modify_config(&rules, &files, &config, true).unwrap();
    assert!(files.writes().is_empty());
}

#[test]
fn a_current_context_is_cleared_where_it_is_set() {
    let (_, files) = two();
    files.put("/c", "users: [{name: u}]");
    let rules = LoadingRules::of(["/missing", "/c", "/a", "/b"]);
    let mut config = rules.load(&files).unwrap().config;
    config.current_context.clear();
    modify_config(&rules, &files, &config, false).unwrap();
    assert_eq!((read(&files, "/a").current_context.as_str(), read(&files, "/b").current_context.as_str()), ("", "context-b"));
    assert_eq!(files.writes(), ["/a"]);
}

#[test]
fn preferences_go_to_the_first_file_that_has_others() {
    let (rules, files) = two();
    let mut config = rules.load(&files).unwrap().config;
    config.preferences.colors = true;
    modify_config(&rules, &files, &config, false).unwrap();
    assert!(read(&files, "/b").preferences.colors);
    assert_eq!(files.writes(), ["/b"]);
}

#[test]
fn paths_are_written_relative_to_the_file_where_that_is_asked_for() {
    for (relativize, written) in [(true, "pki/ca"), (false, "/home/.kube/pki/ca")] {
        let (rules, files) = (LoadingRules::of(["/home/.kube/config"]), MemoryFiles::default());
        let mut config = clean();
        config.clusters.get_mut("clean").unwrap().certificate_authority = "/home/.kube/pki/ca".into();
        modify_config(&rules, &files, &config, relativize).unwrap();
        assert_eq!(read(&files, "/home/.kube/config").clusters["clean"].certificate_authority, written);
    }
}

#[test]
fn a_file_can_be_claimed_once_at_a_time() {
    let (rules, files) = two();
    let claim = files.lock("/b").unwrap();
    assert_eq!(files.lock("/b").err(), Some(FileError::Locked { path: "/b".into() }));
    let mut config = rules.load(&files).unwrap().config;
    config.current_context = "new".into();
    let error = modify_config(&rules, &files, &config, false).unwrap_err().to_string();
    assert_eq!(error, "/b is being changed by another program: if there is none, remove /b.lock");
    assert!(files.writes().is_empty());
    assert_eq!(files.locked(), ["/b"], "the claim on /a outlived the change that failed");
    drop(claim);
    modify_config(&rules, &files, &config, false).unwrap();
    assert!(files.locked().is_empty());
}

#[test]
fn files_are_claimed_in_the_order_of_their_names() {
    let (rules, files) = two();
    let _claims = (files.lock("/a").unwrap(), files.lock("/b").unwrap());
    let error = modify_config(&rules, &files, &clean(), false).unwrap_err();
    assert_eq!(error, KubeconfigError::File(FileError::Locked { path: "/a".into() }), "{:?}", rules.precedence);
}

#[test]
fn a_change_without_a_file_is_told() {
    let error = modify_config(&LoadingRules::of([]), &MemoryFiles::default(), &clean(), false).unwrap_err().to_string();
    assert_eq!(error, "there is no kubeconfig file to write the current context to: name one in KUBECONFIG");
}

#[test]
fn the_settings_of_a_provider_are_written_to_the_file_of_its_user() {
    let files = MemoryFiles::new([
        ("/a", "current-context: c"),
        ("/b", "users: [{name: alice, user: {client-key: a.key, auth-provider: {name: oidc}}}, {name: bob}]"),
    ]);
    let rules = LoadingRules::of(["/a", "/b"]);
    let settings = [("id-token".to_owned(), "new".to_owned())].into();
    keep_provider_settings(&rules, &files, "alice", &settings).unwrap();
    assert_eq!(read(&files, "/b").users["alice"].auth_provider.as_ref().unwrap().config, settings);
    assert_eq!(read(&files, "/b").users["alice"].client_key, "a.key");
    for user in ["bob", "nobody"] {
        keep_provider_settings(&rules, &files, user, &settings).unwrap();
    }
    assert_eq!(files.writes(), ["/b"]);
}
