//! The page: what a person sees around the table.

mod actions;
#[cfg(target_family = "wasm")]
mod activity;
#[cfg(target_family = "wasm")]
mod app;
#[cfg(target_family = "wasm")]
mod changes;
#[cfg(target_family = "wasm")]
mod cluster_form;
#[cfg(target_family = "wasm")]
mod columns;
mod command;
#[cfg(target_family = "wasm")]
mod delay;
mod dialogs;
#[cfg(target_family = "wasm")]
mod drill;
#[cfg(target_family = "wasm")]
mod export;
#[cfg(target_family = "wasm")]
mod filter;
#[cfg(target_family = "wasm")]
mod footer;
#[cfg(target_family = "wasm")]
mod header;
#[cfg(target_family = "wasm")]
mod health;
#[cfg(target_family = "wasm")]
mod keys;
#[cfg(target_family = "wasm")]
mod keys_sheet;
#[cfg(target_family = "wasm")]
mod later;
#[cfg(target_family = "wasm")]
mod listing;
#[cfg(target_family = "wasm")]
mod namespace;
#[cfg(target_family = "wasm")]
mod nav;
#[cfg(target_family = "wasm")]
mod palette;
mod rank;
mod resource_label;
#[cfg(target_family = "wasm")]
mod row_card;
#[cfg(target_family = "wasm")]
mod saved;
#[cfg(target_family = "wasm")]
mod session;
#[cfg(target_family = "wasm")]
mod session_actions;
#[cfg(target_family = "wasm")]
mod settings;
#[cfg(target_family = "wasm")]
mod trouble;
#[cfg(target_family = "wasm")]
mod version;

#[cfg(target_family = "wasm")]
pub(crate) use app::mount;
