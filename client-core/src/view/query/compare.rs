//! A cell's value against a value that was written.

use std::cmp::Ordering;

use super::Operator;
use crate::{
    meta::{fold_case, parse_duration, parse_quantity},
    platform::WallTime,
    view::{
        CellReader, Value, Version,
        order::natural,
        value::{parse_address, parse_ratio},
    },
    wire::TableRow,
};

/// A value that was written, in all ways that it can be read: a cell says which one counts.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    /// Without its case.
    text: String,
    number: Option<f64>,
    percentage: Option<f64>,
    ratio: Option<(f64, f64)>,
    /// In milliseconds: the shortest of the durations that print like this, and the shortest of those that print as longer ones.
    duration: Option<(i64, i64)>,
    version: Option<Version>,
    address: Option<u128>,
}

impl Literal {
    pub(super) fn new(text: &str) -> Self {
        let number = parse_quantity(text);
        let duration = parse_duration(text)
            .map(|duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX / 4000).min(i64::MAX / 4000));
        Self {
            text: fold_case(text).into_owned(),
            number,
            percentage: text.strip_suffix('%').and_then(parse_quantity),
            ratio: parse_ratio(text),
            duration: duration.map(|seconds| (seconds * 1000, (seconds + grain(seconds)) * 1000)),
            version: Version::parse(text).or_else(|| Version::parse(&[text, ".0"].concat())),
            address: parse_address(text),
        }
    }

    /// Whether the cell that `reader` reads of `row` compares so, and when that may change by nothing but time.
    pub(super) fn judge(
        &self,
        reader: CellReader,
        row: &TableRow,
        operator: Operator,
        now: WallTime,
    ) -> (bool, Option<WallTime>) {
        let value = reader.value(row);
        let (order, until) = match self.duration {
            Some(bounds) => match value {
                Value::Time { shown: since, .. } | Value::Duration { since: Some(since), .. } => {
                    running(since, bounds, operator, now)
                }
                Value::Duration { long, .. } => (Some(within(i64::try_from(long.as_millis()).unwrap_or(i64::MAX), bounds)), None),
                _ => (self.compare(value, reader), None),
            },
            None => (self.compare(value, reader), None),
        };
        let is_equal = || {
            let same_text = || value != Value::Missing && fold_case(reader.text(row).trim()) == self.text;
            (order == Some(Ordering::Equal) && !matches!(value, Value::Text(_))) || same_text()
        };
        let holds = match operator {
            Operator::Equal => is_equal(),
            Operator::Unequal => !is_equal(),
            Operator::Less => order == Some(Ordering::Less),
            Operator::Greater => order == Some(Ordering::Greater),
            Operator::LessOrEqual => order.is_some_and(Ordering::is_le),
            Operator::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        };
        (holds, until)
    }

    /// The order of a cell's value and this; `None` where they are of different kinds.
    fn compare(&self, value: Value<'_>, reader: CellReader) -> Option<Ordering> {
        Some(match value {
            Value::Number(number) | Value::Count(number, _) => number.total_cmp(&self.number?),
            Value::Percentage(number) => number.total_cmp(&self.percentage.or(self.number)?),
            Value::Ratio(part, whole) => match (self.ratio, self.percentage) {
                (Some((other, of)), _) => part.total_cmp(&other).then(whole.total_cmp(&of)),
                (None, Some(percentage)) => (part * 100.0).total_cmp(&(percentage * whole)),
                (None, None) => part.total_cmp(&self.number?),
            },
            Value::Version(version) => version.cmp(&self.version?),
            Value::Address(address) => address.cmp(&self.address?),
            Value::Text(text) if reader.is_name() || !self.is_typed() => natural(text, &self.text),
            _ => return None,
        })
    }

    /// Whether this is more than a text.
    fn is_typed(&self) -> bool {
        self.number.or(self.percentage).is_some() || self.ratio.is_some() || self.duration.is_some() || self.address.is_some()
    }
}

/// How a time that goes on compares, and when it passes the next of the bounds that its operator has.
fn running(since: WallTime, bounds: (i64, i64), operator: Operator, now: WallTime) -> (Option<Ordering>, Option<WallTime>) {
    let (first, last) = match operator {
        Operator::Less | Operator::GreaterOrEqual => (bounds.0, bounds.0),
        Operator::Greater | Operator::LessOrEqual => (bounds.1, bounds.1),
        Operator::Equal | Operator::Unequal => bounds,
    };
    let at = |bound: i64| Some(WallTime(since.0.saturating_add(bound))).filter(|at| *at > now);
    (Some(within((now - since).max(0), bounds)), at(first).or(at(last)))
}

fn within(milliseconds: i64, (from, to): (i64, i64)) -> Ordering {
    if milliseconds < from {
        Ordering::Less
    } else if milliseconds < to {
        Ordering::Equal
    } else {
        Ordering::Greater
    }
}

/// How many seconds, from so many on, print alike (`human_duration`).
fn grain(seconds: i64) -> i64 {
    const HOUR: i64 = 3600;
    const DAY: i64 = 24 * HOUR;
    match seconds {
        ..600 => 1,
        600..28_800 => 60,
        28_800..691_200 => HOUR,
        691_200..252_288_000 => DAY,
        _ => 365 * DAY,
    }
}
