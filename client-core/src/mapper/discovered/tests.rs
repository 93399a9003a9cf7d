use super::*;
use crate::{
    discovery::{ApiGroup, ApiGroupList, Discovery as _, DiscoveryCall, DiscoveryError, FakeDiscovery},
    mapper::testing::{discovered, list},
    platform::ready,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A group that prefers its first version, or the one that is marked with `!`.
fn group(name: &str, versions: &[(&str, &[&str])]) -> ApiGroupResources {
    let plain = |version: &str| version.trim_end_matches('!').to_owned();
    let marked = versions.iter().find(|(version, _)| version.ends_with('!')).or_else(|| versions.first());
    let group = ApiGroup {
        name: name.to_owned(),
        versions: versions.iter().map(|(version, _)| plain(version)).collect(),
        preferred_version: marked.map(|(version, _)| plain(version)),
    };
    let of_version = |version: &str| GroupVersion::new(name, plain(version)).to_string();
    let lists = versions.iter().map(|(version, resources)| Arc::new(list(&of_version(version), resources)));
    ApiGroupResources { group, versions: lists.collect() }
}

/// The groups of client-go's own test.
fn groups() -> Vec<ApiGroupResources> {
    let broccoli_and_peas: &[&str] = &["broccoli Broccoli", "peas Pea"];
    vec![
        group("extensions", &[("v1beta", &["jobs Job", "pods Pod"])]),
        group("", &[("v1", &["pods Pod"]), ("v2", &["pods Pod"])]),
        group("unpreferred", &[("v1", &["broccoli Broccoli"]), ("v2beta1", broccoli_and_peas), ("v2alpha1", broccoli_and_peas)]),
    ]
}

fn resource(mapper: &impl RestMapper, resource: PartialResource) -> String {
    mapper.resource_for(&resource).map_or_else(|error| error.to_string(), |found| found.to_string())
}

#[test]
fn a_resource_is_found_in_the_core_group_first_and_in_the_preferred_version_that_has_it() {
    let mapper = discovery_mapper(&groups());
    let any = PartialResource::new;
    for (wanted, kind, found) in [
        (any("pods"), "Pod, version v1", "pods, version v1"),
        (any("pods").in_version("v1"), "Pod, version v1", "pods, version v1"),
        (any("pods").in_version("v2"), "Pod, version v2", "pods, version v2"),
        (any("jobs"), "Job.extensions, version v1beta", "jobs.extensions, version v1beta"),
        (any("peas"), "Pea.unpreferred, version v2beta1", "peas.unpreferred, version v2beta1"),
        (any("broccoli"), "Broccoli.unpreferred, version v1", "broccoli.unpreferred, version v1"),
        (any("pods").of_group("extensions"), "Pod.extensions, version v1beta", "pods.extensions, version v1beta"),
    ] {
        assert_eq!(mapper.kind_for(&wanted).unwrap().to_string(), kind, "{wanted}");
        assert_eq!(resource(&mapper, wanted.clone()), found, "{wanted}");
    }
    assert_eq!(mapper.resources_for(&any("pods")).unwrap().len(), 3);
    assert_eq!(mapper.rest_mapping(&"Pea.unpreferred".into(), &[]).unwrap().kind.group_version.version, "v2beta1");
    assert_eq!(mapper.rest_mapping(&"Pod".into(), &["v2"]).unwrap().kind.group_version.version, "v2");
    assert_eq!(mapper.rest_mappings(&"Pod".into(), &[]).unwrap().len(), 2);
}

#[test]
fn groups_that_answered_are_mapped_and_those_that_did_not_are_there_without_resources() {
    let version = |text: &str| -> GroupVersion { text.parse().unwrap() };
    let server = FakeDiscovery::new([list("a/v1", &["foo Foo"]), list("b/v1", &["bar Bar"])]);
    let by_group = || ready(server.server_groups_and_resources()).map(|found| found.partial().0.by_group());
    let shape = |groups: Vec<ApiGroupResources>| -> Vec<String> {
        let shape = |group: &ApiGroupResources| format!("{} {}", group.group.name, group.versions.len());
        groups.iter().map(shape).collect()
    };
    assert_eq!(shape(by_group().unwrap()), ["a 1", "b 1"]);
    for aggregated in [false, true] {
        server.set_aggregated(aggregated);
        server.fail(DiscoveryCall::Resources(version("a/v1")), Some(DiscoveryError::Stale));
        assert_eq!(shape(by_group().unwrap()), ["a 0", "b 1"]);
        let mapper = DiscoveredMapper::new(ready(server.server_groups_and_resources()).unwrap());
        assert_eq!(resource(&mapper, "bar".into()), "bar.b, version v1");
        assert!(mapper.failed().get(&version("a/v1")).is_some());
        assert_eq!(
            resource(&mapper, "foo".into()),
            "the server doesn't have a resource type \"foo\", but not all of its API groups answered: \
             a/v1: the server that answers for this group cannot be reached"
        );
        server.fail(DiscoveryCall::Resources(version("a/v1")), None);
    }
    server.fail(DiscoveryCall::Groups, Some(DiscoveryError::Stale));
    assert!(by_group().is_err());
    let nothing = FakeDiscovery::default();
    assert_eq!(ready(nothing.server_groups_and_resources()).unwrap().complete().unwrap().by_group(), []);
}

#[test]
fn only_what_failed_and_could_have_it_is_named() {
    let server = FakeDiscovery::new([list("v1", &["pods Pod"]), list("metrics.k8s.io/v1beta1", &["nodes NodeMetrics"])]);
    server.fail(DiscoveryCall::Resources("metrics.k8s.io/v1beta1".parse().unwrap()), Some(DiscoveryError::Stale));
    let mapper = DiscoveredMapper::new(ready(server.server_groups_and_resources()).unwrap());
    let names_metrics = |error: &MapperError| {
        assert!(error.is_no_match(), "{error}");
        matches!(error, MapperError::Incomplete { failed, .. } if failed.len() == 1)
    };
    for (text, expected) in [
        ("nodes", true),
        ("nodes.metrics", true),
        ("nodes.metrics.k8s.io", true),
        ("nodes.v1beta1.metrics.k8s.io", true),
        ("NodeMetrics.v1beta1.metrics.k8s.io", true),
        ("nodes.v1.metrics.k8s.io", false),
        ("nodes.apps", false),
        ("widgets.v1.example.com", false),
    ] {
        assert_eq!(names_metrics(&mapper.resolve(text).unwrap_err()), expected, "{text}");
    }
    for (kind, versions, expected) in [
        ("NodeMetrics.metrics.k8s.io", &[][..], true),
        ("NodeMetrics.metrics.k8s.io", &["v1beta1"], true),
        ("NodeMetrics.metrics.k8s.io", &["v1", ""], false),
        ("NodeMetrics.metrics", &[], false),
        ("NodeMetrics", &[], false),
    ] {
        assert_eq!(names_metrics(&mapper.rest_mapping(&kind.into(), versions).unwrap_err()), expected, "{kind} {versions:?}");
        assert_eq!(names_metrics(&mapper.rest_mappings(&kind.into(), versions).unwrap_err()), expected, "{kind} {versions:?}");
    }
    // What is no miss is not one of a group that failed.
    assert!(matches!(mapper.resolve(""), Err(MapperError::NoName)));
    let core = PartialResource::new("nodes").of_group("");
    assert!(!names_metrics(&mapper.mapping_for(&core).unwrap_err()));
    assert!(names_metrics(&mapper.resource_singularizer(&"nodes".into()).unwrap_err()));
    assert!(names_metrics(&mapper.kinds_for(&"nodes".into()).unwrap_err()));
}

#[test]
fn resources_of_one_name_in_several_groups_stay_apart() {
    let mapper = discovered(&[
        ("v1", &["services|service Service svc"]),
        ("eventing.knative.dev/v1", &["triggers|trigger Trigger"]),
        ("triggers.tekton.dev/v1beta1", &["triggers|trigger Trigger tri"]),
        ("at.io/v1", &["services|service Service"]),
    ]);
    for (text, expected) in [
        ("triggers.eventing.knative.dev", "triggers.eventing.knative.dev, version v1"),
        ("triggers.triggers.tekton.dev", "triggers.triggers.tekton.dev, version v1beta1"),
        ("Trigger.triggers.tekton.dev", "triggers.triggers.tekton.dev, version v1beta1"),
        ("tri", "triggers.triggers.tekton.dev, version v1beta1"),
        // The order of discovery decides what has no group.
        ("triggers", "triggers.eventing.knative.dev, version v1"),
        ("services", "services, version v1"),
        ("services.at.io", "services.at.io, version v1"),
    ] {
        assert_eq!(mapper.resolve(text).unwrap().resource.to_string(), expected, "{text}");
    }
    for (kind, expected) in [("Service", "services, version v1"), ("Service.at.io", "services.at.io, version v1")] {
        assert_eq!(mapper.rest_mapping(&kind.into(), &[]).unwrap().resource.to_string(), expected);
    }
}

#[test]
fn the_version_that_the_server_prefers_is_used_and_not_the_first_of_the_list() {
    let mapper = discovery_mapper(&[group("a.io", &[("v1alpha1", &["widgets Widget"]), ("v1!", &["widgets Widget"])])]);
    assert_eq!(resource(&mapper, "widgets".into()), "widgets.a.io, version v1");
    assert_eq!(mapper.rest_mapping(&"Widget.a.io".into(), &[]).unwrap().resource.group_version.version, "v1");
    let versions: Vec<_> =
        mapper.resources_for(&"widgets".into()).unwrap().into_iter().map(|found| found.group_version.version).collect();
    assert_eq!(versions, ["v1", "v1alpha1"]);
}

#[test]
fn no_plural_is_guessed() {
    let mapper = discovered(&[
        ("v1", &["endpoints|endpoints Endpoints ep"]),
        ("a.io/v1", &["indices|index Index idx"]),
        ("k8s.cni.cncf.io/v1", &["network-attachment-definitions NetworkAttachmentDefinition"]),
    ]);
    for (kind, plural) in [
        ("Endpoints", "endpoints"),
        ("Index.a.io", "indices"),
        ("NetworkAttachmentDefinition.k8s.cni.cncf.io", "network-attachment-definitions"),
    ] {
        assert_eq!(mapper.rest_mapping(&kind.into(), &[]).unwrap().resource.resource, plural);
    }
    for guess in ["endpointses", "indexs", "indexes", "indices.b.io", "networkattachmentdefinitions", "indexlists", "lists"] {
        assert!(mapper.resolve(guess).unwrap_err().is_no_match(), "{guess}");
    }
    for kind in ["IndexList.a.io", "List"] {
        assert!(mapper.rest_mapping(&kind.into(), &[]).unwrap_err().is_no_match(), "{kind}");
    }
}

#[test]
fn subresources_and_resources_without_a_kind_are_not_mapped_and_others_are_whatever_can_be_done_with_them() {
    let mapper = discovered(&[
        ("v1", &["pods|pod Pod", "pods/log Pod", "pods/status|pod Pod", "nameless|nameless"]),
        ("authentication.k8s.io/v1", &["*tokenreviews|tokenreview TokenReview"]),
        ("custom.metrics.k8s.io/v1beta1", &["pods/requests MetricValueList", "*nodes NodeMetricValue"]),
    ]);
    for name in ["pods/log", "pods/status", "nameless", "MetricValueList.custom.metrics.k8s.io"] {
        assert!(mapper.resolve(name).unwrap_err().is_no_match(), "{name}");
    }
    assert_eq!(mapper.resources_for(&"pod".into()).unwrap().len(), 1);
    let reviews = mapper.resolve("tokenreviews").unwrap();
    assert!(!reviews.is_namespaced() && mapper.resolve("pods").unwrap().is_namespaced());
    // A server that keeps the singular to itself means the kind.
    assert_eq!(mapper.resource_singularizer(&"nodes".into()).unwrap(), "nodemetricvalue");
    assert_eq!(mapper.resolve("nodemetricvalue").unwrap().resource.resource, "nodes");
}

#[test]
fn the_singular_of_a_name_that_several_groups_have_is_that_of_the_first() {
    let mapper = discovered(&[("v1", &["nodes|node Node no"]), ("metrics.k8s.io/v1beta1", &["nodes NodeMetrics"])]);
    assert_eq!(mapper.resource_singularizer(&"nodes".into()).unwrap(), "node");
    assert_eq!(mapper.resource_singularizer(&"no".into()).unwrap(), "node");
    assert_eq!(mapper.resource_singularizer(&"nodes.metrics".into()).unwrap(), "nodemetrics");
}

#[test]
fn a_group_that_is_called_exactly_so_comes_before_one_that_begins_so() {
    let mapper = discovered(&[("apps.kruise.io/v1", &["statefulsets StatefulSet"]), ("apps/v1", &["statefulsets StatefulSet"])]);
    assert_eq!(resource(&mapper, "statefulsets.apps".into()), "statefulsets.apps, version v1");
    assert_eq!(resource(&mapper, "statefulsets.apps.kruise".into()), "statefulsets.apps.kruise.io, version v1");
}

#[test]
fn a_kind_of_another_group_is_told_as_the_server_has_it() {
    let mut scale = crate::mapper::testing::resource("scales|scale Scale");
    (scale.group, scale.version) = ("autoscaling".to_owned(), "v1".to_owned());
    let mut lists = [list("a.io/v1", &["widgets Widget"])];
    lists[0].resources.push(scale);
    let mapper = DiscoveredMapper::new(ready(FakeDiscovery::new(lists).server_groups_and_resources()).unwrap());
    assert_eq!(mapper.kind_for(&"scales".into()).unwrap().to_string(), "Scale.autoscaling, version v1");
    assert!(mapper.rest_mapping(&"Scale.autoscaling".into(), &["v1"]).is_err());
}

#[test]
fn a_group_that_is_listed_twice_is_one_group() {
    let lists = ["a.io/v1", "a.io/v2"].map(|version| Arc::new(list(version, &["widgets Widget"])));
    let group = |version: &str| ApiGroup { name: "a.io".to_owned(), versions: vec![version.to_owned()], preferred_version: None };
    let groups = Arc::new(ApiGroupList { groups: vec![group("v1"), group("v2")] });
    let found = GroupsAndResources { groups, resources: lists.to_vec() };
    let mapper = DiscoveredMapper::new(Discovered::new(found, GroupFailures::default()));
    assert_eq!(resource(&mapper, "widgets".into()), "widgets.a.io, version v1");
    assert_eq!(mapper.rest_mappings(&"Widget.a.io".into(), &[]).unwrap().len(), 2);
}

#[test]
fn a_version_that_answers_later_is_mapped_after_the_others_of_its_group() {
    let server =
        FakeDiscovery::new([list("a.io/v2", &["widgets Widget"]), list("a.io/v1", &["widgets Widget", "gadgets Gadget"])]);
    server.set_aggregated(true);
    server.fail(DiscoveryCall::Resources("a.io/v2".parse().unwrap()), Some(DiscoveryError::Stale));
    let mapper = DiscoveredMapper::new(ready(server.server_groups_and_resources()).unwrap());
    let later = DiscoveredMapper::new(mapper.found_with(vec![Arc::new(list("a.io/v2", &["widgets Widget"]))]));
    assert_eq!(resource(&later, PartialResource::from("widgets.a.io").in_version("v2")), "widgets.a.io, version v2");
    assert_eq!(resource(&later, "widgets".into()), "widgets.a.io, version v1");
    assert!(later.failed().is_empty() && !mapper.failed().is_empty());
}
