//! The table on screen: slots for what is seen, and nothing for the rest.

#[cfg(target_family = "wasm")]
mod cell;
#[cfg(target_family = "wasm")]
mod grid;
#[cfg(target_family = "wasm")]
mod header;
mod layout;
#[cfg(target_family = "wasm")]
mod model;
#[cfg(target_family = "wasm")]
mod row;
#[cfg(target_family = "wasm")]
mod selection;
mod state_word;

#[cfg(target_family = "wasm")]
pub(crate) use grid::{Grid, GridEvents};
#[cfg(target_family = "wasm")]
pub(crate) use model::TableModel;
#[cfg(target_family = "wasm")]
pub(crate) use selection::Selection;
