//! Why an event was not written.

use thiserror::Error;

use crate::rest::ApiError;

/// Why an event was not written.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EventError {
    /// So many events wait already.
    #[error("{limit} events wait to be written already: tell of less, or let more wait")]
    QueueFull {
        /// How many may wait.
        limit: usize,
    },
    /// The recorder was shut down before the event came, or before it was written.
    #[error("the recorder was shut down before the event was written")]
    ShutDown,
    /// What the event is about does not say what it is.
    #[error("the object that the event is about does not say of what kind it is")]
    NoKind,
    /// The server refuses it, or it cannot be sent: another try would end the same way.
    #[error("the event was refused")]
    Refused(#[source] ApiError),
    /// The server could not be reached in so many tries.
    #[error("the event could not be written, and was given up after {tries} tries")]
    GivenUp {
        /// How often it was tried.
        tries: u32,
        /// What the last of them came to.
        source: ApiError,
    },
}
