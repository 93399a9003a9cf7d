//! Which informers there are: every form, way and order at least once natively and in a page.

#![cfg_attr(target_family = "wasm", expect(dead_code, reason = "the program alone writes and compares"))]

use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use porthole_client_core::{
    meta::GroupVersionResource,
    object::{Compact, PartialObjectMetadata, Unstructured},
    reflector::Following::{self, Watch, WatchList},
    rest::RestClient,
};
use serde_json::Value;

use crate::subject::{Form, Subject, objects, table};

/// What writers change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    ConfigMaps,
    Pods,
    Secrets,
    /// A custom resource with numbers and odd names.
    Gauges,
}

impl Resource {
    pub(crate) fn path(self) -> GroupVersionResource {
        match self {
            Self::ConfigMaps => GroupVersionResource::new("", "v1", "configmaps"),
            Self::Pods => GroupVersionResource::new("", "v1", "pods"),
            Self::Secrets => GroupVersionResource::new("", "v1", "secrets"),
            Self::Gauges => GroupVersionResource::new("soak.porthole.example", "v1", "gauges"),
        }
    }
}

/// How a list gets into the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    Whole,
    WholeInDeltas,
    AsTheyCome,
    AsTheyComeInDeltas,
}

/// What a watch goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Request,
    Socket,
}

/// Where a native informer finds the server; one of a page finds it where the page came from, which is the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Server,
    Proxy,
}

/// Where an informer of a page runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Native,
    Page,
    Worker,
}

/// One informer.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    pub(crate) resource: Resource,
    /// Empty for all.
    pub(crate) namespace: &'static str,
    /// Empty for all.
    pub(crate) selector: &'static str,
    pub(crate) following: Following,
    pub(crate) arrival: Arrival,
    pub(crate) way: Way,
    pub(crate) at: At,
    /// Starts it.
    pub(crate) follow: fn(&'static Plan, RestClient) -> Result<Subject, String>,
    /// What it has of an object that kubectl printed; `None` for a row.
    pub(crate) expected: Option<fn(Value) -> Result<Value, String>>,
}

/// The namespaces that writers write to.
pub(crate) const NAMESPACES: [&str; 3] = ["soak-a", "soak-b", "soak-c"];
/// The label that comes and goes, and what selects by it.
pub(crate) const LABEL: (&str, &str) = ("soak.porthole.example/chosen", "yes");
const CHOSEN: &str = "soak.porthole.example/chosen=yes";

const PLAIN: Plan = Plan {
    name: "",
    place: Place::Native,
    resource: Resource::ConfigMaps,
    namespace: "",
    selector: "",
    following: WatchList,
    arrival: Arrival::Whole,
    way: Way::Request,
    at: At::Server,
    follow: table,
    expected: None,
};

const PAGE: Plan = Plan { place: Place::Page, at: At::Proxy, way: Way::Socket, ..PLAIN };
const WORKER: Plan = Plan { place: Place::Worker, ..PAGE };

/// `plan`, in the form `K`.
const fn of<K: Form>(plan: Plan) -> Plan {
    Plan { follow: objects::<K>, expected: Some(K::expected), ..plan }
}

/// All informers. A browser has six connections to a server for requests, and lists need some: so three of the page's watches
/// are requests.
pub(crate) static PLANS: [Plan; 20] = {
    use self::{
        Arrival::{AsTheyCome, AsTheyComeInDeltas, WholeInDeltas},
        Resource::{Gauges, Pods, Secrets},
        Way::Socket,
    };
    [
        of::<ConfigMap>(Plan { name: "native: typed config maps", ..PLAIN }),
        of::<Pod>(Plan {
            name: "native: typed pods, in deltas, by the proxy",
            resource: Pods,
            arrival: WholeInDeltas,
            at: At::Proxy,
            ..PLAIN
        }),
        of::<Compact<ConfigMap>>(Plan {
            name: "native: compact config maps, as they come, listed",
            following: Watch,
            arrival: AsTheyCome,
            ..PLAIN
        }),
        of::<Compact<Pod>>(Plan {
            name: "native: compact pods of a namespace, in deltas, listed, over a socket",
            resource: Pods,
            namespace: "soak-b",
            following: Watch,
            arrival: WholeInDeltas,
            way: Socket,
            ..PLAIN
        }),
        of::<Unstructured>(Plan {
            name: "native: gauges, as they come, over a socket of the proxy",
            resource: Gauges,
            arrival: AsTheyCome,
            way: Socket,
            at: At::Proxy,
            ..PLAIN
        }),
        of::<Unstructured>(Plan { name: "native: chosen secrets", resource: Secrets, selector: CHOSEN, ..PLAIN }),
        of::<PartialObjectMetadata>(Plan {
            name: "native: metadata of pods, as they come, in deltas",
            resource: Pods,
            arrival: AsTheyComeInDeltas,
            ..PLAIN
        }),
        of::<PartialObjectMetadata>(Plan {
            name: "native: metadata of chosen config maps, listed, over a socket",
            selector: CHOSEN,
            following: Watch,
            way: Socket,
            ..PLAIN
        }),
        Plan { name: "native: table of pods", resource: Pods, ..PLAIN },
        Plan {
            name: "native: table of gauges of a namespace, listed, by the proxy",
            resource: Gauges,
            namespace: "soak-a",
            following: Watch,
            at: At::Proxy,
            ..PLAIN
        },
        of::<ConfigMap>(Plan { name: "page: typed config maps, over a request", way: Way::Request, ..PAGE }),
        of::<Compact<Pod>>(Plan { name: "page: compact pods, in deltas", resource: Pods, arrival: WholeInDeltas, ..PAGE }),
        of::<Unstructured>(Plan {
            name: "page: gauges, as they come, listed",
            resource: Gauges,
            arrival: AsTheyCome,
            following: Watch,
            ..PAGE
        }),
        of::<PartialObjectMetadata>(Plan {
            name: "page: metadata of chosen secrets",
            resource: Secrets,
            selector: CHOSEN,
            ..PAGE
        }),
        Plan { name: "page: table of pods, over a request", resource: Pods, way: Way::Request, ..PAGE },
        of::<Pod>(Plan {
            name: "worker: typed pods of a namespace, listed",
            resource: Pods,
            namespace: "soak-c",
            following: Watch,
            ..WORKER
        }),
        of::<Compact<ConfigMap>>(Plan {
            name: "worker: compact chosen config maps, as they come",
            selector: CHOSEN,
            arrival: AsTheyCome,
            ..WORKER
        }),
        of::<Secret>(Plan {
            name: "worker: typed secrets, as they come, in deltas",
            resource: Secrets,
            arrival: AsTheyComeInDeltas,
            ..WORKER
        }),
        of::<PartialObjectMetadata>(Plan { name: "worker: metadata of gauges", resource: Gauges, ..WORKER }),
        Plan { name: "worker: table of config maps, listed, over a request", following: Watch, way: Way::Request, ..WORKER },
    ]
};

/// The informers of a place.
pub(crate) fn plans(place: Place) -> impl Iterator<Item = &'static Plan> {
    PLANS.iter().filter(move |plan| plan.place == place)
}
