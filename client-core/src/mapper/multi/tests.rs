use super::*;
use crate::{
    mapper::{
        FirstHitMapper,
        testing::{FixedMapper, failure, guessed, is_failure, mapping, other_miss},
    },
    meta::GroupVersionKind,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn nobody() -> MultiMapper {
    MultiMapper::default()
}

/// One that does not find something else.
fn nothing_found() -> MultiMapper {
    MultiMapper::new([FixedMapper::failing(other_miss()).shared()])
}

/// One that fails, and one that finds something.
fn failing_first() -> MultiMapper {
    MultiMapper::new([FixedMapper::failing(failure()).shared(), FixedMapper::with(&[widgets("v1")]).shared()])
}

fn widgets(version: &str) -> RestMapping {
    mapping(&format!("a.io/{version}"), "widgets", "Widget")
}

/// Whether this says that `foo` is not there, and nothing of what a mapper below was asked.
fn is_miss_of_foo(error: &MapperError) -> bool {
    matches!(error, MapperError::NoResourceMatch { resource } if *resource == PartialResource::new("foo"))
}

#[test]
fn one_resource_of_several_mappers_is_a_miss_of_all_or_the_first_error() {
    let foo = "foo".into();
    for mapper in [nobody(), nothing_found()] {
        assert!(is_miss_of_foo(&mapper.resource_for(&foo).unwrap_err()));
    }
    assert!(is_failure(&failing_first().resource_for(&foo).unwrap_err()));
    let both = MultiMapper::new([FixedMapper::with(&[widgets("v1")]).shared(), FixedMapper::with(&[widgets("v2")]).shared()]);
    let error = both.resource_for(&foo).unwrap_err();
    assert!(matches!(&error, MapperError::AmbiguousResource { candidates, .. } if candidates.len() == 2), "{error}");
}

#[test]
fn resources_of_several_mappers_are_found_together_in_order_and_each_once() {
    let foo = "foo".into();
    for mapper in [nobody(), nothing_found()] {
        assert!(is_miss_of_foo(&mapper.resources_for(&foo).unwrap_err()));
    }
    assert!(is_failure(&failing_first().resources_for(&foo).unwrap_err()));
    let of = |mappings: [&str; 2]| FixedMapper::with(&mappings.map(widgets)).shared();
    let found = |mapper: MultiMapper| -> Vec<String> {
        mapper.resources_for(&foo).unwrap().into_iter().map(|resource| resource.group_version.version).collect()
    };
    assert_eq!(found(MultiMapper::new([of(["dupe", "first"]), of(["dupe", "second"])])), ["dupe", "first", "second"]);
    assert_eq!(
        found(MultiMapper::new([FixedMapper::failing(other_miss()).shared(), of(["first", "second"])])),
        ["first", "second"]
    );
}

#[test]
fn kinds_of_several_mappers_are_found_together_in_order_and_each_once() {
    let foo = "foo".into();
    for mapper in [nobody(), nothing_found()] {
        assert!(is_miss_of_foo(&mapper.kinds_for(&foo).unwrap_err()));
    }
    assert!(is_failure(&failing_first().kinds_for(&foo).unwrap_err()));
    let of = |kinds: [&str; 2]| FixedMapper::with(&kinds.map(|kind| mapping("v1", &kind.to_lowercase(), kind))).shared();
    let found =
        |mapper: MultiMapper| -> Vec<String> { mapper.kinds_for(&foo).unwrap().into_iter().map(|kind| kind.kind).collect() };
    assert_eq!(found(MultiMapper::new([of(["Dupe", "First"]), of(["Dupe", "Second"])])), ["Dupe", "First", "Second"]);
    assert_eq!(
        found(MultiMapper::new([FixedMapper::failing(other_miss()).shared(), of(["First", "Second"])])),
        ["First", "Second"]
    );
    // Two resources with one kind have one kind.
    let of_one_kind = FixedMapper::with(&[mapping("v1", "a", "Kind"), mapping("v1", "b", "Kind")]);
    assert_eq!(found(MultiMapper::new([of_one_kind.shared()])), ["Kind"]);
}

#[test]
fn one_kind_of_several_mappers_is_a_miss_of_all_or_the_first_error() {
    let foo = "foo".into();
    for mapper in [nobody(), nothing_found()] {
        assert!(is_miss_of_foo(&mapper.kind_for(&foo).unwrap_err()));
    }
    assert!(is_failure(&failing_first().kind_for(&foo).unwrap_err()));
    let same = MultiMapper::new([1, 2].map(|_| FixedMapper::with(&[widgets("v1")]).shared()));
    assert_eq!(same.kind_for(&foo).unwrap(), GroupVersionKind::new("a.io", "v1", "Widget"));
}

#[test]
fn the_resources_of_a_kind_are_those_of_all_mappers_or_the_first_error() {
    let foo = GroupKind::from("Foo");
    for versions in [&[][..], &["v1beta"], &["v1beta", "v2"]] {
        for mapper in [nobody(), nothing_found()] {
            match mapper.rest_mappings(&foo, versions).unwrap_err() {
                MapperError::NoKindMatch { kind, versions: searched } => assert_eq!(
                    (kind, searched.as_slice()),
                    (foo.clone(), versions.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice())
                ),
                other => panic!("{other}"),
            }
        }
    }
    assert!(is_failure(&failing_first().rest_mappings(&foo, &["v1beta"]).unwrap_err()));
    let both = MultiMapper::new([FixedMapper::with(&[widgets("v1")]).shared(), FixedMapper::with(&[widgets("v2")]).shared()]);
    assert_eq!(both.rest_mappings(&foo, &["v1beta"]).unwrap(), [widgets("v1"), widgets("v2")]);
}

#[test]
fn the_resource_of_a_kind_is_the_only_one_whatever_becomes_of_the_other_mappers() {
    let foo = GroupKind::from("Foo");
    assert_eq!(failing_first().rest_mapping(&foo, &[]).unwrap(), widgets("v1"));
    let both = MultiMapper::new([FixedMapper::with(&[widgets("v1")]).shared(), FixedMapper::with(&[widgets("v2")]).shared()]);
    let error = both.rest_mapping(&foo, &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Foo matches multiple kinds: Widget.a.io, version v1; Widget.a.io, version v2; name one with its version"
    );
    assert!(nothing_found().rest_mapping(&foo, &[]).unwrap_err().is_no_match());
    let failing = MultiMapper::new([1, 2].map(|_| FixedMapper::failing(failure()).shared()));
    let error = failing.rest_mapping(&foo, &[]).unwrap_err();
    assert!(matches!(&error, MapperError::Several { errors } if errors.iter().all(is_failure)), "{error}");
}

#[test]
fn the_singular_is_that_of_the_first_mapper_that_has_one() {
    let mapper = MultiMapper::new([FixedMapper::failing(other_miss()).shared(), Arc::new(guessed(&["v1"], &[("v1", "Pod")]))]);
    assert_eq!(mapper.resource_singularizer(&"pods".into()).unwrap(), "pod");
    assert!(mapper.resource_singularizer(&"widgets".into()).unwrap_err().is_no_match());
    assert!(is_miss_of_foo(&nobody().resource_singularizer(&"foo".into()).unwrap_err()));
}

#[test]
fn who_takes_the_first_hit_does_not_ask_the_others() {
    let foo = PartialResource::new("foo");
    let of = |version: &str| FixedMapper::with(&[widgets(version)]).shared();
    let mapper = FirstHitMapper::new([FixedMapper::failing(failure()).shared(), of("v1"), of("v2")]);
    assert_eq!(mapper.mapping_for(&foo).unwrap(), widgets("v1"));
    assert_eq!(mapper.kind_for(&foo).unwrap(), widgets("v1").kind);
    assert_eq!(mapper.rest_mapping(&GroupKind::from("Foo"), &[]).unwrap(), widgets("v1"));
    // Who wants all gets the first error instead.
    assert!(is_failure(&mapper.mappings_for(&foo).unwrap_err()));
    let misses = FirstHitMapper::new([1, 2].map(|_| FixedMapper::default().shared()));
    assert!(is_miss_of_foo(&misses.mapping_for(&foo).unwrap_err()));
    assert!(is_miss_of_foo(&FirstHitMapper::default().kind_for(&foo).unwrap_err()));
    let mixed = FirstHitMapper::new([FixedMapper::default().shared(), FixedMapper::failing(failure()).shared()]);
    let error = mixed.mapping_for(&foo).unwrap_err();
    assert_eq!(error.to_string(), "the server doesn't have a resource type \"foo\"; the server has no resource in this version");
    assert!(!error.is_no_match());
}
