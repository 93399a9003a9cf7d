//! The end of a queue.

use thiserror::Error;

/// The queue is closed, and what was in it has been taken out (client-go `tools/cache/fifo.go`, `ErrFIFOClosed`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the queue is closed: nothing goes into it or comes out of it any more")]
pub struct Closed;
