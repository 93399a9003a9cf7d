//! Queues of work: what has to be looked at, each item once however often it was added, and by one worker at a time
//! (client-go's `util/workqueue`).
//!
//! Guarantees: an item that was added is handed out after that, unless the queue was shut down before; while it is being
//! processed nobody else gets it, and what is added meanwhile comes again once it is done; an item is done when its
//! [`Processing`] is dropped, also by a panic. No lock is held while metrics are told or tasks are woken. Items that wait for
//! their time share one timer, in a task that is there only while something waits; none is left when the queue is shut down
//! or its last clone is gone.
//!
//! Where client-go wraps one type into the next, [`WorkQueue`] has both the queue and its delays: an empty heap costs the
//! plain queue nothing. [`RateLimitingQueue`] puts an [`ItemRateLimiter`] beside it.
//!
//! Leaves out fairness among workers that wait: all are woken, and the first to look gets the item. Leaves out a global
//! provider of metrics: each queue is given [`WorkQueueMetrics`] of its own.

mod bucket;
mod delayed;
mod exponential;
mod failures;
mod fast_slow;
mod max_of;
mod max_wait;
mod metrics;
mod order;
mod parallelize;
mod processing;
mod queue;
mod rate_limiter;
mod rate_limiting_queue;
mod shared;
#[cfg(test)]
mod simulation;
mod state;
mod tasks;
#[cfg(test)]
mod tests;
mod times;

pub use bucket::BucketRateLimiter;
pub use exponential::ExponentialRateLimiter;
pub use fast_slow::FastSlowRateLimiter;
pub use max_of::MaxOfRateLimiter;
pub use max_wait::MaxWaitRateLimiter;
pub use metrics::WorkQueueMetrics;
pub use order::{Order, WorkItem};
pub use parallelize::parallelize_until;
pub use processing::Processing;
pub use queue::{WorkQueue, WorkQueueOptions};
pub use rate_limiter::{ItemRateLimiter, default_controller_rate_limiter, default_item_based_rate_limiter};
pub use rate_limiting_queue::RateLimitingQueue;
