use std::sync::Mutex;

use super::*;
use crate::mapper::{
    DefaultMapper,
    testing::{FixedMapper, list, mapping},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The resources of a server: each version with its resources, as `testing::resource` reads them.
type Lists<'a> = &'a [(&'a str, &'a [&'a str])];

fn lists(lists: Lists<'_>) -> Vec<Arc<ApiResourceList>> {
    lists.iter().map(|(version, resources)| Arc::new(list(version, resources))).collect()
}

/// A mapper that keeps what it is asked, and finds it.
#[derive(Default)]
struct Asked(Mutex<Vec<PartialResource>>);

impl RestMapper for Asked {
    fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.0.lock().unwrap().push(resource.clone());
        Ok(vec![mapping("v1", "found", "Found")])
    }

    fn rest_mappings(&self, _kind: &GroupKind, _versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        Ok(vec![mapping("v1", "found", "Found")])
    }

    fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        self.0.lock().unwrap().push(resource.clone());
        Ok("found".to_owned())
    }
}

fn expander(of: Lists<'_>) -> ShortcutExpander<Arc<Asked>> {
    ShortcutExpander::new(Arc::default(), lists(of))
}

/// The warnings that one question for this makes.
fn warnings(of: Lists<'_>, resource: &str) -> Vec<String> {
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let expander = expander(of).with_warnings(move |text: &str| log.lock().unwrap().push(text.to_owned()));
    expander.kind_for(&resource.into()).unwrap();
    told.lock().unwrap().clone()
}

const TWO_SCALERS: Lists<'static> = &[
    ("autoscaling/v1", &["superhorizontalpodautoscalers Super hpa"]),
    ("autoscaling/v1", &["horizontalpodautoscalers Hpa hpa"]),
];
const PODS_AND_PODDLERS: Lists<'static> = &[("v1", &["pods|pod Pod po"]), ("acme.com/v1", &["poddlers Poddler pods,pod,po"])];

#[test]
fn a_short_name_becomes_the_first_resource_that_has_it_and_a_name_stays() {
    let two_deployments: Lists<'_> =
        &[("foo/v1", &["deployments Deployment dpl"]), ("extension/v1beta1", &["deployments Deployment deploy"])];
    for (of, name, expected) in [
        (&[][..], "storageclasses", PartialResource::new("storageclasses")),
        (TWO_SCALERS, "hpa", "superhorizontalpodautoscalers.autoscaling".into()),
        (two_deployments, "dpl", "deployments.foo".into()),
        (two_deployments, "deploy", "deployments.extension".into()),
        (PODS_AND_PODDLERS, "pods", "pods".into()),
        (PODS_AND_PODDLERS, "pod", "pod".into()),
        (PODS_AND_PODDLERS, "po", PartialResource::new("pods").of_group("")),
        (PODS_AND_PODDLERS, "PO", "PO".into()),
        (PODS_AND_PODDLERS, "widgets", "widgets".into()),
    ] {
        assert_eq!(expander(of).expand(&name.into()), expected, "{name}");
    }
}

#[test]
fn the_other_mapper_is_asked_for_the_long_name_in_its_group() {
    let storage: Lists<'_> = &[("storage.k8s.io/v1", &["storageclasses StorageClass sc"])];
    for name in ["sc.storage.k8s.io", "sc", "sc.storage"] {
        let expander = expander(storage);
        expander.kind_for(&name.into()).unwrap();
        expander.mapping_for(&name.into()).unwrap();
        expander.resources_for(&name.into()).unwrap();
        expander.resource_singularizer(&name.into()).unwrap();
        let expected = PartialResource::from("storageclasses.storage.k8s.io");
        assert_eq!(*expander.delegate.0.lock().unwrap(), vec![expected; 4], "{name}");
    }
    let expander = expander(storage);
    expander.kind_for(&"sc.apps".into()).unwrap();
    assert_eq!(*expander.delegate.0.lock().unwrap(), ["sc.apps".into()]);
}

#[test]
fn a_short_name_that_means_several_resources_is_told_of_once_for_each_that_it_does_not_mean() {
    let could = |what: &str, other: &str| format!("short name \"{what}\" could also match lower priority resource {other}");
    assert_eq!(warnings(TWO_SCALERS, "hpa"), [could("hpa", "horizontalpodautoscalers.autoscaling")]);
    assert_eq!(warnings(PODS_AND_PODDLERS, "po"), [could("po", "poddlers.acme.com")]);
    let versions: Lists<'_> = &[
        ("v1", &["pods|pod Pod po"]),
        ("acme.com/v1", &["poddlers Poddler po"]),
        ("acme.com/v1beta1", &["poddlers Poddler po"]),
    ];
    assert_eq!(warnings(versions, "po"), [could("po", "poddlers.acme.com")]);
    for name in ["pod", "pods"] {
        assert_eq!(warnings(PODS_AND_PODDLERS, name), [""; 0]);
    }
    let one_resource: Lists<'_> = &[
        ("autoscaling/v1alphav1", &["horizontalpodautoscalers Hpa hpa"]),
        ("autoscaling/v1", &["horizontalpodautoscalers Hpa hpa"]),
    ];
    assert_eq!(warnings(one_resource, "hpa"), [""; 0]);
    let others: Lists<'_> = &[("foo/v1", &["foo Foo hpa"]), ("foo/v1beta1", &["foo Foo hpa"]), ("bar/v1", &["bar Bar hpa"])];
    assert_eq!(warnings(&[one_resource, others].concat(), "hpa"), [could("hpa", "foo.foo"), could("hpa", "bar.bar")]);
    assert_eq!(warnings(&[one_resource, others].concat(), "hpa.bar"), [""; 0]);
    // Whoever names the beginning of a group takes what comes.
    let beginning: Lists<'_> = &[("foo.a/v1", &["foo Foo hpa"]), ("foo.b/v1", &["foo Foo hpa"])];
    assert_eq!(warnings(beginning, "hpa.foo"), [""; 0]);
}

#[test]
fn nothing_is_told_where_nothing_is_found() {
    let expander = ShortcutExpander::new(FixedMapper::default(), lists(PODS_AND_PODDLERS));
    let expander = expander.with_warnings(|text: &str| panic!("{text}"));
    assert!(expander.mapping_for(&"po".into()).unwrap_err().is_no_match());
}

#[test]
fn the_version_beside_a_short_name_stays() {
    let hpa = PartialResource::from("hpa.autoscaling").in_version("v1");
    let expected = PartialResource::from("superhorizontalpodautoscalers.autoscaling").in_version("v1");
    assert_eq!(expander(TWO_SCALERS).expand(&hpa), expected);
    let beginning = PartialResource { group: Some("auto".to_owned()), ..hpa };
    assert_eq!(expander(TWO_SCALERS).expand(&beginning), expected);
}

#[test]
fn the_core_group_has_short_names_of_its_own() {
    let of: Lists<'_> = &[("acme.com/v1", &["poddlers Poddler po"]), ("v1", &["pods|pod Pod po"])];
    let any = PartialResource::new("po");
    assert_eq!(expander(of).expand(&any), "poddlers.acme.com".into());
    assert_eq!(expander(of).expand(&any.of_group("")), PartialResource::new("pods").of_group(""));
    let no_core = PartialResource::new("po").of_group("");
    assert_eq!(expander(&of[..1]).expand(&no_core), no_core);
}

#[test]
fn kinds_have_no_short_names() {
    let mut delegate = DefaultMapper::new(["v1".parse().unwrap()]);
    delegate.add(mapping("v1", "pods", "Pod"), "pod");
    let expander = ShortcutExpander::new(delegate, lists(PODS_AND_PODDLERS));
    assert_eq!(expander.rest_mapping(&"Pod".into(), &[]).unwrap(), mapping("v1", "pods", "Pod"));
    assert_eq!(expander.rest_mappings(&"Pod".into(), &["v1"]).unwrap().len(), 1);
    assert!(expander.rest_mapping(&"po".into(), &[]).unwrap_err().is_no_match());
}
