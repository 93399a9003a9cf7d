//! What a queue does by itself as time passes.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{Arc, Weak},
    time::Duration,
};

use futures::future::{Either, select};

use super::{
    WorkItem,
    shared::{Shared, Signal},
};
use crate::{platform::Platform, queue::Waiting};

/// How often it is told what is being processed (client-go `defaultUnfinishedWorkUpdatePeriod`).
const REPORT_PERIOD: Duration = Duration::from_millis(500);

/// What a task has of its queue.
pub(super) struct Watch<T> {
    queue: Weak<Shared<T>>,
    platform: Arc<dyn Platform>,
    signal: Arc<Waiting<Signal>>,
}

impl<T: WorkItem> Watch<T> {
    pub(super) fn new(queue: &Arc<Shared<T>>) -> Self {
        Self { queue: Arc::downgrade(queue), platform: Arc::clone(&queue.platform), signal: Arc::clone(&queue.signal) }
    }

    /// Adds items when they are due, until none waits (client-go `delayingType.waitingLoop`, which goes on for ever). A timer that
    /// ends early is begun again.
    pub(super) async fn deliver(self) {
        while let Some(queue) = self.queue.upgrade() {
            // Metrics or an order that panic have told of it by the panic hook; what else waits still has its time.
            let delivered = catch_unwind(AssertUnwindSafe(|| queue.deliver(self.platform.now())));
            drop(queue);
            match delivered {
                Ok(Some(wait)) => drop(select(self.platform.sleep(wait), pin!(self.signal.wait(Signal::look))).await),
                Ok(None) => return,
                Err(_) => {}
            }
        }
    }

    /// Tells from time to time what is being processed, until the queue is shut down (client-go `updateUnfinishedWorkLoop`).
    pub(super) async fn report(self) {
        while let Either::Left(_) = select(self.platform.sleep(REPORT_PERIOD), pin!(self.signal.wait(Signal::over))).await {
            let Some(queue) = self.queue.upgrade() else { return };
            queue.report(self.platform.now());
        }
    }
}
