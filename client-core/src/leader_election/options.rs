//! How an election is held.

use std::{sync::Arc, time::Duration};

use super::{InvalidElection, LeaderElectionObserver};

/// How much longer a wait for the next try to get a lease can be, as a part of the retry period.
pub(super) const JITTER: f64 = 1.2;

/// How an election is held (client-go `tools/leaderelection`, `LeaderElectionConfig`); the defaults are those of Kubernetes' own
/// programs. All copies of a program should have the same.
///
/// The ratio of the lease duration to the renew deadline is how much faster the clock of one copy may run than that of another.
#[derive(Clone)]
pub struct LeaderElectionOptions {
    /// For how long the others leave a lease alone that is not renewed: 15 seconds. It is rounded up to whole seconds.
    pub lease_duration: Duration,
    /// When a leader gives up that could not renew its lease, counted from the last time that it could: 10 seconds. It must be
    /// shorter than the lease duration.
    pub renew_deadline: Duration,
    /// The time between two renewals, and from a try that failed to the next: 2 seconds. Who waits for the lease waits for up to 1.2
    /// times as long on top of that, so that not all try at the same time.
    pub retry_period: Duration,
    /// Whether the lease is released when the work or the run ends, so that another copy can take over at once: it is not, by
    /// default. What the work has spawned must have ended by then, or two copies act.
    pub release_on_cancel: bool,
    /// Whether the control plane picks the leader among [candidates](super::LeaseCandidate) (an alpha feature of Kubernetes): the
    /// elector then only waits until the lease is given to it, and renews it.
    pub coordinated: bool,
    /// Who wants to know how it goes.
    pub observer: Option<Arc<dyn LeaderElectionObserver>>,
}

opaque_debug!(LeaderElectionOptions);

impl Default for LeaderElectionOptions {
    fn default() -> Self {
        Self {
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            release_on_cancel: false,
            coordinated: false,
            observer: None,
        }
    }
}

impl LeaderElectionOptions {
    pub(super) fn validate(&self) -> Result<(), InvalidElection> {
        if self.lease_duration <= self.renew_deadline {
            return Err(InvalidElection::LeaseTooShort);
        }
        if self.retry_period.is_zero() {
            return Err(InvalidElection::NoRetryPeriod);
        }
        // In numbers that cannot overflow.
        if self.renew_deadline.as_secs_f64() <= self.retry_period.as_secs_f64() * JITTER {
            return Err(InvalidElection::DeadlineTooShort);
        }
        Ok(())
    }

    /// What the lease says of its duration: never less than it is.
    pub(super) fn lease_seconds(&self) -> i32 {
        let seconds = self.lease_duration.as_secs().saturating_add(u64::from(self.lease_duration.subsec_nanos() > 0));
        i32::try_from(seconds).unwrap_or(i32::MAX)
    }
}
