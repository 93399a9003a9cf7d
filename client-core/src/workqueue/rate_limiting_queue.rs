//! A queue that lets what failed wait.

use std::{
    ops::Deref,
    sync::{Arc, Mutex},
};

use super::{ItemRateLimiter, WorkItem, WorkQueue};
use crate::informer::lock::lock;

/// A [`WorkQueue`] beside a limiter that says how long what failed waits (client-go `util/workqueue/rate_limiting_queue.go`).
/// Clones are the same queue with the same limiter. It derefs to the queue, as client-go's has the queue's methods.
///
/// A worker adds what failed with [`add_rate_limited`](Self::add_rate_limited), and [forgets](Self::forget) what did not. Failures
/// are counted until then, also those of tries that a plain [`add`](WorkQueue::add) brought about: what many events come for
/// while it fails soon waits for the longest time there is.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{
///     platform::{FakePlatform, ready},
///     workqueue::{RateLimitingQueue, WorkQueue, default_controller_rate_limiter},
/// };
///
/// let platform = FakePlatform::default();
/// let queue = RateLimitingQueue::new(WorkQueue::new(Arc::new(platform.clone())), default_controller_rate_limiter());
/// queue.add("pod");
///
/// let item = ready(queue.get()).unwrap();
/// // Processing it failed.
/// queue.add_rate_limited(item.clone());
/// drop(item);
/// assert_eq!((queue.len(), queue.retries(&"pod")), (0, 1));
///
/// platform.run();
/// platform.advance(Duration::from_millis(5));
/// platform.run();
/// let item = ready(queue.get()).unwrap();
/// // And now it did not.
/// queue.forget(&item);
/// assert_eq!(queue.retries(&"pod"), 0);
/// ```
pub struct RateLimitingQueue<T> {
    queue: WorkQueue<T>,
    limiter: Arc<Mutex<dyn ItemRateLimiter<T>>>,
}

opaque_debug!(RateLimitingQueue<T>);

impl<T> Clone for RateLimitingQueue<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), limiter: Arc::clone(&self.limiter) }
    }
}

impl<T> Deref for RateLimitingQueue<T> {
    type Target = WorkQueue<T>;

    fn deref(&self) -> &WorkQueue<T> {
        &self.queue
    }
}

impl<T: WorkItem> RateLimitingQueue<T> {
    /// Lets what fails wait as `limiter` says, and adds it to `queue`.
    #[must_use]
    pub fn new(queue: WorkQueue<T>, limiter: impl ItemRateLimiter<T>) -> Self {
        Self { queue, limiter: Arc::new(Mutex::new(limiter)) }
    }

    /// Adds an item that failed, once the limiter lets it (`AddRateLimited`).
    pub fn add_rate_limited(&self, item: T) {
        let now = self.queue.now();
        let delay = lock(&self.limiter).when(&item, now);
        self.queue.add_after(item, delay);
    }

    /// Notes that an item is not tried again, be it for success or for good (`Forget`). It may still be queued, and it is not
    /// done by that.
    pub fn forget(&self, item: &T) {
        lock(&self.limiter).forget(item);
    }

    /// How often an item failed since it was last forgotten (`NumRequeues`).
    #[must_use]
    pub fn retries(&self, item: &T) -> u32 {
        lock(&self.limiter).retries(item)
    }
}
