//! What can go wrong before, or while, an answer arrives.

use thiserror::Error;

/// A fault of the connection. The text comes from the host; browsers keep the cause to themselves.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// No answer: refused, reset, no route, blocked.
    #[error("the server could not be reached at {address}: {message}")]
    Unreachable {
        /// Where the request went.
        address: String,
        /// The host's own words.
        message: String,
    },
    /// The answer broke off.
    #[error("the connection broke while the answer was arriving: {message}")]
    Broken {
        /// The host's own words.
        message: String,
    },
    /// The request cannot be sent as it is.
    #[error("the request is not one this host can send: {message}")]
    Invalid {
        /// What is wrong with it.
        message: String,
    },
}
