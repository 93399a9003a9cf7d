use super::super::*;
use crate::config::ExecConfig;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ALFA: &str = "
users: [{name: red-user, user: {token: red-token}}]
clusters: [{name: cow-cluster, cluster: {server: 'http://cow.org:8080'}}]
contexts: [{name: federal-context, context: {user: red-user, cluster: cow-cluster, namespace: hammer-ns}}]";
const BRAVO: &str = "
users: [{name: black-user, user: {token: black-token}}]
clusters: [{name: pig-cluster, cluster: {server: 'http://pig.org:8080'}}]
contexts: [{name: queen-anne-context, context: {user: black-user, cluster: pig-cluster, namespace: saw-ns}}]";
const CONFLICT: &str = "
users: [{name: red-user, user: {token: a-different-red-token, username: kept-out}}, {name: yellow-user, user: {token: yellow-token}}]
clusters:
- {name: cow-cluster, cluster: {server: 'http://a-different-cow.org:8080', disable-compression: true}}
- {name: donkey-cluster, cluster: {server: 'http://donkey.org:8080', insecure-skip-tls-verify: true}}
current-context: federal-context";

fn load(rules: &LoadingRules, files: &MemoryFiles) -> Loaded {
    rules.load(files).unwrap()
}

fn variables<'a>(set: &'a [(&'a str, &'a str)]) -> impl Environment + 'a {
    |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned())
}

#[test]
fn a_file_that_was_asked_for_must_be_there() {
    let error = LoadingRules::explicit("bogus_file").load(&MemoryFiles::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no file bogus_file");
}

#[test]
fn files_that_are_missing_are_passed_over_with_a_warning_where_none_is_there() {
    let rules = LoadingRules { warn_if_all_missing: true, ..LoadingRules::of(["bogus1", "bogus2", "bogus3"]) };
    let loaded = load(&rules, &MemoryFiles::default());
    assert!(loaded.config.is_empty());
    assert_eq!(loaded.warning.unwrap().to_string(), "none of the kubeconfig files is there: bogus1, bogus2, bogus3");
}

#[test]
fn a_variable_that_lists_only_missing_files_is_worth_a_warning() {
    let rules = LoadingRules::from_environment(&variables(&[("KUBECONFIG", "bogus")]));
    assert_eq!(load(&rules, &MemoryFiles::default()).warning, Some(MissingFiles(vec!["bogus".into()])));
}

#[test]
fn there_is_no_warning_where_one_file_is_there_or_nothing_was_listed() {
    let listed = LoadingRules::from_environment(&variables(&[("KUBECONFIG", "bogus:/a")]));
    assert_eq!(load(&listed, &MemoryFiles::new([("/a", ALFA)])).warning, None);
    let default = LoadingRules::from_environment(&variables(&[("HOME", "/home")]));
    assert_eq!(load(&default, &MemoryFiles::default()), Loaded::default());
}

#[test]
fn a_file_that_is_no_kubeconfig_is_named() {
    let files = MemoryFiles::new([("/a", "bogus value"), ("/b", ALFA), ("/c", "users: 1")]);
    let error = LoadingRules::explicit("/a").load(&files).unwrap_err().to_string();
    assert!(error.starts_with("the kubeconfig /a cannot be read at line 1"), "{error}");
    let both = LoadingRules::of(["/a", "/b", "/c"]).load(&files).unwrap_err().to_string();
    assert!(both.contains("the kubeconfig /a cannot") && both.contains("; the kubeconfig /c cannot"), "{both}");
}

#[test]
fn a_folder_is_no_file() {
    let files = MemoryFiles::default();
    files.put_folder("/folder");
    for rules in [LoadingRules::explicit("/folder"), LoadingRules::of(["/folder"])] {
        assert_eq!(rules.load(&files).unwrap_err().to_string(), "/folder cannot be read: it is a folder");
    }
}

#[test]
fn the_explicit_file_is_the_only_one() {
    let files = MemoryFiles::new([
        ("/explicit", "current-context: any-context-value"),
        ("/env", "current-context: other\nusers: [{name: u}]"),
    ]);
    let rules = LoadingRules { explicit_path: Some("/explicit".into()), ..LoadingRules::of(["/env"]) };
    let config = load(&rules, &files).config;
    assert_eq!(config.current_context, "any-context-value");
    assert!(config.users.is_empty());
    let merged = load(&LoadingRules::of(["/explicit", "/env"]), &files).config;
    assert_eq!(merged.current_context, "any-context-value");
}

#[test]
fn entries_of_all_files_come_together_and_the_first_of_a_name_stands_as_a_whole() {
    let files = MemoryFiles::new([("/a", ALFA), ("/b", CONFLICT), ("/c", BRAVO)]);
    let config = load(&LoadingRules::of(["/a", "/b", "/missing", "/c"]), &files).config;
    assert_eq!(config.current_context, "federal-context");
    assert_eq!(config.users.keys().collect::<Vec<_>>(), ["black-user", "red-user", "yellow-user"]);
    assert_eq!(config.users["red-user"].token.expose(), "red-token");
    assert_eq!(config.users["red-user"].username, "");
    assert_eq!(config.clusters["cow-cluster"].server, "http://cow.org:8080");
    assert!(!config.clusters["cow-cluster"].disable_compression);
    assert!(config.clusters["donkey-cluster"].insecure_skip_tls_verify);
    assert_eq!(config.contexts.keys().collect::<Vec<_>>(), ["federal-context", "queen-anne-context"]);
    assert_eq!(config.users["yellow-user"].location_of_origin, "/b");
}

#[test]
fn paths_are_resolved_against_the_folder_of_their_file() {
    let user = |certificate: &str, key: &str| AuthInfo {
        client_certificate: certificate.into(),
        client_key: key.into(),
        token_file: "token".into(),
        ..AuthInfo::default()
    };
    let command = |command: &str| AuthInfo {
        exec: Some(ExecConfig { command: command.into(), ..ExecConfig::default() }),
        ..AuthInfo::default()
    };
    let cluster = |ca: &str| Cluster { certificate_authority: ca.into(), ..Cluster::default() };
    let write = |folder: &str, suffix: &str, files: &MemoryFiles| {
        let name = |text: &str| format!("{text}{suffix}");
        let config = Kubeconfig {
            users: [
                (name("relative"), user("relative/cert", "../relative/key")),
                (name("absolute"), user("/absolute/cert", "/absolute/key")),
                (name("relative-cmd"), command("../relative/cmd")),
                (name("absolute-cmd"), command("/absolute/cmd")),
                (name("path-cmd"), command("cmd")),
            ]
            .into(),
            clusters: [(name("relative"), cluster("../relative/ca")), (name("absolute"), cluster("/absolute/ca"))].into(),
            ..Kubeconfig::default()
        };
        config.write_to(files, &format!("{folder}/config")).unwrap();
    };
    let files = MemoryFiles::default();
    write("/one/conf", "1", &files);
    write("/two", "2", &files);
    let rules = LoadingRules::of(["/one/conf/config", "/two/config"]);
    let config = load(&rules, &files).config;

    assert_eq!(config.clusters["relative1"].certificate_authority, "/one/relative/ca");
    assert_eq!(config.clusters["relative2"].certificate_authority, "/relative/ca");
    let files_of = |name: &str| {
        let user = &config.users[name];
        [user.client_certificate.as_str(), user.client_key.as_str(), user.token_file.as_str()]
    };
    assert_eq!(files_of("relative1"), ["/one/conf/relative/cert", "/one/relative/key", "/one/conf/token"]);
    assert_eq!(files_of("relative2"), ["/two/relative/cert", "/relative/key", "/two/token"]);
    let command_of = |name: &str| config.users[name].exec.as_ref().unwrap().command.as_str();
    assert_eq!(["relative-cmd1", "absolute-cmd1", "path-cmd1"].map(command_of), ["/one/relative/cmd", "/absolute/cmd", "cmd"]);
    for suffix in ["1", "2"] {
        assert_eq!(config.clusters[&format!("absolute{suffix}")].certificate_authority, "/absolute/ca");
        assert_eq!(files_of(&format!("absolute{suffix}"))[0], "/absolute/cert");
    }

    let unresolved = LoadingRules { resolve_paths: false, ..rules };
    assert_eq!(load(&unresolved, &files).config.clusters["relative1"].certificate_authority, "../relative/ca");
}

#[test]
fn each_file_of_a_list_is_read_once_in_its_place() {
    for (list, expected) in [
        ("a:b:c:d:e:f", vec!["a", "b", "c", "d", "e", "f"]),
        ("a:b:c:b:e:f", vec!["a", "b", "c", "e", "f"]),
        ("a:a:b:b:c:b", vec!["a", "b", "c"]),
        (":a::b:", vec!["a", "b"]),
    ] {
        let rules = LoadingRules::from_environment(&variables(&[("KUBECONFIG", list)]));
        assert_eq!(rules.loading_precedence(), expected, "{list}");
    }
}

#[test]
fn the_files_are_the_explicit_one_or_those_of_the_variable_or_the_one_at_home() {
    let precedence = |set: &[(&str, &str)]| LoadingRules::from_environment(&variables(set)).loading_precedence();
    assert_eq!(precedence(&[("HOME", "/home/alice")]), ["/home/alice/.kube/config"]);
    assert_eq!(precedence(&[("HOME", "/home/alice"), ("KUBECONFIG", "")]), ["/home/alice/.kube/config"]);
    assert_eq!(precedence(&[("HOME", "/home/alice"), ("KUBECONFIG", "/env/kubeconfig")]), ["/env/kubeconfig"]);
    assert_eq!(precedence(&[("KUBECONFIG", "/env/kubeconfig:/other/kubeconfig")]), ["/env/kubeconfig", "/other/kubeconfig"]);
    assert!(precedence(&[]).is_empty());
    let mut explicit = LoadingRules::of(["/other"]);
    explicit.explicit_path = Some("/explicit/kubeconfig".into());
    assert_eq!(explicit.loading_precedence(), ["/explicit/kubeconfig"]);
}

#[test]
fn a_new_entry_belongs_in_the_explicit_file_or_the_first_that_is_there() {
    let files = MemoryFiles::new([("/b", "")]);
    assert_eq!(LoadingRules::of(["/a", "/b"]).default_filename(&files).as_deref(), Some("/b"));
    assert_eq!(LoadingRules::of(["/a", "/c"]).default_filename(&files).as_deref(), Some("/a"));
    assert_eq!(LoadingRules::explicit("/d").default_filename(&files).as_deref(), Some("/d"));
    assert_eq!(LoadingRules::of([]).default_filename(&files), None);
}
