//! Protobuf on a real API server: every object that it has is read as JSON and as protobuf, and is the same.
//! `PORTHOLE_TEST_CLUSTER_DIR` names the folder of a running local control plane with the demo load; without it there is nothing
//! to test on, and the tests say so by failing.
//!
//! As trees the two are compared without `null`s and empty lists: Go writes a list that is not there as `null` or `[]` where
//! JSON does not leave it out, and protobuf knows no difference. An object within another has its kind in JSON alone, if at all
//! (the claims of a `StatefulSet`). As types they are equal as they are.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test may fail and say what it found"
)]

mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    future::Future,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::StreamExt as _;
use http::{Method, header};
use k8s_openapi::api::core::v1::ConfigMap;
use porthole_client_core::{
    clients::{ResourceClient, Writable},
    discovery::{Discovery as _, DiscoveryClient},
    meta::{GroupVersionResource, ObjectMeta},
    object::{Kind, Object as _, ObjectList, PartialObjectMetadata, Unstructured, WireObject},
    rest::{ListOptions, RestClient, WriteOptions, watch_list_options},
    wire::{
        WatchEvent,
        protobuf::{MAGIC, ProtobufList, Schema, decode_object, decode_object_list, encode_object},
    },
};
use serde_json::Value;
use support::client;

/// How often what changes between two reads is read again.
const MOST_READS: usize = 60;

/// What the server makes up anew for every list: without versions, in no order, and not to be watched.
const UNVERSIONED: &str = "componentstatuses";

struct Clients {
    schema: Arc<Schema>,
    json: RestClient,
    protobuf: RestClient,
}

fn clients() -> Clients {
    let json = client();
    let schema = Arc::new(Schema::kubernetes());
    Clients { protobuf: json.clone().with_protobuf(Arc::clone(&schema)), schema, json }
}

struct Listed {
    resource: GroupVersionResource,
    api_version: String,
    kind: String,
}

/// Everything that can be listed, in every version of the API.
async fn listed(client: &RestClient) -> Vec<Listed> {
    let (found, _) = DiscoveryClient::new(client.clone()).server_groups_and_resources().await.unwrap().partial();
    let mut all = Vec::new();
    for list in &found.resources {
        // What has no server behind it.
        for resource in list.resources.iter().filter(|_| list.group_version.to_string() != "metrics.k8s.io/v1beta1") {
            if resource.verbs.iter().any(|verb| verb == "list") && !resource.name.contains('/') {
                let kind = resource.group_version_kind(&list.group_version);
                all.push(Listed {
                    resource: list.group_version.with_resource(resource.name.clone()),
                    api_version: kind.group_version.to_string(),
                    kind: kind.kind,
                });
            }
        }
    }
    assert!(all.len() > 60, "only {} resources", all.len());
    all
}

/// The objects by their place, with their versions.
fn by_place<K: WireObject>(objects: impl IntoIterator<Item = K>) -> BTreeMap<(String, String, String), K> {
    let place = |object: &K| (object.namespace().to_owned(), object.name().to_owned(), object.resource_version().to_owned());
    objects.into_iter().map(|object| (place(&object), object)).collect()
}

/// Reads both ways until nothing changed in between, and says how many objects there were.
async fn same<K, F>(what: &str, read: impl Fn(bool) -> F) -> usize
where
    K: WireObject + PartialEq + Debug,
    F: Future<Output = Vec<K>>,
{
    for _ in 0..MOST_READS {
        let (json, protobuf) = (by_place(read(false).await), by_place(read(true).await));
        if json.keys().eq(protobuf.keys()) {
            for (place, object) in &json {
                assert_eq!(Some(object), protobuf.get(place), "{what} {place:?}");
            }
            return json.len();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what} changes all the time");
}

/// The objects of a streaming list.
async fn watched<K: WireObject + Debug>(client: &ResourceClient<K>) -> Vec<K> {
    let options = watch_list_options(&ListOptions::default()).unwrap();
    let mut watch = client.watch(&options).await.unwrap();
    let mut objects = Vec::new();
    while let Some(event) = watch.next().await {
        match event.unwrap() {
            WatchEvent::Added(object) => objects.push(object),
            WatchEvent::Bookmark(bookmark) if bookmark.ends_initial_events => {
                assert!(!bookmark.resource_version.is_empty());
                return objects;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("the watch of {client:?} ended");
}

async fn list<K: WireObject>(client: &ResourceClient<K>) -> Vec<K> {
    let list = client.list(&ListOptions::default()).await.unwrap();
    let is_unversioned = client.resource().resource == UNVERSIONED;
    assert!(is_unversioned || !list.metadata.resource_version.is_empty(), "{client:?}");
    list.items
}

fn either(clients: &Clients, protobuf: bool) -> RestClient {
    if protobuf { clients.protobuf.clone() } else { clients.json.clone() }
}

/// Reads all objects of a kind both ways, listed, watched and one by one.
async fn compare<K: Kind + WireObject + Writable + PartialEq + Debug>(clients: &Clients) -> usize {
    let what = K::resource().to_string();
    let client = |protobuf: bool| ResourceClient::<K>::of_kind(either(clients, protobuf), "");
    let count = same(&what, |protobuf| async move { list(&client(protobuf)).await }).await;
    if K::resource().resource != UNVERSIONED {
        same(&format!("watched {what}"), |protobuf| async move { watched(&client(protobuf)).await }).await;
    }
    for object in list(&client(true)).await.into_iter().take(3) {
        let client = |protobuf| ResourceClient::<K>::of_kind(either(clients, protobuf), object.namespace());
        let name = object.name();
        same(&format!("single {what}"), |protobuf| {
            let client = client(protobuf);
            async move { client.get(name, &porthole_client_core::rest::GetOptions::default()).await.into_iter().collect() }
        })
        .await;
        // What is written is what was read.
        let body = encode_object(&clients.schema, &object).unwrap_or_else(|error| panic!("{what} {name}: {error}"));
        assert_eq!(decode_object::<K>(&clients.schema, &body).unwrap(), object, "written {what} {name}");
    }
    count
}

type Comparison = for<'a> fn(&'a Clients) -> Pin<Box<dyn Future<Output = usize> + 'a>>;

fn add<K: Kind + WireObject + Writable + PartialEq + Debug>(all: &mut BTreeMap<(String, String), Comparison>) {
    let kind = K::kind();
    all.insert((kind.group_version.to_string(), kind.kind), |clients| Box::pin(compare::<K>(clients)));
}

macro_rules! kinds {
    ($($first:ident$(::$rest:ident)+: $($kind:ident),+;)+) => {{
        let mut all: BTreeMap<(String, String), Comparison> = BTreeMap::new();
        $({
            use k8s_openapi::$first$(::$rest)+ as version;
            $(add::<version::$kind>(&mut all);)+
        })+
        all
    }};
}

#[rustfmt::skip]
fn kinds() -> BTreeMap<(String, String), Comparison> {
    kinds! {
        api::admissionregistration::v1: MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration;
        api::admissionregistration::v1alpha1: MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding;
        api::admissionregistration::v1beta1: MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding;
        api::apiserverinternal::v1alpha1: StorageVersion;
        api::apps::v1: ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet;
        api::autoscaling::v1: HorizontalPodAutoscaler;
        api::autoscaling::v2: HorizontalPodAutoscaler;
        api::batch::v1: CronJob, Job;
        api::certificates::v1: CertificateSigningRequest;
        api::certificates::v1alpha1: ClusterTrustBundle;
        api::certificates::v1beta1: ClusterTrustBundle, PodCertificateRequest;
        api::coordination::v1: Lease;
        api::coordination::v1alpha2: LeaseCandidate;
        api::coordination::v1beta1: LeaseCandidate;
        api::core::v1: ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service, ServiceAccount;
        api::discovery::v1: EndpointSlice;
        api::events::v1: Event;
        api::flowcontrol::v1: FlowSchema, PriorityLevelConfiguration;
        api::networking::v1: IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR;
        api::networking::v1beta1: IPAddress, ServiceCIDR;
        api::node::v1: RuntimeClass;
        api::policy::v1: PodDisruptionBudget;
        api::rbac::v1: ClusterRole, ClusterRoleBinding, Role, RoleBinding;
        api::resource::v1: DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice;
        api::resource::v1alpha3: DeviceTaintRule, ResourcePoolStatusRequest;
        api::resource::v1beta1: DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice;
        api::resource::v1beta2: DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice;
        api::scheduling::v1: PriorityClass;
        api::scheduling::v1alpha2: PodGroup, Workload;
        api::storage::v1: CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass;
        api::storage::v1beta1: VolumeAttributesClass;
        api::storagemigration::v1beta1: StorageVersionMigration;
        apiextensions_apiserver::pkg::apis::apiextensions::v1: CustomResourceDefinition;
        kube_aggregator::pkg::apis::apiregistration::v1: APIService;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_object_of_a_built_in_kind_is_the_same_as_a_type() {
    let (clients, kinds, mut found) = (clients(), kinds(), BTreeMap::new());
    for Listed { api_version, kind, .. } in listed(&clients.json).await {
        if clients.schema.has(&api_version, &kind) {
            let compare = kinds.get(&(api_version.clone(), kind.clone())).unwrap_or_else(|| panic!("{api_version} {kind}"));
            found.insert((api_version, kind), compare(&clients).await);
        }
    }
    let empty: Vec<_> = found.iter().filter(|(_, count)| **count == 0).map(|(kind, _)| kind).collect();
    println!("{} objects of {} kinds; kinds without objects: {empty:?}", found.values().sum::<usize>(), found.len());
    assert!(found.len() > 55 && found.len() - empty.len() > 30 && found.values().sum::<usize>() > 300);
}

/// The tree without what is nothing, and without the kinds of claims in a `StatefulSet`, which Go has in JSON alone.
fn bare(mut value: Value) -> Value {
    for claim in value.get_mut("volumeClaimTemplates").and_then(Value::as_array_mut).into_iter().flatten() {
        claim.as_object_mut().unwrap().retain(|name, _| name != "apiVersion" && name != "kind");
    }
    let is_something = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
    match value {
        Value::Object(fields) => Value::Object(
            fields.into_iter().map(|(name, value)| (name, bare(value))).filter(|(_, value)| is_something(value)).collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(bare).collect()),
        other => other,
    }
}

/// The list with its items in order.
fn in_order(mut list: Value) -> Value {
    let place = |item: &Value| {
        let part = |path| item.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        (part("/metadata/namespace"), part("/metadata/name"))
    };
    if let Some(items) = list.get_mut("items").and_then(Value::as_array_mut) {
        items.sort_by_key(place);
    }
    list
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_of_a_built_in_kind_is_the_same_as_a_tree() {
    let clients = clients();
    let (mut kinds, mut json_only) = (0, BTreeSet::new());
    for Listed { resource, api_version, kind } in listed(&clients.json).await {
        let client = ResourceClient::<Unstructured>::cluster(clients.json.clone(), resource.clone());
        let request = client.collection_request(Method::GET);
        for reads in 1.. {
            let json = request.clone().send().await.unwrap();
            let protobuf = request.clone().accept("application/vnd.kubernetes.protobuf,application/json").send().await.unwrap();
            if protobuf.content_type() == Some("application/json") {
                json_only.insert(resource.to_string());
                assert!(!clients.schema.has(&api_version, &kind), "{resource}");
                break;
            }
            assert!(protobuf.bytes().starts_with(MAGIC), "{resource}");
            let json = in_order(bare(serde_json::from_slice(json.bytes()).unwrap()));
            let protobuf = in_order(bare(decode_object(&clients.schema, protobuf.bytes()).unwrap()));
            if json.pointer("/metadata/resourceVersion") == protobuf.pointer("/metadata/resourceVersion") || reads == MOST_READS {
                assert_eq!(json, protobuf, "{resource}");
                kinds += 1;
                break;
            }
        }
    }
    println!("{kinds} kinds in protobuf, and as JSON alone {json_only:?}");
    assert!(kinds > 55 && !json_only.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metadata_of_everything_is_the_same_of_custom_resources_too() {
    let clients = clients();
    let metadata = clients.json.clone().with_protobuf(Arc::new(Schema::metadata()));
    let (mut custom, mut objects) = (0, 0);
    for Listed { resource, api_version, kind } in listed(&clients.json).await {
        let client = |protobuf: bool| {
            let client = if protobuf { metadata.clone() } else { clients.json.clone() };
            ResourceClient::<PartialObjectMetadata>::cluster(client, resource.clone())
        };
        let count = same(&resource.to_string(), |protobuf| async move { list(&client(protobuf)).await }).await;
        if resource.resource != UNVERSIONED {
            same(&format!("watched {resource}"), |protobuf| async move { watched(&client(protobuf)).await }).await;
        }
        let request = client(true).collection_request(Method::GET);
        let accept = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
        let answer = request.accept(accept).send().await.unwrap();
        assert!(answer.bytes().starts_with(MAGIC), "{resource}");
        let is_custom = !clients.schema.has(&api_version, &kind);
        (custom, objects) = (custom + if is_custom { count } else { 0 }, objects + count);
    }
    println!("the metadata of {objects} objects, {custom} of them custom");
    assert!(custom > 0 && objects > 300);
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_are_written_in_protobuf_and_refusals_are_read() {
    let clients = clients();
    let client = ResourceClient::<ConfigMap>::of_kind(clients.protobuf.clone(), "default");
    let name = format!("in-protobuf-{}", std::process::id());
    let mut map = ConfigMap { data: Some([("a".to_owned(), "1".to_owned())].into()), ..ConfigMap::default() };
    map.set_metadata(ObjectMeta { name: name.as_str().into(), ..ObjectMeta::default() });
    let made = client.create(&map, &WriteOptions::default()).await.unwrap();
    assert_eq!(made.data, map.data);
    let twice = client.create(&map, &WriteOptions::default()).await.unwrap_err();
    assert!(twice.is_already_exists(), "{twice}");
    let mut changed = made.clone();
    changed.data = Some([("b".to_owned(), "2".to_owned())].into());
    let changed = client.update(&changed, &WriteOptions::default()).await.unwrap();
    assert_eq!(changed.data.as_ref().unwrap().keys().collect::<Vec<_>>(), ["b"]);
    let json = ResourceClient::<ConfigMap>::of_kind(clients.json.clone(), "default");
    assert_eq!(json.get(name.as_str(), &porthole_client_core::rest::GetOptions::default()).await.unwrap(), changed);
    let conflict = client.update(&made, &WriteOptions::default()).await.unwrap_err();
    assert!(conflict.is_conflict(), "{conflict}");
    client.delete(name.as_str(), &porthole_client_core::rest::DeleteOptions::default()).await.unwrap();
    let gone = client.get(name.as_str(), &porthole_client_core::rest::GetOptions::default()).await.unwrap_err();
    assert!(gone.is_not_found() && gone.to_string().contains(&name), "{gone}");
    // The body is protobuf, and the server read it as that.
    let body = encode_object(&clients.schema, &map).unwrap();
    let dry =
        client.collection_request(Method::POST).parameter("dryRun", "All").body(body, "application/vnd.kubernetes.protobuf");
    assert_eq!(dry.send().await.unwrap().status().as_u16(), 201);
}

/// How long `work` takes, the shortest of some times.
fn shortest<T>(mut work: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    (0..15).map(time).min().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: run it alone, with --release"]
async fn how_fast_protobuf_is_read() {
    let clients = clients();
    let client = ResourceClient::<k8s_openapi::api::core::v1::Pod>::of_kind(clients.json.clone(), "");
    let request = client.collection_request(Method::GET);
    let json = request.clone().send().await.unwrap().bytes().clone();
    let accept = "application/vnd.kubernetes.protobuf";
    let protobuf = request.header(header::ACCEPT, accept).send().await.unwrap().bytes().clone();
    type Pods = ObjectList<k8s_openapi::api::core::v1::Pod>;
    let of_json = shortest(|| serde_json::from_slice::<Pods>(&json).unwrap());
    let of_protobuf = shortest(|| decode_object_list::<k8s_openapi::api::core::v1::Pod>(&clients.schema, &protobuf).unwrap());
    let cut = shortest(|| ProtobufList::new(&clients.schema, &protobuf).unwrap().items.len());
    let schema = shortest(Schema::kubernetes);
    println!(
        "{} and {} bytes, {of_json:?} and {of_protobuf:?}; cut alone {cut:?}; the schema {schema:?}",
        json.len(),
        protobuf.len()
    );
}
