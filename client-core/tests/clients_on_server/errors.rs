//! An error of every reason that a server can be made to give, and what each is told to be.

use std::sync::{Arc, Mutex};

use futures::StreamExt as _;
use http::Method;
use k8s_openapi::api::core::v1::{ComponentStatus, ConfigMap, Pod};
use porthole_client_core::{
    clients::{ClientSet, DynamicClient, ResourceClient},
    config::Secret,
    json::Value,
    meta::{GroupVersionResource, Status},
    patch::Patch,
    rest::{ApiError, GetOptions, ListOptions, PatchOptions, RestClient},
    wire::WatchEvent,
};
use serde_json::json;

use super::{all, client, client_of, config, custom::with_custom, in_namespace, of, until, write};

type Predicate = fn(&ApiError) -> bool;

/// Every predicate by its name.
const PREDICATES: [(&str, Predicate); 20] = [
    ("not found", ApiError::is_not_found),
    ("already exists", ApiError::is_already_exists),
    ("conflict", ApiError::is_conflict),
    ("invalid", ApiError::is_invalid),
    ("gone", ApiError::is_gone),
    ("expired", ApiError::is_expired),
    ("not acceptable", ApiError::is_not_acceptable),
    ("unsupported media type", ApiError::is_unsupported_media_type),
    ("method not supported", ApiError::is_method_not_supported),
    ("service unavailable", ApiError::is_service_unavailable),
    ("bad request", ApiError::is_bad_request),
    ("unauthorized", ApiError::is_unauthorized),
    ("forbidden", ApiError::is_forbidden),
    ("timeout", ApiError::is_timeout),
    ("server timeout", ApiError::is_server_timeout),
    ("internal error", ApiError::is_internal_error),
    ("store read error", ApiError::is_store_read_error),
    ("too many requests", ApiError::is_too_many_requests),
    ("too large", ApiError::is_request_entity_too_large),
    ("unexpected response", ApiError::is_unexpected_response),
];

/// The error is this and nothing else, and has this code.
fn assert_is<T>(outcome: Result<T, ApiError>, wanted: &[&str], code: u16) -> Status {
    let error = outcome.map(|_| ()).unwrap_err();
    let found: Vec<_> = PREDICATES.iter().filter(|(_, holds)| holds(&error)).map(|(name, _)| *name).collect();
    let status = error.status().unwrap_or_else(|| panic!("{error}")).clone();
    assert_eq!((&*found, status.code), (wanted, code), "{error}");
    status
}

fn config_map(name: &str) -> ConfigMap {
    of(json!({"metadata": {"name": name}}))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_not_found() {
    let maps = all().core_v1().config_maps("default");
    let status = assert_is(maps.get("no-such-map", &GetOptions::default()).await, &["not found"], 404);
    assert_eq!((status.details.kind.as_str(), status.details.name.as_str()), ("configmaps", "no-such-map"));
    let list = async |resource: GroupVersionResource| {
        DynamicClient::new(client()).cluster(&resource).list(&ListOptions::default()).await
    };
    assert_is(list(GroupVersionResource::new("", "v1", "nothings")).await, &["not found"], 404);
    // Where there is no such group, nobody is there to write a Status.
    let nobody = list(GroupVersionResource::new("nobody.example", "v1", "things")).await;
    assert_is(nobody, &["not found", "unexpected response"], 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_is_told_so_and_who_is_not_known_as_well() {
    let list = async |client: RestClient| ClientSet::new(client).core_v1().secrets("").list(&ListOptions::default()).await;
    let mut somebody = config();
    somebody.impersonate.user = "somebody".into();
    let status = assert_is(list(client_of(&somebody)).await, &["forbidden"], 403);
    assert!(status.message.contains("\"somebody\" cannot list resource \"secrets\""), "{}", status.message);
    assert_eq!(status.details.kind, "secrets");
    let mut nobody = config().anonymous();
    nobody.auth.token = Some(Secret::new("no such token"));
    assert_is(list(client_of(&nobody)).await, &["unauthorized"], 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_two_conflicts_are_told_apart() {
    in_namespace(async |all, namespace| {
        let maps = all.core_v1().config_maps(namespace);
        let first = maps.create(&config_map("a"), &write()).await.unwrap();
        assert_is(maps.create(&config_map("a"), &write()).await, &["already exists"], 409);
        let changed = ConfigMap { data: Some([("a".into(), "b".into())].into()), ..first.clone() };
        maps.update(&changed, &write()).await.unwrap();
        assert_is(maps.update(&first, &write()).await, &["conflict"], 409);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_is_too_old_is_expired() {
    with_custom(async |custom| {
        let options = ListOptions { resource_version: Some("1".into()), ..ListOptions::default() };
        let mut watch = custom.client().watch(&options).await.unwrap();
        let Some(Ok(WatchEvent::Error(status))) = watch.next().await else { panic!("no error") };
        assert_is(Err::<(), _>(ApiError::Refused(status)), &["expired"], 410);
    })
    .await;
    // A version of the future has to be waited for.
    let options = ListOptions { resource_version: Some("9000000000000".into()), ..ListOptions::default() };
    let request = all().core_v1().config_maps("default").collection_request(Method::GET).options(&options).most_retries(0);
    let status = assert_is(request.send().await, &["timeout"], 504);
    assert!(status.cause("ResourceVersionTooLarge").is_some());
    assert_eq!(status.details.retry_after_seconds, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_object_names_its_fields() {
    let maps = all().core_v1().config_maps("default");
    let status = assert_is(maps.create(&config_map("Not A Name"), &write()).await, &["invalid"], 422);
    assert_eq!(status.details.causes[0].field, "metadata.name");
    let pod: Pod = of(json!({"metadata": {"name": "a"}, "spec": {"containers": []}}));
    let status = assert_is(all().core_v1().pods("default").create(&pod, &write()).await, &["invalid"], 422);
    assert!(status.details.causes.iter().any(|cause| cause.field == "spec.containers"), "{status:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_eviction_against_a_budget_is_too_much() {
    in_namespace(async |all, namespace| {
        let budgets = all.policy_v1().pod_disruption_budgets(namespace);
        let budget =
            of(json!({"metadata": {"name": "a"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "a"}}}}));
        budgets.create(&budget, &write()).await.unwrap();
        let pods = all.core_v1().pods(namespace);
        let labels = json!({"app": "a"});
        let pod: Pod =
            of(json!({"metadata": {"name": "a", "labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}));
        pods.create(&pod, &write()).await.unwrap();
        until("the pod to run", async || {
            let pod = pods.get("a", &GetOptions::default()).await.unwrap();
            pod.status.and_then(|status| status.phase).as_deref() == Some("Running")
        })
        .await;
        until("the budget to count it", async || {
            let budget = budgets.get("a", &GetOptions::default()).await.unwrap();
            budget.status.is_some_and(|status| status.current_healthy == Some(1) && status.observed_generation.is_some())
        })
        .await;
        let eviction = json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "a"}});
        let request = pods.subresource::<()>(["eviction"]).request(Method::POST, "a").json(&eviction).most_retries(0);
        let status = assert_is(request.send().await, &["too many requests"], 429);
        assert!(status.cause("DisruptionBudget").is_some(), "{status:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_too_large_is_refused() {
    let maps = all().core_v1().config_maps("default");
    let large: ConfigMap = of(json!({"metadata": {"name": "a"}, "data": {"a": "x".repeat(4 << 20)}}));
    assert_is(maps.create(&large, &write()).await, &["too large"], 413);
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_that_the_server_does_not_have_are_refused() {
    with_custom(async |custom| {
        let widgets = custom.client();
        widgets.create(&custom.widget("a", ""), &write()).await.unwrap();
        let patch = Patch::Strategic(Value::object());
        assert_is(widgets.patch("a", &patch, &PatchOptions::default()).await, &["unsupported media type"], 415);
        let request = widgets.object_request(Method::GET, "a").accept("text/plain");
        assert_is(request.send().await, &["not acceptable"], 406);
    })
    .await;
    let statuses: ResourceClient<ComponentStatus> = all().core_v1().component_statuses();
    let status: ComponentStatus = of(json!({"metadata": {"name": "a"}}));
    assert_is(statuses.create(&status, &write()).await, &["method not supported"], 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_a_bad_request() {
    let maps = all().core_v1().config_maps("default");
    let options = ListOptions { label_selector: Some("a=b=c".into()), ..ListOptions::default() };
    assert_is(maps.list(&options).await, &["bad request"], 400);
    let options = ListOptions { continue_token: Some("no token".into()), ..ListOptions::default() };
    assert_is(maps.list(&options).await, &["bad request"], 400);
    let request = maps.collection_request(Method::POST).body("{", "application/json");
    assert_is(request.send().await, &["bad request"], 400);
    let other =
        maps.object_request(Method::PUT, "a").json(&json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "b"}}));
    assert_is(other.send().await, &["bad request"], 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_behind_the_server_that_is_dead_is_not_available() {
    let nodes = DynamicClient::new(client()).cluster(&GroupVersionResource::new("metrics.k8s.io", "v1beta1", "nodes"));
    let request = nodes.collection_request(Method::GET).most_retries(0);
    let error = request.send().await.unwrap_err();
    assert!(error.is_service_unavailable(), "{error}");
    assert_eq!(error.status().unwrap().code, 503);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_of_the_server_reaches_its_handler() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let hear = Arc::clone(&heard);
    let client = client().with_warnings(move |text: &str| hear.lock().unwrap().push(text.to_owned()));
    let statuses = ClientSet::new(client).core_v1().component_statuses();
    statuses.list(&ListOptions::default()).await.unwrap();
    assert_eq!(*heard.lock().unwrap(), ["v1 ComponentStatus is deprecated in v1.19+"]);
}
