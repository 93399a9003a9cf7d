//! Durations as Go writes them.

use std::{fmt, str::FromStr, time};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use thiserror::Error;

const MICROSECOND: u64 = 1000;
const MILLISECOND: u64 = 1000 * MICROSECOND;
const SECOND: u64 = 1000 * MILLISECOND;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// A duration such as `1h0m0.5s` (`metav1.Duration`, with the texts of Go's `time.Duration`): nanoseconds, of either sign, up to
/// some 292 years.
///
/// ```
/// use porthole_client_core::meta::Duration;
///
/// let grace: Duration = "1h0.5s".parse()?;
/// assert_eq!(grace.to_string(), "1h0m0.5s");
/// assert_eq!(std::time::Duration::try_from(grace).unwrap().as_millis(), 3_600_500);
/// # Ok::<(), porthole_client_core::meta::ParseDurationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(i64);

/// A text that names no duration.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{text}\" is not a duration: {fault}")]
pub struct ParseDurationError {
    text: String,
    fault: &'static str,
}

impl Duration {
    /// So many nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// Its nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> i64 {
        self.0
    }
}

/// The longest one where it is longer.
impl From<time::Duration> for Duration {
    fn from(duration: time::Duration) -> Self {
        Self(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX))
    }
}

/// Fails where it is negative.
impl TryFrom<Duration> for time::Duration {
    type Error = std::num::TryFromIntError;

    fn try_from(duration: Duration) -> Result<Self, Self::Error> {
        u64::try_from(duration.0).map(Self::from_nanos)
    }
}

/// As Go's `Duration.String`: hours, minutes and seconds with the leading zeros left out; below one second the largest unit that
/// does not leave a zero in front; zero is `0s`.
impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            formatter.write_str("-")?;
        }
        let nanos = self.0.unsigned_abs();
        match nanos {
            0 => formatter.write_str("0s"),
            1..MICROSECOND => write!(formatter, "{nanos}ns"),
            MICROSECOND..MILLISECOND => write_decimal(nanos, MICROSECOND, "µs", formatter),
            MILLISECOND..SECOND => write_decimal(nanos, MILLISECOND, "ms", formatter),
            SECOND.. => {
                if nanos >= HOUR {
                    write!(formatter, "{}h", nanos / HOUR)?;
                }
                if nanos >= MINUTE {
                    write!(formatter, "{}m", nanos % HOUR / MINUTE)?;
                }
                write_decimal(nanos % MINUTE, SECOND, "s", formatter)
            }
        }
    }
}

/// `nanos` in a unit, with as many digits after the dot as there are.
fn write_decimal(nanos: u64, unit: u64, name: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "{}", nanos / unit)?;
    let (mut fraction, mut width) = (nanos % unit, unit.ilog10() as usize);
    if fraction > 0 {
        while fraction.is_multiple_of(10) {
            (fraction, width) = (fraction / 10, width - 1);
        }
        write!(formatter, ".{fraction:0width$}")?;
    }
    formatter.write_str(name)
}

/// As Go's `time.ParseDuration`: a sign and numbers with units (`ns`, `us` or `µs`, `ms`, `s`, `m`, `h`), in any order; `0` needs
/// no unit.
///
/// # Errors
///
/// Where the text is not of that form, or longer than 2^63 nanoseconds.
impl FromStr for Duration {
    type Err = ParseDurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |fault| ParseDurationError { text: text.to_owned(), fault };
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if unsigned == "0" {
            return Ok(Self::default());
        }
        let nanos = nanoseconds(unsigned).map_err(fail)?;
        let negative = text.starts_with('-');
        let signed = if negative { 0_i64.checked_sub_unsigned(nanos) } else { i64::try_from(nanos).ok() };
        signed.map(Self).ok_or_else(|| fail(TOO_LONG))
    }
}

const TOO_LONG: &str = "it is longer than 292 years";
const NO_NUMBER: &str = "expected a number and a unit, such as \"1h30m\" or \"0.5s\"";

fn nanoseconds(text: &str) -> Result<u64, &'static str> {
    if text.is_empty() {
        return Err(NO_NUMBER);
    }
    let (mut total, mut rest) = (0_u64, text);
    while !rest.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        if whole.is_empty() && fraction.is_empty() {
            return Err(NO_NUMBER);
        }
        let end = after.find(|character: char| character.is_ascii_digit() || character == '.').unwrap_or(after.len());
        let (name, next) = after.split_at_checked(end).unwrap_or((after, ""));
        let unit = match name {
            "ns" => 1,
            // The micro sign and the Greek letter.
            "us" | "\u{b5}s" | "\u{3bc}s" => MICROSECOND,
            "ms" => MILLISECOND,
            "s" => SECOND,
            "m" => MINUTE,
            "h" => HOUR,
            "" => return Err("a number has no unit: expected ns, us, ms, s, m or h"),
            _ => return Err("a unit is not known: expected ns, us, ms, s, m or h"),
        };
        let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok().ok_or(TOO_LONG)? };
        let part = whole.checked_mul(unit).and_then(|part| part.checked_add(fraction_of(fraction, unit)));
        total = part.and_then(|part| total.checked_add(part)).ok_or(TOO_LONG)?;
        rest = next;
    }
    Ok(total)
}

/// The nanoseconds in the digits after a dot, what is finer cut off.
///
/// In floats, as Go does it: `0.3333333333333333333h` is twenty minutes and not a nanosecond less.
fn fraction_of(digits: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0_u64, 1.0);
    for digit in digits.bytes() {
        // What does not fit is too small to matter.
        let Some(next) = value.checked_mul(10).and_then(|value| value.checked_add((digit - b'0').into())) else { break };
        (value, scale) = (next, scale * 10.0);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the nanoseconds of an hour")]
    let nanos = (value as f64 * (unit as f64 / scale)) as u64;
    nanos
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
