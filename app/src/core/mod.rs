//! The worker's side: the cluster, the informers, and the views that pages ask for.
//!
//! Guarantees: one informer a collection for all tabs; a page is sent the rows of its window and nothing else;
//! another cluster behind the address leaves nothing of the first; some connections stay free for requests.

mod admission;
mod cluster;
mod following;
mod live_view;
mod patches;
mod server;
mod stream;

pub(crate) use server::{Core, start};
