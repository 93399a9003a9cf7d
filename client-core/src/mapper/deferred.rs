//! A mapper that asks when it is needed (client-go `restmapper/discovery.go`: `DeferredDiscoveryRESTMapper`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    discovered::DiscoveredMapper, error::MapperError, interface::RestMapper as _, mapping::RestMapping, partial::PartialResource,
};
use crate::{
    discovery::{CachedDiscovery, DiscoveryClient, GroupFailures, MemoryCache},
    meta::{GroupKind, GroupResource, GroupVersionKind, GroupVersionResource},
    rest::{RestClient, WarningHandler},
};

/// Finds the resources of names and kinds, and asks the server when the first is wanted. Clones share what was found.
///
/// Where something is not found and the cache is not [fresh](CachedDiscovery::fresh), the cache is invalidated and the server
/// asked again, once, however many look for something at that moment; so a resource that is new is found, by its short name
/// as well. While the cache is fresh, what is not found is not there: a program that runs for long calls
/// [`reset`](Self::reset) when it knows of new resources. A version that did not answer is asked again, alone, when something is
/// not found that it could have, and the error says why where it fails again. An attempt to ask again that fails takes nothing
/// away: what was found before is still there.
///
/// Every question fails as that of [`RestMapper`](super::RestMapper) does, and with [`MapperError::Discovery`] where the
/// server could not be asked.
///
/// client-go looks again for short names only where it looks for a kind, asks for ever where a cache does not become fresh,
/// and asks a version that failed again only when everything is.
///
#[cfg_attr(feature = "test-util", doc = "```")]
#[cfg_attr(not(feature = "test-util"), doc = "```ignore")]
/// use std::sync::Arc;
/// use porthole_client_core::{
///     discovery::{ApiResource, ApiResourceList, FakeDiscovery, MemoryCache},
///     mapper::DeferredMapper,
///     platform::ready,
///     rest::ResourcePath,
/// };
///
/// let deployments = ApiResource {
///     name: "deployments".to_owned(),
///     kind: "Deployment".to_owned(),
///     namespaced: true,
///     short_names: vec!["deploy".to_owned()],
///     ..ApiResource::default()
/// };
/// let server = FakeDiscovery::new([ApiResourceList::new("apps/v1".parse()?, vec![deployments])]);
/// let mapper = DeferredMapper::new(Arc::new(MemoryCache::new(Arc::new(server.clone()))));
/// assert!(server.calls().is_empty());
///
/// let mapping = ready(mapper.resolve("deploy"))?;
/// let path = ResourcePath::collection(&mapping.resource, Some(&"default".into()))?;
/// assert_eq!(path.as_str(), "/apis/apps/v1/namespaces/default/deployments");
/// assert_eq!(ready(mapper.rest_mapping(&"Deployment.apps".into(), &["v1"]))?, mapping);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DeferredMapper {
    discovery: Arc<dyn CachedDiscovery>,
    warnings: Option<Arc<dyn WarningHandler>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Held by whoever asks: the others wait for that answer.
    asking: futures::lock::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// Counts resets: an answer to a question of before one is not kept after it.
    generation: u64,
    known: Option<Arc<DiscoveredMapper>>,
}

opaque_debug!(DeferredMapper);

impl DeferredMapper {
    /// A mapper of what the server of `client` has, over a cache of its own in memory.
    #[must_use]
    pub fn of_client(client: RestClient) -> Self {
        Self::new(Arc::new(MemoryCache::new(Arc::new(DiscoveryClient::new(client)))))
    }

    /// A mapper of what `discovery` answers. Nothing is asked yet.
    #[must_use]
    pub fn new(discovery: Arc<dyn CachedDiscovery>) -> Self {
        Self { discovery, warnings: None, shared: Arc::default() }
    }

    /// The same, telling `handler` of short names: see
    /// [`ShortcutExpander::with_warnings`](super::ShortcutExpander::with_warnings). It shares nothing with what it was made of.
    #[must_use]
    pub fn with_warnings(self, handler: impl WarningHandler) -> Self {
        Self { warnings: Some(Arc::new(handler)), shared: Arc::default(), ..self }
    }

    /// What is known, as a mapper that answers at once; the server is asked where nothing is.
    ///
    /// # Errors
    /// Where the server could not be asked. Versions that did not answer are in
    /// [`DiscoveredMapper::failed`].
    pub async fn discovered(&self) -> Result<Arc<DiscoveredMapper>, MapperError> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let _asking = self.shared.asking.lock().await;
        match self.known() {
            Some(known) => Ok(known),
            None => self.ask().await,
        }
    }

    /// Forgets everything, as does the cache: the next question asks the server.
    pub fn reset(&self) {
        // First below: what is asked between the two is new, though it is not kept.
        self.discovery.invalidate();
        let mut state = self.lock();
        *state = State { generation: state.generation + 1, known: None };
    }

    /// See [`RestMapper::mapping_for`](super::RestMapper::mapping_for).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn mapping_for(&self, resource: &PartialResource) -> Result<RestMapping, MapperError> {
        self.find(|mapper| mapper.mapping_for(resource)).await
    }

    /// See [`RestMapper::mappings_for`](super::RestMapper::mappings_for).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn mappings_for(&self, resource: &PartialResource) -> Result<Vec<RestMapping>, MapperError> {
        self.find(|mapper| mapper.mappings_for(resource)).await
    }

    /// See [`RestMapper::rest_mapping`](super::RestMapper::rest_mapping).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn rest_mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<RestMapping, MapperError> {
        self.find(|mapper| mapper.rest_mapping(kind, versions)).await
    }

    /// See [`RestMapper::rest_mappings`](super::RestMapper::rest_mappings).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn rest_mappings(&self, kind: &GroupKind, versions: &[&str]) -> Result<Vec<RestMapping>, MapperError> {
        self.find(|mapper| mapper.rest_mappings(kind, versions)).await
    }

    /// See [`RestMapper::resource_for`](super::RestMapper::resource_for).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn resource_for(&self, resource: &PartialResource) -> Result<GroupVersionResource, MapperError> {
        self.find(|mapper| mapper.resource_for(resource)).await
    }

    /// See [`RestMapper::resources_for`](super::RestMapper::resources_for).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn resources_for(&self, resource: &PartialResource) -> Result<Vec<GroupVersionResource>, MapperError> {
        self.find(|mapper| mapper.resources_for(resource)).await
    }

    /// See [`RestMapper::kind_for`](super::RestMapper::kind_for).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn kind_for(&self, resource: &PartialResource) -> Result<GroupVersionKind, MapperError> {
        self.find(|mapper| mapper.kind_for(resource)).await
    }

    /// See [`RestMapper::kinds_for`](super::RestMapper::kinds_for).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn kinds_for(&self, resource: &PartialResource) -> Result<Vec<GroupVersionKind>, MapperError> {
        self.find(|mapper| mapper.kinds_for(resource)).await
    }

    /// See [`RestMapper::resource_singularizer`](super::RestMapper::resource_singularizer).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn resource_singularizer(&self, resource: &PartialResource) -> Result<String, MapperError> {
        self.find(|mapper| mapper.resource_singularizer(resource)).await
    }

    /// See [`RestMapper::resolve`](super::RestMapper::resolve).
    ///
    /// # Errors
    /// See [`DeferredMapper`].
    pub async fn resolve(&self, text: &str) -> Result<RestMapping, MapperError> {
        self.find(|mapper| mapper.resolve(text)).await
    }

    /// The resources of a category; `None` where there is no such category. The server is not asked again for it, since
    /// most of what is asked for here is a resource.
    ///
    /// # Errors
    /// Where the server could not be asked.
    pub async fn expand_category(&self, category: &str) -> Result<Option<Vec<GroupResource>>, MapperError> {
        Ok(self.discovered().await?.categories().expand(category).map(<[_]>::to_vec))
    }

    /// The answer of what is known or, where there is none and there may be more to know, of what is known then.
    async fn find<T>(&self, question: impl Fn(&DiscoveredMapper) -> Result<T, MapperError>) -> Result<T, MapperError> {
        let seen = self.discovered().await?;
        match question(&seen) {
            Ok(answer) => Ok(answer),
            Err(miss) => match self.look_again(&seen, &miss).await? {
                Some(newer) => question(&newer),
                None => Err(miss),
            },
        }
    }

    /// What is known after `seen` had no answer; `None` where that is all.
    async fn look_again(
        &self,
        seen: &Arc<DiscoveredMapper>,
        miss: &MapperError,
    ) -> Result<Option<Arc<DiscoveredMapper>>, MapperError> {
        let _asking = self.shared.asking.lock().await;
        match self.known() {
            // Who held the lock before has looked.
            Some(known) if !Arc::ptr_eq(&known, seen) => return Ok(Some(known)),
            None => return self.ask().await.map(Some),
            Some(_) => {}
        }
        if !self.discovery.fresh() {
            self.discovery.invalidate();
            return self.ask().await.map(Some);
        }
        match miss {
            MapperError::Incomplete { failed, .. } => Ok(self.ask_failed(seen, failed).await),
            _ => Ok(None),
        }
    }

    async fn ask(&self) -> Result<Arc<DiscoveredMapper>, MapperError> {
        let generation = self.lock().generation;
        let found = self.discovery.server_groups_and_resources().await?;
        Ok(self.keep(DiscoveredMapper::new(found), generation))
    }

    /// Asks the versions that failed once more; `None` where they fail again.
    async fn ask_failed(&self, seen: &DiscoveredMapper, failed: &GroupFailures) -> Option<Arc<DiscoveredMapper>> {
        let generation = self.lock().generation;
        let mut lists = Vec::new();
        for (version, _) in failed.iter() {
            // That it fails again is what the caller says already.
            lists.extend(self.discovery.server_resources_for_group_version(version).await);
        }
        (!lists.is_empty()).then(|| self.keep(DiscoveredMapper::new(seen.found_with(lists)), generation))
    }

    /// Knows this from now on, unless everything was to be forgotten since `generation`.
    fn keep(&self, found: DiscoveredMapper, generation: u64) -> Arc<DiscoveredMapper> {
        let found = Arc::new(match self.warnings.clone() {
            Some(warn) => found.with_warnings(move |text: &str| warn(text)),
            None => found,
        });
        let mut state = self.lock();
        if state.generation == generation {
            state.known = Some(Arc::clone(&found));
        }
        found
    }

    fn known(&self) -> Option<Arc<DiscoveredMapper>> {
        self.lock().known.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
