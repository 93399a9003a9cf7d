//! A number as it was written.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;
use thiserror::Error;

/// A JSON number, kept as its text. Two numbers are equal where their texts are: `1` and `1.0` are not, because
/// the server may tell them apart.
///
/// ```
/// use porthole_client_core::json::Value;
///
/// let number = "9007199254740993".parse::<Value>()?.as_number().cloned().unwrap();
/// assert_eq!((number.as_str(), number.as_i64()), ("9007199254740993", Some(9_007_199_254_740_993)));
/// # Ok::<(), porthole_client_core::json::ParseJsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(Box<str>);

/// A text that is no JSON number.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is not a number of JSON")]
pub struct ParseNumberError(String);

impl Number {
    /// The digits, as they were written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, where it is a whole number written without point and exponent that 64 bits with a sign hold.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The value, where it is a whole number written without point and exponent that 64 bits without a sign hold.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The nearest float.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    /// Takes `text` as it is; it is known to be a number.
    pub(super) fn from_known(text: &str) -> Self {
        Self(text.into())
    }
}

impl FromStr for Number {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && text.ends_with(|last: char| last.is_ascii_digit())
            && serde_json::from_slice::<&RawValue>(text.as_bytes()).is_ok();
        if number { Ok(Self(text.into())) } else { Err(ParseNumberError(text.to_owned())) }
    }
}

macro_rules! from_integer {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                Self(value.to_string().into())
            }
        }
    )*};
}
from_integer!(i8 i16 i32 i64 u8 u16 u32 u64 usize);

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Writes the digits as they are; only serializers of `serde_json` can.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Reads from `serde_json` alone.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer)?.get().parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_number_is_read_by_the_grammar_of_json_alone() {
        for text in ["0", "-0", "9007199254740993", "18446744073709551615", "1.0", "1e3", "-1.5E+300", "1e999"] {
            assert_eq!(text.parse::<Number>().unwrap().as_str(), text);
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "0x1", "1 ", " 1", "NaN", "1e", "--1", "1,2", "\"1\"", "null"] {
            assert!(text.parse::<Number>().is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn a_number_is_whole_only_where_it_is_written_so() {
        let number = |text: &str| text.parse::<Number>().unwrap();
        assert_eq!(number("-7").as_i64(), Some(-7));
        assert_eq!(number("18446744073709551615").as_i64(), None);
        assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
        assert_eq!(number("1.0").as_i64(), None);
        assert_eq!(number("1e3").as_f64(), Some(1000.0));
    }
}
