//! What the client knows of a collection.
//!
//! | type | what it is | follows |
//! |---|---|---|
//! | [`Indexer`] | objects by key and by index | client-go `tools/cache/thread_safe_store.go`, `index.go` |
//! | [`SharedIndexer`] | one that is read while it is written | `ThreadSafeStore` |
//! | [`UndeltaStore`] | hands out all that it has after each change | `undelta_store.go` |
//! | [`MutationCache`] | a cache as if it had what was just written | `mutation_cache.go` |
//! | [`ExpiringStore`] | forgets what is old | `expiration_cache.go` |
//!
//! Guarantees: an object is found by its key, and by each value that it has in an index, at each moment; a whole list that
//! ends removes what it did not bring; every change is told once; nobody changes an object that is here.

mod expiring;
mod index_error;
mod index_func;
mod indexer;
mod indices;
mod key;
mod mutation_cache;
mod shared;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod undelta;

pub use expiring::{ExpirationPolicy, ExpiringStore, Timestamped, TtlPolicy};
pub use index_error::{IndexError, IndexFailure};
pub use index_func::{IndexFunc, IndexName, IndexValue, IndexValues, Indexers, NAMESPACE_INDEX, namespace_index};
pub use indexer::{Indexer, Transaction};
pub use key::{Entry, Fresh, InvalidKey, Key};
pub use mutation_cache::MutationCache;
pub use shared::SharedIndexer;
pub use undelta::UndeltaStore;
