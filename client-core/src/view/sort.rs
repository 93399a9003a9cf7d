//! The order of cells: by value, not by letters.

use std::cmp::Ordering;

use super::ColumnRole;
use crate::{
    meta::{parse_duration, parse_quantity},
    platform::WallTime,
    wire::{Cell, TableRow},
};

/// What a row is ordered by. Rows without a value come last, whichever way the column is sorted.
#[derive(Clone, Debug, PartialEq)]
pub enum SortKey {
    /// A number; where it is so many of so many, the whole is the second.
    Number(f64, f64),
    /// A version such as `v1.36.3`, by its parts.
    Version(Vec<u64>, Box<str>),
    /// A text, digits in it by value and letters without their case.
    Text(Box<str>),
    /// No value.
    Missing,
}

impl SortKey {
    fn rank(&self) -> u8 {
        match self {
            Self::Number(..) => 0,
            Self::Version(..) => 1,
            Self::Text(_) => 2,
            Self::Missing => 3,
        }
    }

    /// The order of two keys; `descending` turns it around, but for missing values.
    #[must_use]
    pub fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let plain = match (self, other) {
            (Self::Number(a, b), Self::Number(c, d)) => a.total_cmp(c).then(b.total_cmp(d)),
            (Self::Version(a, rest), Self::Version(b, other)) => a.cmp(b).then_with(|| release_order(rest, other)),
            (Self::Text(a), Self::Text(b)) => natural(a, b),
            (Self::Missing, _) | (_, Self::Missing) => return self.rank().cmp(&other.rank()),
            _ => self.rank().cmp(&other.rank()),
        };
        if descending { plain.reverse() } else { plain }
    }
}

/// A version without a suffix comes after the same one with it: `1.2.0-rc.1` before `1.2.0`.
fn release_order(a: &str, b: &str) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        _ => natural(a, b),
    }
}

/// The key of a row's cell in a column with this role.
#[must_use]
pub fn sort_key(row: &TableRow, role: ColumnRole, cell: Option<usize>) -> SortKey {
    let text = |value: Option<&str>| value.map_or(SortKey::Missing, |value| SortKey::Text(value.into()));
    match (role, cell) {
        (ColumnRole::Namespace, _) => text(row.namespace.as_ref().map(crate::meta::Namespace::as_str)),
        // The younger the smaller, as the durations that are shown.
        (ColumnRole::Age, _) if row.created.is_some() => row.created.map_or(SortKey::Missing, age),
        (ColumnRole::Name, _) => text(Some(row.name.as_str())),
        (_, Some(index)) => row.cells.get(index).map_or(SortKey::Missing, |cell| by_value(cell, row, role)),
        (_, None) => SortKey::Missing,
    }
}

fn age(created: WallTime) -> SortKey {
    SortKey::Number(-(created.0 as f64), 0.0)
}

fn by_value(cell: &Cell, row: &TableRow, role: ColumnRole) -> SortKey {
    let text = match cell {
        Cell::Null => return SortKey::Missing,
        Cell::Integer(number) => return SortKey::Number(*number as f64, 0.0),
        Cell::Float(number) => return SortKey::Number(*number, 0.0),
        Cell::Bool(value) => return SortKey::Number(f64::from(u8::from(*value)), 0.0),
        Cell::Text(text) => text.trim(),
    };
    if text.is_empty() || (text.starts_with('<') && text.ends_with('>')) {
        return SortKey::Missing;
    }
    match role {
        ColumnRole::Age | ColumnRole::Since => {
            return parse_duration(text).map_or_else(|| SortKey::Text(text.into()), |ago| age(row.arrived.before(ago)));
        }
        ColumnRole::Duration => {
            return parse_duration(text)
                .map_or_else(|| SortKey::Text(text.into()), |long| SortKey::Number(long.as_secs_f64(), 0.0));
        }
        _ => {}
    }
    number(text).or_else(|| version(text)).unwrap_or_else(|| SortKey::Text(text.into()))
}

/// A quantity, `2/3`, `40%`, or a count with a remark such as `9 (5m ago)`.
fn number(text: &str) -> Option<SortKey> {
    if let Some(value) = parse_quantity(text) {
        return Some(SortKey::Number(value, 0.0));
    }
    if let Some((part, whole)) = text.split_once('/')
        && let (Some(part), Some(whole)) = (parse_quantity(part.trim()), parse_quantity(whole.trim()))
    {
        return Some(SortKey::Number(part, whole));
    }
    if let Some(percent) = text.strip_suffix('%').and_then(parse_quantity) {
        return Some(SortKey::Number(percent, 0.0));
    }
    let (count, remark) = text.split_once(' ')?;
    (remark.starts_with('(') && remark.ends_with(')'))
        .then(|| parse_quantity(count))
        .flatten()
        .map(|value| SortKey::Number(value, 0.0))
}

/// `v1.36.3-gke.1` by its numbers, then by what follows. An address has four numbers and is ordered the same.
fn version(text: &str) -> Option<SortKey> {
    let bare = text.strip_prefix('v').unwrap_or(text);
    let end = bare.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(bare.len());
    let (numbers, rest) = bare.split_at_checked(end)?;
    let parts: Vec<u64> = numbers.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
    let is_version = parts.len() >= 2 && (rest.is_empty() || rest.starts_with(['-', '+']));
    is_version.then(|| SortKey::Version(parts, rest.into()))
}

/// Letters without their case, runs of digits by value.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut ours, mut theirs) = (left, right);
    loop {
        let (Some(mine), Some(yours)) = (ours.chars().next(), theirs.chars().next()) else {
            return ours.len().cmp(&theirs.len()).then_with(|| left.cmp(right));
        };
        let order = if mine.is_ascii_digit() && yours.is_ascii_digit() {
            let (my_digits, my_rest) = digits(ours);
            let (your_digits, your_rest) = digits(theirs);
            (ours, theirs) = (my_rest, your_rest);
            my_digits.len().cmp(&your_digits.len()).then_with(|| my_digits.cmp(your_digits))
        } else {
            ours = ours.get(mine.len_utf8()..).unwrap_or("");
            theirs = theirs.get(yours.len_utf8()..).unwrap_or("");
            mine.to_lowercase().cmp(yours.to_lowercase())
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The digits that a text starts with, without leading zeros, and what follows them.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (digits.trim_start_matches('0'), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn sorted(role: ColumnRole, texts: &[&str], descending: bool) -> Vec<String> {
        let mut keyed: Vec<_> = texts
            .iter()
            .map(|text| {
                let row = TableRow { cells: [Cell::Text((*text).into())].into(), ..TableRow::default() };
                (sort_key(&row, role, Some(0)), (*text).to_owned())
            })
            .collect();
        keyed.sort_by(|(a, _), (b, _)| a.compare(b, descending));
        keyed.into_iter().map(|(_, text)| text).collect()
    }

    #[track_caller]
    fn stays(role: ColumnRole, texts: &[&str]) {
        let mut mixed = texts.to_vec();
        mixed.reverse();
        assert_eq!(sorted(role, &mixed, false), texts);
    }

    #[test]
    fn quantities_are_ordered_by_value() {
        stays(ColumnRole::Text, &["-1", "0", "80m", "100m", "0.5", "1", "500k", "128Mi", "2728711509333m", "10Gi", "1E"]);
    }

    #[test]
    fn ages_are_ordered_by_length_and_unknown_ones_come_last_both_ways() {
        stays(ColumnRole::Since, &["5m30s", "2d2h", "10d", "100d", "300d", "1y", "<unknown>"]);
        assert_eq!(sorted(ColumnRole::Since, &["<invalid>", "5s", "1y"], true), ["1y", "5s", "<invalid>"]);
    }

    #[test]
    fn counts_ratios_percentages_and_remarks_are_ordered_by_value() {
        stays(ColumnRole::Ready, &["0/1", "1/1", "1/2", "2/2", "10/10"]);
        stays(ColumnRole::Text, &["0", "2 (3h ago)", "9 (40s ago)", "10 (5m ago)"]);
        stays(ColumnRole::Text, &["5%", "40%", "100%"]);
    }

    #[test]
    fn versions_are_ordered_by_their_parts() {
        stays(ColumnRole::Text, &["v1.9.0", "v1.10.0-rc.1", "v1.10.0-rc.2", "v1.10.0", "v1.36.3"]);
        stays(ColumnRole::Text, &["10.0.0.9", "10.0.0.10", "10.0.12.1"]);
    }

    #[test]
    fn names_are_ordered_with_their_digits_by_value() {
        let mut names = ["node-10", "Node-2", "node-1", "node-2-b"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["node-1", "Node-2", "node-2-b", "node-10"]);
    }
}
