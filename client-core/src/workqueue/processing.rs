//! An item in a worker's hands.

use std::{fmt, ops::Deref, sync::Arc};

use super::{WorkItem, shared::Shared};

/// An item that is being processed: nobody else gets it until this is dropped, which is client-go's `Done`. Where it was added
/// meanwhile it is then queued again. A worker that panics, or is dropped while it waits, is done as well.
pub struct Processing<T: WorkItem> {
    queue: Arc<Shared<T>>,
    item: T,
}

impl<T: WorkItem> Processing<T> {
    pub(super) const fn new(queue: Arc<Shared<T>>, item: T) -> Self {
        Self { queue, item }
    }
}

impl<T: WorkItem> Deref for Processing<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

impl<T: WorkItem + fmt::Debug> fmt::Debug for Processing<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Processing").field(&self.item).finish()
    }
}

impl<T: WorkItem> Drop for Processing<T> {
    fn drop(&mut self) {
        self.queue.done(&self.item);
    }
}
