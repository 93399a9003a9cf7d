//! Which resources a server has.
//!
//! Guarantees: one request each for `/api` and `/apis` where the server aggregates, and none of their bodies
//! where its entity tag still holds; a dead group is named and hides nothing else; a resource is known by group
//! and plural, in the version the server prefers, and its name is never guessed. Leaves out the schemas.

mod aggregated;
mod catalog;
mod fetch;
mod legacy;

pub use catalog::{Catalog, FailedVersion, Resource};
pub use fetch::fetch;
