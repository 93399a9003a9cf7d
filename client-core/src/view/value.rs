//! What a cell says: the one reading of it, for the order and for the filter.

use std::{borrow::Cow, time::Duration};

use super::{
    ColumnRole, ViewColumn,
    cell::{anchor, trailing_age},
};
use crate::{
    meta::{Namespace, parse_duration, parse_quantity},
    platform::WallTime,
    wire::{Cell, TableRow},
};

/// What a cell says. It borrows the texts of its row and is `Copy`: reading allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing: no cell, an empty one, or a text such as `<none>`, `<unknown>` or `<invalid>`.
    Missing,
    /// True or false.
    Boolean(bool),
    /// A number, or a quantity such as `500m` or `1.5Gi`.
    Number(f64),
    /// So many of so many, such as `1/2`.
    Ratio(f64, f64),
    /// `40%`; the number before the sign.
    Percentage(f64),
    /// A count with a remark, such as the restarts `3 (5m ago)`; and when that was, where the remark says it.
    Count(f64, Option<WallTime>),
    /// How long ago something was.
    Time {
        /// When it was, as exactly as is known: what rows are ordered by.
        at: WallTime,
        /// When it was by the server's clock: what the text that is shown counts from.
        shown: WallTime,
    },
    /// How long something took.
    Duration {
        /// How long, when the row arrived.
        long: Duration,
        /// Since when it goes on, where it has not ended.
        since: Option<WallTime>,
    },
    /// A version.
    Version(Version),
    /// An internet address; one of four octets as an IPv4-mapped one (`::ffff:10.0.0.1`).
    Address(u128),
    /// Any other text.
    Text(&'a str),
}

/// A version such as `v1.36.3` or `1.30`, packed: up to four numbers, each below 2^28, and whether nothing follows them. A version with
/// a suffix, such as `1.2.0-rc.1`, is before the one without; versions that differ in their suffix alone are equal here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u128);

impl Version {
    /// The version in this text. `1.2` is `1.2.0`. At least two numbers are wanted.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bare = text.strip_prefix('v').unwrap_or(text);
        let end = bare.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(bare.len());
        let (numbers, rest) = bare.split_at_checked(end)?;
        if !rest.is_empty() && !rest.starts_with(['-', '+']) {
            return None;
        }
        let (mut packed, mut count) = (0_u128, 0);
        for number in numbers.split('.') {
            packed = packed << 28 | u128::from(number.parse::<u32>().ok().filter(|number| *number < 1 << 28)?);
            count += 1;
        }
        (2..=4).contains(&count).then(|| Self((packed << (28 * (4 - count))) << 1 | u128::from(!rest.starts_with('-'))))
    }

    pub(super) fn bits(self) -> u128 {
        self.0
    }
}

/// Reads the cells of one column.
///
/// ```
/// use porthole_client_core::{
///     view::{CellReader, Value, view_columns},
///     wire::{Cell, Column, TableRow},
/// };
///
/// let column =
///     |name: &str| Column { name: name.into(), kind: "string".into(), format: String::new(), description: String::new(), priority: 0 };
/// let columns = view_columns(&[column("Ready"), column("CPU")], false);
/// let row = TableRow { cells: ["1/2", "250m"].map(|text| Cell::Text(text.into())).into(), ..TableRow::default() };
/// assert_eq!(CellReader::new(&columns[0], &columns).value(&row), Value::Ratio(1.0, 2.0));
/// assert_eq!(CellReader::new(&columns[1], &columns).value(&row), Value::Number(0.25));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellReader {
    role: ColumnRole,
    cell: Option<usize>,
    /// Whether it is a version even where it could be a number: `1.30` is after `1.4` then.
    version: bool,
    /// Where the state of a row is, which says whether a duration goes on.
    status: Option<usize>,
}

impl CellReader {
    /// A reader of `column`, among `columns`.
    #[must_use]
    pub fn new(column: &ViewColumn, columns: &[ViewColumn]) -> Self {
        Self {
            role: column.role,
            cell: column.cell,
            version: column.name.len() >= 7
                && column.name.as_bytes().iter().rev().zip(b"noisrev").all(|(a, b)| a.eq_ignore_ascii_case(b)),
            status: columns.iter().find(|column| column.role == ColumnRole::Status).and_then(|column| column.cell),
        }
    }

    /// A reader of what has no column of its own: a row's name or namespace.
    pub(super) const fn of_role(role: ColumnRole) -> Self {
        Self { role, cell: None, version: false, status: None }
    }

    /// Whether it is a name or a namespace: a text, whatever it looks like.
    pub(super) const fn is_name(self) -> bool {
        matches!(self.role, ColumnRole::Name | ColumnRole::Namespace)
    }

    /// Whether what it reads goes on with time.
    pub(super) const fn is_timed(self) -> bool {
        matches!(self.role, ColumnRole::Age | ColumnRole::Since | ColumnRole::Duration)
    }

    /// What a row says here. A name and a namespace are texts, whatever they look like.
    #[must_use]
    pub fn value<'a>(&self, row: &'a TableRow) -> Value<'a> {
        let cell = match (self.role, self.cell) {
            (ColumnRole::Namespace, _) => return text_value(row.namespace.as_ref().map_or("", Namespace::as_str)),
            (ColumnRole::Name, _) => return text_value(row.name.as_str()),
            (ColumnRole::Age, None) => return row.created.map_or(Value::Missing, |at| Value::Time { at, shown: at }),
            (_, cell) => cell.and_then(|index| row.cells.get(index)),
        };
        let text = match cell {
            None | Some(Cell::Null) => "",
            Some(Cell::Integer(number)) => return Value::Number(*number as f64),
            Some(Cell::Float(number)) => return Value::Number(*number),
            Some(Cell::Bool(value)) => return Value::Boolean(*value),
            Some(Cell::Text(text)) => text.trim(),
        };
        match self.role {
            ColumnRole::Age | ColumnRole::Since => {
                if let Some(ago) = parse_duration(text) {
                    let shown = anchor(row, self.role, ago);
                    return Value::Time { at: row.created.filter(|_| self.role == ColumnRole::Age).unwrap_or(shown), shown };
                }
            }
            ColumnRole::Duration => {
                if let Some(long) = parse_duration(text) {
                    let since = (!is_complete(row, self.status)).then(|| row.arrived.before(long));
                    return Value::Duration { long, since };
                }
            }
            _ => {}
        }
        if self.version
            && let Some(version) = Version::parse(text)
        {
            return Value::Version(version);
        }
        if is_missing(text) { Value::Missing } else { typed(text, row.arrived) }
    }

    /// The cell's text, as it came; of a name and a namespace, the row's own.
    #[must_use]
    pub fn text<'a>(&self, row: &'a TableRow) -> Cow<'a, str> {
        match (self.role, self.cell) {
            (ColumnRole::Namespace, _) => Cow::Borrowed(row.namespace.as_ref().map_or("", Namespace::as_str)),
            (ColumnRole::Name, _) => Cow::Borrowed(row.name.as_str()),
            (_, cell) => cell.and_then(|index| row.cells.get(index)).map_or(Cow::Borrowed(""), cell_text),
        }
    }
}

/// A cell as it prints, copied only where it is no text of one line.
pub(super) fn cell_text(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Null => Cow::Borrowed(""),
        Cell::Text(text) if memchr::memchr3(b'\n', b'\r', 0xc, text.as_bytes()).is_none() => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// A Job's duration stands still once it is complete (printers `getJobDuration`).
pub(super) fn is_complete(row: &TableRow, status: Option<usize>) -> bool {
    matches!(status.and_then(|index| row.cells.get(index)), Some(Cell::Text(text)) if **text == *"Complete")
}

fn text_value(text: &str) -> Value<'_> {
    if text.is_empty() { Value::Missing } else { Value::Text(text) }
}

fn is_missing(text: &str) -> bool {
    text.is_empty() || (text.starts_with('<') && text.ends_with('>'))
}

/// What a text says by itself.
fn typed(text: &str, arrived: WallTime) -> Value<'_> {
    // Most texts are words: they begin like nothing else.
    if !text
        .starts_with(|first: char| first.is_ascii_hexdigit() || matches!(first, '+' | '-' | '.' | ':' | 'v' | 't' | 'T' | 'F'))
    {
        return Value::Text(text);
    }
    if let Some(number) = parse_quantity(text) {
        return Value::Number(number);
    }
    if let "true" | "True" | "false" | "False" = text {
        return Value::Boolean(matches!(text, "true" | "True"));
    }
    if let Some((part, whole)) = parse_ratio(text) {
        return Value::Ratio(part, whole);
    }
    if let Some(number) = text.strip_suffix('%').and_then(parse_quantity) {
        return Value::Percentage(number);
    }
    if let Some((count, remark)) = text.split_once(' ')
        && remark.starts_with('(')
        && remark.ends_with(')')
        && let Some(count) = parse_quantity(count)
    {
        return Value::Count(count, trailing_age(remark).map(|(_, ago)| arrived.before(ago)));
    }
    if let Some(long) = parse_duration(text) {
        return Value::Duration { long, since: None };
    }
    if let Some(address) = parse_address(text) {
        return Value::Address(address);
    }
    Version::parse(text).map_or(Value::Text(text), Value::Version)
}

/// `1/2`.
pub(super) fn parse_ratio(text: &str) -> Option<(f64, f64)> {
    let (part, whole) = text.split_once('/')?;
    Some((parse_quantity(part.trim())?, parse_quantity(whole.trim())?))
}

/// An address of either kind.
pub(super) fn parse_address(text: &str) -> Option<u128> {
    if !text.contains(':') {
        return Some(0xffff << 32 | u128::from(parse_octets(text)?));
    }
    let Some((head, tail)) = text.split_once("::") else {
        let (bits, groups) = parse_groups(text)?;
        return (groups == 8).then_some(bits);
    };
    if head.contains('.') {
        return None;
    }
    let ((head, before), (tail, after)) = (parse_groups(head)?, parse_groups(tail)?);
    // What is left out is one group at least, so the shift is too.
    (before + after < 8).then(|| (head << 16 << (16 * (7 - before))) | tail)
}

fn parse_octets(text: &str) -> Option<u32> {
    let (mut bits, mut count) = (0_u32, 0);
    for octet in text.split('.') {
        let digits = (1..=3).contains(&octet.len()) && octet.bytes().all(|byte| byte.is_ascii_digit());
        bits = bits << 8 | u32::from(octet.parse::<u8>().ok().filter(|_| digits)?);
        count += 1;
        if count > 4 {
            return None;
        }
    }
    (count == 4).then_some(bits)
}

/// Groups of up to four hexadecimal digits, of which an address of four octets may be the last two; and how many they are.
fn parse_groups(text: &str) -> Option<(u128, u32)> {
    let (mut bits, mut count) = (0_u128, 0_u32);
    if text.is_empty() {
        return Some((0, 0));
    }
    let mut groups = text.split(':').peekable();
    while let Some(group) = groups.next() {
        if group.contains('.') && groups.peek().is_none() {
            bits = bits << 32 | u128::from(parse_octets(group)?);
            count += 2;
        } else {
            let digits = (1..=4).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit());
            bits = bits << 16 | u128::from(u16::from_str_radix(group, 16).ok().filter(|_| digits)?);
            count += 1;
        }
        if count > 8 {
            return None;
        }
    }
    Some((bits, count))
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;
    use crate::platform::Chance;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn reader(role: ColumnRole, name: &str) -> CellReader {
        let column = ViewColumn { name: name.into(), description: String::new(), role, wide: false, cell: Some(0) };
        CellReader::new(&column, std::slice::from_ref(&column))
    }

    fn row(text: &str) -> TableRow {
        TableRow {
            name: "n-1".into(),
            arrived: WallTime(1_000_000),
            cells: [Cell::Text(text.into())].into(),
            ..TableRow::default()
        }
    }

    #[track_caller]
    fn says(role: ColumnRole, text: &str, value: Value<'_>) {
        assert_eq!(reader(role, "X").value(&row(text)), value, "{text:?}");
    }

    #[test]
    fn a_text_says_what_it_looks_like() {
        let version = |text| Value::Version(Version::parse(text).unwrap());
        for (text, value) in [
            ("", Value::Missing),
            (" ", Value::Missing),
            ("<none>", Value::Missing),
            ("<unknown>", Value::Missing),
            ("<invalid>", Value::Missing),
            ("500m", Value::Number(0.5)),
            (" 10Gi ", Value::Number(10_737_418_240.0)),
            ("-3", Value::Number(-3.0)),
            ("1/2", Value::Ratio(1.0, 2.0)),
            ("40%", Value::Percentage(40.0)),
            ("3 (5m ago)", Value::Count(3.0, Some(WallTime(700_000)))),
            ("3 (soon)", Value::Count(3.0, None)),
            ("5m30s", Value::Duration { long: Duration::from_secs(330), since: None }),
            ("True", Value::Boolean(true)),
            ("false", Value::Boolean(false)),
            ("TRUE", Value::Text("TRUE")),
            ("v1.36.3", version("v1.36.3")),
            ("10.0.0.1", Value::Address(0xffff_0a00_0001)),
            ("::1", Value::Address(1)),
            ("10.0.0.1:80", Value::Text("10.0.0.1:80")),
            ("Running", Value::Text("Running")),
            ("default", Value::Text("default")),
            ("名前", Value::Text("名前")),
        ] {
            says(ColumnRole::Text, text, value);
        }
    }

    #[test]
    fn a_role_says_what_a_text_means() {
        says(ColumnRole::Since, "5m", Value::Time { at: WallTime(700_000), shown: WallTime(700_000) });
        says(ColumnRole::Duration, "5m", Value::Duration { long: Duration::from_secs(300), since: Some(WallTime(700_000)) });
        says(ColumnRole::Age, "<unknown>", Value::Missing);
        says(ColumnRole::Name, "5", Value::Text("n-1"));
        says(ColumnRole::Namespace, "5", Value::Missing);
        let mut aged = row("5m");
        aged.created = Some(WallTime(690_000));
        let value = reader(ColumnRole::Age, "Age").value(&aged);
        assert_eq!(value, Value::Time { at: WallTime(690_000), shown: WallTime(690_000) });
        // Where the clocks disagree, rows are ordered by the one and aged by the other.
        aged.created = Some(WallTime(0));
        let value = reader(ColumnRole::Age, "Age").value(&aged);
        assert_eq!(value, Value::Time { at: WallTime(0), shown: WallTime(700_000) });
        let column = reader(ColumnRole::Text, "App Version");
        assert_eq!(column.value(&row("1.30")), Value::Version(Version::parse("v1.30.0").unwrap()));
        let bare = TableRow { created: Some(WallTime(7)), ..TableRow::default() };
        let age = CellReader::of_role(ColumnRole::Age).value(&bare);
        assert_eq!(age, Value::Time { at: WallTime(7), shown: WallTime(7) });
        assert_eq!(reader(ColumnRole::Text, "X").value(&bare), Value::Missing);
    }

    #[test]
    fn cells_that_are_no_texts_are_what_they_are() {
        for (cell, value) in [
            (Cell::Null, Value::Missing),
            (Cell::Integer(-7), Value::Number(-7.0)),
            (Cell::Float(0.5), Value::Number(0.5)),
            (Cell::Bool(true), Value::Boolean(true)),
        ] {
            let row = TableRow { cells: [cell].into(), ..TableRow::default() };
            assert_eq!(reader(ColumnRole::Text, "X").value(&row), value);
        }
    }

    #[test]
    fn versions_are_read_up_to_four_numbers() {
        let ordered = ["0.9", "v1.9.0", "v1.10.0-rc.1", "v1.10.0", "v1.36.3-gke.1", "v1.36.3", "1.36.3.1", "2024.12.31"];
        let versions = ordered.map(|text| Version::parse(text).unwrap());
        assert!(versions.is_sorted_by(|left, right| left < right));
        assert_eq!(Version::parse("1.2"), Version::parse("v1.2.0+build"));
        for text in ["1", "v", "", "1.", ".1", "1.2.3.4.5", "1.2x", "1.300000000", "v1.2.3beta", "vx.1"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_are_read_as_the_standard_library_reads_them() {
        let mut chance = Chance(3);
        let mut read = 0;
        for _ in 0..40_000 {
            let text = if chance.percent(30) {
                chance.text(&["1", "2", "25", "255", "256", "0", ".", ".", "."], 9)
            } else {
                chance.text(&["1", "ab", "ffff", "0", "12345", ":", ":", ":", "::", "1.2.3.4", "g"], 18)
            };
            let standard = text
                .parse::<Ipv4Addr>()
                .map(|address| address.to_ipv6_mapped())
                .or_else(|_| text.parse::<Ipv6Addr>())
                .ok()
                .map(Ipv6Addr::to_bits);
            // The standard library refuses zeros in front, which cannot mislead here.
            let leading_zero = text.split(['.', ':']).any(|octet| octet.len() > 1 && octet.starts_with('0'));
            if !leading_zero || !text.contains('.') {
                assert_eq!(parse_address(&text), standard, "{text}");
                read += usize::from(standard.is_some());
            }
        }
        assert!(read > 100, "{read}");
    }
}
