//! An API server in memory, for those who test what they built on this crate, and for demos.
//!
//! Guarantees: it is no mock but a small server, held against a real one by the same requests to both; every write has a
//! version of its own, and lists, pages and watches at a version see what was there then; it has no clock, runtime or host of
//! its own, so that it runs in a browser and stands still on a fake clock; what goes wrong is what [`Faults`] say, each time
//! alike.
//!
//! | what | where it differs from a real server |
//! |---|---|
//! | create, get, list, watch, update, patch, delete, their pages, selectors, versions, dry runs | the words of some refusals |
//! | apply and managed fields | the server's own types are merged by a short table of field names; no more than that is known of them |
//! | tables, metadata | columns are fields by path; the server's own have fewer |
//! | custom resources | registered, not created as definitions; schemas drop fields and check types, and neither default nor validate more |
//! | how far a cache has come | a cache never lags behind the changes of its own resource |
//! | watches over WebSockets | as over requests; the server is a [`SocketTransport`](crate::transport::SocketTransport) |
//! | namespaces, pods | namespaces end by themselves; pods run nowhere unless a test says so |
//!
//! Leaves out: controllers and admission, who may do what, values that a real server fills in by default, protobuf and YAML
//! answers, `OpenAPI` documents, evictions and bindings, logs, exec and port forwarding.

#![expect(clippy::result_large_err, reason = "a refusal is made once a request, by a server for tests")]

mod answer;
mod builtin;
mod deletion;
mod delivery;
mod discovery;
mod faults;
mod history;
mod listing;
mod managed;
mod ownership;
mod patching;
mod projection;
mod pruning;
mod query;
mod resource;
mod server;
mod shape;
mod sockets;
mod state;
#[cfg(test)]
mod tests;
mod watching;
mod write;

pub use faults::{Disturbance, Fault, FaultKind};
pub use resource::{Column, ResourceDefinition};
pub use server::{FakeApiServer, Faults};
