//! Discovery that is remembered while the program runs (client-go `discovery/cached/memory/memcache.go`).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;

use crate::{
    discovery::{
        ApiGroupList, ApiResourceList, CachedDiscovery, Discovered, Discovering, Discovery, DiscoveryError,
        GroupsAndMaybeResources, OpenApiV3, OpenApiV3Path, SchemaFormat, ServerVersion, legacy::ask_each, source::is_transient,
    },
    meta::GroupVersion,
};

/// Remembers what a server has until it is invalidated.
///
/// The first question asks for everything, and whoever asks meanwhile waits for the same answer. From then on a version
/// that is not there is not looked up again: the server had none. A version that failed is asked again, alone, when it is
/// asked for, where the failure may pass; a lasting failure is remembered too.
///
/// client-go remembers a stale version as failed until it is invalidated; here it is asked again, as one that was not
/// reached.
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::sync::Arc;
/// use porthole_client_core::{
///     discovery::{ApiResource, ApiResourceList, CachedDiscovery, Discovery, FakeDiscovery, MemoryCache},
///     platform::ready,
/// };
///
/// let widgets = ApiResource { name: "widgets".to_owned(), kind: "Widget".to_owned(), ..ApiResource::default() };
/// let server = FakeDiscovery::new([ApiResourceList::new("a.io/v1".parse()?, vec![widgets])]);
/// let cache = MemoryCache::new(Arc::new(server.clone()));
/// let first = ready(cache.server_groups_and_resources())?.complete()?;
/// let asked = server.calls().len();
/// assert_eq!(ready(cache.server_groups_and_resources())?.complete()?, first);
/// assert_eq!(server.calls().len(), asked);
///
/// cache.invalidate();
/// assert!(!cache.fresh());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MemoryCache {
    delegate: Arc<dyn Discovery>,
    state: Mutex<State>,
    /// Held by whoever asks: the others wait for that answer.
    asking: futures::lock::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// Counts invalidations: an answer to a question of before one is not remembered after it.
    generation: u64,
    known: Option<Arc<Known>>,
    openapi: Option<Arc<OpenApiV3>>,
    schemas: BTreeMap<(OpenApiV3Path, SchemaFormat), Bytes>,
}

type Entry = Result<Arc<ApiResourceList>, DiscoveryError>;

#[derive(Clone)]
struct Known {
    groups: Arc<ApiGroupList>,
    /// In the server's order.
    entries: Vec<(GroupVersion, Entry)>,
    /// Whether groups and resources came in one answer.
    aggregated: bool,
}

impl Known {
    fn entry(&self, group_version: &GroupVersion) -> Option<&Entry> {
        self.entries.iter().find_map(|(version, entry)| (version == group_version).then_some(entry))
    }
}

opaque_debug!(MemoryCache);

impl MemoryCache {
    /// A cache of what `delegate` answers.
    #[must_use]
    pub fn new(delegate: Arc<dyn Discovery>) -> Self {
        Self { delegate, state: Mutex::default(), asking: futures::lock::Mutex::new(()) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remembered(&self) -> (Option<Arc<Known>>, u64) {
        let state = self.lock();
        (state.known.clone(), state.generation)
    }

    async fn known(&self) -> Result<Arc<Known>, DiscoveryError> {
        if let (Some(known), _) = self.remembered() {
            return Ok(known);
        }
        let _asking = self.asking.lock().await;
        let (known, generation) = self.remembered();
        if let Some(known) = known {
            return Ok(known);
        }
        let known = Arc::new(self.ask().await?);
        let mut state = self.lock();
        if state.generation == generation && !known.groups.groups.is_empty() {
            state.known = Some(Arc::clone(&known));
        }
        Ok(known)
    }

    async fn ask(&self) -> Result<Known, DiscoveryError> {
        let (listing, failed) = self.delegate.groups_and_maybe_resources().await?.partial();
        let (groups, aggregated) = (listing.groups, listing.resources.is_some());
        let mut entries: Vec<(GroupVersion, Entry)> = if let Some(lists) = listing.resources {
            lists.into_iter().map(|list| (list.group_version.clone(), Ok(list))).collect()
        } else {
            let question = |version| async move { self.ask_version(&version).await };
            ask_each(groups.group_versions(), self.delegate.at_once(), question).await
        };
        entries.extend(failed.into_iter().map(|(version, error)| (version, Err(error))));
        Ok(Known { groups, entries, aggregated })
    }

    async fn ask_version(&self, group_version: &GroupVersion) -> Entry {
        let list = self.delegate.server_resources_for_group_version(group_version).await?;
        if list.resources.is_empty() { Err(DiscoveryError::Empty) } else { Ok(list) }
    }

    async fn version(&self, group_version: &GroupVersion) -> Entry {
        let known = self.known().await?;
        match known.entry(group_version) {
            None => Err(DiscoveryError::NotCached { group_version: group_version.clone() }),
            Some(Err(error)) if is_transient(error) => self.version_again(group_version).await,
            Some(entry) => entry.clone(),
        }
    }

    async fn version_again(&self, group_version: &GroupVersion) -> Entry {
        let _asking = self.asking.lock().await;
        let (known, generation) = self.remembered();
        if let Some(Ok(list)) = known.as_ref().and_then(|known| known.entry(group_version)) {
            return Ok(Arc::clone(list));
        }
        let answer = self.ask_version(group_version).await;
        let mut state = self.lock();
        if state.generation == generation
            && let Some(known) = &mut state.known
            && let Some((_, entry)) = Arc::make_mut(known).entries.iter_mut().find(|(version, _)| version == group_version)
        {
            entry.clone_from(&answer);
        }
        answer
    }

    async fn groups(&self) -> Result<Discovered<GroupsAndMaybeResources>, DiscoveryError> {
        let known = self.known().await?;
        // Where each version is asked, each says itself how it failed.
        let is_asked = |version: &GroupVersion| !known.aggregated && known.groups.group_versions().any(|other| other == *version);
        let (mut lists, mut failed) = (Vec::new(), Vec::new());
        for (version, entry) in &known.entries {
            match entry {
                Ok(list) => lists.push(Arc::clone(list)),
                Err(error) if !is_asked(version) => failed.push((version.clone(), error.clone())),
                Err(_) => {}
            }
        }
        let resources = known.aggregated.then_some(lists);
        let found = GroupsAndMaybeResources { groups: Arc::clone(&known.groups), resources };
        Ok(Discovered::new(found, failed.into_iter().collect()))
    }

    async fn openapi_index(&self) -> Result<Arc<OpenApiV3>, DiscoveryError> {
        let generation = {
            let state = self.lock();
            if let Some(index) = &state.openapi {
                return Ok(Arc::clone(index));
            }
            state.generation
        };
        let index = self.delegate.openapi_v3().await?;
        let mut state = self.lock();
        if state.generation == generation {
            state.openapi = Some(Arc::clone(&index));
        }
        Ok(index)
    }

    async fn openapi_document(&self, path: &OpenApiV3Path, format: SchemaFormat) -> Result<Bytes, DiscoveryError> {
        let key = (path.clone(), format);
        let generation = {
            let state = self.lock();
            if let Some(schema) = state.schemas.get(&key) {
                return Ok(schema.clone());
            }
            state.generation
        };
        let schema = self.delegate.openapi_v3_schema(path, format).await?;
        let mut state = self.lock();
        if state.generation == generation {
            state.schemas.insert(key, schema.clone());
        }
        Ok(schema)
    }
}

impl Discovery for MemoryCache {
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
        Box::pin(self.openapi_index())
    }

    fn openapi_v3_schema<'a>(&'a self, path: &'a OpenApiV3Path, format: SchemaFormat) -> Discovering<'a, Bytes> {
        Box::pin(self.openapi_document(path, format))
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

impl CachedDiscovery for MemoryCache {
    fn fresh(&self) -> bool {
        self.lock().known.is_some()
    }

    fn invalidate(&self) {
        // First below: who asks between the two must not remember what was remembered there.
        if let Some(cached) = self.delegate.as_cached() {
            cached.invalidate();
        }
        let mut state = self.lock();
        *state = State { generation: state.generation + 1, ..State::default() };
    }
}

#[cfg(test)]
mod tests;
