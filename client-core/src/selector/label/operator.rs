//! What a condition asks of a label.

use std::fmt;

use super::syntax::check_value;

/// How a label and the values of a [`Requirement`](super::Requirement) must relate: apimachinery's `pkg/selection`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `=`: the label has the value.
    Equals,
    /// `==`: the same as [`Equals`](Self::Equals), kept apart so that a selector prints as it was written.
    DoubleEquals,
    /// `!=`: the label has another value, or is not there.
    NotEquals,
    /// `in`: the label has one of the values.
    In,
    /// `notin`: the label has none of the values, or is not there.
    NotIn,
    /// `>`: the label is an integer above the value.
    GreaterThan,
    /// `<`: the label is an integer below the value.
    LessThan,
    /// The key alone: the label is there.
    Exists,
    /// `!` and the key: the label is not there.
    DoesNotExist,
}

impl Operator {
    /// The operator as a selector writes it; `exists` for the one that is not written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equals => "=",
            Self::DoubleEquals => "==",
            Self::NotEquals => "!=",
            Self::In => "in",
            Self::NotIn => "notin",
            Self::GreaterThan => ">",
            Self::LessThan => "<",
            Self::Exists => "exists",
            Self::DoesNotExist => "!",
        }
    }

    /// `Err` holds what was expected.
    pub(super) fn check_value(self, value: &str) -> Result<(), &'static str> {
        check_value(value)?;
        if matches!(self, Self::GreaterThan | Self::LessThan) && value.parse::<i64>().is_err() {
            return Err("an integer");
        }
        Ok(())
    }

    /// `Err` holds what was expected.
    pub(super) fn check_count(self, count: usize) -> Result<(), &'static str> {
        let (fits, expected) = match self {
            Self::In | Self::NotIn => (count > 0, "at least one"),
            Self::Exists | Self::DoesNotExist => (count == 0, "none"),
            _ => (count == 1, "exactly one"),
        };
        if fits { Ok(()) } else { Err(expected) }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
