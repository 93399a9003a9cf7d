//! A native program: HTTP over TCP and TLS, files, storage, credential plugins, tokio's timers and tasks.
//!
//! Guarantees: a [`RestConfig`](crate::config::RestConfig) is honoured as client-go honours it: certificates and tokens are read
//! again when their files change, plugins run again when their credentials end. A redirect is followed by who reads, without
//! credentials where it leads to another server; who writes is told of it (Go follows both). Leaves out HTTP/2: each watch has
//! a connection of its own.

mod connect;
mod connections;
mod connector;
mod error;
mod exec;
mod files;
mod http;
mod layers;
mod platform;
mod pooled;
mod socket;
mod storage;
#[cfg(unix)]
#[cfg(test)]
mod tests;
mod tls;
mod token_file;

pub use connect::{ConnectError, Connected, connect};
pub use connector::NativeConnector;
pub use error::NativeTransportError;
pub use exec::{CallOutcome, ExecError, ExecEvent, ExecHost};
pub use files::{NativeFiles, ProcessEnvironment, load_config};
pub use http::{NativeTransport, Tls};
pub use platform::NativePlatform;
pub use storage::{FileStorage, cache_folder, discovery_folder};
