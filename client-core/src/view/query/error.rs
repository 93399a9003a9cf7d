//! What is wrong with a query.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is wrong with a query, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[error("{problem}")]
pub struct QueryError {
    /// Which bytes of the query it is about.
    pub place: Range<usize>,
    /// What is wrong.
    pub problem: QueryProblem,
}

/// What is wrong with a query.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryProblem {
    /// A quote opens and does not close.
    #[error("the quote has no end: add \"")]
    OpenQuote,
    /// A single quote opens and does not close.
    #[error("the quote has no end: add '")]
    OpenSingleQuote,
    /// A regular expression has no end.
    #[error("the pattern has no end: add / after it, or put the text in quotes")]
    OpenPattern,
    /// A parenthesis of a selector has no end.
    #[error("a parenthesis of the selector has no end: add )")]
    OpenParenthesis,
    /// Something follows a quote or a pattern.
    #[error("something follows the end of {0}: put a blank between them, or all of it in quotes")]
    NoBlank(String),
    /// A `!` stands alone.
    #[error("nothing follows the !: add what is not to be there")]
    EmptyNegation,
    /// A comparison has no value.
    #[error("{0} has nothing to compare with: add a value")]
    NoValue(String),
    /// A flag has no selector.
    #[error("nothing follows {0}: add a selector, such as app=web")]
    NoSelector(String),
    /// A selector is turned around.
    #[error("a selector cannot be turned around with !: turn its requirements around, as in app!=web")]
    NegatedSelector,
    /// There is no such column.
    #[error("no column is called {name}: there are {columns}; put the text in quotes to look for it")]
    UnknownColumn {
        /// What was asked for.
        name: String,
        /// The columns that there are.
        columns: String,
    },
    /// There are several such columns.
    #[error("{name} begins the names of {columns}: write more of one")]
    AmbiguousColumn {
        /// What was asked for.
        name: String,
        /// The columns that it could be.
        columns: String,
    },
    /// A regular expression is none.
    #[error("the pattern is no regular expression: {0}")]
    BadPattern(String),
}

impl QueryError {
    pub(super) const fn new(place: Range<usize>, problem: QueryProblem) -> Self {
        Self { place, problem }
    }
}
