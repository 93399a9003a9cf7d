//! What an elector knows.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use super::{LeaderElectionOptions, LeaderElectionRecord, Leadership, LeaseLock, LockError};
use crate::{
    informer::lock::lock,
    platform::{Instant, Platform},
};

/// An elector, and what it knows.
pub(super) struct Inner {
    pub(super) platform: Arc<dyn Platform>,
    pub(super) lease: LeaseLock,
    pub(super) options: LeaderElectionOptions,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    /// A run has not ended.
    pub(super) running: bool,
    /// What the lease says, and since when, by the own clock, it is known that it says so.
    pub(super) observed: Option<(LeaderElectionRecord, Instant)>,
    /// When the last renewal that succeeded was sent, while it leads.
    pub(super) renewed: Option<Instant>,
    /// The lease was claimed, and nothing was heard since that says that it is not its own.
    pub(super) claimed: bool,
    /// Who was told last of those that lead.
    pub(super) reported: String,
}

impl State {
    pub(super) fn holder(&self) -> &str {
        self.observed.as_ref().map_or("", |(record, _)| &record.holder_identity)
    }

    /// Whether the lease may still be in force at `now`.
    pub(super) fn is_valid(&self, now: Instant) -> bool {
        self.observed.as_ref().is_some_and(|(record, since)| {
            *since + Duration::from_secs(u64::try_from(record.lease_duration_seconds).unwrap_or(0)) > now
        })
    }
}

impl Inner {
    /// When leadership ends unless the lease is renewed.
    pub(super) fn deadline(&self) -> Option<Instant> {
        lock(&self.state).renewed.map(|renewed| renewed + self.options.renew_deadline)
    }

    /// Whether it leads at this moment.
    pub(super) fn leads(&self) -> bool {
        self.deadline().is_some_and(|deadline| self.platform.now() < deadline)
    }

    /// The lease says this now.
    pub(super) fn observe(&self, record: LeaderElectionRecord) {
        let now = self.platform.now();
        let mut state = lock(&self.state);
        if state.observed.as_ref().is_none_or(|(known, _)| *known != record) {
            state.observed = Some((record, now));
        }
    }

    /// Tells who leads, where that is another than was told last (`maybeReportTransition`).
    pub(super) fn report(&self) {
        let mut state = lock(&self.state);
        let holder = state.holder().to_owned();
        if state.reported == holder {
            return;
        }
        state.reported.clone_from(&holder);
        drop(state);
        if let Some(observer) = &self.options.observer {
            observer.new_leader((!holder.is_empty()).then_some(&holder));
        }
    }

    pub(super) fn failed(&self, error: &LockError) {
        if let Some(observer) = &self.options.observer {
            observer.failed(error);
        }
    }

    /// Tells that leadership began or ended.
    pub(super) fn tell(&self, began: bool) {
        if let (Some(observer), Some(lease)) = (&self.options.observer, self.lease.seen()) {
            observer.leadership(Leadership { lease: &lease, identity: self.lease.identity(), began });
        }
    }
}
