//! How a patch can fail. No message holds a value of a document: it may be a secret.

use thiserror::Error;

use super::{JsonPointer, OperationError, SchemaError};
use crate::json::FieldPath;

/// What is wrong with a patch, or with the documents it is to be made from or used on.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchError {
    /// An operation of a JSON patch failed; the document is as it was.
    #[error("operation {index} of the JSON patch, {operation} at \"{path}\", failed: {source}")]
    Operation {
        /// Which operation, counted from 0.
        index: usize,
        /// What it is called, such as `add`.
        operation: &'static str,
        /// Its path.
        path: JsonPointer,
        /// What went wrong.
        source: OperationError,
    },
    /// A JSON patch cannot be read.
    #[error("operation {index} of the JSON patch cannot be read: {message}")]
    MalformedOperation {
        /// Which operation, counted from 0.
        index: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A JSON patch has more operations than the server takes.
    #[error("the JSON patch has {count} operations, at most {limit} are allowed: send it in parts")]
    TooManyOperations {
        /// How many it has.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A document, or a field of one, has the wrong type.
    #[error("{path} is {found}, expected {expected}")]
    WrongType {
        /// The field; `.` for the whole document.
        path: FieldPath,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// The schema does not say how to merge a field.
    #[error("the schema cannot tell how to merge {path}: {source}")]
    Schema {
        /// The field.
        path: FieldPath,
        /// What is missing.
        source: SchemaError,
    },
    /// The items of a list are of several types.
    #[error("the items of {path} are not all of one type")]
    MixedList {
        /// The list.
        path: FieldPath,
    },
    /// Lists in lists cannot be merged.
    #[error("{path} is a list of lists, which cannot be merged")]
    ListOfLists {
        /// The list.
        path: FieldPath,
    },
    /// A list of objects is to be merged, and the schema names no key to tell its items by.
    #[error("the schema names no merge key for the items of {path}")]
    NoMergeKeyDeclared {
        /// The list.
        path: FieldPath,
    },
    /// An item of a list lacks the field that tells items apart.
    #[error("an item of {path} does not contain the declared merge key \"{merge_key}\"")]
    NoMergeKey {
        /// The list.
        path: FieldPath,
        /// The field that is missing.
        merge_key: String,
    },
    /// A directive of a strategic merge patch is not understood.
    #[error("the directive \"{directive}\" in {path} {fault}")]
    Directive {
        /// The object the directive is in.
        path: FieldPath,
        /// The field that is the directive, such as `$patch`.
        directive: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// The items of a patch stand in another order than its `$setElementOrder` says.
    #[error("the order of the items of {path} doesn't match its $setElementOrder list, or the list lacks one of them")]
    OrderMismatch {
        /// The list.
        path: FieldPath,
    },
    /// Both sides changed the same field in different ways.
    #[error("the patch conflicts with a change others made to {path}: read the object again, or overwrite their change")]
    Conflict {
        /// The first field that conflicts.
        path: FieldPath,
    },
    /// The patch changes a field that must stay.
    #[error("the patch changes {path}, which must stay as it is")]
    Precondition {
        /// The field.
        path: FieldPath,
    },
    /// A set of managed fields cannot be read.
    #[error("\"{element}\" in the managed fields cannot be read: {fault}")]
    ManagedFields {
        /// The path element, or the field, that cannot be read.
        element: String,
        /// What is wrong with it.
        fault: &'static str,
    },
}

impl PatchError {
    /// Whether both sides changed the same field (mergepatch `IsConflict`).
    #[must_use]
    pub const fn is_conflict(&self) -> bool {
        matches!(self, Self::Conflict { .. })
    }

    /// Whether a precondition does not hold (mergepatch `IsPreconditionFailed`).
    #[must_use]
    pub const fn is_precondition(&self) -> bool {
        matches!(self, Self::Precondition { .. })
    }
}
