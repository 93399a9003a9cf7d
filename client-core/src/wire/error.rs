//! What cannot be read.

use thiserror::Error;

/// A line or an answer that cannot be read at all. The message shows how it starts, which for an object is its kind.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{what} could not be read: {message}; it starts with {start:?}")]
pub struct DecodeError {
    what: &'static str,
    message: String,
    start: String,
    unknown_event_type: bool,
}

impl DecodeError {
    /// Whether it is an event of a type that is not known, so that it is not known either which version it leads to.
    #[must_use]
    pub const fn is_unknown_event_type(&self) -> bool {
        self.unknown_event_type
    }

    pub(in crate::wire) fn unknown_event_type(kind: &str, line: &[u8]) -> Self {
        let message = format!("there is no event type {kind:?}");
        Self { unknown_event_type: true, ..Self::new("a line of the watch", message, line) }
    }

    pub(in crate::wire) fn new(what: &'static str, message: impl ToString, bytes: &[u8]) -> Self {
        let start = String::from_utf8_lossy(bytes).chars().take(80).collect();
        Self { what, message: message.to_string(), start, unknown_event_type: false }
    }
}
