//! The worker's side: the cluster, the informers, and the views that pages ask for.
//!
//! Guarantees: one informer a collection for all tabs; a page is sent the rows of its window and nothing else;
//! another cluster behind the address leaves nothing of the first; some connections stay free for requests.

mod cluster;
mod live_view;
mod server;
mod stream;

pub(crate) use server::{Core, start};
