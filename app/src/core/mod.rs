//! The worker's side: the cluster, the informers, and the views that pages ask for.
//!
//! Guarantees: one informer a collection for all tabs; a page is sent the rows of its window and nothing else;
//! another cluster behind the address leaves nothing of the first; some connections stay free for requests.

#[cfg(target_family = "wasm")]
mod activity;
#[cfg(target_family = "wasm")]
mod admission;
#[cfg(target_family = "wasm")]
mod changes;
#[cfg(target_family = "wasm")]
mod cluster;
#[cfg(target_family = "wasm")]
mod find;
#[cfg(target_family = "wasm")]
mod following;
mod live_view;
#[cfg(target_family = "wasm")]
mod objects;
#[cfg(target_family = "wasm")]
mod patches;
#[cfg(target_family = "wasm")]
mod rows;
#[cfg(target_family = "wasm")]
mod server;
#[cfg(target_family = "wasm")]
mod stream;

#[cfg(target_family = "wasm")]
pub(crate) use server::{Core, start};
