//! Laws of the table against a naive one, and its speed.

mod laws;
mod order;
#[cfg(not(target_family = "wasm"))]
mod speed;
mod table;
