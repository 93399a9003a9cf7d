use super::*;
use crate::discovery::{listing, source::Answer};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A document of the format in one of its versions, which differ in their names alone.
fn read_as(format: &str, items: &str) -> Listing {
    let text = format!(r#"{{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/{format}","items":[{items}]}}"#);
    let content_type = format!("application/json;g=apidiscovery.k8s.io;v={format};as=APIGroupDiscoveryList");
    listing::read("/apis", &Answer { body: text.into(), content_type: Some(content_type) }).unwrap()
}

/// A listing in words: the groups with their versions, the preferred one marked; the resources by version; what is stale.
fn words(listing: &Listing) -> (Vec<String>, Vec<String>, Vec<String>) {
    let group = |group: &ApiGroup| {
        let preferred = group.preferred_version.clone();
        let mark = |version: &String| format!("{version}{}", if preferred.as_ref() == Some(version) { "*" } else { "" });
        format!("{:?} {}", group.name, group.versions.iter().map(mark).collect::<Vec<_>>().join(" "))
    };
    let resource = |list: &ApiResourceList, resource: &ApiResource| {
        let scope = if resource.namespaced { "namespaced" } else { "cluster" };
        let kind = format!("{}/{}.{}", resource.group, resource.version, resource.kind);
        format!("{} {} {kind} {scope}", list.group_version, resource.name)
    };
    let lists = listing.resources.as_ref().unwrap();
    let resources = lists.iter().flat_map(|list| list.resources.iter().map(|found| resource(list, found)));
    (listing.groups.iter().map(group).collect(), resources.collect(), listing.stale.iter().map(ToString::to_string).collect())
}

fn assert_splits(format: &str) {
    for (items, groups, resources, stale) in CASES {
        let listing = read_as(format, items);
        assert_eq!(
            words(&listing),
            (
                groups.iter().map(ToString::to_string).collect(),
                resources.iter().map(ToString::to_string).collect(),
                stale.iter().map(ToString::to_string).collect()
            ),
            "{items}"
        );
        // A stale version has no list; one without resources has an empty one.
        let versions: usize = listing.groups.iter().map(|group| group.versions.len()).sum();
        assert_eq!(listing.resources.unwrap().len(), versions, "{items}");
    }
}

type Case = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// The items, and what is to come of them.
const CASES: &[Case] = &[
    (
        r#"{"metadata":{"name":""},"versions":[{"version":"v1","resources":[
            {"resource":"pods","responseKind":{"group":"","version":"v1","kind":"Pod"},"scope":"Namespaced"}]}]}"#,
        &["\"\" v1*"],
        &["v1 pods /v1.Pod namespaced"],
        &[],
    ),
    (
        r#"{"metadata":{"name":"apps"},"versions":[
            {"version":"v2","resources":[
                {"resource":"deployments","responseKind":{"group":"apps","version":"v2","kind":"Deployment"},"scope":"Namespaced"}]},
            {"version":"v1","freshness":"Current","resources":[
                {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced"}]}]}"#,
        &["\"apps\" v2* v1"],
        &["apps/v2 deployments apps/v2.Deployment namespaced", "apps/v1 deployments apps/v1.Deployment namespaced"],
        &[],
    ),
    (
        r#"{"versions":[{"version":"v1","resources":[
                {"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"scope":"Namespaced"},
                {"resource":"nodes","responseKind":{"version":"v1","kind":"Node"},"scope":"Cluster"}]}]},
            {"metadata":{"name":"rbac.authorization.k8s.io"},"versions":[{"version":"v1","resources":[
                {"resource":"clusterroles","responseKind":{"group":"rbac.authorization.k8s.io","version":"v1","kind":"ClusterRole"},
                 "scope":"Cluster"}]}]},
            {"metadata":{"name":"empty.io"},"versions":[{"version":"v1","resources":null}]}"#,
        &["\"\" v1*", "\"rbac.authorization.k8s.io\" v1*", "\"empty.io\" v1*"],
        &[
            "v1 pods /v1.Pod namespaced",
            "v1 nodes /v1.Node cluster",
            "rbac.authorization.k8s.io/v1 clusterroles rbac.authorization.k8s.io/v1.ClusterRole cluster",
        ],
        &[],
    ),
    (
        r#"{"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[
            {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced",
             "subresources":[
                {"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get"]},
                {"subresource":"status","responseKind":{"group":"apps","version":"v1","kind":"Deployment"}},
                {"subresource":"kindless","responseKind":null},
                {"subresource":"nameless","responseKind":{}}]}]}]}"#,
        &["\"apps\" v1*"],
        &[
            "apps/v1 deployments apps/v1.Deployment namespaced",
            "apps/v1 deployments/scale autoscaling/v1.Scale namespaced",
            "apps/v1 deployments/status apps/v1.Deployment namespaced",
        ],
        &[],
    ),
    (
        r#"{"metadata":{"name":"external.metrics.k8s.io"},"versions":[{"version":"v1beta1","resources":[
            {"resource":"nothing","scope":"Namespaced","subresources":[
                {"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"}}]},
            {"resource":"empty","responseKind":{"group":"","version":"","kind":""},"scope":"Cluster","subresources":[
                {"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"}}]},
            {"resource":"null","responseKind":null,"verbs":null,"subresources":null}]}]}"#,
        &["\"external.metrics.k8s.io\" v1beta1*"],
        &[
            "external.metrics.k8s.io/v1beta1 nothing/scale autoscaling/v1.Scale namespaced",
            "external.metrics.k8s.io/v1beta1 empty/scale autoscaling/v1.Scale cluster",
        ],
        &[],
    ),
    (
        r#"{"versions":[{"version":"v1","freshness":"Stale","resources":[
            {"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"scope":"Namespaced"}]}]}"#,
        &["\"\" "],
        &[],
        &["v1"],
    ),
    (
        r#"{"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]}"#,
        &["\"metrics.k8s.io\" "],
        &[],
        &["metrics.k8s.io/v1beta1"],
    ),
    (
        r#"{"metadata":{"name":"apps"},"versions":[
            {"version":"v2","freshness":"Stale","resources":[
                {"resource":"deployments","responseKind":{"group":"apps","version":"v2","kind":"Deployment"},"scope":"Namespaced"}]},
            {"version":"v1","resources":[
                {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced"}]}]}"#,
        &["\"apps\" v1*"],
        &["apps/v1 deployments apps/v1.Deployment namespaced"],
        &["apps/v2"],
    ),
];

#[test]
fn an_aggregated_answer_is_split_into_groups_resources_and_what_is_stale() {
    assert_splits("v2");
}

#[test]
fn the_beta_of_the_aggregated_answer_is_split_in_the_same_way() {
    assert_splits("v2beta1");
}

#[test]
fn a_resource_keeps_all_that_the_server_says_of_it() {
    let listing = read_as(
        "v2",
        r#"{"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[
            {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced",
             "singularResource":"deployment","verbs":["get","list"],"shortNames":["deploy"],"categories":["all"],
             "subresources":[{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},
                "verbs":["get","patch"]}]}]}]}"#,
    );
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let deployments = ApiResource {
        name: "deployments".into(),
        singular_name: "deployment".into(),
        namespaced: true,
        group: "apps".into(),
        version: "v1".into(),
        kind: "Deployment".into(),
        verbs: texts(&["get", "list"]),
        short_names: texts(&["deploy"]),
        categories: texts(&["all"]),
        storage_version_hash: String::new(),
    };
    let scale = ApiResource {
        name: "deployments/scale".into(),
        group: "autoscaling".into(),
        kind: "Scale".into(),
        verbs: texts(&["get", "patch"]),
        short_names: vec![],
        categories: vec![],
        ..deployments.clone()
    };
    assert_eq!(listing.resources.unwrap()[0].resources, [deployments, scale]);
}

#[test]
fn a_document_without_items_has_nothing_and_one_that_is_cut_is_none() {
    let read = |text: &str| {
        let content_type = Some("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList".to_owned());
        listing::read("/apis", &Answer { body: text.to_owned().into(), content_type })
    };
    for text in ["{}", r#"{"items":null}"#, r#"{"items":[]}"#] {
        assert_eq!(read(text).unwrap(), Listing::nothing());
    }
    let whole = r#"{"items":[{"metadata":{"name":"a.io"},"versions":[{"version":"v1"}]}]}"#;
    for end in 0..whole.len() {
        assert!(read(&whole[..end]).is_err(), "{:?} was read", &whole[..end]);
    }
}
