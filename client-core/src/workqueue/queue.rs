//! The queue.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use super::{
    Order, Processing, WorkItem, WorkQueueMetrics,
    shared::{Shared, Signal},
    state::{State, Taken},
    tasks::Watch,
};
use crate::{
    platform::{Instant, MaybeSend, Platform},
    queue::Waiting,
};

/// Items that have to be processed (client-go `util/workqueue/queue.go`, `Typed`, and `delaying_queue.go`). Clones are the same
/// queue; when the last is gone, and no item is being processed, it is shut down.
///
/// An item that is added again before it is handed out is handed out once; one that is added while it is processed is queued
/// again when that is over. Items do not say what happened: who gets one looks at how things are.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use porthole_client_core::{platform::{FakePlatform, ready}, workqueue::WorkQueue};
///
/// let platform = FakePlatform::default();
/// let queue = WorkQueue::new(Arc::new(platform.clone()));
/// queue.add("a");
/// queue.add("a");
/// queue.add_after("b", Duration::from_secs(5));
/// assert_eq!(queue.len(), 1);
///
/// let item = ready(queue.get()).unwrap();
/// assert_eq!(*item, "a");
/// queue.add("a");
/// assert_eq!(queue.len(), 0);
/// drop(item);
/// assert_eq!(queue.len(), 1);
///
/// platform.run();
/// platform.advance(Duration::from_secs(5));
/// platform.run();
/// assert_eq!(queue.len(), 2);
///
/// queue.shut_down();
/// while let Some(item) = ready(queue.get()) {
///     assert!(["a", "b"].contains(&*item));
/// }
/// ```
pub struct WorkQueue<T>(Arc<Shared<T>>);

opaque_debug!(WorkQueue<T>, WorkQueueOptions<T>);

impl<T> Clone for WorkQueue<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// What a queue can have that most have not (client-go `TypedQueueConfig`).
pub struct WorkQueueOptions<T> {
    /// In which order items are handed out; the default is first in, first out.
    pub order: Box<dyn Order<T>>,
    /// Who is told how the queue does; by default nobody.
    pub metrics: Option<Arc<dyn WorkQueueMetrics>>,
}

impl<T: MaybeSend + 'static> Default for WorkQueueOptions<T> {
    fn default() -> Self {
        Self { order: Box::new(VecDeque::new()), metrics: None }
    }
}

impl<T: WorkItem> WorkQueue<T> {
    /// An empty queue, first in, first out, which nobody is told about (`NewTyped`).
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>) -> Self {
        Self::with_options(platform, WorkQueueOptions::default())
    }

    /// An empty queue (`NewTypedWithConfig`). Where it has metrics a task tells what is being processed, until it is shut down.
    #[must_use]
    pub fn with_options(platform: Arc<dyn Platform>, options: WorkQueueOptions<T>) -> Self {
        let WorkQueueOptions { order, metrics } = options;
        let state = Waiting::new(State::new(order, metrics.is_some()));
        let shared = Arc::new(Shared { state, platform, metrics, signal: Arc::new(Waiting::new(Signal::default())) });
        if shared.metrics.is_some() {
            shared.platform.spawn(Box::pin(Watch::new(&shared).report()));
        }
        Self(shared)
    }

    /// Notes that an item has to be processed (`Add`). A queue that is shut down ignores it.
    pub fn add(&self, item: T) {
        self.0.add(item);
    }

    /// Adds an item after `delay` (`AddAfter`); at once, where it is zero. Of several times for an item the earliest is the one
    /// that counts. An item that is added otherwise meanwhile still comes at its time too. A queue that is shut down ignores
    /// it, and forgets what waits.
    pub fn add_after(&self, item: T, delay: Duration) {
        self.0.add_after(item, delay, || self.0.platform.spawn(Box::pin(Watch::new(&self.0).deliver())));
    }

    /// The time of its platform.
    pub(super) fn now(&self) -> Instant {
        self.0.platform.now()
    }

    /// Takes the next item, to process it; waits where there is none. `None` says that the queue is shut down and nothing is
    /// queued, so that a worker can end (`Get`). A future that is dropped takes nothing.
    pub async fn get(&self) -> Option<Processing<T>> {
        let Taken { item, waited } = self.0.state.wait(|state| state.take(self.0.now())).await.ok()?;
        let item = Processing::new(Arc::clone(&self.0), item);
        if let Some((metrics, waited)) = self.0.metrics.as_ref().zip(waited) {
            metrics.taken(waited);
        }
        Some(item)
    }

    /// How many items are queued (`Len`): neither those that are processed nor those that wait for their time. It is for
    /// information; others may add and take items meanwhile.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.state.read(State::len)
    }

    /// Whether none is queued.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes no more items (`ShutDown`). Those that are queued are still handed out, and then each worker is told that there
    /// are no more; those that wait for their time are dropped. Who waits for a drain waits no longer.
    pub fn shut_down(&self) {
        self.0.shut_down(false);
    }

    /// Takes no more items, from now on; what it gives back ends when all that are queued or processed are done, also those
    /// that were added again while they were processed (`ShutDownWithDrain`). A later [`shut_down`](Self::shut_down) ends it.
    ///
    /// Client-go does not wait for what is queued while nothing is processed, though it says that it does. So here somebody has
    /// to take what is queued.
    pub fn shut_down_with_drain(&self) -> impl Future<Output = ()> + use<T> {
        self.0.shut_down(true);
        let shared = Arc::clone(&self.0);
        async move { shared.state.wait(|state| state.is_drained().then_some(())).await }
    }

    /// Whether it takes no more items (`ShuttingDown`).
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.0.state.read(State::is_shutting_down)
    }
}
