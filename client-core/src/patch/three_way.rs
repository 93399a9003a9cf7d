//! The three documents of an apply.

use crate::json::Value;

/// What an apply on the client's side knows. `null` stands for a document that does not exist.
#[derive(Clone, Copy, Debug)]
pub struct ThreeWay<'a> {
    /// What was applied last; it tells which fields were ours.
    pub original: &'a Value,
    /// What is to be applied now.
    pub modified: &'a Value,
    /// What the server has.
    pub current: &'a Value,
}
