//! Whether a cache is what the server had.

use std::collections::BTreeMap;

use super::Selection;
use crate::{
    clients::ResourceClient,
    meta::ResourceVersion,
    object::{Object, WireObject},
    reflector::Request,
    rest::ApiError,
    store::{Key, SharedIndexer},
};

/// Why a cache is not known to be what the server had.
#[derive(Debug, thiserror::Error)]
pub enum ConsistencyError {
    /// The cache has no version that a list could be of: look once it has synced.
    #[error("the cache has no version to compare it at: wait for its first whole list")]
    NoVersion,
    /// The server gave no list of the cache's version; it may have forgotten it.
    #[error("the list of version {version} to compare the cache with could not be read")]
    List {
        /// The version.
        version: ResourceVersion,
        /// What went wrong.
        source: Box<ApiError>,
    },
    /// The cache is not what the server had at the cache's version.
    #[error("the cache is not what the server had at version {version}: {}", words(differences))]
    Different {
        /// The version.
        version: ResourceVersion,
        /// What differs, in order of keys.
        differences: Vec<Difference>,
    },
}

/// An object that a cache and a server disagree about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its key.
    pub key: Key,
    /// Its version in the cache; `None` where it is not there.
    pub cached: Option<ResourceVersion>,
    /// Its version on the server; `None` where it is not there.
    pub listed: Option<ResourceVersion>,
}

fn words(differences: &[Difference]) -> String {
    const SHOWN: usize = 5;
    let version = |version: &Option<ResourceVersion>| version.as_ref().map_or("not there".to_owned(), ToString::to_string);
    let mut words: Vec<_> = differences
        .iter()
        .take(SHOWN)
        .map(|Difference { key, cached, listed }| format!("{key} is {} and was {}", version(cached), version(listed)))
        .collect();
    if differences.len() > SHOWN {
        words.push(format!("and {} more", differences.len() - SHOWN));
    }
    words.join(", ")
}

/// Compares a cache with what the server had at the cache's version, by keys and versions (client-go
/// `util/consistencydetector`, `CheckDataConsistency`, which its reflector calls where an environment variable is set). `client`
/// and `selection` are to be those of the informer; the form of the objects need not be: their metadata is enough.
///
/// It costs a list of a version that the server may have to fetch from its storage: for tests, and for who doubts a cache. Ask when
/// no list is on its way. Without a difference there may be one in what the versions do not tell.
///
/// # Errors
/// Where the two differ, or cannot be compared.
///
/// ```
/// # use std::sync::Arc;
/// # use porthole_client_core::{
/// #     clients::MetadataClient, fake::FakeApiServer,
/// #     informer::{ConsistencyError, FactoryOptions, Selection, SharedInformerFactory, check_consistency},
/// #     meta::GroupVersionResource, platform::{FakePlatform, ready},
/// # };
/// # let platform = FakePlatform::default();
/// # let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let namespaces = GroupVersionResource::new("", "v1", "namespaces");
/// let factory = SharedInformerFactory::new(server.client(), FactoryOptions::default());
/// let informer = factory.dynamic(namespaces.clone(), false);
/// factory.start();
/// platform.run();
///
/// let client = MetadataClient::new(server.client()).cluster(&namespaces);
/// ready(check_consistency(informer.indexer(), &client, &Selection::default()))?;
/// # Ok::<(), ConsistencyError>(())
/// ```
pub async fn check_consistency<T: Object, K: WireObject>(
    cache: &SharedIndexer<T>,
    client: &ResourceClient<K>,
    selection: &Selection,
) -> Result<(), ConsistencyError> {
    let (version, mut cached) = cache.read(|cache| {
        let version_of = |(key, object): (&Key, &std::sync::Arc<T>)| (key.clone(), object.resource_version().into());
        let cached: BTreeMap<Key, ResourceVersion> = cache.iter_unsorted().map(version_of).collect();
        (cache.resource_version(), cached)
    });
    // No list may be of just the version "0".
    if matches!(version.as_str(), "" | "0") {
        return Err(ConsistencyError::NoVersion);
    }
    let request = Request::List { resource_version: Some(version.clone()), exact: true, limit: None, continue_token: None };
    let list = match client.list(&selection.options(&request)).await {
        Ok(list) => list,
        Err(error) => return Err(ConsistencyError::List { version, source: Box::new(error) }),
    };
    let mut differences = Vec::new();
    for object in list {
        let (key, listed) = (Key::of(&object), ResourceVersion::from(object.resource_version()));
        let cached = cached.remove(&key);
        if cached.as_ref() != Some(&listed) {
            differences.push(Difference { key, cached, listed: Some(listed) });
        }
    }
    let unlisted = cached.into_iter().map(|(key, cached)| Difference { key, cached: Some(cached), listed: None });
    differences.extend(unlisted);
    differences.sort_by(|one, other| one.key.cmp(&other.key));
    if differences.is_empty() { Ok(()) } else { Err(ConsistencyError::Different { version, differences }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn of_many_differences_five_are_named_and_the_others_counted() {
        let all: Vec<_> =
            (0..7).map(|n| Difference { key: Key::new(n.to_string()), cached: None, listed: Some("9".into()) }).collect();
        let said = |count: usize| words(&all[..count]);
        let named = |count: usize| (0..count).map(|n| format!("{n} is not there and was 9")).collect::<Vec<_>>().join(", ");
        assert_eq!((said(1), said(5)), (named(1), named(5)));
        assert_eq!(said(6), format!("{}, and 1 more", named(5)));
        assert_eq!(said(7), format!("{}, and 2 more", named(5)));
    }
}
