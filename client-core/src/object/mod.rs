//! Objects: of any kind, of a known type, or their metadata alone.
//!
//! Guarantees: one trait for all forms; numbers keep their digits; what is not edited is written back as it came; `Debug`
//! shows no contents of an [`Unstructured`], which may be a secret. Leaves out the types of Kubernetes themselves, which are
//! those of `k8s-openapi` (feature `typed`).

mod bad;
mod compact;
mod condition;
mod dynamic;
mod error;
mod list;
mod owner;
mod partial;
mod scheme;
mod self_describing;
mod span;
#[cfg(test)]
pub(crate) mod testing;
mod text;
mod traits;
mod unstructured;

pub use bad::{BadObject, Item};
pub use compact::Compact;
pub use condition::{Condition, ConditionStatus, condition_is, find_condition, remove_condition, set_condition};
pub use dynamic::DynObject;
pub use error::ParseObjectError;
pub use list::ObjectList;
pub(crate) use list::{item_kind, list_kind};
pub use owner::{controller_of, controller_reference, is_controlled_by};
pub use partial::PartialObjectMetadata;
pub use scheme::{Decoded, Scheme};
pub(crate) use self_describing::with_kind;
#[cfg(feature = "protobuf")]
pub use traits::ProtobufForm;
pub use traits::{Kind, Object, WireObject};
pub use unstructured::Unstructured;
