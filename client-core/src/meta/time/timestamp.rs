//! Times in whole seconds.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::rfc3339::{Moment, ParseTimestampError};
use crate::platform::WallTime;

/// A time such as an object's `creationTimestamp` (`metav1.Time`).
///
/// It keeps the nanoseconds it was read with and is written without them. The default is the time that is not set, `null` on the
/// wire; a field of type `Option<Timestamp>` reads `null` as `None`.
///
/// ```
/// use porthole_client_core::meta::Timestamp;
///
/// let created: Timestamp = "2026-03-01T13:00:00.25+01:00".parse()?;
/// assert_eq!(created.to_string(), "2026-03-01T12:00:00Z");
/// assert_eq!(created.unix_seconds(), 1_772_366_400);
/// assert!(Timestamp::default() < created);
/// # Ok::<(), porthole_client_core::meta::ParseTimestampError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub(super) Moment);

impl Timestamp {
    /// So many seconds and nanoseconds after 1970-01-01T00:00:00Z (`metav1.Unix`). Either can be negative, and the nanoseconds
    /// can be more than a second.
    #[must_use]
    pub const fn from_unix(seconds: i64, nanos: i64) -> Self {
        Self(Moment::new(seconds, nanos))
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.0.seconds
    }

    /// The nanoseconds of its second.
    #[must_use]
    pub const fn subsec_nanos(self) -> u32 {
        self.0.nanos
    }

    /// Whether it is not set (`Time.IsZero`).
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == Moment::ZERO
    }

    /// The value of a URL's parameter, such as `sinceTime`: empty where it is not set (`Time.MarshalQueryParameter`).
    #[must_use]
    pub fn to_query(self) -> String {
        if self.is_zero() { String::new() } else { self.to_string() }
    }

    /// The time in the first of a URL parameter's values; not set where there is none, or an empty one, or `null`, which old
    /// clients write (apimachinery `conversion.go`).
    ///
    /// # Errors
    ///
    /// Where that value is no time.
    pub fn from_query<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Self, ParseTimestampError> {
        match values.into_iter().next() {
            None | Some("" | "null") => Ok(Self::default()),
            Some(text) => text.parse(),
        }
    }

    /// The seconds and nanoseconds of its protobuf message, or `None` where no message is written (`time_proto.go`). Nanoseconds
    /// are not written, as in JSON.
    #[must_use]
    pub fn to_protobuf(self) -> Option<(i64, i32)> {
        (!self.is_zero()).then_some((self.0.seconds, 0))
    }

    /// The way back of [`to_protobuf`](Self::to_protobuf); nanoseconds are left out, as when writing.
    #[must_use]
    pub fn from_protobuf(message: Option<(i64, i32)>) -> Self {
        message.map_or_else(Self::default, |(seconds, _)| Self::from_unix(seconds, 0))
    }

    /// The same on the host's clock, cut to milliseconds.
    #[must_use]
    pub fn wall_time(self) -> WallTime {
        self.0.wall_time()
    }
}

/// The time that is not set.
impl Default for Timestamp {
    fn default() -> Self {
        Self(Moment::ZERO)
    }
}

impl From<WallTime> for Timestamp {
    fn from(time: WallTime) -> Self {
        Self(time.into())
    }
}

/// RFC 3339 in UTC, whole seconds.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(0, formatter)
    }
}

/// RFC 3339, with any zone and any number of digits of a second.
impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Moment::parse(text).map(Self).ok_or_else(|| ParseTimestampError(text.to_owned()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (!self.is_zero()).then(|| self.to_string()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map_or_else(|| Ok(Self::default()), |text| text.parse().map_err(D::Error::custom))
    }
}
