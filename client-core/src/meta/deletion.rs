//! How a deletion treats what belongs to the object.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What becomes of an object's dependents when it is deleted (`metav1.DeletionPropagation`). Where none is named the server
/// decides by the object's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DeletionPropagation {
    /// They are left alone.
    Orphan,
    /// They are deleted after it, by the garbage collector.
    Background,
    /// They are deleted before it: the object stays, marked as being deleted, until those that block it are gone.
    Foreground,
}

/// A text that names no way of deletion.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is not a deletion propagation: expected \"Orphan\", \"Background\" or \"Foreground\"")]
pub struct ParseDeletionPropagationError(String);

impl DeletionPropagation {
    const ALL: [Self; 3] = [Self::Orphan, Self::Background, Self::Foreground];

    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Orphan => "Orphan",
            Self::Background => "Background",
            Self::Foreground => "Foreground",
        }
    }

    /// The one in the first of a URL parameter's values, or `None` where there is none or an empty one (apimachinery
    /// `conversion.go`, which takes any text and leaves it to validation).
    ///
    /// # Errors
    ///
    /// Where that value names none.
    pub fn from_query<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Option<Self>, ParseDeletionPropagationError> {
        values.into_iter().next().filter(|value| !value.is_empty()).map(str::parse).transpose()
    }
}

impl fmt::Display for DeletionPropagation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for DeletionPropagation {
    type Err = ParseDeletionPropagationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|propagation| propagation.as_str() == text);
        found.ok_or_else(|| ParseDeletionPropagationError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_propagation_is_read_and_written_by_its_name() {
        for name in ["Orphan", "Background", "Foreground"] {
            let propagation: DeletionPropagation = name.parse().unwrap();
            assert_eq!(propagation.to_string(), name);
            let json = serde_json::to_string(&propagation).unwrap();
            assert_eq!(json, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<DeletionPropagation>(&json).unwrap(), propagation);
        }
        for wrong in ["", "foo", "orphan", "Orphan "] {
            assert!(wrong.parse::<DeletionPropagation>().is_err(), "{wrong:?}");
            assert!(serde_json::from_str::<DeletionPropagation>(&format!("\"{wrong}\"")).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_first_value_of_a_parameter_counts() {
        for (values, expected) in [
            (&[][..], Ok(None)),
            (&[""], Ok(None)),
            (&["Orphan"], Ok(Some(DeletionPropagation::Orphan))),
            (&["Background", "Orphan"], Ok(Some(DeletionPropagation::Background))),
            (&["foo", "Orphan"], Err(ParseDeletionPropagationError("foo".to_owned()))),
        ] {
            assert_eq!(DeletionPropagation::from_query(values.iter().copied()), expected, "{values:?}");
        }
    }
}
