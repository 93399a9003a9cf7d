//! RFC 3339 times of the server.

use jiff::Timestamp;

use crate::platform::WallTime;

/// The time that an RFC 3339 text names, or `None` where it names none.
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<WallTime> {
    text.parse::<Timestamp>().ok().map(|time| WallTime(time.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_fractions_and_zones() {
        assert_eq!(parse_timestamp("1970-01-01T00:00:01Z"), Some(WallTime(1000)));
        assert_eq!(parse_timestamp("1970-01-01T01:00:01.5+01:00"), Some(WallTime(1500)));
        assert_eq!(parse_timestamp("<invalid>"), None);
    }
}
