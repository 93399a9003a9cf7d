//! Discovery that outlives the program (client-go `discovery/cached/disk/cached_discovery.go`).

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use serde::Serialize;

use super::MemoryCache;
use crate::{
    discovery::{
        ApiGroupList, ApiResourceList, CachedDiscovery, Discovered, Discovering, Discovery, DiscoveryClient, DiscoveryError,
        GroupFailures, GroupsAndMaybeResources, OpenApiV3, OpenApiV3Path, SchemaFormat, ServerVersion, document::Document,
    },
    meta::GroupVersion,
    platform::{Platform, TolerantStorage},
};

/// Where the groups are kept.
const GROUPS: &str = "servergroups.json";

/// Keeps what a server has in a storage, as kubectl does, so that the next program need not ask.
///
/// The storage belongs to one server: natively a folder that kubectl shares, in a browser a prefix with the identity of the
/// cluster. `servergroups.json` has the groups and `<group>/<version>/serverresources.json` the resources of a version,
/// each as the server's own list. A value that is too old, cut, or something else counts as none, and one without a group
/// or resource is not kept.
///
/// What another program kept is used, and makes this cache one that is not [fresh](CachedDiscovery::fresh): who does not
/// find something there invalidates it, once, and from then on only what this program asked for is used.
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{
///     discovery::{ApiResource, ApiResourceList, CachedDiscovery, Discovery, FakeDiscovery, StoredCache},
///     platform::{FakePlatform, MemoryStorage, TolerantStorage, ready},
/// };
///
/// let platform = Arc::new(FakePlatform::default());
/// let storage = TolerantStorage::new(Arc::new(MemoryStorage::new(platform.clone())), |error| eprintln!("{error}"));
/// let widgets = ApiResource { name: "widgets".to_owned(), kind: "Widget".to_owned(), ..ApiResource::default() };
/// let server = FakeDiscovery::new([ApiResourceList::new("a.io/v1".parse()?, vec![widgets])]);
/// let cache = || StoredCache::new(Arc::new(server.clone()), storage.clone(), platform.clone(), Duration::from_hours(6));
///
/// let first = ready(cache().server_groups_and_resources())?.complete()?;
/// let next_program = cache();
/// assert_eq!(ready(next_program.server_groups_and_resources())?.complete()?, first);
/// assert!(!next_program.fresh());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct StoredCache {
    delegate: Arc<dyn Discovery>,
    storage: TolerantStorage,
    platform: Arc<dyn Platform>,
    time_to_live: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Counts invalidations: an answer to a question of before one is not used after it.
    generation: u64,
    /// The keys this program has written since the last one.
    ours: BTreeSet<String>,
    /// Whether something was used that this program had not written.
    used_others: bool,
    /// What failed when this program asked for the groups: the list has no place for it.
    failed: GroupFailures,
}

opaque_debug!(StoredCache);

impl StoredCache {
    /// A cache of what `delegate` answers, in `storage`, where a value is used for `time_to_live`; kubectl takes six
    /// hours. The delegate should remember: this cache asks it for the groups and then for each of their versions.
    #[must_use]
    pub fn new(
        delegate: Arc<dyn Discovery>,
        storage: TolerantStorage,
        platform: Arc<dyn Platform>,
        time_to_live: Duration,
    ) -> Self {
        Self { delegate, storage, platform, time_to_live, state: Mutex::default() }
    }

    /// A cache over a [`MemoryCache`] of what `client` answers (client-go `NewCachedDiscoveryClientForConfig`). Give the
    /// client a [`DocumentCache`](super::DocumentCache) for schemas, and for entity tags of the groups.
    #[must_use]
    pub fn for_client(
        client: DiscoveryClient,
        storage: TolerantStorage,
        platform: Arc<dyn Platform>,
        time_to_live: Duration,
    ) -> Self {
        Self::new(Arc::new(MemoryCache::new(Arc::new(client))), storage, platform, time_to_live)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The document under `key`, where it may be used and is what it should be.
    async fn stored<T: TryFrom<Document>>(&self, key: &str, kind: &str, is_right: impl Fn(&T) -> bool) -> Option<T> {
        let (is_ours, generation) = {
            let state = self.lock();
            (state.ours.contains(key), state.generation)
        };
        if generation > 0 && !is_ours {
            return None;
        }
        let stored = self.storage.read(key).await?;
        // One from the future was written by a clock that went wrong, and would be used until that time comes.
        let age = u128::from((self.platform.wall_time() - stored.modified).unsigned_abs());
        if age > self.time_to_live.as_millis() {
            return None;
        }
        let document = document(&stored.value, kind).filter(is_right)?;
        let mut state = self.lock();
        if state.generation == generation {
            state.used_others |= !is_ours;
        }
        drop(state);
        Some(document)
    }

    /// Keeps the answer to a question that was asked in `generation`.
    async fn keep(&self, key: &str, document: &impl Serialize, generation: u64) {
        let Ok(value) = serde_json::to_vec(document) else { return };
        if self.storage.write(key, value).await {
            let mut state = self.lock();
            if state.generation == generation {
                state.ours.insert(key.to_owned());
            }
        }
    }

    async fn groups(&self) -> Result<Discovered<GroupsAndMaybeResources>, DiscoveryError> {
        let is_right = |list: &ApiGroupList| !list.groups.is_empty();
        let (groups, failed) = if let Some(groups) = self.stored(GROUPS, ApiGroupList::KIND, is_right).await {
            (Arc::new(groups), self.lock().failed.clone())
        } else {
            let generation = self.lock().generation;
            let (listing, failed) = self.delegate.groups_and_maybe_resources().await?.partial();
            {
                let mut state = self.lock();
                if state.generation == generation {
                    state.failed = failed.clone();
                }
            }
            if is_right(&listing.groups) {
                self.keep(GROUPS, &*listing.groups, generation).await;
            }
            (listing.groups, failed)
        };
        // The resources are asked for version by version, so that each is kept.
        Ok(Discovered::new(GroupsAndMaybeResources { groups, resources: None }, failed))
    }

    async fn version(&self, group_version: &GroupVersion) -> Result<Arc<ApiResourceList>, DiscoveryError> {
        let key = format!("{group_version}/serverresources.json");
        let is_right = |list: &ApiResourceList| !list.resources.is_empty() && list.group_version == *group_version;
        if let Some(list) = self.stored(&key, ApiResourceList::KIND, is_right).await {
            return Ok(Arc::new(list));
        }
        let generation = self.lock().generation;
        let list = self.delegate.server_resources_for_group_version(group_version).await?;
        if is_right(&list) {
            self.keep(&key, &*list, generation).await;
        }
        Ok(list)
    }
}

/// The document in `value`, where it is one of this kind.
fn document<T: TryFrom<Document>>(value: &[u8], kind: &str) -> Option<T> {
    let document: Document = serde_json::from_slice(value).ok()?;
    (document.kind == kind).then(|| T::try_from(document).ok())?
}

impl Discovery for StoredCache {
    fn groups_and_maybe_resources(&self) -> Discovering<'_, Discovered<GroupsAndMaybeResources>> {
        Box::pin(self.groups())
    }

    fn server_resources_for_group_version<'a>(
        &'a self,
        group_version: &'a GroupVersion,
    ) -> Discovering<'a, Arc<ApiResourceList>> {
        Box::pin(self.version(group_version))
    }

    fn server_version(&self) -> Discovering<'_, ServerVersion> {
        self.delegate.server_version()
    }

    fn openapi_v3(&self) -> Discovering<'_, Arc<OpenApiV3>> {
        self.delegate.openapi_v3()
    }

    fn openapi_v3_schema<'a>(&'a self, path: &'a OpenApiV3Path, format: SchemaFormat) -> Discovering<'a, Bytes> {
        self.delegate.openapi_v3_schema(path, format)
    }

    fn openapi_v2(&self, format: SchemaFormat) -> Discovering<'_, Bytes> {
        self.delegate.openapi_v2(format)
    }

    fn at_once(&self) -> usize {
        self.delegate.at_once()
    }

    fn as_cached(&self) -> Option<&dyn CachedDiscovery> {
        Some(self)
    }
}

impl CachedDiscovery for StoredCache {
    fn fresh(&self) -> bool {
        !self.lock().used_others
    }

    fn invalidate(&self) {
        // First below: who asks between the two must not keep what was remembered there.
        if let Some(cached) = self.delegate.as_cached() {
            cached.invalidate();
        }
        let mut state = self.lock();
        *state = State { generation: state.generation + 1, ..State::default() };
    }
}

#[cfg(test)]
mod tests;
