//! Watches that go on, and waiting for what they bring: client-go's `tools/watch`, and what `kubectl wait` does.
//!
//! | who wants | has |
//! |---|---|
//! | an object to be ready, or gone | [`wait_for`] |
//! | every change from a version on, whatever happens to connections | [`RetryWatcher`] |
//! | what an informer tells, as the events of a watch | [`InformerWatcher`] |
//! | an event that meets a condition, or several in turn | [`until`], [`until_with_sync`], [`then`] |
//!
//! Guarantees: a [`RetryWatcher`] brings each change once, in the server's order, or says that it cannot; nothing here but
//! an informer has a task, so that what is dropped is aborted and leaves no timer. What gives up waiting is a future of the caller's, such as
//! [`time_limit`](crate::platform::time_limit), and what it says is in the error.
//!
//! Leaves out caches, which are the informers', and a watch over a connection that says nothing any more and does not break: the
//! server ends every watch after an hour at most, and so does an informer sooner.

mod condition;
mod error;
mod informer_watcher;
mod retry_watcher;
#[cfg(test)]
mod tests;
mod until;
mod wait_for;
mod watcher;

pub use condition::{Outcome, has_condition, then};
pub use error::{NoStartVersion, Unmet, WaitError};
pub use informer_watcher::InformerWatcher;
pub use retry_watcher::RetryWatcher;
pub use until::{until, until_with_sync};
pub use wait_for::wait_for;
pub use watcher::{WatchEvents, Watcher};
