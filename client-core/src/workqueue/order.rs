//! What is worked on, and what comes first.

use std::{collections::VecDeque, hash::Hash};

use crate::platform::MaybeSend;

/// What a queue can hold: names rather than objects, such as a [`Key`](crate::store::Key). Every type that can is one. A queue
/// clones an item once when it is queued, and hashes and compares items while it is locked.
pub trait WorkItem: Clone + Eq + Hash + MaybeSend + 'static {}

impl<T: Clone + Eq + Hash + MaybeSend + 'static> WorkItem for T {}

/// In which order items are handed out (client-go `util/workqueue/queue.go`, `Queue`). A [`VecDeque`] hands out first what was
/// added first. It is called while the queue is locked, so it must not use that queue.
///
/// ```
/// use std::{collections::BTreeSet, sync::Arc};
/// use porthole_client_core::{platform::{FakePlatform, ready}, workqueue::{Order, WorkQueue, WorkQueueOptions}};
///
/// /// The smallest first.
/// struct Sorted(BTreeSet<u32>);
///
/// impl Order<u32> for Sorted {
///     fn push(&mut self, item: u32) {
///         self.0.insert(item);
///     }
///     fn pop(&mut self) -> Option<u32> {
///         self.0.pop_first()
///     }
/// }
///
/// let options = WorkQueueOptions { order: Box::new(Sorted(BTreeSet::new())), ..WorkQueueOptions::default() };
/// let queue = WorkQueue::with_options(Arc::new(FakePlatform::default()), options);
/// queue.add(7);
/// queue.add(3);
/// assert_eq!(ready(queue.get()).as_deref(), Some(&3));
/// ```
pub trait Order<T>: MaybeSend + 'static {
    /// Puts in an item that is not there.
    fn push(&mut self, item: T);

    /// Takes out the item that is handed out next.
    fn pop(&mut self) -> Option<T>;

    /// An item that is there was added again, which may change its place.
    fn touch(&mut self, item: &T) {
        let _ = item;
    }
}

impl<T: MaybeSend + 'static> Order<T> for VecDeque<T> {
    fn push(&mut self, item: T) {
        self.push_back(item);
    }

    fn pop(&mut self) -> Option<T> {
        self.pop_front()
    }
}
