use super::*;
use crate::mapper::{
    MultiMapper,
    testing::{FixedMapper, failure, is_failure, mapping, other_miss},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// `group/version name`, each of them `*` for any.
fn pattern(text: &str) -> PriorityPattern {
    let some = |text: &str| Some(text.to_owned()).filter(|text| text != "*");
    let (place, name) = text.split_once(' ').unwrap();
    let (group, version) = place.split_once('/').unwrap_or(("", place));
    PriorityPattern { group: some(group), version: some(version), name: some(name) }
}

fn patterns(texts: &[&str]) -> Vec<PriorityPattern> {
    texts.iter().map(|text| pattern(text)).collect()
}

/// A place and a name, which is that of the resource and of its kind.
fn found(text: &str) -> RestMapping {
    let (version, name) = text.split_once(' ').unwrap();
    mapping(version, name, name)
}

/// What is found, the patterns, and what is chosen; `None` where it is ambiguous.
const CHOICES: &[(&[&str], &[&str], Option<&str>)] = &[
    (&["v1 single-hit"], &[], Some("v1 single-hit")),
    (&["v1 single-hit"], &["fail/* *"], Some("v1 single-hit")),
    (&["one/a first", "two/b second"], &[], None),
    (&["one/a first", "two/b second"], &["one/* *"], Some("one/a first")),
    (&["one/a first", "two/b second"], &["fail/* *", "one/* *"], Some("one/a first")),
    (&["one/a first", "two/b second", "one/c third"], &["one/* *", "*/a *"], Some("one/a first")),
    (&["one/a first", "two/b second", "one/c third"], &["one/* *"], None),
    (&["one/a first", "two/a second", "one/c third"], &["one/* *", "*/a *"], Some("one/a first")),
    (&["one/a first", "one/a second"], &["*/* second"], Some("one/a second")),
    (&["one/a first", "two/a second"], &["one/b *", "two/a *"], Some("two/a second")),
    (&["one/a first", "a second"], &["a *"], Some("a second")),
];

fn mapper(mappings: &[&str]) -> FixedMapper {
    FixedMapper::with(&mappings.iter().map(|text| found(text)).collect::<Vec<_>>())
}

#[test]
fn one_of_several_resources_is_chosen_pattern_by_pattern() {
    for (all, priority, chosen) in CHOICES {
        let mapper = PriorityMapper::new(mapper(all), patterns(priority), Vec::new());
        match (mapper.resource_for(&"any".into()), chosen) {
            (Ok(resource), Some(chosen)) => assert_eq!(resource, found(chosen).resource, "{all:?} {priority:?}"),
            (Err(MapperError::AmbiguousResource { candidates, .. }), None) => assert_eq!(candidates.len(), all.len()),
            (other, _) => panic!("{all:?} {priority:?}: {other:?}"),
        }
    }
    let failing = PriorityMapper::new(FixedMapper::failing(failure()), patterns(&["*/* *"]), Vec::new());
    assert!(is_failure(&failing.resource_for(&"any".into()).unwrap_err()));
    // An error is the answer, also where something was found.
    let both = FixedMapper { error: Some(failure()), ..mapper(&["v1 single-hit"]) };
    assert!(is_failure(&PriorityMapper::new(both, Vec::new(), Vec::new()).resource_for(&"any".into()).unwrap_err()));
}

#[test]
fn one_of_several_kinds_is_chosen_pattern_by_pattern() {
    for (all, priority, chosen) in CHOICES {
        let mapper = PriorityMapper::new(mapper(all), Vec::new(), patterns(priority));
        match (mapper.kind_for(&"any".into()), chosen) {
            (Ok(kind), Some(chosen)) => assert_eq!(kind, found(chosen).kind, "{all:?} {priority:?}"),
            (Err(MapperError::AmbiguousResource { candidates, .. }), None) => assert_eq!(candidates.len(), all.len()),
            (other, _) => panic!("{all:?} {priority:?}: {other:?}"),
        }
    }
    let failing = PriorityMapper::new(FixedMapper::failing(failure()), Vec::new(), patterns(&["*/* *"]));
    assert!(is_failure(&failing.kind_for(&"any".into()).unwrap_err()));
    let both = FixedMapper { error: Some(failure()), ..mapper(&["one/a first", "two/b second"]) };
    assert!(is_failure(&PriorityMapper::new(both, Vec::new(), patterns(&["one/* *"])).kind_for(&"any".into()).unwrap_err()));
}

#[test]
fn the_resource_of_a_kind_is_chosen_pattern_by_pattern() {
    let foo = GroupKind::from("Foo");
    let all = ["v1alpha1", "v1", "other/v1"].map(|version| mapping(version, "foos", "Foo"));
    let of_all = || MultiMapper::new(all.iter().map(|one| FixedMapper::with(std::slice::from_ref(one)).shared()));
    for (priority, chosen) in
        [(&["v1 *", "v1alpha1 *"][..], &all[1]), (&["*/v1 *", "other/* *"], &all[2]), (&["fail/* *", "other/* *"], &all[2])]
    {
        let mapper = PriorityMapper::new(of_all(), Vec::new(), patterns(priority));
        assert_eq!(mapper.rest_mapping(&foo, &[]).unwrap(), *chosen, "{priority:?}");
    }
    match PriorityMapper::new(of_all(), Vec::new(), Vec::new()).rest_mapping(&foo, &[]).unwrap_err() {
        MapperError::AmbiguousKind { kind, candidates } => assert_eq!((kind, candidates.as_slice()), (foo.clone(), &all[..])),
        other => panic!("{other}"),
    }
    let only = PriorityMapper::new(FixedMapper::with(&all[..1]), Vec::new(), Vec::new());
    assert_eq!(only.rest_mapping(&foo, &[]).unwrap(), all[0]);
    let failing =
        |first: MapperError| MultiMapper::new([FixedMapper::failing(first).shared(), FixedMapper::with(&all[..1]).shared()]);
    let error = PriorityMapper::new(failing(failure()), Vec::new(), Vec::new()).rest_mapping(&foo, &[]).unwrap_err();
    assert!(is_failure(&error));
    let passed_over = PriorityMapper::new(failing(other_miss()), Vec::new(), Vec::new()).rest_mapping(&foo, &[]);
    assert_eq!(passed_over.unwrap(), all[0]);
    for nothing in [MultiMapper::default(), MultiMapper::new([FixedMapper::failing(other_miss()).shared()])] {
        let error = PriorityMapper::new(nothing, Vec::new(), Vec::new()).rest_mapping(&foo, &[]).unwrap_err();
        assert_eq!(error.to_string(), "no matches for kind \"Foo\" in group \"\"");
    }
}

#[test]
fn a_version_that_is_named_comes_before_all_patterns() {
    let foo = GroupKind::from("Foo.bar");
    let of = |version: &str| mapping(&format!("bar/{version}"), "foos", "Foo");
    let all = MultiMapper::new(["v2alpha1", "v1"].map(|version| FixedMapper::with(&[of(version)]).shared()));
    let mapper = PriorityMapper::new(all, Vec::new(), patterns(&["bar/v2alpha1 *", "bar/* *"]));
    for (versions, chosen) in [
        (&["v1"][..], "v1"),
        (&["v2alpha1"], "v2alpha1"),
        (&[], "v2alpha1"),
        (&["v9", "v1", "v2alpha1"], "v1"),
        (&["v9"], "v2alpha1"),
    ] {
        assert_eq!(mapper.rest_mapping(&foo, versions).unwrap(), of(chosen), "{versions:?}");
    }
}
