//! Patches: made from documents, applied to them, and sent.
//!
//! Guarantees: everything here is synchronous and pure; a patch that fails leaves the document as it was; numbers keep
//! their digits; what is applied here comes out as on the server, whose libraries are followed. Where that is not so the
//! rooms below say it. Leaves out sending, and server-side apply, which is the server's work.
//!
//! - [`JsonPatch`]: operations on paths.
//! - [`merge_patch`]: fields to set and to remove.
//! - [`strategic`]: the same, with lists merged as the schema says.
//! - [`FieldSet`], [`CsaUpgrade`]: who owns which fields.
//! - [`Patch`]: any of them as the body of a request.

mod body;
mod csa_upgrade;
mod error;
mod json_patch;
mod managed_fields;
pub mod merge_patch;
mod path_element;
mod precondition;
mod prune;
pub mod strategic;
mod three_way;
mod trail;
mod yaml_text;

#[cfg(test)]
mod random;

pub use body::{Patch, PatchType};
pub use csa_upgrade::{CsaUpgrade, find_owners};
pub use error::PatchError;
pub use json_patch::{JsonPatch, JsonPointer, Operation, OperationError, ParsePointerError, PatchLimits};
pub use managed_fields::{FieldSet, ManagedFieldsOperation};
pub use path_element::PathElement;
pub use precondition::Precondition;
pub use strategic::SchemaError;
pub use three_way::ThreeWay;
