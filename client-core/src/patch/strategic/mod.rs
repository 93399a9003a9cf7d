//! Strategic merge patches (apimachinery `util/strategicpatch`): merge patches that know the schema of the object, so
//! that the items of a list can be merged by a key.
//!
//! Guarantees: [`apply`] changes nothing where it fails; a patch from [`create_two_way`] makes what it was created for,
//! the order of lists included, as far as the format can say it (a field cannot be set to `null`, and items that share
//! a merge key cannot be told apart); numbers keep their digits.
//!
//! Where this differs from apimachinery, on purpose: a list of scalars that only changed its order is patched, and one
//! that did not change is not; a field with the strategy `replace` is in a patch only where it changed; a new field is
//! put in without any directive; empty lists are no error; two patches that both order or delete items of one list can
//! be compared; numbers are equal where their digits are; messages name paths, never values.
//!
//! Leaves out: a table of the built-in types. A schema comes from the server's `OpenAPI` document ([`OpenApiSchema`]) or
//! from an implementation of [`PatchSchema`]. Objects of custom resources have no strategic merge patches: the server
//! refuses them.

mod apply;
mod apply_list;
mod conflict;
mod create;
mod diff;
mod diff_list;
mod directive;
mod item;
mod openapi;
mod order;
mod schema;
mod set_order;
mod sort;
#[cfg(test)]
mod tests;

pub use apply::{apply, merge_patches};
pub use conflict::find_conflict;
pub use create::{OnConflict, create_three_way, create_two_way};
pub use openapi::OpenApiSchema;
pub use schema::{FieldSchema, MergeKind, PatchSchema, PatchStrategy, SchemaError};
pub use sort::sort_merging_lists;
