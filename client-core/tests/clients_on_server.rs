//! Every verb of the clients, and every error that can be had, on a real API server. `PORTHOLE_TEST_CLUSTER_DIR` names the folder
//! of a running local control plane with the demo load; without it there is nothing to test on, and the tests say so by failing.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

#[path = "clients_on_server/built_in.rs"]
mod built_in;
#[path = "clients_on_server/custom.rs"]
mod custom;
#[path = "clients_on_server/errors.rs"]
mod errors;
#[path = "clients_on_server/subresources.rs"]
mod subresources;
mod support;
#[path = "clients_on_server/verbs.rs"]
mod verbs;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use futures::StreamExt as _;
use k8s_openapi::api::core::v1::Namespace;
use porthole_client_core::{
    clients::ClientSet,
    rest::{DeleteOptions, GetOptions, PatchOptions, WatchStream, WriteOptions},
    wire::WatchEvent,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{client, client_of, config};

fn all() -> ClientSet {
    ClientSet::new(client())
}

/// A name that no other test has.
fn unique(name: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{name}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// An object from its JSON.
fn of<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn write() -> WriteOptions {
    WriteOptions::default()
}

/// Writes as `manager`.
fn as_manager(manager: &str, force: Option<bool>) -> PatchOptions {
    PatchOptions { write: WriteOptions { field_manager: Some(manager.into()), ..write() }, force }
}

/// Runs `work` in a namespace of its own, which has its service account.
async fn in_namespace(work: impl AsyncFnOnce(ClientSet, &str)) {
    let (all, name) = (all(), unique("clients"));
    let namespace: Namespace = of(json!({"metadata": {"name": name}}));
    all.core_v1().namespaces().create(&namespace, &write()).await.unwrap();
    let accounts = all.core_v1().service_accounts(&*name);
    until("the service account", async || accounts.get("default", &GetOptions::default()).await.is_ok()).await;
    Box::pin(work(all.clone(), &name)).await;
    all.core_v1().namespaces().delete(&*name, &DeleteOptions::default()).await.unwrap();
}

/// Waits until something is so.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: not within a minute");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The next event of a watch that is no bookmark.
async fn next<K: DeserializeOwned>(watch: &mut WatchStream<K>) -> WatchEvent<K> {
    let event = async {
        loop {
            match watch.next().await.expect("the watch ended").unwrap() {
                WatchEvent::Bookmark(_) => {}
                event => return event,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), event).await.expect("an event within a minute")
}
