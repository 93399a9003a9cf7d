//! What follows a reconciliation.

use std::time::Duration;

/// What follows a reconciliation that did not fail (controller-runtime `pkg/reconcile`, `Result`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// Nothing, until something changes.
    #[default]
    AwaitChange,
    /// Another one after this time, and earlier where something changes before.
    RequeueAfter(Duration),
}
