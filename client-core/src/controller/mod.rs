//! Controllers: from what changes to what is done about it.
//!
//! Informers of as many kinds as needed feed one [queue](crate::workqueue) with keys: names of what is to be looked at. Workers
//! take them from there and reconcile: they look at the world as it is now, whatever changed, and bring it nearer to how it is
//! to be (client-go's `examples/workqueue`, and the loop that every controller of `kube-controller-manager` has).
//!
//! Guarantees: nothing is reconciled before each informer has told all that was there at its start. A key is reconciled by
//! one worker at a time, and once more where it was added meanwhile. One that failed is tried again, later each time; one
//! that panicked, natively, has failed, and hurts no other. Every failure is told. After a stop no key is added, those that are
//! queued are still reconciled, and the run ends once the last worker is done.
//!
//! Leaves out caches and clients, which a controller is given; and who of several copies is to run, which is up to a
//! [`LeaderElector`](crate::leader_election::LeaderElector).

mod action;
mod claim;
mod error;
mod expectations;
mod keys;
mod queue_controller;
mod slow_start;
#[cfg(test)]
mod tests;
mod written_versions;

pub use action::Action;
pub use claim::{Claim, adoption, claim, claim_all, recheck, release};
pub use error::{ClaimError, ControllerError, ControllerStopped, ReconcileError};
pub use expectations::Expectations;
pub use keys::{Owner, own_key, owner_keys};
pub use queue_controller::Controller;
pub use slow_start::slow_start;
pub use written_versions::{Written, WrittenVersions};
