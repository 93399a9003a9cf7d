//! Clients of resources: typed, dynamic, metadata alone, tables.
//!
//! Guarantees: one client for every form of object, so that what works for a type works for any resource; a resource of the
//! whole cluster has no namespace and an empty namespace never reaches another object. Leaves out caches, which are the
//! informers'.

mod deletion;
mod dynamic;
mod metadata;
mod resource;
mod subresource;
mod table;
#[cfg(test)]
mod tests;
#[cfg(feature = "typed")]
pub mod typed;

pub use deletion::Deletion;
pub use dynamic::DynamicClient;
pub use metadata::MetadataClient;
pub use resource::{HasStatus, ResourceClient, Writable};
pub use subresource::SubresourceClient;
pub use table::TableClient;
#[cfg(feature = "typed")]
pub use typed::ClientSet;
