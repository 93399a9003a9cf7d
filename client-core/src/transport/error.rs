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
    /// The connection was there and broke before the answer came: a reset, a close, an end in the middle of the head.
    /// Browsers do not tell this from [`Unreachable`](Self::Unreachable).
    #[error("the connection to {address} broke before the answer came: {message}")]
    Lost {
        /// Where the request went.
        address: String,
        /// The host's own words.
        message: String,
    },
    /// The host gave up waiting for the connection or the answer.
    #[error("no answer from {address} in time")]
    TimedOut {
        /// Where the request went.
        address: String,
    },
    /// A WebSocket did not open, and by itself that says nothing of why. From a watch it means that the server answers, but
    /// that WebSockets do not get through to it.
    #[error("no WebSocket to {address}: {message}")]
    NoSocket {
        /// Where it was to go.
        address: String,
        /// What is known, and what to do.
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
    /// There are no credentials to send it with. The request was not sent.
    #[error("the credentials for the request are not to be had: {message}")]
    Credentials {
        /// Why not, and what to do.
        message: String,
    },
    /// It could change something, and [`ReadOnly`](super::ReadOnly) is on. The request was not sent.
    #[error("this cluster is set to read-only here: turn that off to change anything")]
    ReadOnly,
}

impl TransportError {
    /// Whether a connection that was there broke: what client-go calls a connection reset or a probable end of file.
    #[must_use]
    pub const fn is_connection_lost(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Broken { .. })
    }

    /// Whether the host gave up waiting.
    #[must_use]
    pub const fn is_timeout(&self) -> bool {
        matches!(self, Self::TimedOut { .. })
    }
}
