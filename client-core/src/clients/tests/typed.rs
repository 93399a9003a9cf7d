//! Clients of Kubernetes' own types, and what single kinds have beside their objects.

use std::time::Duration;

use http::Method;
use k8s_openapi::api::{
    authentication::v1::TokenRequest,
    authorization::v1::SelfSubjectAccessReview,
    autoscaling::v1::Scale,
    certificates::v1::CertificateSigningRequest,
    core::v1::{Binding, Namespace, Node, Pod},
    policy::v1::Eviction,
};
use serde::de::DeserializeOwned;

use super::{rest, sent, server};
use crate::{
    clients::{ClientSet, ResourceClient, typed::LogOptions},
    meta::{GroupVersionKind, ObjectMeta, OwnerReference},
    object::{Decoded, Kind as _, Object as _, ParseObjectError, Scheme, Unstructured},
    patch::Patch,
    platform::ready,
    rest::{GetOptions, ListOptions, PatchOptions, WriteOptions},
    transport::{ScriptedAnswer, ScriptedTransport, read_to_end},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const POD: &str =
    r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop"},"spec":{"containers":[],"nodeName":"n"}}"#;

fn of<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap()
}

fn write() -> WriteOptions {
    WriteOptions::default()
}

/// The method, path and body of a request that was made of a client over a server that answers `answer`.
fn asked<T>(method: Method, path: &str, answer: &str, ask: impl AsyncFnOnce(ClientSet) -> T) -> (String, String, T) {
    let server = server(method, path, answer);
    let outcome = ready(ask(ClientSet::new(rest(&server))));
    let request = sent(&server);
    (request.line, request.body, outcome)
}

#[test]
fn a_typed_client_is_where_its_kind_is() {
    let path = "/api/v1/namespaces/shop/pods/a";
    let (line, _, pod) =
        asked(Method::GET, path, POD, async |all| all.core_v1().pods("shop").get("a", &GetOptions::default()).await);
    assert_eq!((line, pod.unwrap()), (format!("GET {path}"), of::<Pod>(POD)));
    let list =
        format!(r#"{{"kind":"PodList","apiVersion":"v1","items":[{}]}}"#, POD.replace(r#""apiVersion":"v1","kind":"Pod","#, ""));
    let (line, _, pods) =
        asked(Method::GET, "/api/v1/pods", &list, async |all| all.core_v1().pods("").list(&ListOptions::default()).await);
    assert_eq!((line.as_str(), pods.unwrap().items), ("GET /api/v1/pods", vec![of::<Pod>(POD)]));
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}"#;
    let (line, _, found) =
        asked(Method::GET, "/api/v1/nodes/n", node, async |all| all.core_v1().nodes().get("n", &GetOptions::default()).await);
    assert_eq!((line.as_str(), found.unwrap()), ("GET /api/v1/nodes/n", of::<Node>(node)));
    let server = server(Method::GET, "/api/v1/nodes/n", node);
    // The namespace of what belongs to none is passed over.
    ready(ResourceClient::<Node>::of_kind(rest(&server), "shop").get("n", &GetOptions::default())).unwrap();
}

#[test]
fn an_object_of_another_kind_is_refused() {
    let answer = r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}"#;
    let path = "/api/v1/namespaces/shop/pods/a";
    let (.., outcome) =
        asked(Method::GET, path, answer, async |all| all.core_v1().pods("shop").get("a", &GetOptions::default()).await);
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains("\"Secret\"") && error.contains("Pod"), "{error}");
}

#[test]
fn typed_objects_are_created_and_updated() {
    let pod: Pod = of(POD);
    let (line, body, created) = asked(Method::POST, "/api/v1/namespaces/shop/pods", POD, async |all| {
        all.core_v1().pods("shop").create(&pod, &write()).await
    });
    assert_eq!(
        (line.as_str(), of::<Pod>(&body), created.unwrap()),
        ("POST /api/v1/namespaces/shop/pods", pod.clone(), pod.clone())
    );
    let path = "/api/v1/namespaces/shop/pods/a/status";
    let (line, body, _) =
        asked(Method::PUT, path, POD, async |all| all.core_v1().pods("shop").update_status(&pod, &write()).await.unwrap());
    assert_eq!((line, of::<Pod>(&body)), (format!("PUT {path}"), pod));
}

#[test]
fn the_scale_is_read_and_set() {
    let text =
        r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a","namespace":"shop"},"spec":{"replicas":3}}"#;
    let path = "/apis/apps/v1/namespaces/shop/deployments/a/scale";
    let (line, _, scale) = asked(Method::GET, path, text, async |all| all.apps_v1().deployments("shop").scale("a").await);
    let scale = scale.unwrap();
    assert_eq!((line, scale.spec.as_ref().unwrap().replicas), (format!("GET {path}"), Some(3)));
    let (line, body, set) =
        asked(Method::PUT, path, text, async |all| all.apps_v1().deployments("shop").update_scale(&scale, &write()).await);
    assert_eq!((line, of::<Scale>(&body), set.unwrap()), (format!("PUT {path}"), scale.clone(), scale.clone()));
    for (patch, sent) in [
        (Patch::Merge(r#"{"spec":{"replicas":3}}"#.parse().unwrap()), r#"{"spec":{"replicas":3}}"#),
        (
            Patch::Json(of(r#"[{"op":"replace","path":"/spec/replicas","value":3}]"#)),
            r#"[{"op":"replace","path":"/spec/replicas","value":3}]"#,
        ),
    ] {
        let (line, body, patched) = asked(Method::PATCH, path, text, async |all| {
            let scales = all.apps_v1().deployments("shop").subresource::<Scale>(["scale"]);
            scales.patch("a", &patch, &PatchOptions::default()).await
        });
        assert_eq!((line, body.as_str(), patched.unwrap()), (format!("PATCH {path}"), sent, scale.clone()));
    }
}

#[test]
fn pods_are_evicted_and_bound() {
    let success = r#"{"kind":"Status","apiVersion":"v1","status":"Success","code":201}"#;
    let eviction: Eviction = of(r#"{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a"}}"#);
    let path = "/api/v1/namespaces/shop/pods/a/eviction";
    let (line, body, outcome) = asked(Method::POST, path, success, async |all| all.core_v1().pods("shop").evict(&eviction).await);
    outcome.unwrap();
    assert_eq!((line, of::<Eviction>(&body)), (format!("POST {path}"), eviction));
    let binding: Binding =
        of(r#"{"apiVersion":"v1","kind":"Binding","metadata":{"name":"a"},"target":{"kind":"Node","name":"n"}}"#);
    let path = "/api/v1/namespaces/shop/pods/a/binding";
    let (line, body, outcome) =
        asked(Method::POST, path, success, async |all| all.core_v1().pods("shop").bind(&binding, &write()).await);
    outcome.unwrap();
    assert_eq!((line, of::<Binding>(&body)), (format!("POST {path}"), binding));
}

#[test]
fn every_option_of_a_log_has_its_parameter() {
    let server = ScriptedTransport::default();
    server.always("/api/v1/namespaces/shop/pods/a/log", ScriptedAnswer::status(http::StatusCode::OK).with_body("one\ntwo\n"));
    let pods = ClientSet::new(rest(&server)).core_v1().pods("shop");
    let body = ready(pods.log("a", &LogOptions::default())).unwrap();
    assert_eq!(ready(read_to_end(body)).unwrap(), b"one\ntwo\n");
    let request = sent(&server);
    assert_eq!((request.line.as_str(), request.accept.as_str()), ("GET /api/v1/namespaces/shop/pods/a/log", "*/*"));
    let options = LogOptions {
        container: Some("c".into()),
        follow: true,
        previous: true,
        since: Some(Duration::from_millis(5900)),
        since_time: Some("2026-11-30T01:50:31Z".parse().unwrap()),
        timestamps: true,
        tail_lines: Some(0),
        limit_bytes: Some(9),
        stream: Some("Stderr".into()),
        insecure_skip_tls_verify_backend: true,
    };
    drop(ready(pods.log("a", &options)).unwrap());
    let line = sent(&server).line;
    let (_, query) = line.split_once('?').unwrap();
    assert_eq!(
        query,
        "container=c&follow=true&previous=true&sinceSeconds=5&sinceTime=2026-11-30T01:50:31Z&timestamps=true&tailLines=0\
         &limitBytes=9&stream=Stderr&insecureSkipTLSVerifyBackend=true"
    );
}

#[test]
fn pods_are_resized_and_get_containers_while_they_run() {
    let pod: Pod = of(POD);
    for subresource in ["ephemeralcontainers", "resize"] {
        let path = format!("/api/v1/namespaces/shop/pods/a/{subresource}");
        let (line, body, outcome) = asked(Method::PUT, &path, POD, async |all| match subresource {
            "resize" => all.core_v1().pods("shop").resize(&pod, &write()).await,
            _ => all.core_v1().pods("shop").update_ephemeral_containers(&pod, &write()).await,
        });
        assert_eq!((line, of::<Pod>(&body), outcome.unwrap()), (format!("PUT {path}"), pod.clone(), pod.clone()));
    }
}

#[test]
fn a_service_account_gets_a_token() {
    let text = r#"{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","metadata":{},"spec":{"audiences":["a"]},"status":{"expirationTimestamp":"2026-11-30T01:50:31Z","token":"t"}}"#;
    let request: TokenRequest = of(text);
    let path = "/api/v1/namespaces/shop/serviceaccounts/a/token";
    let (line, _, answer) = asked(Method::POST, path, text, async |all| {
        all.core_v1().service_accounts("shop").create_token("a", &request, &write()).await
    });
    assert_eq!((line, answer.unwrap().status.unwrap().token.unwrap()), (format!("POST {path}"), "t".to_owned()));
}

#[test]
fn namespaces_are_finalized_and_certificates_approved() {
    let text = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}"#;
    let namespace: Namespace = of(text);
    let path = "/api/v1/namespaces/shop/finalize";
    let (line, _, outcome) =
        asked(Method::PUT, path, text, async |all| all.core_v1().namespaces().finalize(&namespace, &write()).await);
    assert_eq!((line, outcome.unwrap()), (format!("PUT {path}"), namespace));
    let text = r#"{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"a"},"spec":{"request":"","signerName":"s"}}"#;
    let request: CertificateSigningRequest = of(text);
    let path = "/apis/certificates.k8s.io/v1/certificatesigningrequests/a/approval";
    let (line, _, outcome) = asked(Method::PUT, path, text, async |all| {
        all.certificates_v1().certificate_signing_requests().update_approval(&request, &write()).await
    });
    assert_eq!((line, outcome.unwrap()), (format!("PUT {path}"), request));
}

#[test]
fn a_question_is_asked_by_creating_it() {
    let text = r#"{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{},"status":{"allowed":true}}"#;
    let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    let review = SelfSubjectAccessReview::default();
    let (line, _, answer) = asked(Method::POST, path, text, async |all| {
        all.authorization_v1().self_subject_access_reviews().create(&review, &write()).await
    });
    assert_eq!((line, answer.unwrap().status.unwrap().allowed), (format!("POST {path}"), true));
}

#[test]
fn every_resource_that_is_built_in_is_there_once() {
    let all = ClientSet::built_in();
    let mut resources: Vec<_> = all.iter().map(|built_in| built_in.resource.to_string()).collect();
    let count = resources.len();
    resources.sort();
    resources.dedup();
    assert_eq!(resources.len(), count);
    let found = |resource: &str| all.iter().find(|built_in| built_in.resource.to_string() == resource).unwrap();
    let deployments = found("deployments.apps, version v1");
    assert_eq!((deployments.kind, deployments.namespaced, deployments.create_only), ("Deployment", true, false));
    assert_eq!(deployments.subresources, ["status", "scale"]);
    assert!(!found("nodes, version v1").namespaced && found("tokenreviews.authentication.k8s.io, version v1").create_only);
}

#[test]
fn a_typed_object_is_an_object() {
    let mut pod: Pod = of(POD);
    assert_eq!((pod.name(), crate::object::Object::namespace(&pod), pod.uid(), pod.resource_version()), ("a", "shop", "", ""));
    assert_eq!(pod.group_version_kind(), Pod::kind());
    assert_eq!(Pod::resource().to_string(), "pods, version v1");
    pod.edit_metadata(|metadata| {
        metadata.labels.insert("l".into(), "1".into());
        metadata.owner_references.push(OwnerReference { uid: "u".into(), ..OwnerReference::default() });
        metadata.uid = "v".into();
    });
    assert_eq!((pod.uid(), pod.labels().len(), pod.owner_references().len()), ("v", 1, 1));
    assert_eq!(pod.metadata.uid.as_deref(), Some("v"));
    pod.set_metadata(ObjectMeta::default());
    assert_eq!(pod.metadata, k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta::default());
}

#[test]
fn a_typed_object_becomes_an_object_of_any_kind_that_says_what_it_is() {
    let empty = Unstructured::from_object(&Pod::default()).unwrap();
    assert_eq!(empty.group_version_kind(), Pod::kind());
    let named: Pod = of(POD);
    let any = Unstructured::from_object(&named).unwrap();
    assert_eq!(any, POD.parse().unwrap());
    // And anything that is no object at all is none.
    assert!(Unstructured::from_object(&()).is_err());
    assert!(Unstructured::from_object(&k8s_openapi::api::core::v1::PodSpec::default()).is_err());
}

#[test]
fn an_object_of_any_kind_becomes_a_typed_one_of_its_own_kind_alone() {
    let empty = Unstructured::new(&Pod::kind());
    assert_eq!(empty.to_object::<Pod>().unwrap(), Pod::default());
    let any: Unstructured = POD.parse().unwrap();
    assert_eq!(any.to_object::<Pod>().unwrap(), of::<Pod>(POD));
    let other = any.to_object::<Node>().unwrap_err().to_string();
    assert!(other.contains("\"Pod\"") && other.contains("Node"), "{other}");
    let newer = Unstructured::new(&GroupVersionKind::new("", "v9", "Pod"));
    assert!(newer.to_object::<Pod>().is_err());
}

#[test]
fn a_scheme_makes_typed_objects_of_the_versions_it_knows() {
    let scheme = Scheme::default().with::<Pod>();
    let any: Unstructured = POD.parse().unwrap();
    assert_eq!(scheme.typed(&any).unwrap().downcast::<Pod>(), Some(of::<Pod>(POD)));
    assert_eq!(scheme.typed(&Unstructured::new(&Pod::kind())).unwrap().downcast::<Pod>(), Some(Pod::default()));
    for kind in [GroupVersionKind::new("", "v9", "Pod"), GroupVersionKind::new("foo", "v1", "Pod")] {
        let error = scheme.typed(&Unstructured::new(&kind)).unwrap_err();
        assert!(matches!(&error, ParseObjectError::Unregistered { kind: named } if *named == kind), "{error}");
    }
    let list = format!(r#"{{"kind":"PodList","apiVersion":"v1","items":[{{"metadata":{{"name":"b"}}}},{POD}]}}"#);
    let Decoded::List(list) = scheme.decode(list.as_bytes()).unwrap() else { panic!("this is an object") };
    assert!(list.items.iter().all(|item| item.is::<Pod>()));
}

/// A type of a program's own, which does not write its kind.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Widget {
    metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    size: u32,
}

impl k8s_openapi::Resource for Widget {
    const API_VERSION: &'static str = "example.com/v1";
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Widget";
    const URL_PATH_SEGMENT: &'static str = "widgets";
    type Scope = k8s_openapi::NamespaceResourceScope;
}

impl k8s_openapi::Metadata for Widget {
    type Ty = k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    fn metadata(&self) -> &Self::Ty {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut Self::Ty {
        &mut self.metadata
    }
}

#[test]
fn an_object_of_a_type_that_does_not_write_its_kind_is_sent_with_it() {
    const WHOLE: &str = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"size":3}"#;
    let widget: Widget = of(WHOLE);
    let path = "/apis/example.com/v1/namespaces/shop/widgets";
    let widgets = |all: ClientSet| ResourceClient::<Widget>::of_kind(all.rest().clone(), "shop");
    let body = |method, path: &str, ask: &dyn Fn(ResourceClient<Widget>) -> Result<Widget, crate::rest::ApiError>| {
        let (_, body, outcome) = asked(method, path, WHOLE, async |all| ask(widgets(all)));
        assert_eq!(outcome.unwrap().size, 3);
        body
    };
    let (one, options) = (format!("{path}/a"), PatchOptions::by("me").forced());
    for sent in [
        body(Method::POST, path, &|widgets| ready(widgets.create(&widget, &WriteOptions::DEFAULT))),
        body(Method::PUT, &one, &|widgets| ready(widgets.update(&widget, &WriteOptions::DEFAULT))),
        body(Method::PATCH, &one, &|widgets| ready(widgets.apply("a", &widget, &options))),
    ] {
        assert_eq!(sent, WHOLE);
    }
    let value: serde_json::Value = of(r#"{"size":4}"#);
    let sent = body(Method::PATCH, &one, &|widgets| ready(widgets.apply("a", &value, &options)));
    assert_eq!(sent, r#"{"apiVersion":"example.com/v1","kind":"Widget","size":4}"#);
}
