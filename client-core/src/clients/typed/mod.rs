//! The types of Kubernetes itself, those of `k8s-openapi` (feature `typed`).
//!
//! Which version of Kubernetes they are of is chosen by the program, with one of `k8s-openapi`'s features. Only the types that
//! a program uses become part of it. A type of one's own, of a custom resource, has the same client where it has
//! `k8s-openapi`'s `Resource` and `Metadata`.
//!
//! What that costs in a browser, measured on a module that gets one object through each client, over a scripted transport,
//! compiled and then optimised with `wasm-opt -Oz` (132) as the page is, with the types of Kubernetes 1.36:
//!
//! | what is used | module | with brotli |
//! |---|---|---|
//! | `RestClient` and `DynamicClient`: pods | 167 kB | 63 kB |
//! | and a client of `ConfigMap`, the first and simplest type | + 179 kB | + 50 kB |
//! | or one of `Pod`, the largest of the ten | + 394 kB | + 102 kB |
//! | or both | + 406 kB | + 106 kB |
//! | or ten | + 547 kB | + 143 kB |
//!
//! The ten are `ConfigMap`, `Pod`, `Deployment`, `Service`, `Secret`, `Node`, `Job`, `Ingress`, `StatefulSet` and `Namespace`;
//! those with a template of pods share what `Pod` has brought. The first type of all brings what every object has, the
//! metadata and the library for times. With `list`, `watch`, `create` and `update` of each as well, the module of
//! `DynamicClient` has 212 kB (78 kB with brotli), and the ten add 775 kB (177 kB) to it.
//!
//! Guarantees: every group and version that `k8s-openapi` has, has a client here; a resource that can only be created, such
//! as a review, has no other verb. Leaves out what has no object of its own: `exec`, `attach`, `portforward`, `proxy`.
//! Where a type holds JSON of any form, such as the default of a field in a custom resource's schema, its numbers keep what fits
//! 64 bits, as those of `serde_json`; an [`Unstructured`](crate::object::Unstructured) keeps every digit. A field that a type does
//! not know is lost when the object is written again.

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
