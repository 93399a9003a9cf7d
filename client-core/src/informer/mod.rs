//! One cache, many readers.
//!
//! Guarantees: what the cache says is what the server said; each reader is told every change in order, after
//! the cache has it. Leaves out the informers of full objects and resync.

mod lister;
mod readers;
mod table;
mod table_source;
mod table_state;
#[cfg(test)]
mod tests;

pub use lister::{Lister, NamespaceLister};
pub use table::TableInformer;
pub use table_source::{IdentityCheck, TableSelector};
pub use table_state::{TableHandler, TableNews, TableState};
