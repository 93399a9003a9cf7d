//! JSON merge patches (RFC 7386), as the server's library applies them (evanphx/json-patch v4 `merge.go`), and
//! apimachinery's three-way form of them (`util/jsonmergepatch`).
//!
//! Guarantees: numbers keep their digits; a patch from [`create`] makes what it was created for, as far as the format
//! can say it: it cannot set a field to `null`. As on the server, and unlike the RFC, an object inside a list also loses
//! its `null` fields when the list is put in.

mod apply;
mod conflict;
mod create;
mod nulls;
#[cfg(test)]
mod tests;

pub use apply::apply;
pub use conflict::find_conflict;
pub use create::{create, create_three_way};
