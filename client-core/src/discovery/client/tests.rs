use std::time::Duration;

use futures::poll;
use http::StatusCode;
use serde_json::{Value, json};

use super::*;
use crate::{
    discovery::{ApiResource, filtered_by, group_version_resources, server_supports_version, supports_all_verbs},
    platform::{FakePlatform, Platform, ready},
    rest::ApiError,
    transport::{ScriptedAnswer, ScriptedTransport, TransportError, address_of},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn client(server: &ScriptedTransport) -> DiscoveryClient {
    DiscoveryClient::new(RestClient::new(Arc::new(server.clone()), Arc::new(FakePlatform::default())))
}

fn version(text: &str) -> GroupVersion {
    text.parse().unwrap()
}

/// What `/api` says of a server that does not aggregate.
fn core() -> ScriptedAnswer {
    ScriptedAnswer::json(&json!({"kind": "APIVersions", "versions": ["v1"]}))
}

/// What `/apis` says: groups with their versions, where the preferred one has a star.
fn groups(groups: &[(&str, &[&str])]) -> ScriptedAnswer {
    let groups = groups.iter().map(|(name, versions)| {
        let entry = |version: &str| json!({"groupVersion": format!("{name}/{version}"), "version": version});
        let preferred = versions.iter().find_map(|version| version.strip_suffix('*'));
        let versions: Vec<_> = versions.iter().map(|version| entry(version.trim_end_matches('*'))).collect();
        json!({"name": name, "versions": versions, "preferredVersion": preferred.map_or(json!({"groupVersion": "", "version": ""}), entry)})
    });
    ScriptedAnswer::json(&json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups.collect::<Vec<_>>()}))
}

/// The resources of a version: plural, kind, and whether they belong to namespaces.
fn resources(group_version: &str, resources: &[(&str, &str, bool)]) -> Value {
    let resources =
        resources.iter().map(|(name, kind, namespaced)| json!({"name": name, "kind": kind, "namespaced": namespaced}));
    json!({"kind": "APIResourceList", "groupVersion": group_version, "resources": resources.collect::<Vec<_>>()})
}

fn stable() -> Value {
    resources("v1", &[("pods", "Pod", true), ("services", "Service", true), ("namespaces", "Namespace", false)])
}

/// A group: its name, and its versions with their resources.
type Group<'a> = (&'a str, &'a [(&'a str, &'a [&'a str])]);

/// An aggregated answer: groups, their versions, and the resources of those as `plural/Kind`. A stale version ends in `!`.
fn aggregated(format: &str, groups: &[Group<'_>]) -> ScriptedAnswer {
    let items: Vec<_> = groups
        .iter()
        .map(|(name, versions)| {
            let versions = versions.iter().map(|(version, resources)| {
                let freshness = if version.ends_with('!') { "Stale" } else { "Current" };
                let version = version.trim_end_matches('!');
                let resources = resources.iter().map(|resource| {
                    let (plural, kind) = resource.split_once('/').unwrap();
                    json!({"resource": plural, "scope": "Namespaced", "verbs": ["list"],
                        "responseKind": {"group": name, "version": version, "kind": kind}})
                });
                json!({"version": version, "freshness": freshness, "resources": resources.collect::<Vec<_>>()})
            });
            json!({"metadata": {"name": name}, "versions": versions.collect::<Vec<_>>()})
        })
        .collect();
    let content_type = format!("application/json;g=apidiscovery.k8s.io;v={format};as=APIGroupDiscoveryList; charset=utf-8");
    let api_version = format!("apidiscovery.k8s.io/{format}");
    ScriptedAnswer::json(&json!({"kind": "APIGroupDiscoveryList", "apiVersion": api_version, "items": items}))
        .with_header(http::header::CONTENT_TYPE, &content_type)
}

/// The kinds of these lists, as `group/version/Kind`.
fn kinds<L: std::borrow::Borrow<ApiResourceList>>(lists: &[L]) -> Vec<String> {
    let of_list = |list: &ApiResourceList| -> Vec<String> {
        let kind = |resource: &ApiResource| {
            let kind = resource.group_version_kind(&list.group_version);
            format!("{}/{}/{}", kind.group_version.group, kind.group_version.version, kind.kind)
        };
        list.resources.iter().map(kind).collect()
    };
    lists.iter().flat_map(|list| of_list(list.borrow())).collect()
}

fn names(lists: &[ApiResourceList]) -> Vec<String> {
    group_version_resources(lists).into_iter().map(|found| format!("{}.{}", found.group_version, found.resource)).collect()
}

fn failed(failures: &GroupFailures) -> Vec<String> {
    failures.iter().map(|(version, _)| version.to_string()).collect()
}

#[test]
fn the_version_of_the_server_is_read() {
    let server = ScriptedTransport::default();
    server.always("/version", ScriptedAnswer::text(r#"{"major":"foo","minor":"bar","gitCommit":"baz","unknown":1}"#));
    let expected =
        ServerVersion { major: "foo".into(), minor: "bar".into(), git_commit: "baz".into(), ..ServerVersion::default() };
    assert_eq!(ready(client(&server).server_version()).unwrap(), expected);
    server.always("/version", ScriptedAnswer::text("<html>"));
    let error = ready(client(&server).server_version()).unwrap_err().to_string();
    assert!(error.contains("/version"), "{error}");
}

#[test]
fn the_core_group_comes_before_the_others() {
    let server = ScriptedTransport::default();
    server.always("/api", core());
    server.always("/apis", groups(&[("extensions", &["v1beta1"])]));
    let found = ready(client(&server).server_groups()).unwrap().complete().unwrap();
    assert_eq!(found.group_versions().map(|version| version.to_string()).collect::<Vec<_>>(), ["v1", "extensions/v1beta1"]);
    assert_eq!(found.group("").unwrap().preferred_version.as_deref(), Some("v1"));
}

#[test]
fn a_server_may_have_no_core_group() {
    let server = ScriptedTransport::default();
    server.always("/apis", groups(&[("extensions", &["v1beta1"])]));
    server.always("/apis/extensions/v1beta1", ScriptedAnswer::json(&resources("extensions/v1beta1", &[("jobs", "Job", true)])));
    let found = ready(client(&server).server_groups_and_resources()).unwrap().complete().unwrap();
    assert_eq!(kinds(&found.resources), ["extensions/v1beta1/Job"]);
}

#[test]
fn a_server_without_other_groups_is_an_error() {
    let server = ScriptedTransport::default();
    server.always("/api", core());
    let error = ready(client(&server).server_groups()).unwrap_err();
    assert!(matches!(&error, DiscoveryError::Api(ApiError::Refused(status)) if status.code == 404), "{error}");
}

#[test]
fn a_server_that_refuses_both_answers_is_an_error() {
    for status in [StatusCode::NOT_FOUND, StatusCode::FORBIDDEN, StatusCode::INTERNAL_SERVER_ERROR] {
        let server = ScriptedTransport::default();
        server.always("/api", ScriptedAnswer::status(status));
        server.always("/apis", ScriptedAnswer::status(status));
        let error = ready(client(&server).server_groups()).unwrap_err();
        assert!(matches!(&error, DiscoveryError::Api(ApiError::Refused(refusal)) if refusal.code == status), "{error}");
        assert!(ready(client(&server).server_groups_and_resources()).is_err());
    }
}

#[test]
fn a_server_that_does_not_answer_is_given_up_after_thirty_two_seconds() {
    let server = ScriptedTransport::default();
    server.always("/api", ScriptedAnswer::never());
    server.always("/apis", ScriptedAnswer::never());
    let platform = FakePlatform::default();
    let client = DiscoveryClient::new(RestClient::new(Arc::new(server), Arc::new(platform.clone())));
    let error = ready(async {
        let mut answer = client.server_groups();
        assert!(poll!(&mut answer).is_pending());
        platform.advance(Duration::from_millis(31_999));
        assert!(poll!(&mut answer).is_pending());
        platform.advance(Duration::from_millis(1));
        answer.await.unwrap_err()
    });
    assert!(matches!(error, DiscoveryError::Api(ApiError::TimedOut { seconds: 32, .. })), "{error}");
}

#[test]
fn the_resources_of_a_version_are_under_its_own_path() {
    let server = ScriptedTransport::default();
    server.always("/api/v1", ScriptedAnswer::json(&stable()));
    server.always("/apis/extensions/v1beta1", ScriptedAnswer::json(&resources("extensions/v1beta1", &[("jobs", "Job", true)])));
    let ask = |text: &str| ready(client(&server).server_resources_for_group_version(&version(text)));
    assert_eq!(kinds(&[ask("v1").unwrap()]), ["/v1/Pod", "/v1/Service", "/v1/Namespace"]);
    assert_eq!(kinds(&[ask("extensions/v1beta1").unwrap()]), ["extensions/v1beta1/Job"]);
    assert!(ask("foobar/v1").is_err() && ask("v2").is_err());
    for body in [r#"{"kind":"Status"}"#, "<html>", r#"{"kind":"APIResourceList","resources":{}}"#] {
        server.once("/api/v1", ScriptedAnswer::text(body));
        assert!(matches!(ask("v1"), Err(DiscoveryError::Api(ApiError::Unreadable { .. }))), "{body}");
    }
}

#[test]
fn the_core_group_of_a_server_without_one_is_empty() {
    let server = ScriptedTransport::default();
    let list = ready(client(&server).server_resources_for_group_version(&version("v1"))).unwrap();
    assert_eq!(*list, ApiResourceList::new(version("v1"), vec![]));
}

#[test]
fn a_group_version_that_is_no_path_is_not_asked_for() {
    let server = ScriptedTransport::default();
    for (group, name) in [("..", "v1"), ("a/b", "v1"), ("a", ".."), ("a", ""), ("", ""), ("a%2f", "v1")] {
        let version = GroupVersion::new(group, name);
        let error = ready(client(&server).server_resources_for_group_version(&version)).unwrap_err();
        assert!(matches!(error, DiscoveryError::Api(ApiError::Request(_))), "{error}");
    }
    assert!(server.requests().is_empty());
}

/// A server that does not aggregate, with many versions that each take a second.
fn many_versions(platform: &FakePlatform) -> (ScriptedTransport, RestClient) {
    let server = ScriptedTransport::default();
    let clock: Arc<dyn Platform> = Arc::new(platform.clone());
    let versions: Vec<_> = (1..=10).map(|number| format!("v1beta{number}")).collect();
    let versions: Vec<_> = versions.iter().map(String::as_str).collect();
    server.always("/api", core());
    server.always("/api/v1", ScriptedAnswer::json(&stable()));
    server.always("/apis", groups(&[("apps", &versions), ("extensions", &versions)]));
    for group in ["apps", "extensions"] {
        for version in &versions {
            let list = resources(&format!("{group}/{version}"), &[("deployments", "Deployment", true)]);
            let answer = ScriptedAnswer::json(&list).after(&clock, Duration::from_secs(1));
            server.always(format!("/apis/{group}/{version}"), answer);
        }
    }
    let rest = RestClient::new(Arc::new(server.clone()), clock);
    (server, rest)
}

#[test]
fn versions_are_asked_some_at_once_and_come_in_the_servers_order() {
    let platform = FakePlatform::default();
    let (server, rest) = many_versions(&platform);
    let client = DiscoveryClient::new(rest).with_at_once(NonZeroUsize::new(7).unwrap());
    let found = ready(async {
        let mut answer = client.server_groups_and_resources();
        let mut seconds = 0;
        loop {
            if let std::task::Poll::Ready(answer) = poll!(&mut answer) {
                // One after another would take twenty.
                assert!((1..=6).contains(&seconds), "it took {seconds} s");
                break answer.unwrap().complete().unwrap();
            }
            platform.advance(Duration::from_secs(1));
            seconds += 1;
        }
    });
    assert_eq!(server.most_at_once(), 7);
    assert_eq!(kinds(&found.resources[..1]), ["/v1/Pod", "/v1/Service", "/v1/Namespace"]);
    let versions: Vec<_> = found.resources.iter().map(|list| list.group_version.to_string()).collect();
    let expected = ["apps", "extensions"].map(|group| (1..=10).map(move |number| format!("{group}/v1beta{number}")));
    assert_eq!(versions, ["v1".to_owned()].into_iter().chain(expected.into_iter().flatten()).collect::<Vec<_>>());
    assert!(server.unscripted().is_empty());
    // The same, one alone.
    let alone = |text: &str| {
        ready(async {
            let version = version(text);
            let mut answer = client.server_resources_for_group_version(&version);
            assert!(text != "apps/v1beta1" || poll!(&mut answer).is_pending());
            platform.advance(Duration::from_secs(1));
            answer.await
        })
    };
    assert_eq!(alone("v1").unwrap(), found.resources[0]);
    assert_eq!(alone("apps/v1beta1").unwrap(), found.resources[1]);
    assert!(alone("foobar/v1").is_err());
}

#[test]
fn the_second_version_of_the_schema_comes_as_the_server_sent_it() {
    let server = ScriptedTransport::default();
    for (format, accept, body) in [
        (SchemaFormat::Protobuf, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "\n\u{3}2.0"),
        (SchemaFormat::Json, "application/json", r#"{"swagger":"2.0"}"#),
    ] {
        server.forget_requests();
        server.always("/openapi/v2", ScriptedAnswer::text(body));
        assert_eq!(ready(client(&server).openapi_v2(format)).unwrap(), body);
        assert_eq!(server.requests()[0].headers["accept"], accept);
    }
}

#[test]
fn the_third_version_of_the_schema_comes_in_the_form_that_was_asked_for_each_time_anew() {
    let server = ScriptedTransport::default();
    server.always(
        "/openapi/v3",
        ScriptedAnswer::text(r#"{"paths":{"apis/batch/v1":{"serverRelativeURL":"/openapi/v3/apis/batch/v1?hash=A"}}}"#),
    );
    let client = client(&server);
    let index = ready(client.openapi_v3()).unwrap();
    let path = index.group_version(&version("batch/v1")).unwrap();
    for (format, accept, body) in [
        (SchemaFormat::Json, "application/json", r#"{"openapi":"3.0.0"}"#),
        (SchemaFormat::Protobuf, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", "\n\u{5}3.0.0"),
    ] {
        server.forget_requests();
        server.always("/openapi/v3/apis/batch/v1?hash=A", ScriptedAnswer::text(body));
        let schemas = [(); 2].map(|()| ready(client.openapi_v3_schema(path, format)).unwrap());
        assert!(schemas.iter().all(|schema| *schema == body));
        assert_eq!(server.requests().iter().filter(|request| request.headers["accept"] == accept).count(), 2);
    }
}

#[test]
fn the_schema_of_a_group_version_is_found_by_its_name_and_the_others_have_none() {
    let server = ScriptedTransport::default();
    let paths: Vec<_> = ["apps/v1", "networking.k8s.io/v1alpha1", "batch/v1"].map(|name| format!("apis/{name}")).into();
    let index: serde_json::Map<_, _> =
        paths.iter().map(|path| (path.clone(), json!({ "serverRelativeURL": format!("/openapi/v3/{path}?hash=A") }))).collect();
    server.always("/openapi/v3", ScriptedAnswer::json(&json!({ "paths": index })));
    for path in &paths {
        let document = json!({ "openapi": "3.0.0", "paths": { format!("/{path}/"): {} } });
        server.always(format!("/openapi/v3/{path}?hash=A"), ScriptedAnswer::json(&document));
    }
    let client = client(&server);
    let index = ready(client.openapi_v3()).unwrap();
    for version in index.group_versions() {
        let schema = ready(client.openapi_v3_schema(index.group_version(&version).unwrap(), SchemaFormat::Json)).unwrap();
        let document: Value = serde_json::from_slice(&schema).unwrap();
        assert!(document["paths"].as_object().unwrap().contains_key(&format!("{}/", version.path())), "{version}");
    }
    assert_eq!(index.group_versions().count(), 3);
    assert_eq!(index.group_version(&version("not/found")), None);
}

#[test]
fn a_schema_behind_a_proxy_is_asked_for_below_the_proxys_path() {
    for named in ["", "/test-endpoint"] {
        let server = ScriptedTransport::default();
        let address = format!("{named}/openapi/v3/apis/apps/v1?hash=014fbff9a07c");
        server.always(
            "/openapi/v3",
            ScriptedAnswer::json(&json!({ "paths": { "apis/apps/v1": { "serverRelativeURL": address } } })),
        );
        let text = r#"{"openapi":"3.0.0","info":{"title":"Kubernetes","version":"unversioned"}}"#;
        server.always("/openapi/v3/apis/apps/v1?hash=014fbff9a07c", ScriptedAnswer::text(text));
        let client = client(&server);
        let index = ready(client.openapi_v3()).unwrap();
        let path = index.group_version(&version("apps/v1")).unwrap();
        assert_eq!(ready(client.openapi_v3_schema(path, SchemaFormat::Json)).unwrap(), text);
        // The transport puts the path of the proxy before it, once.
        for base in ["https://host", "https://host/test-endpoint"] {
            let asked = server.requests().last().unwrap().path.clone();
            let address = address_of(base, &asked);
            let (path, query) = address.split_once('?').unwrap();
            assert_eq!(path, format!("{base}/openapi/v3/apis/apps/v1"));
            assert!(query.split('&').any(|parameter| parameter == "hash=014fbff9a07c"), "{query}");
        }
    }
}

#[test]
fn a_version_that_fails_is_named_and_the_preferred_resources_of_the_others_are_there() {
    let server = ScriptedTransport::default();
    server.always("/api", core());
    server.always("/apis", groups(&[("extensions", &["v1beta1*"])]));
    server.always("/api/v1", ScriptedAnswer::json(&stable()));
    server.always("/apis/extensions/v1beta1", ScriptedAnswer::status(StatusCode::INTERNAL_SERVER_ERROR));
    let answer = ready(client(&server).server_preferred_resources()).unwrap();
    let (found, failures) = answer.clone().partial();
    assert_eq!(names(&found), ["v1.namespaces", "v1.pods", "v1.services"]);
    assert_eq!(failed(&failures), ["extensions/v1beta1"]);
    let error = answer.complete().unwrap_err();
    assert_eq!(error.groups().map(failed), Some(vec!["extensions/v1beta1".to_owned()]));
    assert!(error.to_string().contains("extensions/v1beta1: an error on the server"), "{error}");
    server.always("/api/v1", ScriptedAnswer::status(StatusCode::INTERNAL_SERVER_ERROR));
    let (found, failures) = ready(client(&server).server_preferred_resources()).unwrap().partial();
    assert_eq!((found, failed(&failures)), (vec![], vec!["v1".to_owned(), "extensions/v1beta1".to_owned()]));
}

#[test]
fn what_fails_once_is_asked_for_a_second_time_and_not_a_third() {
    for (errors, found, expected_failed) in [(1, 2, vec![]), (2, 1, vec!["extensions/v1beta1".to_owned()])] {
        let server = ScriptedTransport::default();
        server.always("/api", core());
        server.always("/apis", groups(&[("extensions", &["v1beta1*"])]));
        server.always("/api/v1", ScriptedAnswer::json(&resources("v1", &[("pods", "Pod", true)])));
        for _ in 0..errors {
            server.once("/apis/extensions/v1beta1", ScriptedAnswer::status(StatusCode::INTERNAL_SERVER_ERROR));
        }
        // The document names another version than the one that was asked for.
        let list = resources("extensions/v1", &[("deployments", "Deployment", true)]);
        server.always("/apis/extensions/v1beta1", ScriptedAnswer::json(&list));
        let (resources, failures) = ready(client(&server).server_preferred_resources()).unwrap().partial();
        assert_eq!((names(&resources).len(), failed(&failures)), (found, expected_failed));
        assert_eq!(server.count("/apis/extensions/v1beta1"), 2);
    }
}

#[test]
fn namespaced_resources_come_in_the_preferred_version_or_in_the_first_that_has_them() {
    let server = ScriptedTransport::default();
    let jobs = ("jobs", "Job", true);
    server.always("/apis/batch/v1", ScriptedAnswer::json(&resources("batch/v1", &[jobs])));
    for version in ["v2alpha1", "v3alpha1"] {
        let list = resources(&format!("batch/{version}"), &[jobs, ("cronjobs", "CronJob", true), ("queues", "Queue", false)]);
        server.always(format!("/apis/batch/{version}"), ScriptedAnswer::json(&list));
    }
    let preferred = || {
        let (found, failures) = ready(client(&server).server_preferred_namespaced_resources()).unwrap().partial();
        assert!(failures.is_empty());
        names(&found)
    };
    server.always("/apis", groups(&[("batch", &["v1*", "v2alpha1", "v3alpha1"])]));
    assert_eq!(preferred(), ["batch/v1.jobs", "batch/v2alpha1.cronjobs"]);
    server.always("/apis", groups(&[("batch", &["v1", "v2alpha1*", "v3alpha1"])]));
    assert_eq!(preferred(), ["batch/v2alpha1.cronjobs", "batch/v2alpha1.jobs"]);
    server.always("/api", core());
    server.always("/api/v1", ScriptedAnswer::json(&stable()));
    server.always("/apis", groups(&[("batch", &["v1*"])]));
    assert_eq!(preferred(), ["v1.pods", "v1.services", "batch/v1.jobs"]);
}

#[test]
fn groups_of_an_aggregated_answer_prefer_their_first_version() {
    let server = ScriptedTransport::default();
    let preferred = || -> Vec<String> {
        let found = ready(client(&server).server_groups()).unwrap().complete().unwrap();
        let group = |group: &crate::discovery::ApiGroup| {
            format!("{}: {} of {}", group.name, group.preferred_version.as_deref().unwrap(), group.versions.join(" "))
        };
        found.groups.iter().map(group).collect()
    };
    server.always("/api", aggregated("v2", &[("", &[("v1", &["pods/Pod"])])]));
    server.always(
        "/apis",
        aggregated("v2", &[("apps", &[("v2", &["deployments/Deployment"]), ("v1", &["deployments/Deployment"])])]),
    );
    assert_eq!(preferred(), [": v1 of v1", "apps: v2 of v2 v1"]);
    server.always("/api", aggregated("v2", &[]));
    server.always("/apis", aggregated("v2", &[("apps", &[("v1", &[])]), ("batch", &[("v1", &[]), ("v1beta1", &[])])]));
    assert_eq!(preferred(), ["apps: v1 of v1", "batch: v1 of v1 v1beta1"]);
}

#[test]
fn one_aggregated_round_finds_all_resources_in_either_version_of_the_format() {
    for format in ["v2", "v2beta1"] {
        let server = ScriptedTransport::default();
        server.always("/api", aggregated(format, &[("", &[("v1", &["pods/Pod", "services/Service"])])]));
        server.always(
            "/apis",
            aggregated(
                format,
                &[
                    ("apps", &[("v2!", &["deployments/Deployment"]), ("v1", &["deployments/Deployment"])]),
                    ("batch", &[("v1!", &["jobs/Job"]), ("v1beta1", &["jobs/Job", "cronjobs/CronJob"])]),
                ],
            ),
        );
        let (found, failures) = ready(client(&server).server_groups_and_resources()).unwrap().partial();
        let names: Vec<_> = found.groups.groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["", "apps", "batch"]);
        let versions: Vec<_> = found.groups.group_versions().map(|version| version.to_string()).collect();
        assert_eq!(versions, ["v1", "apps/v1", "batch/v1beta1"]);
        let expected = ["/v1/Pod", "/v1/Service", "apps/v1/Deployment", "batch/v1beta1/Job", "batch/v1beta1/CronJob"];
        assert_eq!(kinds(&found.resources), expected);
        assert_eq!(failed(&failures), ["apps/v2", "batch/v1"]);
        // What is stale is not asked for again at once.
        assert_eq!(server.paths(), ["/api", "/apis"]);
        let by_group = found.by_group();
        assert_eq!(by_group[1].group.name, "apps");
        assert_eq!(kinds(&by_group[1].versions), ["apps/v1/Deployment"]);
        assert!(found.version(&version("batch/v1")).is_none() && found.version(&version("batch/v1beta1")).is_some());
    }
}

#[test]
fn an_aggregating_server_may_have_no_core_group_and_nothing_else_may_be_missing() {
    let everything = || {
        let server = ScriptedTransport::default();
        server.always("/api", aggregated("v2", &[("", &[("v1", &["pods/Pod"])])]));
        server.always("/apis", aggregated("v2", &[("apps", &[("v1", &["deployments/Deployment", "daemonsets/DaemonSet"])])]));
        server
    };
    let server = everything();
    server.always("/api", ScriptedAnswer::status(StatusCode::NOT_FOUND));
    let found = ready(client(&server).server_groups_and_resources()).unwrap().complete().unwrap();
    assert_eq!(kinds(&found.resources), ["apps/v1/Deployment", "apps/v1/DaemonSet"]);
    assert_eq!(server.requests().len(), 2);
    for (path, status) in [("/api", StatusCode::FORBIDDEN), ("/apis", StatusCode::NOT_FOUND), ("/apis", StatusCode::FORBIDDEN)] {
        let server = everything();
        server.always(path, ScriptedAnswer::status(status));
        let error = ready(client(&server).server_groups_and_resources()).unwrap_err();
        assert!(matches!(&error, DiscoveryError::Api(ApiError::Refused(refusal)) if refusal.code == status), "{error}");
    }
}

#[test]
fn a_stale_version_is_never_the_preferred_one() {
    let server = ScriptedTransport::default();
    server.always("/api", aggregated("v2", &[("", &[("v1", &["pods/Pod"])])]));
    let preferred = |groups: &[Group<'_>]| {
        server.always("/apis", aggregated("v2", groups));
        let (found, failures) = ready(client(&server).server_preferred_resources()).unwrap().partial();
        (kinds(&found), failed(&failures))
    };
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let both: &[(&str, &[&str])] = &[("v2", &["deployments/Deployment"]), ("v1", &["deployments/Deployment"])];
    assert_eq!(preferred(&[("apps", both)]), (texts(&["/v1/Pod", "apps/v2/Deployment"]), vec![]));
    let stale: &[(&str, &[&str])] = &[("v2!", &["deployments/Deployment"]), ("v1", &["deployments/Deployment"])];
    assert_eq!(preferred(&[("apps", stale)]), (texts(&["/v1/Pod", "apps/v1/Deployment"]), texts(&["apps/v2"])));
    let old: &[(&str, &[&str])] = &[("v1", &["jobs/Job", "cronjobs/CronJob"]), ("v1beta1!", &["jobs/Job", "peas/Pea"])];
    assert_eq!(
        preferred(&[("batch", old), ("apps", both)]),
        (texts(&["/v1/Pod", "batch/v1/Job", "batch/v1/CronJob", "apps/v2/Deployment"]), texts(&["batch/v1beta1"]))
    );
}

#[test]
fn a_server_of_which_one_half_aggregates_is_asked_version_by_version() {
    let server = ScriptedTransport::default();
    server.always("/api", aggregated("v2", &[("", &[("v1", &["pods/Pod"])])]));
    server.always("/api/v1", ScriptedAnswer::json(&stable()));
    server.always("/apis", groups(&[("apps", &["v1*"])]));
    server.always("/apis/apps/v1", ScriptedAnswer::json(&resources("apps/v1", &[("deployments", "Deployment", true)])));
    let found = ready(client(&server).server_groups_and_resources()).unwrap().complete().unwrap();
    assert_eq!(kinds(&found.resources), ["/v1/Pod", "/v1/Service", "/v1/Namespace", "apps/v1/Deployment"]);
}

#[test]
fn the_forms_a_client_asks_for_depend_on_what_it_is_told() {
    let accept = |client: DiscoveryClient, server: &ScriptedTransport| -> Vec<String> {
        server.forget_requests();
        ready(client.server_groups()).unwrap().complete().unwrap();
        server.requests().iter().map(|request| request.headers["accept"].to_str().unwrap().to_owned()).collect()
    };
    let server = ScriptedTransport::default();
    server.always("/api", core());
    server.always("/apis", groups(&[]));
    let list = "APIGroupDiscoveryList";
    let v2 = format!("application/json;g=apidiscovery.k8s.io;v=v2;as={list}");
    let beta = format!("application/json;g=apidiscovery.k8s.io;v=v2beta1;as={list}");
    let by_default = format!("{v2},{beta},application/json");
    assert_eq!(accept(client(&server), &server), [by_default.clone(), by_default.clone()]);
    assert_eq!(accept(client(&server).with_legacy_discovery(), &server), ["application/json"; 2]);
    let no_peers = format!("{v2};profile=nopeer,{by_default}");
    assert_eq!(accept(client(&server).with_no_peer_discovery(), &server), [no_peers.clone(), no_peers]);
}

#[test]
fn hundreds_of_groups_are_two_requests() {
    let names: Vec<_> = (0..300).map(|number| format!("group-{number}.example.io")).collect();
    let group = ("v1", &["as/A", "bs/B", "cs/C", "ds/D", "es/E"][..]);
    let versions = [group];
    let all: Vec<_> = names.iter().map(|name| (name.as_str(), &versions[..])).collect();
    let server = ScriptedTransport::default();
    server.always("/api", aggregated("v2", &[("", &[("v1", &["pods/Pod"])])]));
    server.always("/apis", aggregated("v2", &all));
    let found = ready(client(&server).server_preferred_resources()).unwrap().complete().unwrap();
    assert_eq!((kinds(&found).len(), server.requests().len()), (1501, 2));
}

#[test]
fn resources_that_can_be_listed_are_chosen_whatever_group_they_are_in_and_however_they_are_called() {
    let server = ScriptedTransport::default();
    server.always(
        "/api",
        ScriptedAnswer::text(
            r#"{"kind":"APIGroupDiscoveryList","items":[{"versions":[{"version":"v1","resources":[
        {"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"verbs":["list","watch"],
         "subresources":[{"subresource":"log","responseKind":{"version":"v1","kind":"Pod"},"verbs":["get","list"]}]},
        {"resource":"services","responseKind":{"version":"v1","kind":"Service"},"verbs":["list"]},
        {"resource":"endpoints","responseKind":{"version":"v1","kind":"Endpoints"},"verbs":["list"]},
        {"resource":"bindings","responseKind":{"version":"v1","kind":"Binding"},"verbs":["create"]}]}]}]}"#,
        ),
    );
    server.always(
        "/apis",
        ScriptedAnswer::text(
            r#"{"kind":"APIGroupDiscoveryList","items":[
        {"metadata":{"name":"at.io"},"versions":[{"version":"v1","resources":[
            {"resource":"services","responseKind":{"kind":"Service"},"verbs":["list"]},
            {"resource":"indexes","responseKind":{"kind":"Index"},"verbs":["list"]},
            {"resource":"nokinds","verbs":["list"]}]}]},
        {"metadata":{"name":"authentication.k8s.io"},"versions":[{"version":"v1","resources":[
            {"resource":"tokenreviews","responseKind":{"kind":"TokenReview"},"verbs":["create"]}]}]}]}"#,
        ),
    );
    let found = ready(client(&server).server_preferred_resources()).unwrap().complete().unwrap();
    let listed = filtered_by(supports_all_verbs(["list"]), &found);
    assert_eq!(names(&listed), ["v1.endpoints", "v1.pods", "v1.services", "at.io/v1.indexes", "at.io/v1.services"]);
    // A group with nothing to list has gone.
    assert_eq!(listed.len(), 2);
}

#[test]
fn whether_a_server_serves_a_version_is_what_it_says_or_why_it_does_not_say() {
    let (server, v1) = (ScriptedTransport::default(), version("v1"));
    let check = |required: &GroupVersion| ready(server_supports_version(&client(&server), required));
    server.always("/apis", groups(&[]));
    server.always("/api", ScriptedAnswer::json(&json!({"kind": "APIVersions", "versions": ["/version1", "v1"]})));
    assert!(check(&v1).is_ok());
    server.always("/api", ScriptedAnswer::json(&json!({"kind": "APIVersions", "versions": ["version1"]})));
    assert_eq!(check(&v1).unwrap_err().to_string(), "the server does not support API version \"v1\"");
    server.always("/api", ScriptedAnswer::status(StatusCode::FORBIDDEN));
    assert!(matches!(check(&v1), Err(DiscoveryError::Api(ApiError::Refused(status))) if status.code == 403));
    server.always("/api", ScriptedAnswer::status(StatusCode::NOT_FOUND));
    // Who may see nothing is told nothing.
    assert!(check(&v1).is_ok());
    server.always("/apis", ScriptedAnswer::status(StatusCode::NOT_FOUND));
    assert!(matches!(check(&v1), Err(DiscoveryError::Api(ApiError::Refused(status))) if status.code == 404));
    let refused = TransportError::Unreachable { address: "here".into(), message: "connection refused".into() };
    server.always("/api", ScriptedAnswer::error(refused));
    assert!(check(&v1).unwrap_err().to_string().contains("connection refused"));
    // A version that was not reached is not one that the server does not have.
    server.always("/api", aggregated("v2", &[("", &[("v1", &[])])]));
    server.always("/apis", aggregated("v2", &[("metrics.k8s.io", &[("v1beta1!", &[])])]));
    assert!(matches!(check(&version("metrics.k8s.io/v1beta1")), Err(DiscoveryError::Stale)));
}

#[test]
fn a_resource_is_there_where_its_version_is_and_has_it() {
    let server = ScriptedTransport::default();
    server.always("/apis/batch/v1", ScriptedAnswer::json(&resources("batch/v1", &[("jobs", "Job", true)])));
    server.always("/apis/dead.io/v1", ScriptedAnswer::status(StatusCode::SERVICE_UNAVAILABLE));
    let client = client(&server);
    let check = |group_version: &str, name: &str| {
        ready(crate::discovery::is_resource_enabled(&client, &version(group_version).with_resource(name)))
    };
    assert!(check("batch/v1", "jobs").unwrap());
    assert!(!check("batch/v1", "cronjobs").unwrap());
    assert!(!check("gone.io/v1", "jobs").unwrap());
    assert!(check("dead.io/v1", "jobs").is_err());
}
