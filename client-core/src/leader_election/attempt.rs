//! One try to get the lease, to keep it, or to give it back.

use super::{LeaderElectionRecord, LockError, Loss, inner::Inner};
use crate::{
    informer::lock::lock,
    platform::{BoxFuture, Instant, TimedOut, timeout},
    rest::ApiError,
};

/// How often it is tried to release a lease that others write into.
const RELEASES: usize = 3;

/// What came of a try.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The lease is its own.
    Held,
    /// It is not, or that is not known.
    NotHeld,
    /// It was, and is no more.
    Lost(Loss),
}

impl Inner {
    /// Tries to get the lease, or to renew it (`tryAcquireOrRenew`, `tryCoordinatedRenew`), and tells what is new.
    pub(super) async fn attempt(&self, leading: bool) -> Attempt {
        let attempt = self.acquire_or_renew(leading).await;
        self.report();
        attempt.unwrap_or_else(|error| {
            self.failed(&error);
            Attempt::NotHeld
        })
    }

    async fn acquire_or_renew(&self, leading: bool) -> Result<Attempt, LockError> {
        // Before anything is asked: a lease is rather in force for too long than for too short a time.
        let now = self.platform.now();
        let coordinated = self.options.coordinated;
        let mut record = self.record();
        let own = if coordinated { None } else { self.own_and_valid(now) };
        if let Some(own) = own {
            let record = LeaderElectionRecord {
                acquire_time: own.acquire_time,
                leader_transitions: own.leader_transitions,
                ..record.clone()
            };
            match self.write(record, false).await {
                Ok(()) => return Ok(Attempt::Held),
                Err(error) => self.failed(&error),
            }
        }

        let old = match self.read().await {
            Err(error) if !coordinated && error.request().is_some_and(ApiError::is_not_found) => {
                self.write(record, true).await?;
                return Ok(Attempt::Held);
            }
            old => old?,
        };
        let own = old.holder_identity == self.lease.identity();
        if leading && !own {
            return Ok(Attempt::Lost(Loss::Taken { by: old.holder_identity }));
        }
        let valid = lock(&self.state).is_valid(now);
        if coordinated {
            if !own || !valid {
                return Ok(Attempt::NotHeld);
            }
            if !old.preferred_holder.is_empty() {
                let loss = Loss::EndOfTerm { preferred: old.preferred_holder };
                return Ok(if leading { Attempt::Lost(loss) } else { Attempt::NotHeld });
            }
            record.strategy.clone_from(&old.strategy);
        } else if !own && !old.holder_identity.is_empty() && valid {
            return Ok(Attempt::NotHeld);
        }

        if own {
            record.acquire_time = old.acquire_time;
            record.leader_transitions = old.leader_transitions;
            if let Some(observer) = &self.options.observer {
                observer.slow_path();
            }
        } else {
            record.leader_transitions = old.leader_transitions.saturating_add(1);
        }
        self.write(record, false).await?;
        Ok(Attempt::Held)
    }

    /// What the lease says, where it is its own and in force.
    fn own_and_valid(&self, now: Instant) -> Option<LeaderElectionRecord> {
        let state = lock(&self.state);
        let own = state.holder() == self.lease.identity() && state.is_valid(now);
        state.observed.as_ref().filter(|_| own).map(|(record, _)| record.clone())
    }

    /// What the lease says of one that begins to lead now.
    fn record(&self) -> LeaderElectionRecord {
        let now = Some(self.platform.wall_time().into());
        LeaderElectionRecord {
            holder_identity: self.lease.identity().to_owned(),
            lease_duration_seconds: self.options.lease_seconds(),
            acquire_time: now,
            renew_time: now,
            ..LeaderElectionRecord::default()
        }
    }

    async fn read(&self) -> Result<LeaderElectionRecord, LockError> {
        let record = self.limited(Box::pin(self.lease.get())).await?;
        lock(&self.state).claimed = record.holder_identity == self.lease.identity();
        self.observe(record.clone());
        Ok(record)
    }

    /// Writes that it leads. What counts from then on is when this was sent: the lease cannot run out before that for others.
    async fn write(&self, record: LeaderElectionRecord, create: bool) -> Result<(), LockError> {
        let sent = self.platform.now();
        lock(&self.state).claimed = true;
        if create {
            self.limited(Box::pin(self.lease.create(&record))).await?;
        } else {
            self.limited(Box::pin(self.lease.update(&record))).await?;
        }
        self.observe(record);
        lock(&self.state).renewed = Some(sent);
        Ok(())
    }

    /// Half the time in which the lease has to be renewed, so that there is a second try.
    async fn limited<T>(&self, request: BoxFuture<'_, Result<T, LockError>>) -> Result<T, LockError> {
        let limit = self.options.renew_deadline / 2;
        let answer = timeout(&self.platform, limit, request).await;
        answer.unwrap_or_else(|| Err(LockError::TimedOut { lease: self.lease.to_string(), source: TimedOut(limit) }))
    }

    /// Gives the lease back, if it is its own; until others may take it anyway.
    pub(super) async fn release(&self, until: Instant) {
        let left = until.since(self.platform.now());
        let released = timeout(&self.platform, left, Box::pin(self.release_now())).await;
        let timed_out = || Err(LockError::TimedOut { lease: self.lease.to_string(), source: TimedOut(left) });
        if let Err(error) = released.unwrap_or_else(timed_out) {
            self.failed(&error);
        }
        self.report();
    }

    async fn release_now(&self) -> Result<(), LockError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let old = match self.read().await {
                Err(error) if error.request().is_some_and(ApiError::is_not_found) => return Ok(()),
                old => old?,
            };
            // Another may have it by now; to take it away would let a third one in.
            if old.holder_identity != self.lease.identity() {
                return Ok(());
            }
            let now = Some(self.platform.wall_time().into());
            let record = LeaderElectionRecord {
                lease_duration_seconds: 1,
                acquire_time: now,
                renew_time: now,
                leader_transitions: old.leader_transitions,
                ..LeaderElectionRecord::default()
            };
            match self.limited(Box::pin(self.lease.update(&record))).await {
                Err(error) if tries < RELEASES && error.request().is_some_and(ApiError::is_conflict) => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    self.observe(record);
                    lock(&self.state).claimed = false;
                    return Ok(());
                }
            }
        }
    }
}
