//! What can be wrong with a text that shall be an object.

use thiserror::Error;

use crate::{json::ParseJsonError, meta::GroupVersionKind};

/// A JSON text that is no object of an API server, or not the one that is wanted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseObjectError {
    /// It is no JSON, or a part of it has the wrong type.
    #[error("not an object of an API server: {0}")]
    Json(#[from] serde_json::Error),
    /// Its tree cannot be read.
    #[error(transparent)]
    Tree(#[from] ParseJsonError),
    /// It does not say what it is.
    #[error("\"kind\" is missing: an object says what it is with \"apiVersion\" and \"kind\"")]
    KindMissing,
    /// It is not what the type of its kind is written as.
    #[error("the object says that it is a {kind}, and cannot be read as one: {source}")]
    Unreadable {
        /// What it says it is.
        kind: GroupVersionKind,
        /// What does not fit.
        source: serde_json::Error,
    },
    /// It is of another kind than is wanted.
    #[error("the object says that it is a {kind}, not a {wanted}")]
    OtherKind {
        /// What it says it is.
        kind: Box<GroupVersionKind>,
        /// What is wanted.
        wanted: Box<GroupVersionKind>,
    },
    /// A type is wanted for it, and none is registered.
    #[error("no type is registered for {kind}: add one to the scheme, or read the object as it is")]
    Unregistered {
        /// What it says it is.
        kind: GroupVersionKind,
    },
}
