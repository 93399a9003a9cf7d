//! Durations as the server's tables write them.

use std::time::Duration;

const SECOND: u64 = 1;
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const YEAR: u64 = 365 * DAY;

/// A duration in at most two units, the way kubectl writes ages: apimachinery's `util/duration`
/// `HumanDuration`, rule by rule. Takes milliseconds; one that lies a little ahead counts as zero.
#[must_use]
pub fn human_duration(milliseconds: i64) -> String {
    if milliseconds <= -2000 {
        return "<invalid>".to_owned();
    }
    let seconds = u64::try_from(milliseconds / 1000).unwrap_or(0);
    let (minutes, hours, days, years) = (seconds / MINUTE, seconds / HOUR, seconds / DAY, seconds / YEAR);
    let pair = |large: u64, large_unit: char, small: u64, small_unit: char| {
        if small == 0 { format!("{large}{large_unit}") } else { format!("{large}{large_unit}{small}{small_unit}") }
    };
    if seconds < 2 * MINUTE {
        format!("{seconds}s")
    } else if minutes < 10 {
        pair(minutes, 'm', seconds % MINUTE, 's')
    } else if minutes < 3 * 60 {
        format!("{minutes}m")
    } else if hours < 8 {
        pair(hours, 'h', minutes % 60, 'm')
    } else if hours < 48 {
        format!("{hours}h")
    } else if days < 8 {
        pair(days, 'd', hours % 24, 'h')
    } else if days < 365 * 2 {
        format!("{days}d")
    } else if days < 365 * 8 {
        pair(years, 'y', days % 365, 'd')
    } else {
        format!("{years}y")
    }
}

/// The duration that a text such as `2d2h`, `5m30s` or `1y` names, or `None` where it names none: the way back from
/// [`human_duration`], which apimachinery does not have.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = 0_u64;
    let mut last = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        let (number, tail) = rest.split_at_checked(digits)?;
        let mut characters = tail.chars();
        let unit = match characters.next()? {
            's' => SECOND,
            'm' => MINUTE,
            'h' => HOUR,
            'd' => DAY,
            'y' => YEAR,
            _ => return None,
        };
        if unit >= last {
            return None;
        }
        last = unit;
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
        rest = characters.as_str();
    }
    (last != u64::MAX).then(|| Duration::from_secs(total))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_duration_is_written_as_kubectl_writes_it() {
        for (seconds, text) in [
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (330, "5m30s"),
            (600, "10m"),
            (3 * 3600 - 1, "179m"),
            (3 * 3600, "3h"),
            (7 * 3600 + 60, "7h1m"),
            (8 * 3600, "8h"),
            (47 * 3600, "47h"),
            (50 * 3600, "2d2h"),
            (8 * 86400, "8d"),
            (729 * 86400, "729d"),
            (730 * 86400, "2y"),
            (731 * 86400, "2y1d"),
            (8 * 365 * 86400, "8y"),
        ] {
            assert_eq!(human_duration(seconds * 1000), text, "{seconds} seconds");
        }
        assert_eq!(human_duration(-1500), "0s");
        assert_eq!(human_duration(-5000), "<invalid>");
    }

    #[test]
    fn durations_order_by_length_and_other_texts_have_none() {
        let read = |text| parse_duration(text).map(|duration| duration.as_secs());
        let ordered = ["5m30s", "2d2h", "10d", "100d", "1y", "2y10d"].map(|text| read(text).unwrap());
        assert!(ordered.is_sorted(), "{ordered:?}");
        for text in ["", "<unknown>", "<invalid>", "5", "m", "5mm", "5s3m", "x5m", "5m ago"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_back_within_its_last_unit() {
        for seconds in (0..20_000_i64).step_by(7).chain((20_000..400_000_000).step_by(12_345)) {
            let text = human_duration(seconds * 1000);
            let read = i64::try_from(parse_duration(&text).unwrap().as_secs()).unwrap();
            assert!(read <= seconds && human_duration(read * 1000) == text, "{seconds} → {text} → {read}");
        }
    }
}
