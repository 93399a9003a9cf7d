//! A native program: HTTP over TCP and TLS, tokio's timers and tasks.
//!
//! Leaves out kubeconfig files: an address, a certificate authority and a client certificate are given as they are.

mod http;
mod platform;

pub use http::{NativeTransport, NativeTransportError, Tls};
pub use platform::NativePlatform;
