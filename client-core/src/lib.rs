//! A Kubernetes client with client-go's machinery, for the browser and natively.
//!
//! | who comes from client-go for | finds it in |
//! |---|---|
//! | `kubernetes.Clientset`, `dynamic`, `metadata`, `scale` | [`clients`], over the objects of [`object`] |
//! | `rest`: requests, retries, warnings, watches, pages | [`rest`], with the patches of [`patch`] |
//! | `tools/clientcmd`, `rest.Config` | [`config`] |
//! | `transport`, credential plugins, caches on disk | [`transport`], [`host`] |
//! | `discovery`, `restmapper` | [`discovery`], [`mapper`] |
//! | `labels`, `fields`, `resource.Quantity`, `metav1`, `api/errors` | [`selector`], [`meta`] |
//! | `tools/cache`: reflector, queues, stores, informers, listers | [`reflector`], [`queue`], [`store`], [`informer`] |
//! | `informers`, `dynamicinformer`, `metadatainformer` | [`informer::SharedInformerFactory`] |
//! | `tools/cache/synctrack`, `util/consistencydetector` | [`informer::synctrack`], [`informer::check_consistency`] |
//! | `util/workqueue`, and what a controller is made of, adoption and expectations among it | [`workqueue`], [`controller`] |
//! | `tools/record`, `tools/events`, `tools/reference` | [`events`] |
//! | `tools/watch`, `kubectl wait` | [`watch`] |
//! | `tools/leaderelection` | [`leader_election`] |
//! | `util/flowcontrol`, `util/wait`, `util/retry`, `util/csaupgrade` | [`flowcontrol`], [`rest`], [`patch`] |
//! | `kubernetes/fake`, `rest/fake`, fake clocks | `fake` (an API server in memory), [`transport`], [`platform`] |
//!
//! Without a counterpart there: [`view`], a table without a screen; [`json`], whose numbers keep their digits; [`wire`], which
//! reads what servers send; [`platform`], all that a host has to lend.
//!
//! # Features
//!
//! None is on by default: what is left then has no I/O, runs anywhere and brings some 35 crates.
//!
//! | feature | what it adds | what it costs |
//! |---|---|---|
//! | `native` | connections, files, plugins, timers of a native program; `kubeconfig` | some 90 crates: tokio, reqwest, rustls |
//! | `web` | fetch, timers and local storage of a browser | some 15 crates: web-sys and its like |
//! | `kubeconfig` | kubeconfig files | some 15 crates: a YAML reader |
//! | `typed` | clients of Kubernetes' own types | compiling `k8s-openapi`; a program has the types that it uses: in a browser 180 kB for the first, 550 kB for ten (`clients::typed` has the figures) |
//! | `protobuf` | objects and watches in protobuf | no crate; 160 kB in a program that asks for `Schema::kubernetes` |
//! | `test-util` | a clock, discovery and a transport for tests | nothing |
//! | `fake` | an API server in memory, for tests and demos; `test-util` | a YAML reader |
//!
//! With `typed` the program chooses the version of Kubernetes by a feature of `k8s-openapi` 0.29, such as `v1_36`; the crate is here
//! as `k8s_openapi`. So a native program begins like this, until there is a release with the path of a clone:
//!
//! ```toml
//! [dependencies]
//! porthole-client-core = { path = "porthole/client-core", features = ["native", "typed"] }
//! k8s-openapi = { version = "0.29", features = ["v1_36"] }
//! tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
//! ```
//!
//! # A native program
//!
#![cfg_attr(all(feature = "native", feature = "typed", not(target_family = "wasm")), doc = "```no_run")]
#![cfg_attr(not(all(feature = "native", feature = "typed", not(target_family = "wasm"))), doc = "```ignore")]
//! use porthole_client_core::{clients::ClientSet, config::kubeconfig::Overrides, host::native::connect, rest::ListOptions};
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let connected = connect(&Overrides::default())?;
//!     let client = ClientSet::new(connected.client);
//!     for pod in client.core_v1().pods(connected.namespace).list(&ListOptions::DEFAULT).await? {
//!         println!("{}", pod.metadata.name.unwrap_or_default());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Anywhere
//!
//! A part of a program that names no host takes a [`rest::RestClient`], and is tested over a scripted transport or the server
//! in memory:
//!
//! ```
//! use porthole_client_core::{
//!     clients::DynamicClient,
//!     meta::GroupVersionResource,
//!     object::Object as _,
//!     rest::{ApiError, ListOptions, RestClient},
//! };
//!
//! async fn names_of_widgets(client: RestClient) -> Result<Vec<String>, ApiError> {
//!     let widgets = GroupVersionResource::new("example.com", "v1", "widgets");
//!     let list = DynamicClient::new(client).namespaced(&widgets, "shop").list(&ListOptions::default()).await?;
//!     Ok(list.into_iter().map(|widget| widget.name().to_owned()).collect())
//! }
//!
//! # use std::sync::Arc;
//! # use porthole_client_core::{platform::{FakePlatform, ready}, transport::{ScriptedAnswer, ScriptedTransport}};
//! let server = ScriptedTransport::default();
//! let list = r#"{"kind":"WidgetList","apiVersion":"example.com/v1","items":[{"metadata":{"name":"a"}}]}"#;
//! server.always("/apis/example.com/v1/namespaces/shop/widgets", ScriptedAnswer::text(list));
//! let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()));
//! assert_eq!(ready(names_of_widgets(client))?, ["a"]);
//! # Ok::<(), ApiError>(())
//! ```
//!
//! # How it is made
//!
//! The way of the data, each arrow a room of this crate:
//!
//! ```text
//! bytes ─► transport ─► rest ─► discovery ─► mapper     which resource, which URL
//!             │           │
//!             ▼           ▼
//!           wire (frames ─► events, rows) ─► reflector (state machine) ─► store
//!                                                                           │ changes
//!                               view (rows ─► filter ─► order ─► window) ◄──┴── informer
//! ```
//!
//! Outside [`host`] nothing here names a browser, a runtime or a clock: timers, random numbers and tasks
//! come from [`platform`], so every behaviour in time is tested on a fake clock. Decoding, the reflector's
//! state, stores and views are synchronous and do no I/O; only clients and driver loops are async.

#[macro_use]
mod opaque;

pub mod clients;
pub mod config;
pub mod controller;
pub mod discovery;
pub mod events;
#[cfg(any(test, feature = "fake"))]
pub mod fake;
pub mod flowcontrol;
pub mod host;
pub mod informer;
pub mod json;
pub mod leader_election;
pub mod mapper;
pub mod meta;
pub mod object;
pub mod patch;
pub mod platform;
pub mod queue;
pub mod reflector;
pub mod rest;
pub mod selector;
pub mod store;
pub mod transport;
pub mod view;
pub mod watch;
pub mod wire;
pub mod workqueue;

#[cfg(feature = "typed")]
pub use k8s_openapi;
