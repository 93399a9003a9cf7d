use super::*;
use crate::mapper::{
    DiscoveredMapper,
    testing::{FixedMapper, discovered, failure, guessed, is_failure, mapping},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn server() -> DiscoveredMapper {
    discovered(&[
        ("v1", &["pods|pod Pod po", "services|service Service svc"]),
        ("apps/v1", &["deployments|deployment Deployment deploy"]),
        ("apps/v1beta1", &["deployments|deployment Deployment deploy"]),
        (
            "k8s.cni.cncf.io/v1",
            &["network-attachment-definitions|network-attachment-definition NetworkAttachmentDefinition net-attach-def"],
        ),
        ("at.io/v1", &["services|service Service"]),
        ("external.metrics.k8s.io/v1beta1", &["queue-length ExternalMetricValueList", "queue-age ExternalMetricValueList"]),
    ])
}

fn resolved(text: &str) -> String {
    server().resolve(text).map_or_else(|error| error.to_string(), |found| found.resource.to_string())
}

#[test]
fn everything_that_kubectl_takes_for_a_resource_or_a_kind_is_found() {
    for (texts, expected) in [
        (&["pods", "pod", "po", "Pod", "Pods", "PODS", "pods.v1.", "pod.v1.", "po.v1.", "Pod.v1."][..], "pods, version v1"),
        (
            &[
                "deployments",
                "deployment",
                "deploy",
                "Deployment",
                "deployments.apps",
                "deploy.apps",
                "deploy.v1.apps",
                "deployments.v1.apps",
                "Deployment.apps",
                "Deployment.v1.apps",
                "deployment.ap",
            ],
            "deployments.apps, version v1",
        ),
        (&["deployments.v1beta1.apps", "Deployment.v1beta1.apps", "deploy.v1beta1.apps"], "deployments.apps, version v1beta1"),
        (
            &[
                "network-attachment-definitions.k8s.cni.cncf.io",
                "net-attach-def",
                "net-attach-def.v1.k8s.cni.cncf.io",
                "network-attachment-definition",
                "NetworkAttachmentDefinition.k8s.cni.cncf.io",
                "NetworkAttachmentDefinition.v1.k8s.cni.cncf.io",
                "networkattachmentdefinition.k8s.cni.cncf.io",
            ],
            "network-attachment-definitions.k8s.cni.cncf.io, version v1",
        ),
        (&["services", "svc", "Service"], "services, version v1"),
        (&["services.at.io", "Service.at.io", "services.v1.at.io", "service.at"], "services.at.io, version v1"),
    ] {
        for text in texts {
            assert_eq!(resolved(text), expected, "{text}");
        }
    }
}

#[test]
fn what_is_not_there_is_not_a_resource_type_of_the_server() {
    for (text, name) in [
        ("widgets", "widgets"),
        ("widgets.example.com", "widgets"),
        ("Widget.v1.example.com", "Widget"),
        ("deployments.v9.apps", "deployments"),
        ("deploy.v9.apps", "deploy"),
        ("deployments.batch", "deployments"),
        ("pods/log", "pods/log"),
        // A kind whose name is not the singular of its resource needs its group, as kubectl has it.
        ("NetworkAttachmentDefinition", "NetworkAttachmentDefinition"),
    ] {
        assert_eq!(resolved(text), format!("the server doesn't have a resource type \"{name}\""), "{text}");
    }
    for text in ["", ".", ".v1.apps"] {
        assert!(resolved(text).starts_with("the name of a resource is empty"), "{text}");
    }
}

#[test]
fn the_resource_that_is_named_is_found_and_not_another_of_its_kind() {
    for name in ["queue-length", "queue-age"] {
        assert_eq!(resolved(name), format!("{name}.external.metrics.k8s.io, version v1beta1"));
    }
}

#[test]
fn several_resources_of_a_name_are_told_of() {
    let both = guessed(&["a.io/v1", "b.io/v1"], &[("a.io/v1", "Widget"), ("b.io/v1", "Widget")]);
    let error = both.resolve("widgets").unwrap_err();
    assert!(matches!(&error, MapperError::AmbiguousResource { candidates, .. } if candidates.len() == 2), "{error}");
    assert_eq!(both.resolve("widgets.a.io").unwrap(), mapping("a.io/v1", "widgets", "Widget"));
}

#[test]
fn an_error_that_says_more_than_that_nothing_is_found_is_the_answer() {
    assert!(is_failure(&FixedMapper::failing(failure()).resolve("pods").unwrap_err()));
}
