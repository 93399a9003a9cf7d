//! Queues as their users see them.

mod adding;
mod delaying;
mod ending;
mod measuring;
mod rate_limiting;
#[cfg(not(target_family = "wasm"))]
mod threads;
mod working;

use std::sync::Arc;

use super::{Processing, WorkItem, WorkQueue};
use crate::platform::{FakePlatform, ready};

fn queue<T: WorkItem>() -> (FakePlatform, WorkQueue<T>) {
    let platform = FakePlatform::default();
    (platform.clone(), WorkQueue::new(Arc::new(platform)))
}

/// The next item, which has to be there.
fn next<T: WorkItem>(queue: &WorkQueue<T>) -> Processing<T> {
    ready(queue.get()).unwrap()
}

/// Ends at its second poll, after all other tasks had a turn; how Go's scheduler interrupts a goroutine.
async fn pause() {
    let mut paused = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut paused, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}
