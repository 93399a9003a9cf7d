//! What goes wrong in a controller.

use thiserror::Error;

use crate::{
    informer::{InformerError, NotSynced},
    meta::ObjectName,
    rest::ApiError,
};

/// Why a controller does not run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ControllerError {
    /// An informer ended before its first whole list was told, or the controller was stopped before.
    #[error("a controller does not know what there is")]
    NotSynced(#[source] NotSynced<ControllerStopped>),
    /// It ran before, or does so now.
    #[error("the controller runs already")]
    Started,
    /// An informer cannot feed it.
    #[error("an informer cannot feed a controller")]
    Informer(#[from] InformerError),
}

/// Nobody waits any longer for what there is.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the controller was stopped")]
pub struct ControllerStopped;

/// Why a reconciliation failed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ReconcileError<E> {
    /// It said so.
    #[error(transparent)]
    Failed(E),
    /// It panicked; the panic hook has told of it.
    #[error("the reconciliation panicked")]
    Panicked,
}

/// Why an owner does not manage what it is to manage, or manages what it is not to.
#[derive(Clone, Debug, Error)]
pub enum ClaimError {
    /// The server was asked, and did not say.
    #[error("there is no telling whether {owner} is still there")]
    Owner {
        /// The owner.
        owner: ObjectName,
        /// What the server said.
        source: ApiError,
    },
    /// It is another one by now.
    #[error("{owner} is gone, and another has its name")]
    Replaced {
        /// The owner.
        owner: ObjectName,
    },
    /// It is about to be gone.
    #[error("{owner} is being deleted, and adopts nothing")]
    Deleted {
        /// The owner.
        owner: ObjectName,
    },
    /// An object stays without an owner, or with another.
    #[error("{object} cannot be adopted")]
    Adopt {
        /// The object.
        object: ObjectName,
        /// Why.
        source: ApiError,
    },
    /// An object stays with its owner.
    #[error("{object} cannot be released")]
    Release {
        /// The object.
        object: ObjectName,
        /// Why.
        source: ApiError,
    },
}
