//! From names and kinds to resources and back (client-go `restmapper`, apimachinery `meta.RESTMapper`).
//!
//! [`DeferredMapper`] asks a cache of discovery when it is first needed, and once more where it does not find something in
//! a cache that may be old. What it found is a [`DiscoveredMapper`], which answers at once; that is a [`RestMapper`], as are
//! the parts it is made of: [`DefaultMapper`] knows mappings, [`PriorityMapper`] chooses among several,
//! [`ShortcutExpander`] knows short names. [`MultiMapper`] and [`FirstHitMapper`] ask several mappers.
//!
//! Guarantees: every name comes from discovery, and no plural is guessed; a resource is known by its group and its plural, so
//! resources of one name, or of one kind, stay apart; a name that fits several is an error that lists them, where the order of
//! discovery does not decide; a group that could not be asked hides no other, and is named where something is not found.
//! Leaves out the kinds of lists, which are known by their ending, and subresources.

mod category;
mod default_mapper;
mod deferred;
mod discovered;
mod error;
mod first_hit;
mod guess;
mod interface;
mod mapping;
mod multi;
mod partial;
mod priority;
mod resolve;
mod shortcut;
#[cfg(test)]
mod testing;

pub use category::CategoryExpander;
pub use default_mapper::DefaultMapper;
pub use deferred::DeferredMapper;
pub use discovered::{DiscoveredMapper, discovery_mapper};
pub use error::MapperError;
pub use first_hit::FirstHitMapper;
pub use guess::unsafe_guess_kind_to_resource;
pub use interface::RestMapper;
pub use mapping::{RestMapping, Scope};
pub use multi::MultiMapper;
pub use partial::PartialResource;
pub use priority::{PriorityMapper, PriorityPattern};
pub use shortcut::ShortcutExpander;
