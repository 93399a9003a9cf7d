//! Waiting for several caches at once.

use std::{fmt, future::poll_fn, pin::pin, task::Poll};

use futures::FutureExt as _;

use super::{HandlerRegistration, SharedInformer};
use crate::{
    object::Object,
    platform::{BoxFuture, MaybeSend},
};

/// Something that is waited for, and its name (client-go `tools/cache/shared_informer.go`, `DoneChecker`).
pub struct CacheSync {
    name: String,
    ends: BoxFuture<'static, bool>,
}

impl fmt::Debug for CacheSync {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CacheSync({})", self.name)
    }
}

impl CacheSync {
    /// What ends with true once it is there, or with false once it never will be.
    pub fn new(name: impl Into<String>, ends: impl Future<Output = bool> + MaybeSend + 'static) -> Self {
        Self { name: name.into(), ends: Box::pin(ends) }
    }

    /// The first whole list of an informer.
    #[must_use]
    pub fn of_informer<T: Object>(name: impl Into<String>, informer: &SharedInformer<T>) -> Self {
        let informer = informer.clone();
        Self::new(name, async move { informer.synced_or_ended().await })
    }

    /// That a handler has handled all that was there at its start.
    #[must_use]
    pub fn of_handler(name: impl Into<String>, registration: &HandlerRegistration) -> Self {
        let registration = registration.clone();
        Self::new(name, async move {
            registration.synced().await;
            true
        })
    }
}

/// What was waited for in vain (client-go `informers/factory.go`, `SyncResult`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSynced<C> {
    /// The names of what is not there, in order.
    pub names: Vec<String>,
    /// Why nobody waits any longer; `None` where what is left has stopped and never will be there.
    pub cause: Option<C>,
}

impl<C: fmt::Display> fmt::Display for NotSynced<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "failed to sync all caches: {}: ", self.names.join(", "))?;
        match &self.cause {
            Some(cause) => cause.fmt(formatter),
            None => formatter.write_str("stopped before the first whole list"),
        }
    }
}

impl<C: std::error::Error + 'static> std::error::Error for NotSynced<C> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}

/// Waits until all of `caches` are there, and calls `done` with the name of each as it comes; or until `give_up` ends, with the
/// cause (client-go `tools/cache/shared_informer.go`, `WaitFor`, `WaitForCacheSync`).
///
/// # Errors
/// Where one of them has stopped or `give_up` ended first: which are not there.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use futures::FutureExt as _;
/// use porthole_client_core::{
///     fake::FakeApiServer,
///     informer::{FactoryOptions, SharedInformerFactory, wait_for_sync},
///     meta::GroupVersionResource,
///     platform::{FakePlatform, Platform as _},
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let factory = SharedInformerFactory::new(server.client(), FactoryOptions::default());
/// let pods = factory.metadata(GroupVersionResource::new("", "v1", "pods"), true);
/// let too_late = || platform.sleep(Duration::from_secs(60)).map(|()| "no answer for a minute");
///
/// // Nobody has started it.
/// let mut waiting = Box::pin(wait_for_sync(factory.caches(), too_late(), |_| {}));
/// assert!((&mut waiting).now_or_never().is_none());
/// platform.advance(Duration::from_secs(60));
/// let error = waiting.now_or_never().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "failed to sync all caches: pods: no answer for a minute");
///
/// factory.start();
/// platform.run();
/// let synced = wait_for_sync(factory.caches(), too_late(), |name| println!("{name} is there"));
/// assert_eq!(synced.now_or_never(), Some(Ok(())));
/// ```
pub async fn wait_for_sync<C>(
    caches: impl IntoIterator<Item = CacheSync>,
    give_up: impl Future<Output = C>,
    mut done: impl FnMut(&str),
) -> Result<(), NotSynced<C>> {
    let mut waiting: Vec<_> = caches.into_iter().collect();
    let (mut give_up, mut names) = (pin!(give_up), Vec::new());
    let cause = poll_fn(|context| {
        // What is there counts, even where time is up.
        waiting.retain_mut(|cache| match cache.ends.poll_unpin(context) {
            Poll::Pending => true,
            Poll::Ready(true) => {
                done(&cache.name);
                false
            }
            Poll::Ready(false) => {
                names.push(std::mem::take(&mut cache.name));
                false
            }
        });
        if waiting.is_empty() { Poll::Ready(None) } else { give_up.as_mut().poll(context).map(Some) }
    })
    .await;
    names.extend(waiting.into_iter().map(|cache| cache.name));
    names.sort_unstable();
    if names.is_empty() { Ok(()) } else { Err(NotSynced { names, cause }) }
}
