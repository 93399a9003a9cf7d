//! One cache, many readers.
//!
//! Guarantees: what the cache says is what the server said; each reader is told every change in order, after
//! the cache has it.

mod change;
mod changes;
mod consistency;
mod error;
mod factory;
mod faults;
mod gather;
mod handler;
mod handler_funcs;
mod intake;
mod latch;
mod lister;
mod lock;
mod object_source;
mod options;
mod process;
mod reader;
mod resync;
mod selection;
mod shared;
pub mod synctrack;
mod table;
mod table_source;
mod table_state;
#[cfg(test)]
mod tests;
mod turn;
mod wait;

pub use change::Change;
pub use changes::ChangeStream;
pub use consistency::{ConsistencyError, Difference, check_consistency};
pub use error::InformerError;
pub use factory::{FactoryOptions, InformerHandle, InformerKey, SharedInformerFactory};
pub use handler::{EventHandler, Filtering};
pub use handler_funcs::HandlerFuncs;
pub use intake::Intake;
pub use lister::{Lister, NamespaceLister};
pub use object_source::ObjectSource;
pub use options::{InformerOptions, WatchErrorHandler};
pub use reader::{News, Reader};
pub use selection::{IdentityCheck, SameCluster, Selection};
pub use shared::{HandlerRegistration, SharedInformer};
pub use table::TableInformer;
pub use table_state::{TableHandler, TableNews, TableState};
pub use wait::{CacheSync, NotSynced, wait_for_sync};
