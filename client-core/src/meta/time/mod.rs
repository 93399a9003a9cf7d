//! Times and durations of the API, after apimachinery's `pkg/apis/meta/v1` `time.go`, `micro_time.go` and `duration.go`.
//!
//! Guarantees: what is read is exact to the nanosecond, and a time is written in UTC, whole seconds in a [`Timestamp`] and six
//! digits of a second in a [`MicroTime`]. A time that is not set is `null` on the wire.
//!
//! Left out: time zones and calendars other than the Gregorian one. The server writes one form of time only, so a few lines read
//! and write it; a date library weighs a tenth of the page. The durations in the server's tables are another grammar: see
//! [`parse_duration`](super::parse_duration) and [`human_duration`](super::human_duration).

mod go_duration;
mod micro_time;
mod rfc3339;
mod timestamp;

#[cfg(test)]
mod tests;

pub use go_duration::{Duration, ParseDurationError};
pub use micro_time::MicroTime;
pub use rfc3339::{ParseTimestampError, parse_timestamp};
pub use timestamp::Timestamp;
