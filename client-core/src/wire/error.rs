//! What cannot be read.

use thiserror::Error;

/// A line or an answer that cannot be read at all. The message shows how it starts, which for an object is its kind.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{what} could not be read: {message}; it starts with {start:?}")]
pub struct DecodeError {
    what: &'static str,
    message: String,
    start: String,
}

impl DecodeError {
    pub(in crate::wire) fn new(what: &'static str, message: impl ToString, bytes: &[u8]) -> Self {
        let start = String::from_utf8_lossy(bytes).chars().take(80).collect();
        Self { what, message: message.to_string(), start }
    }
}
