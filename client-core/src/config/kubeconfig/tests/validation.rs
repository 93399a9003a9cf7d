use super::super::{validation::*, *};
use super::{clean, context};
use crate::config::{AuthProviderConfig, ExecConfig, ExecEnvVar, InteractiveMode, PemData, PluginPolicy, Secret};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What is wrong with a configuration of this one user, which is called `user`.
fn user_problems(user: AuthInfo) -> Vec<Problem> {
    let files = MemoryFiles::new([("/file", "")]);
    let alone = validate_user("user", &user, &files);
    let config = Kubeconfig { users: [("user".to_owned(), user)].into(), ..Kubeconfig::default() };
    // The whole configuration says the same as its part.
    assert_eq!(problems(config.validate(&files)), alone);
    alone
}

fn cluster_problems(cluster: Cluster) -> Vec<Problem> {
    let files = MemoryFiles::new([("/file", "")]);
    let alone = validate_cluster("name", &cluster, &files);
    let config = Kubeconfig { clusters: [("name".to_owned(), cluster)].into(), ..Kubeconfig::default() };
    assert_eq!(problems(config.validate(&files)), alone);
    alone
}

fn context_problems(name: &str, context: Context) -> Vec<Problem> {
    let config = Kubeconfig { contexts: [(name.to_owned(), context.clone())].into(), ..Kubeconfig::default() };
    let alone = validate_context(name, &context, &config);
    assert_eq!(problems(config.validate(&MemoryFiles::default())), alone);
    alone
}

fn invalid(problems: Vec<Problem>) -> ConfigurationInvalid {
    let mut found = ConfigurationInvalid::default();
    found.add("", problems);
    found.check().unwrap_err()
}

fn problems(result: Result<(), ConfigurationInvalid>) -> Vec<Problem> {
    result.err().map(|invalid| invalid.problems().to_vec()).unwrap_or_default()
}

fn exec(exec: ExecConfig) -> AuthInfo {
    AuthInfo { exec: Some(exec), ..AuthInfo::default() }
}

fn good_exec() -> ExecConfig {
    ExecConfig {
        command: "/bin/example".into(),
        api_version: "client.authentication.k8s.io/v1".into(),
        args: vec!["hello".into(), "world".into()],
        env: vec![ExecEnvVar { name: "foo".into(), value: "bar".into() }],
        interactive_mode: InteractiveMode::IfAvailable,
        ..ExecConfig::default()
    }
}

/// Two contexts: `dirty`, of which everything is wrong, and `clean`.
fn half_good() -> Kubeconfig {
    let mut config = clean();
    let cluster = Cluster { server: "anything".into(), certificate_authority: "missing".into(), ..Cluster::default() };
    config.clusters.insert("missing ca".into(), cluster);
    let user = AuthInfo { username: "anything".into(), token: Secret::new("here"), ..AuthInfo::default() };
    config.users.insert("error".into(), user);
    config.contexts.insert("dirty".into(), context("missing ca", "error"));
    config
}

#[test]
fn what_a_context_does_not_use_may_be_wrong() {
    let files = MemoryFiles::default();
    let config = half_good();
    assert_eq!(config.confirm_usable(&files, Some("clean")), Ok(()));
    assert_eq!(config.confirm_usable(&files, None), Ok(()));
    assert!(
        config.validate(&files).unwrap_err().to_string().contains("the certificate-authority of \"missing ca\" cannot be read")
    );
}

#[test]
fn all_that_is_wrong_with_a_context_is_told_at_once() {
    let error = half_good().confirm_usable(&MemoryFiles::default(), Some("dirty")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid configuration of the context \"dirty\": \"error\" has more than one way to authenticate (token, basicAuth), and only one is allowed; the \
         certificate-authority of \"missing ca\" cannot be read: there is no file missing"
    );
    assert_eq!(error.problems().len(), 2);
}

#[test]
fn what_is_wrong_names_the_file_the_context_and_the_field() {
    let mut config = half_good();
    config.users.get_mut("error").unwrap().location_of_origin = "/home/users".into();
    config.clusters.get_mut("missing ca").unwrap().location_of_origin = "/home/clusters".into();
    let files = MemoryFiles::default();
    let user = "\"error\" has more than one way to authenticate (token, basicAuth), and only one is allowed (in /home/users)";
    let cluster = "the certificate-authority of \"missing ca\" cannot be read: there is no file missing (in /home/clusters)";
    let error = config.confirm_usable(&files, Some("dirty")).unwrap_err();
    assert_eq!(error.to_string(), format!("invalid configuration of the context \"dirty\": {user}; {cluster}"));
    assert_eq!(config.validate(&files).unwrap_err().to_string(), format!("invalid configuration: {user}; {cluster}"));
    let chosen = ClientConfig::new(config, Overrides::default().with_context("dirty"));
    assert_eq!(chosen.rest_config(&files).unwrap_err().to_string(), error.to_string());
}

#[test]
fn the_server_of_a_cluster_is_an_address() {
    for server in ["ftp://host", "https://", "https://host:port"] {
        let problems = cluster_problems(Cluster { server: server.into(), ..Cluster::default() });
        assert!(matches!(problems.as_slice(), [Problem::Server { .. }]), "{server}: {problems:?}");
    }
    let secret = cluster_problems(Cluster { server: "ftp://me:s3cr3t@host".into(), ..Cluster::default() });
    assert!(!secret[0].to_string().contains("s3cr3t"), "{secret:?}");
}

#[test]
fn a_cluster_that_believes_any_server_has_no_authority() {
    let with = |file: &str, data: &str| Cluster {
        server: "https://host".into(),
        insecure_skip_tls_verify: true,
        certificate_authority: file.into(),
        certificate_authority_data: PemData::new(data),
        ..Cluster::default()
    };
    for cluster in [with("/file", ""), with("", "data")] {
        assert_eq!(cluster_problems(cluster), [Problem::AuthorityAndInsecure("name".into())]);
    }
    assert_eq!(cluster_problems(with("", "")), []);
}

#[test]
fn a_user_or_cluster_that_a_context_names_must_be_there() {
    let mut config = clean();
    config.contexts.insert("missing-user".into(), context("clean", "garbage"));
    config.contexts.insert("missing-cluster".into(), context("garbage", "clean"));
    let files = MemoryFiles::default();
    let missing = |what, context: &str| Problem::NotFound { what, name: "garbage".into(), context: context.into() };
    assert_eq!(problems(config.confirm_usable(&files, Some("missing-user"))), [missing("user", "missing-user")]);
    assert_eq!(
        problems(config.confirm_usable(&files, Some("missing-cluster"))),
        [missing("cluster", "missing-cluster"), Problem::EmptyCluster]
    );
    assert_eq!(problems(config.validate(&files)), [missing("cluster", "missing-cluster"), missing("user", "missing-user")]);
}

#[test]
fn no_configuration_is_told_as_such_whatever_context_is_asked_for() {
    let (empty, files) = (Kubeconfig::default(), MemoryFiles::default());
    for result in [empty.confirm_usable(&files, None), empty.confirm_usable(&files, Some("not-here"))] {
        let error = result.unwrap_err();
        assert!(error.to_string().starts_with("invalid configuration: no configuration has been provided"), "{error}");
        assert!(error.is_empty_config() && !error.is_context_not_found());
    }
}

#[test]
fn a_context_must_be_chosen() {
    let config = Kubeconfig { current_context: String::new(), ..clean() };
    let error = config.confirm_usable(&MemoryFiles::default(), None).unwrap_err();
    assert_eq!(error.problems(), [Problem::NoContext]);
    assert!(error.is_context_not_found());
}

#[test]
fn an_empty_configuration_is_an_empty_configuration() {
    let error = KubeconfigError::from(Kubeconfig::default().validate(&MemoryFiles::default()).unwrap_err());
    assert!(error.to_string().contains("no configuration has been provided"), "{error}");
    assert!(error.is_empty_config() && error.is_configuration_invalid() && !error.is_context_not_found());
    let more = invalid(vec![Problem::EmptyConfig, Problem::NoContext]);
    assert!(!more.is_empty_config());
}

#[test]
fn a_current_context_must_be_there() {
    let config = Kubeconfig { current_context: "anything".into(), ..Kubeconfig::default() };
    let error = config.validate(&MemoryFiles::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid configuration: the context \"anything\" was not found: kubectl config get-contexts lists those there are"
    );
}

#[test]
fn a_missing_context_is_recognised() {
    let config = Kubeconfig { current_context: "anything".into(), ..clean() };
    let error = KubeconfigError::from(config.validate(&MemoryFiles::default()).unwrap_err());
    assert!(error.is_context_not_found() && error.is_configuration_invalid() && !error.is_empty_config());
}

#[test]
fn problems_make_an_invalid_configuration_and_none_make_none() {
    assert_eq!(ConfigurationInvalid::default().check(), Ok(()));
    let error = invalid(vec![Problem::NoContext, Problem::NoContext]);
    assert_eq!(error.problems().len(), 2);
    assert!(KubeconfigError::from(error).is_configuration_invalid());
    assert!(!KubeconfigError::NotInCluster.is_configuration_invalid());
}

#[test]
fn one_problem_among_several_is_found() {
    let several = invalid(vec![Problem::EmptyCluster, Problem::ContextNotFound("a".into())]);
    assert!(several.is_context_not_found());
    assert!(KubeconfigError::from(several).is_context_not_found());
    let others = invalid(vec![Problem::EmptyCluster, Problem::NoKey("a".into())]);
    assert!(!others.is_context_not_found());
}

#[test]
fn a_context_that_names_what_is_missing_hears_of_both() {
    assert_eq!(
        context_problems("anything", context("missing", "missing")).iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "the user \"missing\" of the context \"anything\" was not found",
            "the cluster \"missing\" of the context \"anything\" was not found"
        ]
    );
}

#[test]
fn a_context_must_name_a_user_and_a_cluster() {
    let not_specified = |what| Problem::NotSpecified { what, context: "anything".into() };
    assert_eq!(context_problems("anything", Context::default()), [not_specified("user"), not_specified("cluster")]);
}

#[test]
fn a_context_must_have_a_name() {
    assert!(context_problems("", context("missing", "missing")).contains(&Problem::EmptyContextName));
}

#[test]
fn a_namespace_must_be_a_dns_label() {
    let mut config = clean();
    let mut wrong = |namespace: &str| {
        config.contexts.get_mut("clean").unwrap().namespace = namespace.to_owned();
        problems(config.validate(&MemoryFiles::default()))
    };
    for namespace in ["", "a", "kube-system", "0", &"a".repeat(63)] {
        assert_eq!(wrong(namespace), [], "{namespace}");
    }
    for namespace in ["A", "a.b", "-a", "a-", "a_b", "ü", &"a".repeat(64)] {
        assert!(matches!(wrong(namespace).as_slice(), [Problem::Namespace { .. }]), "{namespace}");
    }
}

#[test]
fn a_cluster_without_anything_has_no_server() {
    let problems = cluster_problems(Cluster::default());
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), ["the cluster has no server defined"]);
}

#[test]
fn a_cluster_without_anything_is_recognised() {
    assert_eq!(validate_cluster("", &Cluster::default(), &MemoryFiles::default()), [Problem::EmptyCluster]);
    let with_more = Cluster { insecure_skip_tls_verify: true, ..Cluster::default() };
    assert_eq!(cluster_problems(with_more), [Problem::NoServer("name".into())]);
}

#[test]
fn the_file_of_an_authority_must_be_there() {
    let cluster = Cluster { server: "anything".into(), certificate_authority: "missing".into(), ..Cluster::default() };
    assert_eq!(
        cluster_problems(cluster),
        [Problem::Unreadable { field: "certificate-authority", name: "name".into(), message: "there is no file missing".into() }]
    );
}

#[test]
fn a_cluster_needs_a_server_and_no_more() {
    assert_eq!(cluster_problems(Cluster { server: "anything".into(), ..Cluster::default() }), []);
}

#[test]
fn a_cluster_may_have_an_authority() {
    let cluster = Cluster { server: "anything".into(), certificate_authority: "/file".into(), ..Cluster::default() };
    assert_eq!(cluster_problems(cluster.clone()), []);
    let both = Cluster { certificate_authority_data: PemData::from("ca"), ..cluster };
    assert_eq!(cluster_problems(both), [Problem::FileAndData { file: "certificate-authority", name: "name".into() }]);
}

#[test]
fn the_proxy_of_a_cluster_must_be_usable() {
    let cluster = Cluster { server: "anything".into(), proxy_url: "ftp://me:s3cr3t@proxy".into(), ..Cluster::default() };
    let problems = cluster_problems(cluster);
    let text = problems.first().unwrap().to_string();
    assert!(text.starts_with("the proxy-url of the cluster \"name\" is invalid: the proxy \"ftp://[redacted]@proxy\""), "{text}");
}

#[test]
fn a_user_may_be_nobody() {
    assert_eq!(user_problems(AuthInfo::default()), []);
}

#[test]
fn the_files_of_a_certificate_must_be_there() {
    let user = AuthInfo { client_certificate: "missing".into(), client_key: "missing".into(), ..AuthInfo::default() };
    let unreadable = |field| Problem::Unreadable { field, name: "user".into(), message: "there is no file missing".into() };
    assert_eq!(user_problems(user), [unreadable("client-certificate"), unreadable("client-key")]);
}

#[test]
fn a_file_and_data_for_the_same_are_too_much() {
    let user = AuthInfo {
        client_certificate: "/file".into(),
        client_certificate_data: PemData::from("certdata"),
        client_key: "/file".into(),
        client_key_data: PemData::from("keydata"),
        ..AuthInfo::default()
    };
    let both = |file| Problem::FileAndData { file, name: "user".into() };
    assert_eq!(user_problems(user), [both("client-certificate"), both("client-key")]);
}

#[test]
fn a_certificate_may_come_from_files_and_needs_its_key() {
    let user = AuthInfo { client_certificate: "/file".into(), client_key: "/file".into(), ..AuthInfo::default() };
    assert_eq!(user_problems(user.clone()), []);
    assert_eq!(user_problems(AuthInfo { client_key: String::new(), ..user }), [Problem::NoKey("user".into())]);
}

#[test]
fn a_user_may_have_a_token() {
    assert_eq!(user_problems(AuthInfo { token: Secret::new("any-value"), ..AuthInfo::default() }), []);
}

#[test]
fn a_user_may_not_have_a_token_and_a_password() {
    let token = AuthInfo { token: Secret::new("token"), ..AuthInfo::default() };
    for user in
        [AuthInfo { username: "username".into(), ..token.clone() }, AuthInfo { password: Secret::new("password"), ..token }]
    {
        let problems = user_problems(user);
        assert_eq!(problems, [Problem::Methods { name: "user".into(), methods: "token, basicAuth".into() }]);
    }
}

#[test]
fn a_plugin_that_is_described_well_is_fine() {
    assert_eq!(user_problems(exec(good_exec())), []);
}

#[test]
fn a_plugin_needs_a_version() {
    let problems = user_problems(exec(ExecConfig { api_version: String::new(), ..good_exec() }));
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["the credential plugin of \"user\" needs an apiVersion, such as client.authentication.k8s.io/v1"]);
}

#[test]
fn a_plugin_needs_a_command() {
    let problems = user_problems(exec(ExecConfig { command: String::new(), ..good_exec() }));
    assert_eq!(problems, [Problem::Exec { name: "user".into(), what: "a command" }]);
}

#[test]
fn a_plugin_and_a_provider_are_too_much() {
    let provider = AuthProviderConfig { name: "oidc".into(), ..AuthProviderConfig::default() };
    let user = AuthInfo { auth_provider: Some(provider), ..exec(good_exec()) };
    assert_eq!(user_problems(user), [Problem::ExecAndProvider("user".into())]);
}

#[test]
fn a_variable_of_a_plugin_needs_a_name_and_no_value() {
    let variable = |name: &str| ExecEnvVar { name: name.into(), value: String::new() };
    assert_eq!(user_problems(exec(ExecConfig { env: vec![variable("foo")], ..good_exec() })), []);
    assert_eq!(
        user_problems(exec(ExecConfig { env: vec![variable("foo"), variable("")], ..good_exec() })),
        [Problem::Exec { name: "user".into(), what: "a name for each variable of its env" }]
    );
}

#[test]
fn a_plugin_must_say_how_it_stands_to_standard_input() {
    let problems = user_problems(exec(ExecConfig { interactive_mode: InteractiveMode::Unset, ..good_exec() }));
    assert_eq!(problems, [Problem::Exec { name: "user".into(), what: "an interactiveMode: Never, IfAvailable or Always" }]);
}

#[test]
fn how_a_plugin_stands_to_standard_input_must_be_known() {
    let problems = user_problems(exec(ExecConfig { interactive_mode: "invalid".into(), ..good_exec() }));
    assert_eq!(
        problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["the interactiveMode \"invalid\" of \"user\" is none of Never, IfAvailable and Always"]
    );
}

#[test]
fn the_policy_for_plugins_must_be_clear() {
    let problems = user_problems(exec(ExecConfig { plugin_policy: PluginPolicy::Allowlist(Vec::new()), ..good_exec() }));
    assert!(matches!(problems.as_slice(), [Problem::PluginPolicy(_)]), "{problems:?}");
}

#[test]
fn a_user_may_act_as_another() {
    assert_eq!(user_problems(AuthInfo { impersonate: "user".into(), ..AuthInfo::default() }), []);
}

#[test]
fn a_user_may_act_as_another_in_all_respects() {
    let user = AuthInfo {
        impersonate: "user".into(),
        impersonate_uid: "abc123".into(),
        impersonate_groups: vec!["group-1".into(), "group-2".into()],
        impersonate_user_extra: [("key".to_owned(), vec!["val1".to_owned(), "val2".to_owned()])].into(),
        ..AuthInfo::default()
    };
    assert_eq!(user_problems(user), []);
}

#[test]
fn groups_go_with_a_user() {
    let user = AuthInfo { impersonate_groups: vec!["group-1".into()], ..AuthInfo::default() };
    assert_eq!(user_problems(user), [Problem::ImpersonationWithoutUser("user".into())]);
}

#[test]
fn extra_attributes_go_with_a_user() {
    let user = AuthInfo { impersonate_user_extra: [("key".to_owned(), vec!["val".to_owned()])].into(), ..AuthInfo::default() };
    assert_eq!(user_problems(user), [Problem::ImpersonationWithoutUser("user".into())]);
}

#[test]
fn a_uid_goes_with_a_user() {
    let user = AuthInfo { impersonate_uid: "abc123".into(), ..AuthInfo::default() };
    assert_eq!(user_problems(user), [Problem::ImpersonationWithoutUser("user".into())]);
}
