//! Who wants to know how a queue does.

use std::time::Duration;

use crate::platform::{MaybeSend, MaybeSync};

/// Told how one queue does (client-go `util/workqueue/metrics.go`, `MetricsProvider`); it is given to the queue by
/// [`WorkQueueOptions`](super::WorkQueueOptions), and a queue without one reads no clock and keeps no times. These are client-go's
/// metrics, each with the prefix `workqueue_` in Kubernetes' own programs, and what tells of them:
///
/// | metric | from |
/// |---|---|
/// | `depth` | one more with each [`added`](Self::added), one less with each [`taken`](Self::taken) |
/// | `adds_total` | [`added`](Self::added) |
/// | `queue_duration_seconds` | [`taken`](Self::taken) |
/// | `work_duration_seconds` | [`done`](Self::done) |
/// | `unfinished_work_seconds`, `longest_running_processor_seconds` | [`unfinished`](Self::unfinished) |
/// | `retries_total` | [`retried`](Self::retried) |
///
/// Each method does nothing unless it is written anew. They are called from within what the queue is asked for, after it was
/// done and without a lock, so they must be quick; what two threads do at the same time may be told in either order.
///
/// ```
/// use std::{sync::{Arc, atomic::{AtomicU64, Ordering}}, time::Duration};
/// use porthole_client_core::{platform::FakePlatform, workqueue::{WorkQueue, WorkQueueMetrics, WorkQueueOptions}};
///
/// #[derive(Default)]
/// struct Adds(AtomicU64);
///
/// impl WorkQueueMetrics for Adds {
///     fn added(&self) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// let adds = Arc::new(Adds::default());
/// let options = WorkQueueOptions { metrics: Some(adds.clone()), ..WorkQueueOptions::default() };
/// let queue = WorkQueue::with_options(Arc::new(FakePlatform::default()), options);
/// queue.add("a");
/// queue.add("a");
/// assert_eq!(adds.0.load(Ordering::Relaxed), 1);
/// ```
#[expect(unused_variables, reason = "the names say what is told")]
pub trait WorkQueueMetrics: MaybeSend + MaybeSync + 'static {
    /// An item has to be processed that had not to be before. One that was queued already is not told again.
    fn added(&self) {}

    /// An item was handed out, so long after it was added.
    fn taken(&self, waited: Duration) {}

    /// An item is done, so long after it was handed out.
    fn done(&self, took: Duration) {}

    /// Twice a second until the queue is shut down: for how long the items that are being processed have been, all together,
    /// and the longest of them. What grows and grows tells of a worker that hangs.
    fn unfinished(&self, total: Duration, longest: Duration) {}

    /// An item is to be added after a delay, be it zero.
    fn retried(&self) {}
}
