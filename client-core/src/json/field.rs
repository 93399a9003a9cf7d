//! Where a field is inside of an object, and what can be wrong there.

use std::fmt;

use thiserror::Error;

/// The names on the way to a field. Prints as `.spec.replicas`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldPath(Vec<String>);

impl<'a> FromIterator<&'a str> for FieldPath {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(str::to_owned).collect())
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str(".");
        }
        self.0.iter().try_for_each(|name| write!(formatter, ".{name}"))
    }
}

/// A field that is not what it is taken for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldError {
    /// The way leads through something that has no fields.
    #[error("{path} cannot be reached: {at} is {found}, not an object")]
    NotAnObject {
        /// The field that was wanted.
        path: FieldPath,
        /// Where the way ended.
        at: FieldPath,
        /// What is there.
        found: &'static str,
    },
    /// The field has another type.
    #[error("{path} is not what it is read as: {message}")]
    WrongType {
        /// The field.
        path: FieldPath,
        /// What was expected and what is there.
        message: String,
    },
}
