//! JSON patches (RFC 6902), as the server's library applies them (evanphx/json-patch v4).
//!
//! Guarantees: a patch that fails changes nothing; numbers keep their digits, and `test` compares them by their digits
//! as the server does; the server's limits hold. As on the server, and unlike the RFC, a member that an object lacks
//! reads as `null`: `replace` makes it, `copy` of it writes `null`, and `test` finds it equal to `null`. Stricter than
//! the server: an index from the end (`-1`), with a sign or with leading zeros, and a pointer that does not begin with
//! `/`, are refused.

mod apply;
mod diff;
mod operation;
mod pointer;
#[cfg(test)]
mod tests;

pub use apply::{OperationError, PatchLimits};
pub use operation::{JsonPatch, Operation};
pub use pointer::{JsonPointer, ParsePointerError};
