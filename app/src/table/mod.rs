//! The table on screen: slots for what is seen, and nothing for the rest.

#[cfg(target_family = "wasm")]
mod cell;
#[cfg(target_family = "wasm")]
mod grid;
#[cfg(target_family = "wasm")]
mod header;
#[cfg(target_family = "wasm")]
mod model;
#[cfg(target_family = "wasm")]
mod row;
mod state_word;
mod width;

#[cfg(target_family = "wasm")]
pub(crate) use grid::Grid;
#[cfg(target_family = "wasm")]
pub(crate) use model::TableModel;
