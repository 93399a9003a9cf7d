//! Whether what the first list brought has been worked off, and values that are made again only when they are asked for
//! (client-go `tools/cache/synctrack`).
//!
//! A handler says by its [registration](super::HandlerRegistration::has_synced) whether it has handled the first list. Who hands
//! on what a handler is told, to a queue say, is done later than it: a tracker tells when. Where objects are worked off one
//! after the other that is a [`SingleFileTracker`], where several are at work at once, in any order, an [`AsyncTracker`].
//!
//! What is left out: names, which are for logs. What is waited for is named where it is waited for, see
//! [`CacheSync`](super::CacheSync).

mod keyed;
mod lazy;
mod single_file;

pub use keyed::AsyncTracker;
pub use lazy::Lazy;
pub use single_file::{Pending, SingleFileTracker};
