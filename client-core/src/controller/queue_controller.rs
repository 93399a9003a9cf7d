//! The controller.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{Arc, Mutex},
};

use futures::{
    FutureExt as _,
    future::{join_all, select},
};

use super::{Action, ControllerError, ControllerStopped, ReconcileError};
use crate::{
    informer::{CacheSync, Change, SharedInformer, latch::Latch, lock::lock, wait_for_sync},
    object::Object,
    platform::{MaybeSend, MaybeSync, Platform},
    workqueue::{Processing, RateLimitingQueue, WorkItem, WorkQueue, default_controller_rate_limiter},
};

/// Informers that feed a queue, and workers that reconcile what comes out of it. Clones are the same controller. What it
/// promises is said in the [module](super).
///
/// ```
/// use std::{convert::Infallible, sync::{Arc, Mutex}};
/// use porthole_client_core::{
///     controller::{Action, Controller, own_key},
///     fake::FakeApiServer,
///     informer::{FactoryOptions, SharedInformerFactory},
///     meta::GroupVersionResource,
///     platform::{FakePlatform, Platform as _},
///     store::Key,
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let factory = SharedInformerFactory::new(server.client(), FactoryOptions::default());
/// let namespaces = factory.metadata(GroupVersionResource::new("", "v1", "namespaces"), false);
///
/// let controller = Controller::new(Arc::new(platform.clone()));
/// controller.watch("namespaces", namespaces, own_key)?;
/// factory.start();
///
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let log = Arc::clone(&seen);
/// let reconcile = move |key: Key| {
///     log.lock().unwrap().push(key.to_string());
///     async { Ok::<_, Infallible>(Action::AwaitChange) }
/// };
/// let run = controller.clone();
/// platform.spawn(Box::pin(async move { run.run(2, reconcile, |key, error| eprintln!("{key}: {error}")).await.unwrap() }));
/// platform.run();
/// assert!(seen.lock().unwrap().contains(&"default".to_owned()));
///
/// controller.stop();
/// platform.run();
/// # Ok::<(), porthole_client_core::controller::ControllerError>(())
/// ```
pub struct Controller<K> {
    inner: Arc<Inner<K>>,
}

opaque_debug!(Controller<K>);

struct Inner<K> {
    platform: Arc<dyn Platform>,
    queue: RateLimitingQueue<K>,
    /// What feeds it, until it runs.
    feeds: Mutex<Option<Vec<Feed>>>,
    stopped: Latch,
}

/// An informer that feeds a controller, until this is dropped.
struct Feed {
    told_all: Option<CacheSync>,
    end: Option<Box<dyn FnOnceToEnd>>,
}

trait FnOnceToEnd: FnOnce() + MaybeSend {}
impl<F: FnOnce() + MaybeSend> FnOnceToEnd for F {}

impl Drop for Feed {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            end();
        }
    }
}

impl<K> Clone for Controller<K> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<K: WorkItem> Controller<K> {
    /// A controller over a queue of its own, which lets what failed wait as client-go's controllers do.
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        let queue = RateLimitingQueue::new(WorkQueue::new(Arc::clone(&platform)), default_controller_rate_limiter());
        Self::with_queue(platform, queue)
    }

    /// A controller over `queue`, which has the metrics, the order and the limiter that somebody wants.
    #[must_use]
    pub fn with_queue(platform: Arc<dyn Platform>, queue: RateLimitingQueue<K>) -> Self {
        let inner = Inner { platform, queue, feeds: Mutex::new(Some(Vec::new())), stopped: Latch::default() };
        Self { inner: Arc::new(inner) }
    }

    /// The queue, for keys that come from elsewhere.
    #[must_use]
    pub fn queue(&self) -> &RateLimitingQueue<K> {
        &self.inner.queue
    }

    /// Adds the keys that `keys` finds in each change of an informer, which somebody else starts. It is called `name` where it is
    /// waited for in vain. A handle of a factory is kept, so that the informer is there as long as the controller is fed.
    ///
    /// # Errors
    /// Where the informer has stopped, or the controller runs already.
    pub fn watch<T: Object, I: IntoIterator<Item = K>>(
        &self,
        name: impl Into<String>,
        handle: impl AsRef<SharedInformer<T>> + MaybeSend + 'static,
        mut keys: impl FnMut(&Change<T>) -> I + MaybeSend + 'static,
    ) -> Result<(), ControllerError> {
        if lock(&self.inner.feeds).is_none() {
            return Err(ControllerError::Started);
        }
        let informer = handle.as_ref();
        let queue = self.inner.queue.clone();
        let registration = informer.on_change(move |change| keys(change).into_iter().for_each(|key| queue.add(key)))?;
        let (waiting, told) = (informer.clone(), registration.clone());
        let told_all = CacheSync::new(name, async move {
            let synced = waiting.synced_or_ended().await;
            if synced {
                told.synced().await;
            }
            synced
        });
        let end = Box::new(move || handle.as_ref().remove_event_handler(&registration));
        let feed = Feed { told_all: Some(told_all), end: Some(end) };
        if let Some(feeds) = &mut *lock(&self.inner.feeds) {
            feeds.push(feed);
            return Ok(());
        }
        // It was run meanwhile.
        drop(feed);
        Err(ControllerError::Started)
    }

    /// Runs it until it is [stopped](Self::stop): waits for the informers, then lets `workers`, at least one, call `reconcile`
    /// with each key, and `failed` with each failure. Dropping this gives it up at once: what is being reconciled is dropped as
    /// well, what is queued is not reconciled.
    ///
    /// # Errors
    /// Where an informer ended, or the controller was stopped, before all was told that is there; and where it ran before.
    pub async fn run<E, F>(
        &self,
        workers: usize,
        reconcile: impl Fn(K) -> F + MaybeSend + MaybeSync + 'static,
        failed: impl Fn(&K, &ReconcileError<E>) + MaybeSend + MaybeSync + 'static,
    ) -> Result<(), ControllerError>
    where
        E: MaybeSend + 'static,
        F: Future<Output = Result<Action, E>> + MaybeSend + 'static,
    {
        let mut feeds = lock(&self.inner.feeds).take().ok_or(ControllerError::Started)?;
        let end = GiveUp { controller: self, given_up: Latch::default() };
        let caches: Vec<_> = feeds.iter_mut().filter_map(|feed| feed.told_all.take()).collect();
        let stopped = async {
            self.inner.stopped.wait().await;
            ControllerStopped
        };
        wait_for_sync(caches, stopped, |_| {}).await.map_err(ControllerError::NotSynced)?;
        let work = Arc::new((reconcile, failed));
        let workers = (0..workers.max(1)).map(|_| {
            let (queue, work, done) = (self.inner.queue.clone(), Arc::clone(&work), Latch::default());
            let (ended, given_up) = (Ended(done.clone()), end.given_up.clone());
            self.inner.platform.spawn(Box::pin(async move {
                let work = async move {
                    while let Some(key) = queue.get().await {
                        let (reconcile, failed) = &*work;
                        reconcile_one(&queue, key, reconcile, failed).await;
                    }
                };
                select(pin!(given_up.wait()), pin!(work)).await;
                drop(ended);
            }));
            async move { done.wait().await }
        });
        join_all(workers).await;
        drop((end, feeds));
        Ok(())
    }

    /// Stops it: what is queued is still reconciled, and nothing is added any more.
    pub fn stop(&self) {
        self.inner.stopped.open();
        self.inner.queue.shut_down();
    }
}

/// A worker has ended, be it by the panic of a metric.
struct Ended(Latch);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.open();
    }
}

/// Ends a controller with its run.
struct GiveUp<'a, K: WorkItem> {
    controller: &'a Controller<K>,
    given_up: Latch,
}

impl<K: WorkItem> Drop for GiveUp<'_, K> {
    fn drop(&mut self) {
        self.controller.stop();
        self.given_up.open();
    }
}

async fn reconcile_one<K: WorkItem, E, F: Future<Output = Result<Action, E>>>(
    queue: &RateLimitingQueue<K>,
    key: Processing<K>,
    reconcile: &impl Fn(K) -> F,
    failed: &impl Fn(&K, &ReconcileError<E>),
) {
    // The call itself may panic, before there is anything to wait for.
    let reconciled = match catch_unwind(AssertUnwindSafe(|| reconcile(key.clone()))) {
        Ok(reconciling) => AssertUnwindSafe(reconciling).catch_unwind().await,
        Err(panic) => Err(panic),
    };
    let error = match reconciled {
        Ok(Ok(action)) => {
            queue.forget(&key);
            if let Action::RequeueAfter(time) = action {
                queue.add_after(key.clone(), time);
            }
            return;
        }
        Ok(Err(error)) => ReconcileError::Failed(error),
        Err(_) => ReconcileError::Panicked,
    };
    queue.add_rate_limited(key.clone());
    // The panic hook has told of one that panics; the worker goes on.
    drop(catch_unwind(AssertUnwindSafe(|| failed(&key, &error))));
}
