//! Local storage, which belongs to the page.
//!
//! Guarantees: what a cluster said is stored under its identity, and one pointer names the last; what a person set for all
//! clusters is stored once. A store that is full, forbidden or holds something else is as good as an empty one. Where a
//! person has asked for it nothing new is remembered.

use gloo_storage::{LocalStorage, Storage as _};
use porthole_client_core::{
    discovery::Catalog,
    meta::{ClusterId, Namespace},
};
use serde::{Serialize, de::DeserializeOwned};

use super::preferences::{ClusterMark, Preferences, SavedView};
use crate::bridge::KnownCluster;

/// What all of our keys begin with: other pages may be served from the same address.
const OURS: &str = "porthole/";
const PREFERENCES: &str = "porthole/preferences";
const FAVOURITES: &str = "porthole/favourites";
const COLUMNS: &str = "porthole/columns/";
const LAST: &str = "porthole/last-cluster";
const KNOWN: &str = "porthole/clusters";
/// How many clusters' catalogs are kept.
const MOST_CLUSTERS: usize = 6;
/// How many places a person was at are kept.
const MOST_RECENT: usize = 12;
const GENERATION: &str = "porthole/worker-generation";

/// The cluster that was seen last, as it was then.
pub(crate) fn last_cluster() -> Option<KnownCluster> {
    let id: ClusterId = load(LAST)?;
    let catalog: Catalog = load(&of_cluster(&id, "catalog"))?;
    Some(KnownCluster { id, catalog })
}

/// What is set for the page.
pub(crate) fn preferences() -> Preferences {
    load(PREFERENCES).unwrap_or_default()
}

/// Keeps it: a person has set it by hand, so it is kept even where nothing else is.
pub(crate) fn save_preferences(preferences: &Preferences) {
    save(PREFERENCES, preferences);
}

/// What a person says of a cluster.
pub(crate) fn mark(id: Option<&ClusterId>) -> ClusterMark {
    id.and_then(|id| load(&of_cluster(id, "mark"))).unwrap_or_default()
}

/// Keeps it.
pub(crate) fn save_mark(id: &ClusterId, mark: &ClusterMark) {
    save(&of_cluster(id, "mark"), mark);
}

/// The resources that stand first in the navigation.
pub(crate) fn favourites() -> Vec<String> {
    load(FAVOURITES).unwrap_or_default()
}

/// Keeps them.
pub(crate) fn save_favourites(favourites: &[String]) {
    save(FAVOURITES, &favourites);
}

/// How the tables of a resource are laid out, as it stands in an address.
pub(crate) fn columns(resource: &str) -> Option<String> {
    load(&format!("{COLUMNS}{resource}"))
}

/// Remembers it; `None` for the server's own columns.
pub(crate) fn remember_columns(resource: &str, columns: Option<&str>) {
    let key = format!("{COLUMNS}{resource}");
    match columns {
        Some(columns) if !preferences().forgetful => save(&key, &columns),
        _ => remove(&key),
    }
}

/// The views a person gave a name, in the order in which they did.
pub(crate) fn saved_views(id: Option<&ClusterId>) -> Vec<SavedView> {
    load(&of_cluster_or_address(id, "views")).unwrap_or_default()
}

/// Keeps them.
pub(crate) fn save_views(id: Option<&ClusterId>, views: &[SavedView]) {
    save(&of_cluster_or_address(id, "views"), &views);
}

/// Where a person was last, as hashes, the latest first.
pub(crate) fn recent(id: Option<&ClusterId>) -> Vec<String> {
    load(&of_cluster_or_address(id, "recent")).unwrap_or_default()
}

/// Remembers where a person is; gives back all of it.
pub(crate) fn remember_recent(id: Option<&ClusterId>, hash: &str) -> Vec<String> {
    let mut known = recent(id);
    known.retain(|other| other != hash);
    known.insert(0, hash.to_owned());
    known.truncate(MOST_RECENT);
    if !preferences().forgetful {
        save(&of_cluster_or_address(id, "recent"), &known);
    }
    known
}

/// Everything that is stored: the keys without what all begin with, and their bytes.
pub(crate) fn stored() -> Vec<(String, usize)> {
    let mut found: Vec<_> = keys()
        .into_iter()
        .map(|key| {
            let bytes = LocalStorage::raw().get_item(&key).ok().flatten().map_or(0, |text| text.len());
            (key.trim_start_matches(OURS).to_owned(), bytes)
        })
        .collect();
    found.sort();
    found
}

/// Removes all that is stored under keys that begin with this; everything of ours where it is empty.
pub(crate) fn forget(beginning: &str) {
    let beginning = format!("{OURS}{beginning}");
    keys().iter().filter(|key| key.starts_with(&beginning)).for_each(|key| remove(key));
}

fn keys() -> Vec<String> {
    if !is_allowed() {
        return Vec::new();
    }
    let storage = LocalStorage::raw();
    let count = storage.length().unwrap_or(0);
    (0..count).filter_map(|at| storage.key(at).ok().flatten()).filter(|key| key.starts_with(OURS)).collect()
}

/// Remembers a cluster and makes it the last. Of clusters that were not seen for long the catalog goes: clusters that
/// are made anew again and again would fill the storage.
pub(crate) fn remember_cluster(id: &ClusterId, catalog: &Catalog) {
    if preferences().forgetful {
        return;
    }
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
    if preferences().forgetful {
        return;
    }
    let mut known = typed_namespaces(id);
    known.retain(|other| other != namespace);
    known.insert(0, namespace.clone());
    known.truncate(20);
    save(&of_cluster_or_address(id, "namespaces"), &known);
}

/// The namespaces this cluster was last seen in; none for all.
pub(crate) fn last_namespaces(id: Option<&ClusterId>) -> Vec<Namespace> {
    load(&of_cluster_or_address(id, "last-namespaces")).unwrap_or_default()
}

/// Remembers the namespaces this cluster is seen in.
pub(crate) fn remember_last_namespaces(id: Option<&ClusterId>, namespaces: &[Namespace]) {
    if !preferences().forgetful {
        save(&of_cluster_or_address(id, "last-namespaces"), &namespaces);
    }
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
