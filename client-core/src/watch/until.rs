//! Waiting for an event.

use std::{pin::pin, sync::Arc};

use futures::{
    Stream, StreamExt as _,
    future::{Either, select},
};

use super::{InformerWatcher, Outcome, Unmet, WaitError};
use crate::{
    informer::{CacheSync, wait_for_sync},
    object::Object,
    rest::WatchError,
    store::SharedIndexer,
    wire::WatchEvent,
};

/// The first of `events` that meets `condition`; or why none did, where the condition fails, the events end, one of them cannot be
/// read, or `give_up` ends (client-go `tools/watch/until.go`, `UntilWithoutRetry`). Over a [`RetryWatcher`](super::RetryWatcher) it is
/// `Until`. Several conditions in turn are one: [`then`](super::then).
///
/// ```
/// use std::{convert::Infallible, future::pending, sync::Arc};
/// use porthole_client_core::{
///     clients::ResourceClient,
///     fake::FakeApiServer,
///     meta::GroupVersionResource,
///     object::{Object as _, Unstructured},
///     platform::{FakePlatform, ready},
///     watch::{RetryWatcher, then, until},
///     wire::WatchEvent,
/// };
///
/// let server = FakeApiServer::new(Arc::new(FakePlatform::default()));
/// let maps = GroupVersionResource::new("", "v1", "configmaps");
/// let maps = ResourceClient::<Unstructured>::namespaced(server.client(), maps, "default");
/// let watch = RetryWatcher::of_client(&maps, server.resource_version())?;
/// for value in ["blue", "red"] {
///     let map = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"colour":""}}"#;
///     server.apply_json(&map.replace(r#"r":""#, &format!(r#"r":"{value}"#)))?;
/// }
///
/// let added = |event: &WatchEvent<Unstructured>| matches!(event, WatchEvent::Added(_));
/// let changed = |event: &WatchEvent<Unstructured>| matches!(event, WatchEvent::Modified(_));
/// let event = ready(until(watch, then(added, changed), pending::<Infallible>()))?;
/// assert_eq!(event.object().unwrap().nested::<String>(&["data", "colour"])?.as_deref(), Some("red"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Why no event met it, and the last that came.
pub async fn until<K, R: Outcome, C>(
    events: impl Stream<Item = Result<WatchEvent<K>, WatchError>>,
    mut condition: impl FnMut(&WatchEvent<K>) -> R,
    give_up: impl Future<Output = C>,
) -> Result<WatchEvent<K>, Unmet<K, R::Error, C>> {
    let (mut events, mut give_up) = (pin!(events), pin!(give_up));
    let mut last = None;
    loop {
        // Events that come without a pause must not outrun who gives up.
        let error = match select(give_up.as_mut(), events.next()).await {
            Either::Left((cause, _)) => WaitError::Interrupted(cause),
            Either::Right((None, _)) => WaitError::Closed,
            Either::Right((Some(Err(error)), _)) => WaitError::Watch(error),
            Either::Right((Some(Ok(event)), _)) => match condition(&event).into_result() {
                Ok(true) => return Ok(event),
                Ok(false) => {
                    last = Some(event);
                    continue;
                }
                Err(error) => return Err(Unmet { last: Some(event), error: WaitError::Condition(error) }),
            },
        };
        return Err(Unmet { last, error });
    }
}

/// As [`until`] over an informer's events, but that what is in the cache can do: once that is whole, `precondition` looks at it, and
/// where it holds there is nothing to wait for and no event (client-go `tools/watch/until.go`, `UntilWithSync`). Without a
/// precondition it is `until` over an [`InformerWatcher`].
///
/// An informer recovers from everything, a version that is too old as well; so it can miss states between two others.
///
/// # Errors
/// As [`until`]; where `precondition` fails; and where the cache does not become whole before `give_up` ends.
pub async fn until_with_sync<K: Object, E, C>(
    events: InformerWatcher<K>,
    precondition: impl FnOnce(&SharedIndexer<K>) -> Result<bool, E>,
    condition: impl FnMut(&WatchEvent<Arc<K>>) -> Result<bool, E>,
    give_up: impl Future<Output = C>,
) -> Result<Option<WatchEvent<Arc<K>>>, Unmet<Arc<K>, E, C>> {
    let mut give_up = pin!(give_up);
    let unmet = |error| Unmet { last: None, error };
    let cache = CacheSync::of_informer("the informer of the watch", events.informer());
    wait_for_sync([cache], give_up.as_mut(), |_| {}).await.map_err(|error| unmet(WaitError::NotSynced(error)))?;
    if precondition(events.informer().indexer()).map_err(|error| unmet(WaitError::Condition(error)))? {
        return Ok(None);
    }
    until(events, condition, give_up).await.map(Some)
}
