//! What goes wrong in a controller.

use thiserror::Error;

use crate::informer::{InformerError, NotSynced};

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
