//! A condition in a label selector that is an object.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Operator;
use crate::{meta::null_is_default, selector::SelectorError};

/// `metav1.LabelSelectorRequirement`: a condition in a [`LabelSelectorSpec`](super::LabelSelectorSpec).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct LabelSelectorRequirement {
    /// The label's key.
    pub key: String,
    /// How label and values must relate.
    pub operator: LabelSelectorOperator,
    /// The values; none for `Exists` and `DoesNotExist`.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// `metav1.LabelSelectorOperator`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum LabelSelectorOperator {
    /// The label has one of the values.
    In,
    /// The label has none of the values, or is not there.
    NotIn,
    /// The label is there.
    Exists,
    /// The label is not there.
    DoesNotExist,
    /// What is none of these, as it was written.
    Other(String),
}

impl LabelSelectorOperator {
    /// The operator as JSON has it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::In => "In",
            Self::NotIn => "NotIn",
            Self::Exists => "Exists",
            Self::DoesNotExist => "DoesNotExist",
            Self::Other(text) => text,
        }
    }

    /// The operator of a requirement on `key`.
    pub(super) fn as_operator(&self, key: &str) -> Result<Operator, SelectorError> {
        match self {
            Self::In => Ok(Operator::In),
            Self::NotIn => Ok(Operator::NotIn),
            Self::Exists => Ok(Operator::Exists),
            Self::DoesNotExist => Ok(Operator::DoesNotExist),
            Self::Other(text) => Err(SelectorError::UnknownOperator { key: key.to_owned(), operator: text.clone() }),
        }
    }
}

/// The one that was not given.
impl Default for LabelSelectorOperator {
    fn default() -> Self {
        Self::Other(String::new())
    }
}

impl From<String> for LabelSelectorOperator {
    fn from(text: String) -> Self {
        match text.as_str() {
            "In" => Self::In,
            "NotIn" => Self::NotIn,
            "Exists" => Self::Exists,
            "DoesNotExist" => Self::DoesNotExist,
            _ => Self::Other(text),
        }
    }
}

impl From<LabelSelectorOperator> for String {
    fn from(operator: LabelSelectorOperator) -> Self {
        operator.as_str().to_owned()
    }
}

impl fmt::Display for LabelSelectorOperator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
