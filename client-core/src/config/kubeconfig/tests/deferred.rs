use super::super::{validation::Problem, *};
use super::clean;
use crate::config::{RestConfig, Secret};
use std::cell::Cell;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A cluster that notes whether it was looked for.
struct Scripted {
    possible: bool,
    asked: Cell<bool>,
    rest: Result<RestConfig, KubeconfigError>,
    namespace: Result<ChosenNamespace, KubeconfigError>,
}

impl InClusterSource for Scripted {
    fn possible(&self) -> bool {
        self.asked.set(true);
        self.possible
    }
    fn rest_config(&self) -> Result<RestConfig, KubeconfigError> {
        self.rest.clone()
    }
    fn namespace(&self) -> Result<ChosenNamespace, KubeconfigError> {
        self.namespace.clone()
    }
}

fn nowhere() -> Scripted {
    Scripted {
        possible: false,
        asked: Cell::new(false),
        rest: Err(KubeconfigError::NotInCluster),
        namespace: Err(KubeconfigError::NotInCluster),
    }
}

fn somewhere() -> Scripted {
    Scripted { possible: true, rest: Ok(RestConfig::new("https://in-cluster")), namespace: Ok(chosen("icc", false)), ..nowhere() }
}

fn broken() -> Scripted {
    let unique = KubeconfigError::Timeout("unique error".into());
    Scripted { possible: true, rest: Err(unique.clone()), namespace: Err(unique), ..nowhere() }
}

fn chosen(namespace: &str, overridden: bool) -> ChosenNamespace {
    ChosenNamespace { namespace: namespace.into(), overridden }
}

fn invalid(problem: Problem) -> KubeconfigError {
    KubeconfigError::Invalid(problem.into())
}

#[test]
fn the_cluster_is_looked_for_where_there_is_no_configuration_or_only_the_default() {
    let default = RestConfig::new("default");
    let other = || Ok(RestConfig::new("other"));
    let empty = || Err(invalid(Problem::EmptyConfig));
    let fault = || Err(invalid(Problem::EmptyCluster));
    let check = |what: &str, merged, default, source: &Scripted, looked, expected: Result<RestConfig, KubeconfigError>| {
        assert_eq!(choose_rest_config(merged, default, source), expected, "{what}");
        assert_eq!(source.asked.get(), looked, "{what}");
    };
    check("no configuration and no cluster", empty(), None, &nowhere(), true, empty());
    check("another fault", fault(), None, &somewhere(), false, fault());
    check("only the default, no cluster", Ok(default.clone()), Some(&default), &nowhere(), true, Ok(default.clone()));
    check("a configuration and no default", other(), None, &somewhere(), false, other());
    check("another than the default", other(), Some(&default), &somewhere(), false, other());
    let unique = Err(KubeconfigError::Timeout("unique error".into()));
    check("no configuration and a cluster that fails", empty(), None, &broken(), true, unique);
    let found = Ok(RestConfig::new("https://in-cluster"));
    check("no configuration and a cluster", empty(), None, &somewhere(), true, found);
}

#[test]
fn the_namespace_of_the_pod_is_taken_where_none_was_asked_for_and_no_context_names_one() {
    let mut explicit = clean();
    explicit.contexts.get_mut("clean").unwrap().namespace = "default".into();
    let empty = || Err(invalid(Problem::EmptyConfig));
    let fault = || Err(invalid(Problem::EmptyCluster));
    let some = |namespace: &str, overridden| Ok(chosen(namespace, overridden));
    let check = |what: &str, merged, raw: &Kubeconfig, source: &Scripted, looked, expected: Result<_, KubeconfigError>| {
        assert_eq!(choose_namespace(merged, raw, &Overrides::default(), source), expected, "{what}");
        assert_eq!(source.asked.get(), looked, "{what}");
    };
    let raw = clean();
    check("no configuration and no cluster", empty(), &raw, &nowhere(), true, empty());
    check("another fault", fault(), &raw, &somewhere(), false, fault());
    check("the default and no cluster", some("default", false), &raw, &nowhere(), true, some("default", false));
    check("an override", some("test", true), &raw, &somewhere(), false, some("test", true));
    check("one of a context", some("test", false), &raw, &somewhere(), true, some("test", false));
    let unique = Err(KubeconfigError::Timeout("unique error".into()));
    check("no configuration and a cluster that fails", empty(), &raw, &broken(), true, unique);
    check("no configuration and a cluster", empty(), &raw, &somewhere(), true, some("icc", false));
    check("the default and a cluster", some("default", false), &raw, &somewhere(), true, some("icc", false));
    check("a context that names the default", some("default", false), &explicit, &somewhere(), true, some("default", false));

    explicit.current_context = "another".into();
    let overrides = Overrides::default().with_context("clean");
    let kept = choose_namespace(some("default", false), &explicit, &overrides, &somewhere());
    assert_eq!(kept, some("default", false), "a context that was overridden");
}

/// The files and variables of a pod.
fn pod() -> (MemoryFiles, impl Environment) {
    let files = MemoryFiles::new([
        ("/var/run/secrets/kubernetes.io/serviceaccount/token", "pod-token\n"),
        ("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt", "-----BEGIN CERTIFICATE-----"),
        ("/var/run/secrets/kubernetes.io/serviceaccount/namespace", " shop\n"),
    ]);
    let variables = |name: &str| match name {
        "KUBERNETES_SERVICE_HOST" => Some("10.0.0.1".to_owned()),
        "KUBERNETES_SERVICE_PORT" => Some("443".to_owned()),
        _ => None,
    };
    (files, variables)
}

const TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount/token";
const CA: &str = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";

#[test]
fn a_pod_reaches_its_cluster_as_its_service_account() {
    let (files, variables) = pod();
    let resolved = client_config(&LoadingRules::of(["/missing"]), &Overrides::default(), &files, &variables).unwrap();
    let mut expected = RestConfig::new("https://10.0.0.1:443");
    expected.auth.token = Some(Secret::new("pod-token"));
    expected.auth.token_file = Some(TOKEN.into());
    expected.tls.ca_file = Some(CA.into());
    assert_eq!(resolved, Resolved { rest: expected, namespace: chosen("shop", false), warning: None });

    let with = |set: fn(&str) -> Option<String>| in_cluster_config(&files, &set).unwrap().host;
    assert_eq!(with(|name| Some(if name.ends_with("HOST") { "fd00::1" } else { "6443" }.into())), "https://[fd00::1]:6443");
    assert_eq!(in_cluster_config(&files, &|_: &str| None), Err(KubeconfigError::NotInCluster));
    assert_eq!(in_cluster_config(&MemoryFiles::new([(TOKEN, "t")]), &variables).unwrap().tls.ca_file, None);
    assert!(in_cluster_config(&MemoryFiles::default(), &variables).is_err());
}

#[test]
fn files_go_before_the_cluster_and_faults_in_them_are_told() {
    let (files, variables) = pod();
    clean().write_to(&files, "/conf").unwrap();
    let rules = LoadingRules::of(["/conf"]);
    let resolve = |overrides: &Overrides| client_config(&rules, overrides, &files, &variables);
    let resolved = resolve(&Overrides::default()).unwrap();
    assert_eq!(resolved.rest.host, "https://anything.com:8080");
    // The context names no namespace, and this is a pod.
    assert_eq!(resolved.namespace, chosen("shop", false));
    assert!(resolve(&Overrides::default().with_context("other")).unwrap_err().to_string().contains("the context \"other\""));
    let nowhere = client_config(&LoadingRules::of([]), &Overrides::default(), &MemoryFiles::default(), &|_: &str| None);
    assert!(nowhere.unwrap_err().is_empty_config());
}

#[test]
fn what_a_caller_says_goes_over_the_service_account() {
    let (files, variables) = pod();
    let user = |token: &str, token_file: &str| AuthInfo {
        token: Secret::new(token),
        token_file: token_file.into(),
        ..AuthInfo::default()
    };
    let cluster =
        |server: &str, ca: &str| Cluster { server: server.into(), certificate_authority: ca.into(), ..Cluster::default() };
    for server in ["", "https://host-from-overrides.com"] {
        for ca in ["", "/path/to/ca-from-overrides.crt"] {
            for (token, token_file) in [("", ""), ("token", ""), ("token", "tokenfile"), ("", "tokenfile")] {
                let overrides = Overrides { user: user(token, token_file), cluster: cluster(server, ca), ..Overrides::default() };
                let rest = InCluster::new(&files, &variables, &overrides).rest_config().unwrap();
                assert_eq!(rest.host, if server.is_empty() { "https://10.0.0.1:443" } else { server });
                assert_eq!(rest.tls.ca_file.as_deref(), Some(if ca.is_empty() { CA } else { ca }));
                let expected = match (token, token_file) {
                    ("", "") => (Some("pod-token"), Some(TOKEN)),
                    ("", file) => (None, Some(file)),
                    (token, "") => (Some(token), None),
                    (token, file) => (Some(token), Some(file)),
                };
                assert_eq!((rest.auth.token.as_ref().map(Secret::expose), rest.auth.token_file.as_deref()), expected);
            }
        }
    }
}

#[test]
fn the_namespace_of_a_pod_comes_from_its_variable_or_its_file() {
    let (files, variables) = pod();
    let overrides = Overrides::default();
    assert_eq!(InCluster::new(&files, &variables, &overrides).namespace(), Ok(chosen("shop", false)));
    let set = |name: &str| (name == "POD_NAMESPACE").then(|| "downward".to_owned());
    assert_eq!(InCluster::new(&files, &set, &overrides).namespace(), Ok(chosen("downward", false)));
    assert_eq!(InCluster::new(&MemoryFiles::default(), &variables, &overrides).namespace(), Ok(chosen("default", false)));
}

#[test]
fn files_that_are_not_there_are_named_where_nothing_else_is() {
    let environment = |name: &str| (name == "KUBECONFIG").then(|| "/no/such:/nor/this".to_owned());
    let rules = LoadingRules::from_environment(&environment);
    let error = client_config(&rules, &Overrides::default(), &MemoryFiles::default(), &environment).unwrap_err();
    assert!(error.is_empty_config() && error.is_configuration_invalid() && !error.is_context_not_found());
    let said = error.to_string();
    assert!(said.ends_with("; none of the kubeconfig files is there: /no/such, /nor/this"), "{said}");
    assert!(said.starts_with("invalid configuration: no configuration has been provided"), "{said}");
}
