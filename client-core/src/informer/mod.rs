//! One cache, many readers.
//!
//! Guarantees: what the cache says is what the server said; each reader is told every change in order, after
//! the cache has it. Leaves out the informers of full objects, indexes and resync.

mod table;
mod table_source;
#[cfg(test)]
mod tests;

pub use table::{TableHandler, TableInformer, TableNews, TableState};
pub use table_source::{IdentityCheck, TableSelector};
