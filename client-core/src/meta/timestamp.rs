//! RFC 3339 times of the server.
//!
//! The server writes one form of time only, so a few lines read it; a date library that knows calendars and time
//! zones weighs a tenth of the page.

use crate::platform::WallTime;

/// The time that an RFC 3339 text names, such as `2026-03-01T12:00:00Z`, or `None` where it names none.
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<WallTime> {
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
    Some(WallTime((seconds - zone_seconds(zone)?) * 1000 + milliseconds(fraction)?))
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

fn milliseconds(fraction: Option<&str>) -> Option<i64> {
    let Some(fraction) = fraction else { return Some(0) };
    digits(fraction.get(..fraction.len().min(18))?)?;
    let three: String = fraction.chars().chain("000".chars()).take(3).collect();
    digits(&three)
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

#[cfg(test)]
mod tests {
    use super::*;

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
                }
            }
        }
        assert_eq!(days_since_1970(1970, 1, 1), 0);
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
            "2026-1-30T01:50:31Z",
            "2026-11-30T01:50:31+1",
            "+026-11-30T01:50:31Z",
            "٢٠٢٦-11-30T01:50:31Z",
        ] {
            assert_eq!(parse_timestamp(text), None, "{text:?}");
        }
    }
}
