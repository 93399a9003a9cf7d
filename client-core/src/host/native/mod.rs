//! A native program: HTTP over TCP and TLS, tokio's timers and tasks, files.
//!
//! Leaves out kubeconfig files: an address, a certificate authority and a client certificate are given as they are.

mod http;
mod platform;
mod storage;

pub use http::{NativeTransport, NativeTransportError, Tls};
pub use platform::NativePlatform;
pub use storage::{FileStorage, cache_folder, discovery_folder};
