//! One condition on one field.

use std::fmt;

use super::{escape_field_value, text::check_field};
use crate::selector::{Lookup, SelectorError};

/// How a field and the value of a [`FieldRequirement`] must relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldOperator {
    /// `=`, also written `==`: the field has the value.
    Equals,
    /// `!=`: the field has another value.
    NotEquals,
}

impl FieldOperator {
    /// The operator as a selector writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equals => "=",
            Self::NotEquals => "!=",
        }
    }
}

impl fmt::Display for FieldOperator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One condition of a [`FieldSelector`](super::FieldSelector): apimachinery `pkg/fields` `Requirement`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldRequirement {
    field: String,
    operator: FieldOperator,
    value: String,
}

impl FieldRequirement {
    /// A condition on a field, such as `metadata.name` or `spec.nodeName`. Which fields there are depends on the
    /// resource, and only its server knows. The value is any text.
    ///
    /// # Errors
    /// Where the field is empty, holds `,`, `=` or `\`, or ends with `!`: the grammar has no way to write these. (Go
    /// writes them all the same, which gives another selector.)
    pub fn new(field: impl Into<String>, operator: FieldOperator, value: impl Into<String>) -> Result<Self, SelectorError> {
        let field = field.into();
        match check_field(&field) {
            Ok(()) => Ok(Self::from_checked(field, operator, value.into())),
            Err(expected) => Err(SelectorError::Field { field, expected }),
        }
    }

    /// A condition on a field that was checked before.
    pub(super) fn from_checked(field: String, operator: FieldOperator, value: String) -> Self {
        Self { field, operator, value }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// How field and value must relate.
    #[must_use]
    pub fn operator(&self) -> FieldOperator {
        self.operator
    }

    /// The value, as it is, not escaped.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether these fields meet the condition. A field that is not there counts as empty.
    #[must_use]
    pub fn matches(&self, fields: &(impl Lookup + ?Sized)) -> bool {
        self.matches_with(|field| fields.value(field))
    }

    /// Whether the fields that `lookup` knows meet the condition; it is asked for one field.
    #[must_use]
    pub fn matches_with<'v>(&self, lookup: impl FnOnce(&str) -> Option<&'v str>) -> bool {
        let equal = lookup(&self.field).unwrap_or_default() == self.value;
        equal == (self.operator == FieldOperator::Equals)
    }
}

/// As a selector writes it, the value escaped.
impl fmt::Display for FieldRequirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}{}", self.field, self.operator, escape_field_value(&self.value))
    }
}
