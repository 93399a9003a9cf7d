//! The three documents of an apply.

use crate::json::Value;

/// What an apply on the client's side knows (kubectl `pkg/cmd/apply/patcher.go`). `null` stands for a document that does not
/// exist. [`strategic::create_three_way`](super::strategic::create_three_way) and
/// [`merge_patch::create_three_way`](super::merge_patch::create_three_way) make a patch of it.
#[derive(Clone, Copy, Debug)]
pub struct ThreeWay<'a> {
    /// What was applied last; it tells which fields were ours.
    pub original: &'a Value,
    /// What is to be applied now.
    pub modified: &'a Value,
    /// What the server has.
    pub current: &'a Value,
}
