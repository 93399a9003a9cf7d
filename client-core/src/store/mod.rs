//! What the client knows of a collection.
//!
//! Guarantees: an object is found by its key; a whole list that ends removes what it did not bring; every
//! change is told once. Leaves out indexes.

mod key;
mod keyed;

pub use key::{Entry, Key};
pub use keyed::{Change, Keyed, Store};
