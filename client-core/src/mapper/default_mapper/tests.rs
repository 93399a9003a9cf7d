use super::*;
use crate::{
    mapper::{
        Scope,
        testing::{guessed, mapping},
    },
    meta::GroupVersionKind,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn kind(group: &str, version: &str, kind: &str) -> GroupVersionKind {
    GroupVersionKind::new(group, version, kind)
}

fn group_kind(text: &str) -> GroupKind {
    GroupKind::from(text)
}

/// What is found, as texts.
fn texts<T: ToString>(found: Vec<T>) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

/// Two groups with two kinds each.
fn two_groups(preferred: &[&str]) -> DefaultMapper {
    let kinds = ["first-group/v", "second-group/v"].map(|version| [(version, "my-kind"), (version, "your-kind")]);
    guessed(preferred, kinds.as_flattened())
}

const FIRST_FIRST: &[&str] = &["first-group/v", "second-group/v"];
const SECOND_FIRST: &[&str] = &["second-group/v", "first-group/v"];

/// What is asked for, of whom, and which groups are found, in order.
fn partial_resources() -> Vec<(&'static str, DefaultMapper, PartialResource, &'static [&'static str])> {
    let any = PartialResource::new("my-kinds");
    let of_similar_groups =
        || guessed(&["first-group-1/v", "first-group/v"], &[("first-group-1/v", "my-kind"), ("first-group/v", "my-kind")]);
    vec![
        (
            "the exact group comes before those that begin so",
            of_similar_groups(),
            any.clone().of_group("first-group"),
            &["first-group"],
        ),
        ("the beginning of a group will do", two_groups(SECOND_FIRST), any.clone().of_group("first"), &["first-group"]),
        ("several groups may begin so", of_similar_groups(), any.clone().of_group("first"), &["first-group-1", "first-group"]),
        ("any group, in the preferred order", two_groups(SECOND_FIRST), any.clone(), &["second-group", "first-group"]),
        ("the group that is named", two_groups(SECOND_FIRST), any.clone().of_group("first-group"), &["first-group"]),
        ("a version that several have", two_groups(FIRST_FIRST), any.in_version("v"), &["first-group", "second-group"]),
    ]
}

#[test]
fn a_resource_is_known_by_its_plural_or_singular_and_not_by_a_part_of_it() {
    let mapper = guessed(&["test.group/test"], &[("test.group/test", "InternalObject")]);
    for name in ["internalobject", "internalobjects"] {
        assert_eq!(mapper.kind_for(&name.into()).unwrap(), kind("test.group", "test", "InternalObject"));
    }
    for name in ["internalobjec", "internalObjec", "nternalobject", "internalobjectss"] {
        let error = mapper.kind_for(&name.into()).unwrap_err();
        assert!(matches!(&error, MapperError::NoResourceMatch { resource } if resource.resource == name), "{error}");
    }
}

#[test]
fn the_case_of_a_name_does_not_matter_and_its_group_is_found() {
    for (group, name) in [("testapi", "myObject"), ("testapi2", "myobject"), ("testapi3", "MYOBJECTS")] {
        let mapper = guessed(&[&format!("{group}/test")], &[(&format!("{group}/test"), "MyObject")]);
        assert_eq!(mapper.kind_for(&name.into()).unwrap(), kind(group, "test", "MyObject"));
        for name in ["myObje", "myobje"] {
            assert!(mapper.kind_for(&name.into()).is_err(), "{name}");
        }
    }
}

#[test]
fn the_kinds_of_a_partial_resource_come_in_order_and_several_are_ambiguous() {
    for (what, mapper, resource, groups) in partial_resources() {
        let expected: Vec<_> = groups.iter().map(|group| kind(group, "v", "my-kind")).collect();
        assert_eq!(mapper.kinds_for(&resource).unwrap(), expected, "{what}");
        match (mapper.kind_for(&resource), expected.as_slice()) {
            (Ok(kind), [only]) => assert_eq!(kind, *only, "{what}"),
            (Err(MapperError::AmbiguousResource { candidates, .. }), [_, _]) => {
                assert_eq!(candidates.into_iter().map(|candidate| candidate.kind).collect::<Vec<_>>(), expected, "{what}");
            }
            (other, _) => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn the_resources_of_a_partial_resource_come_in_order_and_several_are_ambiguous() {
    for (what, mapper, plural, groups) in partial_resources() {
        let singular = PartialResource { resource: "my-kind".to_owned(), ..plural.clone() };
        for resource in [plural, singular] {
            let expected: Vec<_> = groups.iter().map(|group| format!("my-kinds.{group}, version v")).collect();
            assert_eq!(texts(mapper.resources_for(&resource).unwrap()), expected, "{what}");
            match (mapper.resource_for(&resource), expected.as_slice()) {
                (Ok(found), [only]) => assert_eq!(found.to_string(), *only, "{what}"),
                (Err(MapperError::AmbiguousResource { candidates, .. }), [_, _]) => {
                    let candidates = candidates.into_iter().map(|candidate| candidate.resource).collect();
                    assert_eq!(texts(candidates), expected, "{what}");
                }
                (other, _) => panic!("{what}: {other:?}"),
            }
        }
    }
}

#[test]
fn the_singular_of_a_resource_is_the_one_that_was_added() {
    for (kind, plural, singular) in [
        ("Pod", "pods", "pod"),
        ("ReplicationController", "replicationcontrollers", "replicationcontroller"),
        ("ImageRepository", "imagerepositories", "imagerepository"),
        ("Status", "statuses", "status"),
        ("lowercase", "lowercases", "lowercase"),
        ("lowercases", "lowercaseses", "lowercases"),
    ] {
        let mapper = guessed(&["tgroup/test"], &[("tgroup/test", kind)]);
        for name in [plural, singular] {
            assert_eq!(mapper.resource_singularizer(&name.into()).unwrap(), singular, "{name}");
        }
        assert!(mapper.resource_singularizer(&"unknown".into()).unwrap_err().is_no_match());
    }
}

#[test]
fn resources_of_one_name_with_several_singulars_have_none_until_one_is_meant() {
    let mut mapper = DefaultMapper::default();
    mapper.add(mapping("v1", "nodes", "Node"), "node");
    mapper.add(mapping("v2", "nodes", "Node"), "node");
    assert_eq!(mapper.resource_singularizer(&"nodes".into()).unwrap(), "node");
    mapper.add(mapping("metrics.k8s.io/v1", "nodes", "NodeMetrics"), "nodemetrics");
    let error = mapper.resource_singularizer(&"nodes".into()).unwrap_err();
    assert_eq!(error.to_string(), "nodes has multiple singular names: node, nodemetrics; name one with its group");
    assert_eq!(mapper.resource_singularizer(&"nodes.metrics".into()).unwrap(), "nodemetrics");
    assert_eq!(mapper.resource_singularizer(&PartialResource::new("nodes").of_group("")).unwrap(), "node");
}

#[test]
fn a_kind_is_found_in_the_wanted_version_or_in_the_preferred_ones() {
    let object = &[("tgroup/test", "InternalObject")];
    let expected = mapping("tgroup/test", "internalobjects", "InternalObject");
    for versions in [&["test"][..], &[], &[""], &["", "test"]] {
        let mapper = guessed(&["tgroup/test"], object);
        assert_eq!(mapper.rest_mapping(&group_kind("InternalObject.tgroup"), versions).unwrap(), expected, "{versions:?}");
        assert!(mapper.rest_mapping(&group_kind("Unknown.tgroup"), versions).unwrap_err().is_no_match());
        assert!(mapper.rest_mapping(&group_kind("InternalObject"), versions).unwrap_err().is_no_match());
    }
    // Without a preferred version, one must be named.
    let mapper = guessed(&[], object);
    for name in ["Unknown.tgroup", "InternalObject.tgroup"] {
        assert!(mapper.rest_mapping(&group_kind(name), &[]).unwrap_err().is_no_match());
    }
    assert_eq!(mapper.rest_mapping(&group_kind("InternalObject.tgroup"), &["test"]).unwrap(), expected);
}

#[test]
fn the_first_wanted_version_that_has_the_kind_is_taken() {
    let mapper =
        guessed(&["tgroup/test1", "tgroup/test2"], &[("tgroup/test1", "InternalObject"), ("tgroup/test2", "OtherObject")]);
    let (internal, other) = (group_kind("InternalObject.tgroup"), group_kind("OtherObject.tgroup"));
    let of_internal = mapping("tgroup/test1", "internalobjects", "InternalObject");
    let of_other = mapping("tgroup/test2", "otherobjects", "OtherObject");
    assert_eq!(mapper.rest_mapping(&other, &[]).unwrap(), of_other);
    assert_eq!(mapper.rest_mapping(&internal, &[]).unwrap(), of_internal);
    for (kind, versions) in
        [(&internal, &["test2"][..]), (&other, &["test1"]), (&other, &["test3"]), (&other, &["test3", "test1"])]
    {
        assert!(mapper.rest_mapping(kind, versions).unwrap_err().is_no_match(), "{kind} {versions:?}");
    }
    assert_eq!(mapper.rest_mapping(&other, &["test3", "test2"]).unwrap(), of_other);
    assert_eq!(mapper.rest_mapping(&internal, &["test1", "test2"]).unwrap(), of_internal);
}

#[test]
fn all_preferred_versions_of_a_kind_are_found_and_of_the_wanted_ones_the_first() {
    let object = group_kind("InternalObject.tgroup");
    let of = |version: &str| mapping(&format!("tgroup/{version}"), "internalobjects", "InternalObject");
    let v1_and_v2 = guessed(&["tgroup/v1", "tgroup/v2"], &[("tgroup/v1", "InternalObject"), ("tgroup/v2", "InternalObject")]);
    let v2 = guessed(&["tgroup/v1"], &[("tgroup/v2", "InternalObject")]);
    for (mapper, versions, expected) in [
        (&v1_and_v2, &[][..], &[of("v1"), of("v2")][..]),
        (&v1_and_v2, &["v2", "v1"], &[of("v2")]),
        (&v2, &["v2"], &[of("v2")]),
        (&v2, &["v3", "v2"], &[of("v2")]),
    ] {
        assert_eq!(mapper.rest_mappings(&object, versions).unwrap(), expected, "{versions:?}");
    }
    for (mapper, kind, versions) in [
        (&v2, "InternalObject.tgroup", &["v1"][..]),
        (&v2, "InternalObject.tgroup", &[]),
        (&v1_and_v2, "Unknown.tgroup", &[]),
        (&DefaultMapper::default(), "InternalObject.tgroup", &["v1"]),
    ] {
        assert!(mapper.rest_mappings(&group_kind(kind), versions).unwrap_err().is_no_match(), "{kind} {versions:?}");
    }
}

#[test]
fn a_version_that_is_not_there_is_named() {
    let mapper = guessed(&["tgroup/test1", "tgroup/test2"], &[("tgroup/test1", "InternalObject")]);
    let error = mapper.rest_mapping(&group_kind("InternalObject.tgroup"), &["test3"]).unwrap_err();
    assert_eq!(error.to_string(), "no matches for kind \"InternalObject\" in version \"tgroup/test3\"");
}

#[test]
fn a_name_in_a_version_of_a_group_is_one_resource_or_none() {
    let mapper = guessed(&["first-group/v1", "first-group/v2"], &[("first-group/v1", "Thing"), ("first-group/v2", "Thing")]);
    let thing = PartialResource::new("Things").of_group("first-group");
    assert_eq!(mapper.resource_for(&thing.clone().in_version("v2")).unwrap().to_string(), "things.first-group, version v2");
    assert!(mapper.resource_for(&thing.in_version("v3")).unwrap_err().is_no_match());
    // A group that stands beside a version is whole.
    assert!(mapper.resource_for(&PartialResource::new("things").of_group("first").in_version("v2")).unwrap_err().is_no_match());
}

#[test]
fn the_core_group_is_one_that_can_be_meant() {
    let mapper = guessed(&["at.io/v1", "v1"], &[("at.io/v1", "Service"), ("v1", "Service")]);
    let any = PartialResource::new("services");
    assert_eq!(texts(mapper.resources_for(&any).unwrap()), ["services.at.io, version v1", "services, version v1"]);
    assert_eq!(texts(mapper.resources_for(&any.of_group("")).unwrap()), ["services, version v1"]);
    let nothing = PartialResource::new("widgets").of_group("");
    assert!(guessed(&[], &[("at.io/v1", "Widget")]).mapping_for(&nothing).unwrap_err().is_no_match());
}

#[test]
fn a_resource_whose_singular_is_its_plural_is_found_once() {
    let mapper = guessed(&["v1"], &[("v1", "Endpoints")]);
    assert_eq!(texts(mapper.resources_for(&"endpoints".into()).unwrap()), ["endpoints, version v1"]);
}

#[test]
fn resources_of_one_kind_stay_apart_and_the_last_is_the_one_of_the_kind() {
    let mut mapper = DefaultMapper::new(["a.io/v1".parse().unwrap()]);
    let [first, last] = ["processedtemplates", "templates"].map(|plural| mapping("a.io/v1", plural, "Template"));
    mapper.add(first.clone(), "processedtemplate");
    mapper.add(last.clone(), "template");
    assert_eq!(mapper.mapping_for(&"processedtemplates".into()).unwrap(), first);
    assert_eq!(mapper.mapping_for(&"templates".into()).unwrap(), last);
    assert_eq!(mapper.rest_mapping(&group_kind("Template.a.io"), &[]).unwrap(), last);
    assert_eq!(mapper.rest_mapping(&group_kind("Template.a.io"), &["v1"]).unwrap(), last);
}

#[test]
fn a_kind_may_be_written_in_lower_case_and_is_told_as_it_is() {
    let mapper = guessed(&["v1"], &[("v1", "ConfigMap")]);
    let expected = mapping("v1", "configmaps", "ConfigMap");
    assert_eq!(mapper.rest_mapping(&group_kind("configmap"), &[]).unwrap(), expected);
    assert!(mapper.rest_mapping(&group_kind("CONFIGMAP"), &[]).unwrap_err().is_no_match());
}

#[test]
fn a_resource_with_the_kind_of_another_group_is_not_where_that_kind_is() {
    let mut mapper = guessed(&["apps/v1", "rollouts.io/v1"], &[("apps/v1", "Deployment")]);
    let foreign = RestMapping {
        resource: mapping("rollouts.io/v1", "shadows", "Shadow").resource,
        kind: kind("apps", "v1", "Deployment"),
        scope: Scope::Cluster,
    };
    mapper.add(foreign.clone(), "shadow");
    assert_eq!(mapper.mapping_for(&"shadows".into()).unwrap(), foreign);
    let expected = mapping("apps/v1", "deployments", "Deployment");
    assert_eq!(mapper.rest_mapping(&group_kind("Deployment.apps"), &[]).unwrap(), expected);
}

#[test]
fn nothing_has_no_name() {
    let mapper = guessed(&["v1"], &[("v1", "Pod")]);
    for error in [mapper.mapping_for(&"".into()).unwrap_err(), mapper.kinds_for(&".apps".into()).unwrap_err()] {
        assert!(matches!(error, MapperError::NoName), "{error}");
    }
}
