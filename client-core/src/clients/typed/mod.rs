//! The types of Kubernetes itself, those of `k8s-openapi` (feature `typed`).
//!
//! Which version of Kubernetes they are of is chosen by the program, with one of `k8s-openapi`'s features. Only the types that
//! a program uses become part of it. A type of one's own, of a custom resource, has the same client where it has
//! `k8s-openapi`'s `Resource` and `Metadata`.
//!
//! Guarantees: every group and version that `k8s-openapi` has, has a client here; a resource that can only be created, such
//! as a review, has no other verb. Leaves out what has no object of its own: `exec`, `attach`, `portforward`, `proxy`.

mod create_only;
mod groups;
mod kind;
mod meta;
mod subresources;
mod table;

pub use create_only::CreateOnlyClient;
pub use groups::{BuiltIn, HasScale};
pub use subresources::LogOptions;
pub use table::*;
