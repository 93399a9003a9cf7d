//! RFC 3339: the text form of every time of the server.

use std::fmt;

use thiserror::Error;

use crate::platform::WallTime;

const NANOS_PER_SECOND: i64 = 1_000_000_000;
const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// A text that names no time.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is not a time in RFC 3339: expected such as \"2026-03-01T12:00:00Z\"")]
pub struct ParseTimestampError(pub(super) String);

/// A point in time: seconds since 1970, and nanoseconds of one second that count forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Moment {
    pub(super) seconds: i64,
    pub(super) nanos: u32,
}

impl Moment {
    /// The first second of the year 1: what Go has in a time that was not set.
    pub(super) const ZERO: Self = Self { seconds: -62_135_596_800, nanos: 0 };

    /// As Go's `time.Unix`: the nanoseconds can be any number.
    pub(super) const fn new(seconds: i64, nanos: i64) -> Self {
        let seconds = seconds.saturating_add(nanos.div_euclid(NANOS_PER_SECOND));
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 999,999,999")]
        let nanos = nanos.rem_euclid(NANOS_PER_SECOND) as u32;
        Self { seconds, nanos }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_once(['T', 't'])?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let zone = rest.find(['Z', 'z', '+', '-'])?;
        let (clock, zone) = rest.split_at_checked(zone)?;
        let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, fraction)| (clock, Some(fraction)));
        let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
        // A leap second is written as second 60.
        if !(1..=days_of(year, month)?).contains(&day) || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
        Some(Self { seconds: seconds - zone_seconds(zone)?, nanos: fraction.map_or(Some(0), nanos)? })
    }

    /// Writes it in UTC, with so many digits of its second, up to nine.
    pub(super) fn write(self, digits: u32, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_of(self.seconds.div_euclid(SECONDS_PER_DAY));
        let second = self.seconds.rem_euclid(SECONDS_PER_DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(formatter, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if digits > 0 {
            let fraction = self.nanos / 10_u32.pow(9_u32.saturating_sub(digits));
            write!(formatter, ".{fraction:0width$}", width = digits as usize)?;
        }
        formatter.write_str("Z")
    }

    pub(super) fn wall_time(self) -> WallTime {
        WallTime(self.seconds.saturating_mul(1000).saturating_add(i64::from(self.nanos / 1_000_000)))
    }
}

impl From<WallTime> for Moment {
    fn from(time: WallTime) -> Self {
        Self::new(time.0.div_euclid(1000), time.0.rem_euclid(1000) * 1_000_000)
    }
}

/// The time that an RFC 3339 text names, such as `2026-03-01T12:00:00Z`, or `None` where it names none. What is finer than a
/// millisecond is cut off.
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<WallTime> {
    Moment::parse(text).map(Moment::wall_time)
}

/// Numbers of fixed widths between separators.
fn numbers(text: &str, separator: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(separator);
    let mut values = [0; 3];
    for (value, width) in values.iter_mut().zip(widths) {
        let part = parts.next()?;
        *value = (part.len() == width).then(|| digits(part))??;
    }
    parts.next().is_none().then_some(values)
}

fn digits(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The nanoseconds in the digits after the dot; what is finer is cut off.
fn nanos(fraction: &str) -> Option<u32> {
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(digits.fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0')))
}

/// Seconds east of Greenwich.
fn zone_seconds(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = if let Some(rest) = zone.strip_prefix('+') { (1, rest) } else { (-1, zone.strip_prefix('-')?) };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60)
}

fn days_of(year: i64, month: i64) -> Option<i64> {
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => return None,
    })
}

/// Days from 1970-01-01 in the Gregorian calendar. The year begins in March here, so that the day that leap years
/// add is its last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // From March on the months have 31, 30, 31, 30, 31 days, twice and a part.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Year, month and day of a day counted from 1970-01-01: the way back of [`days_since_1970`], through the cycle of 400 years,
/// after which the calendar repeats itself.
fn date_of(days: i64) -> (i64, i64, i64) {
    const CYCLE: i64 = 146_097;
    const CENTURY: i64 = 36_524;
    const FOUR_YEARS: i64 = 1461;
    let days = days + 719_468;
    let in_cycle = days.rem_euclid(CYCLE);
    // The last day of a cycle is its hundredth leap day: it belongs to the fourth century and not to a fifth.
    let century = (in_cycle / CENTURY).min(3);
    let in_century = in_cycle - century * CENTURY;
    let in_four_years = in_century % FOUR_YEARS;
    // So does the last day of four years.
    let year = (in_four_years / 365).min(3);
    let in_year = in_four_years - year * 365;
    let year = days.div_euclid(CYCLE) * 400 + century * 100 + in_century / FOUR_YEARS * 4 + year;
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn seconds(text: &str) -> Option<i64> {
        parse_timestamp(text).map(|time| time.0 / 1000)
    }

    #[test]
    fn times_are_read_with_and_without_fractions_and_zones() {
        assert_eq!(parse_timestamp("1970-01-01T00:00:01Z"), Some(WallTime(1000)));
        assert_eq!(parse_timestamp("1970-01-01T01:00:01.5+01:00"), Some(WallTime(1500)));
        assert_eq!(parse_timestamp("1970-01-01T00:00:00.123456789Z"), Some(WallTime(123)));
        assert_eq!(seconds("2026-11-30T01:50:31Z"), Some(1_796_003_431));
        assert_eq!(seconds("2000-02-29T23:59:60-00:30"), Some(951_870_600));
        assert_eq!(seconds("1969-12-31T23:59:59Z"), Some(-1));
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut expected = days_since_1970(1599, 12, 31);
        for year in 1600..2500 {
            for month in 1..=12 {
                for day in 1..=days_of(year, month).unwrap() {
                    expected += 1;
                    assert_eq!(days_since_1970(year, month, day), expected, "{year}-{month}-{day}");
                    assert_eq!(date_of(expected), (year, month, day));
                }
            }
        }
        assert_eq!(days_since_1970(1970, 1, 1), 0);
    }

    #[test]
    fn a_time_is_written_as_it_was_read() {
        struct Text(Moment, u32);
        impl fmt::Display for Text {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(self.1, formatter)
            }
        }
        for (text, digits) in [
            ("1970-01-01T00:00:00Z", 0),
            ("0000-01-01T00:00:00Z", 0),
            ("0001-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", 0),
            ("2000-02-29T23:59:59.000001Z", 6),
            ("9999-12-31T23:59:59.999999999Z", 9),
        ] {
            assert_eq!(Text(Moment::parse(text).unwrap(), digits).to_string(), text);
        }
        let time = Moment::parse("1960-05-05T05:05:05.987654321Z").unwrap();
        assert_eq!(Text(time, 0).to_string(), "1960-05-05T05:05:05Z", "what is finer is cut off");
        assert_eq!(Text(time, 6).to_string(), "1960-05-05T05:05:05.987654Z");
        assert_eq!(Text(Moment::ZERO, 0).to_string(), "0001-01-01T00:00:00Z");
    }

    #[test]
    fn times_of_the_wall_clock_keep_their_milliseconds() {
        for milliseconds in [-1, 0, 1, -1001, 1_800_000_000_123, i64::MAX] {
            let time = WallTime(milliseconds);
            assert_eq!(Moment::from(time).wall_time(), time);
        }
    }

    #[test]
    fn other_texts_name_no_time() {
        for text in [
            "",
            "<invalid>",
            "2026-11-30",
            "2026-11-30T01:50:31",
            "2026-13-01T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T01:50:31.Z",
            "2026-11-30T01:50:31.5xZ",
            "2026-11-30T01:50:31.5555555555555555555555xZ",
            "2026-1-30T01:50:31Z",
            "2026-11-30T01:50:31+1",
            "+026-11-30T01:50:31Z",
            "٢٠٢٦-11-30T01:50:31Z",
        ] {
            assert_eq!(parse_timestamp(text), None, "{text:?}");
        }
    }
}
