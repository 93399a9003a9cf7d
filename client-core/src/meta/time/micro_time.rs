//! Times in microseconds.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Timestamp,
    rfc3339::{Moment, ParseTimestampError},
};
use crate::platform::WallTime;

/// A time such as a lease's `renewTime` (`metav1.MicroTime`): a [`Timestamp`] that is written with six digits of a second.
///
/// apimachinery refuses a text with more or fewer digits; here any number of them is read.
///
/// ```
/// use porthole_client_core::meta::{MicroTime, Timestamp};
///
/// let renewed: MicroTime = "2026-03-01T12:00:00.25Z".parse()?;
/// assert_eq!(renewed.to_string(), "2026-03-01T12:00:00.250000Z");
/// assert!(renewed > Timestamp::from_unix(1_772_366_400, 0));
/// # Ok::<(), porthole_client_core::meta::ParseTimestampError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroTime(Moment);

const NANOS_PER_MICROSECOND: i32 = 1000;

impl MicroTime {
    /// So many seconds and nanoseconds after 1970-01-01T00:00:00Z (`metav1.UnixMicro`). Either can be negative, and the
    /// nanoseconds can be more than a second.
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

    /// Whether it is not set (`MicroTime.IsZero`).
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == Moment::ZERO
    }

    /// The seconds and nanoseconds of its protobuf message, or `None` where no message is written (`micro_time_proto.go`). What
    /// is finer than a microsecond is cut off, as in JSON.
    #[must_use]
    pub fn to_protobuf(self) -> Option<(i64, i32)> {
        let nanos = i32::try_from(self.0.nanos).unwrap_or(0);
        (!self.is_zero()).then_some((self.0.seconds, nanos - nanos % NANOS_PER_MICROSECOND))
    }

    /// The way back of [`to_protobuf`](Self::to_protobuf); what is finer than a microsecond is cut off, as when writing.
    #[must_use]
    pub fn from_protobuf(message: Option<(i64, i32)>) -> Self {
        message.map_or_else(Self::default, |(seconds, nanos)| {
            Self::from_unix(seconds, i64::from(nanos - nanos % NANOS_PER_MICROSECOND))
        })
    }

    /// The same on the host's clock, cut to milliseconds.
    #[must_use]
    pub fn wall_time(self) -> WallTime {
        self.0.wall_time()
    }
}

/// The time that is not set.
impl Default for MicroTime {
    fn default() -> Self {
        Self(Moment::ZERO)
    }
}

impl From<WallTime> for MicroTime {
    fn from(time: WallTime) -> Self {
        Self(time.into())
    }
}

impl From<Timestamp> for MicroTime {
    fn from(time: Timestamp) -> Self {
        Self(time.0)
    }
}

/// As `MicroTime.EqualTime`.
impl PartialEq<Timestamp> for MicroTime {
    fn eq(&self, other: &Timestamp) -> bool {
        self.0 == other.0
    }
}

/// As `MicroTime.BeforeTime`.
impl PartialOrd<Timestamp> for MicroTime {
    fn partial_cmp(&self, other: &Timestamp) -> Option<Ordering> {
        Some(self.0.cmp(&other.0))
    }
}

/// RFC 3339 in UTC, six digits of a second.
impl fmt::Display for MicroTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(6, formatter)
    }
}

/// RFC 3339, with any zone and any number of digits of a second.
impl FromStr for MicroTime {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Timestamp::from_str(text).map(Self::from)
    }
}

impl Serialize for MicroTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (!self.is_zero()).then(|| self.to_string()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MicroTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Timestamp::deserialize(deserializer).map(Self::from)
    }
}
