//! The types of Kubernetes itself, those of `k8s-openapi` (feature `typed`).
//!
//! Which version of Kubernetes they are of is chosen by the program, with one of `k8s-openapi`'s features. Only the types that
//! a program uses become part of it. A type of one's own, of a custom resource, has the same client where it has
//! `k8s-openapi`'s `Resource` and `Metadata`; its kind and `apiVersion` are sent for it where it does not write them:
//!
//! ```
//! use std::sync::Arc;
//! use k8s_openapi::{Metadata, NamespaceResourceScope, Resource, apimachinery::pkg::apis::meta::v1::ObjectMeta};
//! use porthole_client_core::{
//!     clients::ResourceClient,
//!     platform::{FakePlatform, ready},
//!     rest::{RestClient, WriteOptions},
//!     transport::{ScriptedAnswer, ScriptedTransport},
//! };
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Default, Serialize, Deserialize)]
//! struct Widget {
//!     metadata: ObjectMeta,
//!     size: u32,
//! }
//!
//! impl Resource for Widget {
//!     const API_VERSION: &'static str = "example.com/v1";
//!     const GROUP: &'static str = "example.com";
//!     const VERSION: &'static str = "v1";
//!     const KIND: &'static str = "Widget";
//!     const URL_PATH_SEGMENT: &'static str = "widgets";
//!     type Scope = NamespaceResourceScope;
//! }
//!
//! impl Metadata for Widget {
//!     type Ty = ObjectMeta;
//!     fn metadata(&self) -> &ObjectMeta {
//!         &self.metadata
//!     }
//!     fn metadata_mut(&mut self) -> &mut ObjectMeta {
//!         &mut self.metadata
//!     }
//! }
//!
//! let server = Arc::new(ScriptedTransport::default());
//! let widget = r#"{"metadata":{"name":"a"},"size":3}"#;
//! server.always_to(http::Method::POST, "/apis/example.com/v1/namespaces/shop/widgets", ScriptedAnswer::text(widget));
//! let client = RestClient::new(server.clone(), Arc::new(FakePlatform::default()));
//!
//! let widgets = ResourceClient::<Widget>::of_kind(client, "shop");
//! assert_eq!(ready(widgets.create(&Widget { size: 3, ..Widget::default() }, &WriteOptions::DEFAULT))?.size, 3);
//! let sent = String::from_utf8_lossy(&server.requests()[0].body).into_owned();
//! assert_eq!(sent, r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{},"size":3}"#);
//! # Ok::<(), porthole_client_core::rest::ApiError>(())
//! ```
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
