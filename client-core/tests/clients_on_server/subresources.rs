//! What single kinds have beside their objects.

use std::time::Duration;

use futures::StreamExt as _;
use k8s_openapi::api::{
    apps::v1::Deployment,
    authentication::v1::{SelfSubjectReview, TokenRequest},
    authorization::v1::SelfSubjectAccessReview,
    autoscaling::v1::Scale,
    certificates::v1::CertificateSigningRequest,
    core::v1::{Binding, Namespace, Node, Pod},
    policy::v1::Eviction,
};
use porthole_client_core::{
    clients::{ClientSet, Deletion, ResourceClient, typed::LogOptions},
    config::Secret,
    json::Value,
    object::Object as _,
    patch::Patch,
    rest::{DEFAULT_RETRY, DeleteOptions, GetOptions, ListOptions, retry_on_conflict},
    transport::read_to_end,
};
use serde_json::json;

use super::{as_manager, client_of, config, in_namespace, of, unique, until, write};

fn pod(name: &str) -> Pod {
    let resources = json!({"requests": {"cpu": "100m"}, "limits": {"cpu": "100m"}});
    of(json!({"metadata": {"name": name, "labels": {"app": name}}, "spec": {
        // Nobody's scheduler: the pod waits until it is bound.
        "schedulerName": "nobody", "containers": [{"name": "c", "image": "registry.example/app:1", "resources": resources}],
    }}))
}

/// A pod that runs on a node, where the test put it.
async fn running_pod(all: &ClientSet, pods: &ResourceClient<Pod>, name: &str) -> Pod {
    pods.create(&pod(name), &write()).await.unwrap();
    let nodes: Vec<Node> = all.core_v1().nodes().list(&ListOptions::default()).await.unwrap().items;
    let ready = |node: &&Node| node.spec.as_ref().is_none_or(|spec| spec.taints.iter().flatten().count() == 0);
    let node = nodes.iter().find(ready).unwrap_or_else(|| &nodes[0]).name();
    let binding: Binding = of(json!({"metadata": {"name": name}, "target": {"kind": "Node", "name": node}}));
    pods.bind(&binding, &write()).await.unwrap();
    let read = async || pods.get(name, &GetOptions::default()).await.unwrap();
    assert_eq!(read().await.spec.unwrap().node_name.as_deref(), Some(node));
    assert!(pods.bind(&binding, &write()).await.unwrap_err().is_conflict());
    until("the pod to run", async || read().await.status.and_then(|status| status.phase).as_deref() == Some("Running")).await;
    read().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pod_is_bound_read_resized_and_evicted() {
    in_namespace(async |all, namespace| {
        let pods = all.core_v1().pods(namespace);
        let mut pod = running_pod(&all, &pods, "a").await;

        let log = async |options: LogOptions| {
            let body = pods.log("a", &LogOptions { container: Some("c".into()), ..options }).await.unwrap();
            String::from_utf8(read_to_end(body).await.unwrap()).unwrap()
        };
        until("a log of some lines", async || log(LogOptions::default()).await.lines().count() > 4).await;
        let bounded = LogOptions { limit_bytes: Some(200), ..LogOptions::default() };
        let begin = log(bounded).await;
        assert!(begin.len() == 200 && log(LogOptions::default()).await.starts_with(&begin), "{begin}");
        let end = log(LogOptions { tail_lines: Some(2), ..LogOptions::default() }).await;
        assert!(end.lines().count() == 2, "{end}");
        let follow = LogOptions { container: Some("c".into()), follow: true, tail_lines: Some(1), ..LogOptions::default() };
        let mut following = pods.log("a", &follow).await.unwrap();
        assert!(!following.next().await.unwrap().unwrap().is_empty());
        // It goes on, where the others were at their end.
        assert!(tokio::time::timeout(Duration::from_millis(200), following.next()).await.map_or(true, |next| next.is_some()));
        drop(following);
        let missing = pods.log("a", &LogOptions { container: Some("none".into()), ..LogOptions::default() }).await;
        assert!(missing.map(drop).unwrap_err().is_bad_request());

        let debug = of(json!([{"name": "debug", "image": "registry.example/debug:1"}]));
        pod.spec.as_mut().unwrap().ephemeral_containers = Some(debug);
        let pod = pods.update_ephemeral_containers(&pod, &write()).await.unwrap();
        assert_eq!(pod.spec.as_ref().unwrap().ephemeral_containers.as_ref().unwrap()[0].name, "debug");

        // Nodes that are only played resize nothing that runs.
        let mut pod = pods.create(&self::pod("b"), &write()).await.unwrap();
        let larger = of(json!({"requests": {"cpu": "200m"}, "limits": {"cpu": "200m"}}));
        pod.spec.as_mut().unwrap().containers[0].resources = Some(larger);
        let resized = pods.resize(&pod, &write()).await.unwrap();
        let requests = resized.spec.unwrap().containers[0].resources.clone().unwrap().requests.unwrap();
        assert_eq!(requests["cpu"].0, "200m");

        let applied = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "status": {"reason": "Applied"}});
        let applied = pods.apply_status("a", &applied, &as_manager("applier", Some(true))).await.unwrap();
        assert_eq!(applied.status.unwrap().reason.as_deref(), Some("Applied"));
        let mut status = pods.get("a", &GetOptions::default()).await.unwrap();
        status.status.as_mut().unwrap().message = Some("said by a test".into());
        let status = pods.update_status(&status, &write()).await.unwrap();
        assert_eq!(status.status.unwrap().message.as_deref(), Some("said by a test"));

        let eviction: Eviction = of(json!({"metadata": {"name": "a"}}));
        pods.evict(&eviction).await.unwrap();
        until("the end of the pod", async || {
            let left = pods.get("a", &GetOptions::default()).await;
            left.is_err() || left.unwrap().deletion_timestamp().is_some()
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_is_scaled() {
    in_namespace(async |all, namespace| {
        let deployments = all.apps_v1().deployments(namespace);
        let deployment: Deployment = of(json!({"metadata": {"name": "a"}, "spec": {
            "replicas": 0, "selector": {"matchLabels": {"app": "a"}},
            "template": {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
        }}));
        deployments.create(&deployment, &write()).await.unwrap();
        let scale = deployments.scale("a").await.unwrap();
        assert_eq!(scale.spec.as_ref().unwrap().replicas.unwrap_or_default(), 0);
        // The controller of deployments writes its status meanwhile.
        let scaled = retry_on_conflict(all.rest().platform(), DEFAULT_RETRY, async || {
            let mut scale = deployments.scale("a").await?;
            scale.spec.as_mut().unwrap().replicas = Some(2);
            deployments.update_scale(&scale, &write()).await
        });
        assert_eq!(scaled.await.unwrap().spec.unwrap().replicas, Some(2));
        let again = deployments.update_scale(&scale, &write()).await.unwrap_err();
        assert!(again.is_conflict(), "{again}");
        let patch = Patch::Merge(r#"{"spec":{"replicas":1}}"#.parse::<Value>().unwrap());
        let patched: Scale = deployments.subresource(["scale"]).patch("a", &patch, &as_manager("scaler", None)).await.unwrap();
        assert_eq!(patched.spec.unwrap().replicas, Some(1));
        let read = deployments.get("a", &GetOptions::default()).await.unwrap();
        assert_eq!(read.spec.unwrap().replicas, Some(1));
        deployments.delete("a", &DeleteOptions::default()).await.unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_a_service_account_is_one() {
    in_namespace(async |all, namespace| {
        let request: TokenRequest = of(json!({"spec": {"audiences": [], "expirationSeconds": 600}}));
        let answer = all.core_v1().service_accounts(namespace).create_token("default", &request, &write()).await.unwrap();
        let token = answer.status.unwrap().token.unwrap();
        let mut config = config().anonymous();
        config.auth.token = Some(Secret::new(token));
        let its_own = ClientSet::new(client_of(&config));
        let who =
            its_own.authentication_v1().self_subject_reviews().create(&SelfSubjectReview::default(), &write()).await.unwrap();
        let name = who.status.unwrap().user_info.unwrap().username.unwrap();
        assert_eq!(name, format!("system:serviceaccount:{namespace}:default"));
        let may: SelfSubjectAccessReview =
            of(json!({"spec": {"resourceAttributes": {"namespace": namespace, "verb": "delete", "resource": "pods"}}}));
        let allowed = async |client: &ClientSet| {
            let review = client.authorization_v1().self_subject_access_reviews().create(&may, &write()).await.unwrap();
            review.status.unwrap().allowed
        };
        assert_eq!((allowed(&its_own).await, allowed(&all).await), (false, true));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_namespace_is_finalized() {
    let all = super::all();
    let namespaces = all.core_v1().namespaces();
    let name = unique("finalized");
    namespaces.create(&of(json!({"metadata": {"name": name}})), &write()).await.unwrap();
    let deletion = namespaces.delete(&*name, &DeleteOptions::default()).await.unwrap();
    let Deletion::Pending(mut namespace) = deletion else { panic!("it is gone") };
    assert_eq!(namespace.spec.as_ref().unwrap().finalizers.as_ref().unwrap(), &["kubernetes"]);
    namespace.spec.as_mut().unwrap().finalizers = None;
    // The server's own controller may be faster, and changes it as well.
    let finalized = namespaces.finalize(&Namespace { metadata: of(json!({"name": name})), ..*namespace }, &write()).await;
    assert!(finalized.is_ok_and(|finalized| finalized.spec.unwrap().finalizers.is_none()));
    until("the end of the namespace", async || {
        namespaces.get(&*name, &GetOptions::default()).await.is_err_and(|error| error.is_not_found())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_approved_and_signed() {
    let all = super::all();
    let requests = all.certificates_v1().certificate_signing_requests();
    let name = unique("approved");
    let key = rcgen::KeyPair::generate().unwrap();
    let mut subject = rcgen::CertificateParams::default();
    subject.distinguished_name = rcgen::DistinguishedName::new();
    subject.distinguished_name.push(rcgen::DnType::CommonName, "somebody");
    let pem = subject.serialize_request(&key).unwrap().pem().unwrap();
    let mut request: CertificateSigningRequest = of(json!({"metadata": {"name": name}, "spec": {
        "request": "", "signerName": "kubernetes.io/kube-apiserver-client", "usages": ["client auth"],
    }}));
    request.spec.request = k8s_openapi::ByteString(pem.into_bytes());
    let mut request = requests.create(&request, &write()).await.unwrap();
    let approved = json!([{"type": "Approved", "status": "True", "reason": "Test", "message": "by a test"}]);
    request.status = Some(of(json!({"conditions": approved})));
    let request = requests.update_approval(&request, &write()).await.unwrap();
    assert_eq!(request.status.unwrap().conditions.unwrap()[0].type_, "Approved");
    requests.delete(&*name, &DeleteOptions::default()).await.unwrap();
}
