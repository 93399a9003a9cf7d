//! What is wrong with a selector.

use thiserror::Error;

use super::Operator;

/// A text that is not a selector, or not a set of labels: where, what stands there, what was expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("at byte {position} of the selector: found {found}, expected {expected}")]
pub struct ParseSelectorError {
    position: usize,
    found: String,
    expected: &'static str,
}

impl ParseSelectorError {
    /// An error at `position`, where `found` stands as it shall be shown.
    pub(super) fn new(position: usize, found: impl Into<String>, expected: &'static str) -> Self {
        Self { position, found: found.into(), expected }
    }

    /// An error at `position`, where the text `found` stands. It is shown in quotes; backslashes stay single, as they
    /// are part of the grammar of field selectors.
    pub(super) fn quoting(position: usize, found: &str, expected: &'static str) -> Self {
        let mut quoted = String::from("\"");
        for character in found.chars() {
            if character.is_control() {
                quoted.extend(character.escape_default());
            } else {
                quoted.push(character);
            }
        }
        quoted.push('"');
        Self::new(position, quoted, expected)
    }

    /// Where the text stops being right: an offset in bytes, always at the start of a character or at the end.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// What stands there: a piece of the text in quotes, or `the end`.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What could have stood there.
    #[must_use]
    pub fn expected(&self) -> &'static str {
        self.expected
    }
}

/// Parts that make no selector, or a selector that has no other form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectorError {
    /// A label's key is not one.
    #[error("{key:?} is not the key of a label: expected {expected}")]
    Key {
        /// What was given.
        key: String,
        /// What a key, or a part of it, is.
        expected: &'static str,
    },
    /// A value cannot be a label's value, or not what the operator compares with.
    #[error("{value:?} cannot be a value of the label {key:?} here: expected {expected}")]
    Value {
        /// The label's key.
        key: String,
        /// What was given.
        value: String,
        /// What a value is.
        expected: &'static str,
    },
    /// An operator was given too few values, or too many.
    #[error("operator {operator} on the label {key:?} was given {count} values: expected {expected}")]
    ValueCount {
        /// The label's key.
        key: String,
        /// The operator.
        operator: Operator,
        /// How many values there were.
        count: usize,
        /// How many it takes.
        expected: &'static str,
    },
    /// A selector object names an operator that does not exist.
    #[error("operator {operator:?} on the label {key:?} is unknown: expected In, NotIn, Exists or DoesNotExist")]
    UnknownOperator {
        /// The label's key.
        key: String,
        /// What was given.
        operator: String,
    },
    /// A selector object asks for more than that labels have certain values.
    #[error("the condition on the label {key:?} cannot be written as a set of labels: expected one value for each key")]
    NotALabelSet {
        /// The label's key.
        key: String,
    },
    /// A selector has a condition that no selector object can have.
    #[error("operator {operator} on the label {key:?} has no place in a selector object: write it as text")]
    NotInSpec {
        /// The label's key.
        key: String,
        /// The operator.
        operator: Operator,
    },
    /// The selector that matches nothing was to become an object; only the absence of an object matches nothing.
    #[error("no selector object matches nothing: leave the object out")]
    Nothing,
    /// A field cannot stand in the text of a field selector.
    #[error("{field:?} cannot be the field of a selector: expected {expected}")]
    Field {
        /// What was given.
        field: String,
        /// What a field is.
        expected: &'static str,
    },
}
