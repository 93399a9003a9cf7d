//! The library on a real API server whose etcd has forgotten what it is asked for. A file of its own: the tests of no other file
//! run meanwhile, and theirs would find their versions gone. See `support`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

mod support;

use std::{sync::LazyLock, time::Duration};

use futures::lock::Mutex;
use porthole_client_core::{
    clients::{MetadataClient, ResourceClient},
    meta::{GroupVersionResource, ResourceVersion},
    object::{Object as _, ObjectList, PartialObjectMetadata},
    rest::{ApiError, ListOptions, Pager, ResourceVersionMatch},
};
use support::{client, compaction::compact, kubectl, kubectl_output};

/// Whose turn it is to make the server forget.
static TURN: LazyLock<Mutex<()>> = LazyLock::new(Mutex::default);

/// Config maps called `a`, `b`, `c` and `d` in a namespace that goes with the test.
struct Maps {
    namespace: String,
    maps: ResourceClient<PartialObjectMetadata>,
}

impl Maps {
    fn new(name: &str) -> Self {
        let namespace = format!("compaction-{name}-{}", std::process::id());
        kubectl(&["create", "namespace", &namespace]);
        let maps = MetadataClient::new(client()).namespaced(&GroupVersionResource::new("", "v1", "configmaps"), &*namespace);
        let maps = Self { namespace, maps };
        for name in ["a", "b", "c", "d"] {
            maps.create(name);
        }
        maps
    }

    fn create(&self, name: &str) {
        kubectl(&["create", "configmap", name, "-n", &self.namespace]);
        kubectl(&["label", "configmap", name, "-n", &self.namespace, "test=compaction"]);
    }

    /// Makes the server forget all that was before now, and says how it refuses to list it. The cache of the API server forgets
    /// up to fifteen seconds after etcd.
    async fn forget(&self) -> ApiError {
        let version = async || self.maps.list(&ListOptions::default()).await.unwrap().metadata.resource_version;
        let before = exactly(version().await);
        let annotation = format!("at={:?}", std::time::Instant::now());
        kubectl(&["annotate", "configmap", "a", "-n", &self.namespace, "--overwrite", &annotation]);
        {
            // One after another: a server does not forget what it has forgotten.
            let _turn = TURN.lock().await;
            compact(version().await.as_str().parse().unwrap()).await;
        }
        loop {
            match self.maps.list(&before).await {
                Ok(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                Err(error) => return error,
            }
        }
    }
}

impl Drop for Maps {
    fn drop(&mut self) {
        kubectl_output("kubectl-cache", &["delete", "namespace", &self.namespace, "--wait=false"]);
    }
}

fn pages_of(limit: u32) -> ListOptions {
    ListOptions { limit: Some(limit), label_selector: Some("test=compaction".into()), ..ListOptions::default() }
}

fn exactly(version: ResourceVersion) -> ListOptions {
    ListOptions {
        resource_version: Some(version),
        resource_version_match: Some(ResourceVersionMatch::Exact),
        ..ListOptions::default()
    }
}

fn names(list: &ObjectList<PartialObjectMetadata>) -> Vec<&str> {
    list.items.iter().map(PartialObjectMetadata::name).collect()
}

fn assert_is_expired(error: &ApiError) {
    let status = error.status().unwrap();
    assert_eq!((status.code, status.reason.as_str()), (410, "Expired"), "{error}");
    assert!(error.is_expired() && error.is_expired_or_gone() && !error.is_gone(), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_the_server_forgot_is_expired_and_its_refusal_says_how_to_go_on() {
    let maps = Maps::new("pages");
    let first = maps.maps.list(&pages_of(1)).await.unwrap();
    assert_eq!((names(&first), first.metadata.remaining_item_count), (vec!["a"], None));
    maps.forget().await;
    maps.create("e");
    let next = |token: &str| ListOptions { continue_token: Some(token.to_owned()), ..pages_of(10) };
    let refused = maps.maps.list(&next(&first.metadata.continue_token)).await.unwrap_err();
    assert_is_expired(&refused);
    // The rest as it is now, which need not fit the first page.
    let inconsistent = &refused.status().unwrap().metadata.continue_token;
    assert_ne!(*inconsistent, first.metadata.continue_token);
    let rest = maps.maps.list(&next(inconsistent)).await.unwrap();
    assert_eq!(names(&rest), ["b", "c", "d", "e"]);
    assert_ne!(rest.metadata.resource_version, first.metadata.resource_version);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_the_server_forgot_cannot_be_listed() {
    let maps = Maps::new("versions");
    let old = maps.maps.list(&ListOptions::default()).await.unwrap().metadata.resource_version;
    let refused = maps.forget().await;
    assert_is_expired(&refused);
    assert!(refused.to_string().contains("resourceVersion"), "{refused}");
    assert_is_expired(&maps.maps.list(&exactly(old.clone())).await.unwrap_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pager_whose_pages_are_forgotten_lists_in_full_or_fails() {
    let maps = Maps::new("pager");
    let pager = || {
        let forgetful = &maps;
        Pager::new(async move |options: ListOptions| {
            let page = forgetful.maps.list(&options).await;
            if options.continue_token.is_none() && options.limit.is_some() {
                forgetful.forget().await;
            }
            page
        })
    };
    let whole = pager().list(pages_of(1)).await.unwrap();
    assert_eq!((names(&whole.list), whole.is_paged), (vec!["a", "b", "c", "d"], true));
    assert_eq!(whole.list.metadata.continue_token, "");
    let refused = pager().without_full_list().list(pages_of(1)).await.map(|listed| listed.is_paged).unwrap_err();
    assert_is_expired(&refused);
}
