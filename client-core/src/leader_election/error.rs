//! What goes wrong in an election.

use std::time::Duration;

use thiserror::Error;

use crate::{json::FieldError, platform::TimedOut, rest::ApiError};

/// Why an elector cannot be made (client-go `tools/leaderelection`, `NewLeaderElector`).
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidElection {
    /// Others could not be told from it.
    #[error("the identity of a candidate is empty: name each copy of the program, by its pod for example")]
    NoIdentity,
    /// Others could take the lease while it still tries to renew it.
    #[error("the lease duration must be longer than the renew deadline")]
    LeaseTooShort,
    /// There would be no time for a second try.
    #[error("the renew deadline must be longer than 1.2 times the retry period")]
    DeadlineTooShort,
    /// It would try without a pause.
    #[error("the retry period must be longer than nothing")]
    NoRetryPeriod,
}

/// Why a lease could not be read or written.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// The request failed.
    #[error("the lease {lease} could not be read or written")]
    Request {
        /// Its namespace and name.
        lease: String,
        /// What became of the request.
        source: ApiError,
    },
    /// No answer came.
    #[error("no answer about the lease {lease}")]
    TimedOut {
        /// Its namespace and name.
        lease: String,
        /// How long it was waited for.
        source: TimedOut,
    },
    /// The lease says what none can say.
    #[error("the lease {lease} says what cannot be read or written")]
    Field {
        /// Its namespace and name.
        lease: String,
        /// Which field.
        source: FieldError,
    },
    /// It was to be updated before it was known.
    #[error("the lease {lease} is not known yet: get or create it first")]
    Unknown {
        /// Its namespace and name.
        lease: String,
    },
}

impl LockError {
    /// What became of the request, where it was that which failed.
    #[must_use]
    pub const fn request(&self) -> Option<&ApiError> {
        match self {
            Self::Request { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Why a run of an elector ended without the answer of its work. `C` is what is said by whoever stops it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElectionError<C> {
    /// It was stopped.
    #[error("the election was stopped: {0}")]
    Interrupted(C),
    /// It led, and does so no more. client-go's programs exit then; one that can begin anew may run again.
    #[error("the leadership is lost: {0}")]
    Lost(Loss),
    /// Another run of this elector has not ended.
    #[error("the election runs already")]
    Running,
}

/// How leadership was lost.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// The lease could not be renewed before the renew deadline.
    #[error("the lease was not renewed within {0:?}")]
    Expired(Duration),
    /// The lease is in the hands of another, or somebody took the holder out of it.
    #[error("the lease is held by \"{by}\"")]
    Taken {
        /// Who holds it; empty where nobody does.
        by: String,
    },
    /// The control plane would rather have another, in a coordinated election.
    #[error("the control plane prefers \"{preferred}\"")]
    EndOfTerm {
        /// Whom it prefers.
        preferred: String,
    },
}

/// A run leads that has not renewed its lease for too long, and has not ended either: the program hangs.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("failed election to renew leadership on lease {lease}")]
pub struct NotRenewed {
    /// Its namespace and name.
    pub lease: String,
}
