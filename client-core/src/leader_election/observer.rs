//! Who wants to know how an election goes.

use super::LockError;
use crate::{
    object::Unstructured,
    platform::{MaybeSend, MaybeSync},
};

/// The leadership of an elector began or ended. An event about it is what client-go records (`resourcelock/leaselock.go`,
/// `RecordEvent`): type `Normal`, reason [`REASON`](Self::REASON), about the lease, with this [message](Self::message).
#[derive(Clone, Copy, Debug)]
pub struct Leadership<'a> {
    /// The lease as it was last seen.
    pub lease: &'a Unstructured,
    /// The elector.
    pub identity: &'a str,
    /// Whether it leads now.
    pub began: bool,
}

impl Leadership<'_> {
    /// The reason of an event about it.
    pub const REASON: &'static str = "LeaderElection";

    /// The words of an event about it.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{} {}", self.identity, if self.began { "became leader" } else { "stopped leading" })
    }
}

/// Told how an election goes (client-go's `LeaderCallbacks`, `resourcelock.EventRecorder`, `leaderelection.LeaderMetric`). Each
/// method does nothing unless it is written anew. They are called from within the run, without a lock, so they must be quick.
///
/// ```
/// use std::{sync::{Arc, Mutex}, time::Duration};
/// use porthole_client_core::leader_election::{LeaderElectionObserver, LeaderElectionOptions};
///
/// #[derive(Default)]
/// struct Leader(Mutex<Option<String>>);
///
/// impl LeaderElectionObserver for Leader {
///     fn new_leader(&self, identity: Option<&str>) {
///         *self.0.lock().unwrap() = identity.map(str::to_owned);
///     }
/// }
///
/// let leader = Arc::new(Leader::default());
/// let options = LeaderElectionOptions { observer: Some(leader.clone()), ..LeaderElectionOptions::default() };
/// # drop(options);
/// ```
#[expect(unused_variables, reason = "the names say what is told")]
pub trait LeaderElectionObserver: MaybeSend + MaybeSync + 'static {
    /// Another leads than before, the first that is seen among them; or, with `None`, nobody does (`OnNewLeader`).
    fn new_leader(&self, identity: Option<&str>) {}

    /// This elector began to lead, or ended: for events, and for a metric that says who leads (`RecordEvent`; `leaderOn` and
    /// `leaderOff`). The end is told after the work was dropped and the lease released.
    fn leadership(&self, leadership: Leadership<'_>) {}

    /// The lease, which is its own, could not be renewed without reading it first (`slowpathExercised`).
    fn slow_path(&self) {}

    /// A try failed; another follows unless the run ends.
    fn failed(&self, error: &LockError) {}
}
