//! A Kubernetes client with client-go's machinery, for the browser and natively.
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

pub mod clients;
pub mod config;
pub mod discovery;
#[cfg(any(test, feature = "fake"))]
pub mod fake;
pub mod flowcontrol;
pub mod host;
pub mod informer;
pub mod json;
pub mod mapper;
pub mod meta;
pub mod object;
pub mod patch;
pub mod platform;
pub mod reflector;
pub mod rest;
pub mod selector;
pub mod store;
pub mod transport;
pub mod view;
pub mod wire;
