//! What a server has: groups, versions, resources and schemas (client-go `discovery/`).
//!
//! [`DiscoveryClient`] asks, [`MemoryCache`] remembers while the program runs and [`StoredCache`] beyond that; all three
//! are a [`Discovery`]. [`fetch`] and its [`Catalog`] are the same for a page that shows everything: flat, in preferred
//! versions, and small enough to be stored and sent.
//!
//! Guarantees: one request each for `/api` and `/apis` where the server aggregates, and none of their bodies
//! where its entity tag still holds; a dead group is named and hides nothing else, and can be
//! asked again alone ([`retry_failed`]); a resource is known by group
//! and plural, in the version the server prefers, and its name is never guessed. Leaves out what is in the schemas.

mod aggregated;
mod cached;
mod catalog;
mod client;
mod discovered;
mod document;
mod error;
#[cfg(any(test, feature = "test-util"))]
mod fake;
mod fetch;
mod format;
mod group;
mod interface;
mod legacy;
mod listing;
mod openapi;
mod predicate;
mod preferred;
mod resource;
mod retry_failed;
mod source;
mod support;
mod version;
mod whole;

pub use cached::{DocumentCache, MemoryCache, StoredCache};
pub use catalog::{Catalog, FailedVersion, Part, Resource};
pub use client::DiscoveryClient;
pub use discovered::Discovered;
pub use error::{DiscoveryError, GroupFailures};
#[cfg(any(test, feature = "test-util"))]
pub use fake::{DiscoveryCall, FakeDiscovery};
pub use fetch::fetch;
pub use group::{ApiGroup, ApiGroupList};
pub use interface::{ApiGroupResources, CachedDiscovery, Discovering, Discovery, GroupsAndMaybeResources, GroupsAndResources};
pub use openapi::{OpenApiV3, OpenApiV3Path, SchemaFormat};
pub use predicate::{filtered_by, group_version_resources, supports_all_verbs};
pub use resource::{ApiResource, ApiResourceList};
pub use retry_failed::retry_failed;
pub use support::{is_resource_enabled, server_supports_version};
pub use version::ServerVersion;
