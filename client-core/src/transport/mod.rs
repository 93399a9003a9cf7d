//! One request, one streamed response.
//!
//! Guarantees: dropping the future of a request, or the body of its response, aborts the exchange and frees
//! its connection. A response with any status is an answer, not an error. Leaves out sockets and layers.

mod address;
mod error;
mod exchange;
#[cfg(any(test, feature = "test-util"))]
mod scripted;

pub use address::address_of;
pub use error::TransportError;
pub(crate) use exchange::read_at_most;
pub use exchange::{Body, Request, Response, Transport, read_to_end};
#[cfg(any(test, feature = "test-util"))]
pub use scripted::{ScriptedAnswer, ScriptedTransport};
