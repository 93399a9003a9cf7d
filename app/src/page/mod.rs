//! The page: what a person sees around the table.

#[cfg(target_family = "wasm")]
mod app;
#[cfg(target_family = "wasm")]
mod footer;
#[cfg(target_family = "wasm")]
mod header;
#[cfg(target_family = "wasm")]
mod health;
#[cfg(target_family = "wasm")]
mod keys;
#[cfg(target_family = "wasm")]
mod listing;
#[cfg(target_family = "wasm")]
mod namespace;
#[cfg(target_family = "wasm")]
mod nav;
mod resource_label;
#[cfg(target_family = "wasm")]
mod session;
#[cfg(target_family = "wasm")]
mod trouble;

#[cfg(target_family = "wasm")]
pub(crate) use app::mount;
