//! Waiting for an object.

use std::{pin::pin, sync::Arc, time::Duration};

use futures::{
    StreamExt as _,
    future::{Either, select},
};

use super::{Outcome, RetryWatcher, WaitError};
use crate::{
    clients::ResourceClient,
    informer::Selection,
    meta::ObjectName,
    object::{ObjectList, WireObject},
    rest::ApiError,
    selector::FieldSelector,
    wire::WatchEvent,
};

/// How long to wait before the object is asked for anew.
const PAUSE: Duration = Duration::from_secs(1);

/// Waits until the object `name` of `client`, which is of one namespace or of the whole cluster, meets `condition`, and gives it
/// back as it was then; `None` where there is no such object then (`kubectl wait`, `kubectl/pkg/cmd/wait`). `condition` is asked of
/// the object as it is now and then of each of its states, with `None` where there is none: so one that is not there yet is waited
/// for, and one that shall go is waited for by `Option::is_none`.
///
/// The watch goes on when it ends or breaks, and where its version is too old the object is read anew, so that states can be
/// missed. kubectl gives up where an object that is not there is to meet a condition, and takes another one of the same name for a
/// deletion; here the condition says what it wants.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use futures::FutureExt as _;
/// use porthole_client_core::{
///     clients::ResourceClient,
///     fake::FakeApiServer,
///     meta::GroupVersionResource,
///     object::{ConditionStatus, Unstructured},
///     platform::{FakePlatform, Platform, time_limit},
///     watch::{has_condition, wait_for},
/// };
///
/// let clock = FakePlatform::default();
/// let platform: Arc<dyn Platform> = Arc::new(clock.clone());
/// let server = FakeApiServer::new(Arc::clone(&platform));
/// let pods = GroupVersionResource::new("", "v1", "pods");
/// let pods = ResourceClient::<Unstructured>::namespaced(server.client(), pods, "shop");
/// let minute = || time_limit(&platform, Duration::from_secs(60));
///
/// // kubectl wait --for=condition=Ready --timeout=60s pod/web-0
/// let mut ready = Box::pin(wait_for(&pods, "web-0", has_condition("Ready", ConditionStatus::TRUE), minute()));
/// assert!((&mut ready).now_or_never().is_none());
/// let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop"},
///     "status":{"conditions":[{"type":"Ready","status":"True"}]}}"#;
/// server.apply_json(pod)?;
/// assert!(ready.now_or_never().unwrap()?.is_some());
///
/// // kubectl wait --for=delete --timeout=60s pod/web-0
/// let mut gone = Box::pin(wait_for(&pods, "web-0", |pod: Option<&Unstructured>| pod.is_none(), minute()));
/// assert!((&mut gone).now_or_never().is_none());
/// clock.advance(Duration::from_secs(60));
/// let error = gone.now_or_never().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "gave up waiting for the condition: timed out after 60s");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where `condition` fails; where `give_up` ends first; where the object may not be listed or watched, or the server cannot be
/// reached at first; and where it cannot be read.
pub async fn wait_for<K: WireObject, R: Outcome, C>(
    client: &ResourceClient<K>,
    name: impl Into<ObjectName>,
    condition: impl FnMut(Option<&K>) -> R,
    give_up: impl Future<Output = C>,
) -> Result<Option<K>, WaitError<R::Error, C>> {
    // What is there counts, even where time is up.
    match select(pin!(follow(client, name.into(), condition)), pin!(give_up)).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right((cause, _)) => Err(WaitError::Interrupted(cause)),
    }
}

async fn follow<K: WireObject, R: Outcome, C>(
    client: &ResourceClient<K>,
    name: ObjectName,
    mut condition: impl FnMut(Option<&K>) -> R,
) -> Result<Option<K>, WaitError<R::Error, C>> {
    let mut is_met = |object: Option<&K>| condition(object).into_result().map_err(WaitError::Condition);
    let named = FieldSelector::name(&name).to_string();
    let selection = Selection { field_selector: Some(named), ..Selection::default() };
    let mut list = list(client, &selection).await.map_err(WaitError::Request)?;
    loop {
        let version = list.metadata.resource_version.clone();
        let object = list.into_iter().find(|object| object.name() == name.as_str());
        if is_met(object.as_ref())? {
            return Ok(object);
        }
        let watch = RetryWatcher::of_client(client, version).map_err(WaitError::NoStartVersion)?;
        let mut watch = watch.select(selection.clone()).end_where_denied();
        while let Some(event) = watch.next().await {
            let object = match event.map_err(WaitError::Watch)? {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => Some(object),
                WatchEvent::Deleted(_) => None,
                WatchEvent::Error(status) if status.is_denial() => return Err(WaitError::Request(ApiError::Refused(status))),
                // The version is too old, or cannot be known.
                WatchEvent::Bookmark(_) | WatchEvent::Error(_) => continue,
            };
            if is_met(object.as_ref())? {
                return Ok(object);
            }
        }
        drop(watch);
        list = list_again(client, &selection).await.map_err(WaitError::Request)?;
    }
}

async fn list<K: WireObject>(client: &ResourceClient<K>, selection: &Selection) -> Result<ObjectList<K>, ApiError> {
    client.list(&selection.part()).await
}

/// Lists until the server answers. That it did before says that it is there.
async fn list_again<K: WireObject>(client: &ResourceClient<K>, selection: &Selection) -> Result<ObjectList<K>, ApiError> {
    let platform = Arc::clone(client.rest_client().platform());
    loop {
        platform.sleep(PAUSE).await;
        match list(client, selection).await {
            Err(error @ (ApiError::Transport(_) | ApiError::TimedOut { .. } | ApiError::AfterRetries { .. }))
                if error.status().is_none() => {}
            Err(error) if error.status().is_some_and(|status| !status.is_denial()) => {}
            outcome => return outcome,
        }
    }
}
