//! What can be wrong with a path.

use thiserror::Error;

/// A text that is no path.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonPathError {
    /// There is nothing.
    #[error("the path is empty")]
    Empty,
    /// The text cannot be read from here on.
    #[error("the path cannot be read at character {at}: {what}")]
    Syntax {
        /// Which character, counted from one.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// It is more than one path: `range`, `end`, or text around the braces.
    #[error("this is a template, from character {at} on: give the path of one value, without range, end and text around it")]
    Template {
        /// Which character, counted from one.
        at: usize,
    },
}

/// A path that does not fit an object: what makes client-go end with an error.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindError {
    /// An index or a filter stands behind something that has no items.
    #[error("{found} has no items to choose from")]
    NotAList {
        /// What is there.
        found: &'static str,
    },
    /// A list is too short.
    #[error("index {index} is out of a list of {length}")]
    OutOfBounds {
        /// The index, counted from the beginning.
        index: i64,
        /// How many items there are.
        length: usize,
    },
    /// A slice ends before it begins.
    #[error("a slice from {start} to {end} ends before it begins")]
    Backwards {
        /// The first index, counted from the beginning.
        start: i64,
        /// The index behind the last.
        end: i64,
    },
    /// A slice does not go forward.
    #[error("the step of a slice is not above zero")]
    Step,
    /// A filter compares several values.
    #[error("a filter can compare one value only, not {0}")]
    Several(usize),
    /// A filter compares what has no order, or is not of one type.
    #[error("a filter cannot compare {left} with {right}")]
    Incomparable {
        /// What stands before the operator.
        left: &'static str,
        /// What stands behind it.
        right: &'static str,
    },
}
