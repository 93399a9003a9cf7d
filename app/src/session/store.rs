//! Local storage, which belongs to the page.
//!
//! Guarantees: what a cluster said is stored under its identity, and one pointer names the last; a
//! store that is full, forbidden or holds something else is as good as an empty one.

use gloo_storage::{LocalStorage, Storage as _};
use porthole_client_core::{
    discovery::Catalog,
    meta::{ClusterId, Namespace},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::bridge::KnownCluster;

const LAST: &str = "porthole/last-cluster";
const KNOWN: &str = "porthole/clusters";
/// How many clusters' catalogs are kept.
const MOST_CLUSTERS: usize = 6;
const GENERATION: &str = "porthole/worker-generation";

/// The cluster that was seen last, as it was then.
pub(crate) fn last_cluster() -> Option<KnownCluster> {
    let id: ClusterId = load(LAST)?;
    let catalog: Catalog = load(&of_cluster(&id, "catalog"))?;
    Some(KnownCluster { id, catalog })
}

/// Remembers a cluster and makes it the last. Of clusters that were not seen for long the catalog goes: clusters that
/// are made anew again and again would fill the storage.
pub(crate) fn remember_cluster(id: &ClusterId, catalog: &Catalog) {
    let mut known: Vec<ClusterId> = load(KNOWN).unwrap_or_default();
    known.retain(|other| other != id);
    known.insert(0, id.clone());
    for old in known.drain(known.len().min(MOST_CLUSTERS)..) {
        remove(&of_cluster(&old, "catalog"));
    }
    save(KNOWN, &known);
    save(&of_cluster(id, "catalog"), catalog);
    save(LAST, id);
}

/// The namespaces a person typed for this cluster, the latest first.
pub(crate) fn typed_namespaces(id: Option<&ClusterId>) -> Vec<Namespace> {
    load(&of_cluster_or_address(id, "namespaces")).unwrap_or_default()
}

/// Remembers a typed namespace.
pub(crate) fn remember_namespace(id: Option<&ClusterId>, namespace: &Namespace) {
    let mut known = typed_namespaces(id);
    known.retain(|other| other != namespace);
    known.insert(0, namespace.clone());
    known.truncate(20);
    save(&of_cluster_or_address(id, "namespaces"), &known);
}

/// The namespace this cluster was last seen in; `None` for all.
pub(crate) fn last_namespace(id: Option<&ClusterId>) -> Option<Namespace> {
    load(&of_cluster_or_address(id, "namespace"))
}

/// Remembers the namespace this cluster is seen in.
pub(crate) fn remember_last_namespace(id: Option<&ClusterId>, namespace: Option<&Namespace>) {
    save(&of_cluster_or_address(id, "namespace"), &namespace);
}

/// Counts the shared workers that had to be given up: the name of the next depends on it.
pub(crate) fn worker_generation() -> u32 {
    load(GENERATION).unwrap_or_default()
}

/// Gives up the shared worker of this generation. Every tab that loses it says so, and it counts once.
pub(crate) fn give_up_worker(generation: u32) {
    if worker_generation() == generation {
        save(GENERATION, &generation.wrapping_add(1));
    }
}

fn of_cluster(id: &ClusterId, what: &str) -> String {
    format!("porthole/cluster/{id}/{what}")
}

/// What a person typed is theirs, and may be remembered for the address where the cluster has no identity: who may
/// read one namespace only can seldom read `kube-system`.
fn of_cluster_or_address(id: Option<&ClusterId>, what: &str) -> String {
    id.map_or_else(|| format!("porthole/unidentified/{what}"), |id| of_cluster(id, what))
}

fn load<T: DeserializeOwned>(key: &str) -> Option<T> {
    // Read as bytes, as the core reads: gloo's own `get` would bring a second reader of JSON.
    let text = is_allowed().then(|| LocalStorage::raw().get_item(key).ok().flatten())??;
    serde_json::from_slice(text.as_bytes()).ok()
}

fn save(key: &str, value: &impl Serialize) {
    if !is_allowed() {
        return;
    }
    if let Err(error) = LocalStorage::set(key, value) {
        leptos::logging::warn!("{key} could not be stored, and will not be there next time: {error}");
    }
}

fn remove(key: &str) {
    if is_allowed() {
        LocalStorage::delete(key);
    }
}

/// Whether the browser lets the page store anything; asking for the storage where it does not is a panic.
fn is_allowed() -> bool {
    leptos::prelude::window().local_storage().is_ok_and(|storage| storage.is_some())
}
