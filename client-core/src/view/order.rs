//! The order of rows: by value, not by letters.

use std::{cmp::Ordering, str::Chars};

use super::{
    CellReader, ColumnRole, Value,
    slots::{Row, Slots},
};
use crate::meta::fold_char;

/// The first bytes of a text that are in its key.
const KEY_BYTES: usize = 15;
/// So many parts of a column are looked at by themselves: its key, and 16 further bytes of a text each.
const PARTS: usize = 6;

/// The first 16 bytes of what a cell is ordered by: what kind of value it is, and the value. A number is here as a whole; a text, and
/// little else, goes on where its key is equal to another's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SortKey {
    high: u64,
    low: u64,
}

/// Kinds of values, in the order that they have in a column of several.
mod rank {
    pub(super) const BOOLEAN: u64 = 1;
    pub(super) const NUMBER: u64 = 2;
    pub(super) const TIME: u64 = 3;
    pub(super) const DURATION: u64 = 4;
    pub(super) const VERSION: u64 = 5;
    pub(super) const ADDRESS: u64 = 6;
    pub(super) const TEXT: u64 = 7;
}

impl SortKey {
    /// After all others, whichever way a column is sorted.
    const MISSING: Self = Self { high: u64::MAX, low: u64::MAX };

    pub(super) fn of(value: Value<'_>, descending: bool) -> Self {
        let (rank, bits) = match value {
            Value::Missing => return Self::MISSING,
            Value::Boolean(value) => (rank::BOOLEAN, u128::from(value)),
            Value::Number(number) | Value::Percentage(number) | Value::Count(number, None) => {
                (rank::NUMBER, u128::from(ordered(number)) << 60)
            }
            Value::Ratio(part, whole) => (rank::NUMBER, u128::from(ordered(part)) << 60 | u128::from(ordered(whole) >> 4)),
            // The younger the smaller, as the durations that are shown.
            Value::Count(number, Some(at)) => {
                (rank::NUMBER, u128::from(ordered(number)) << 60 | u128::from(ordered(-(at.0 as f64)) >> 4))
            }
            Value::Time { at, .. } => (rank::TIME, u128::from(ordered(-(at.0 as f64)))),
            Value::Duration { long, .. } => (rank::DURATION, long.as_millis()),
            Value::Version(version) => (rank::VERSION, version.bits()),
            Value::Address(address) => (rank::ADDRESS, address >> 4),
            Value::Text(text) => (rank::TEXT, first_bytes(&mut NaturalBytes::new(text), KEY_BYTES)),
        };
        let key = Self::from_bits(u128::from(rank) << 124 | bits & (u128::MAX >> 4));
        if descending { key.reversed() } else { key }
    }

    /// The bytes of a text that follow those in its key.
    fn further(text: &str, part: usize, descending: bool) -> Self {
        let mut bytes = NaturalBytes::new(text);
        bytes.nth(KEY_BYTES + 16 * (part - 1) - 1);
        let key = Self::from_bits(first_bytes(&mut bytes, 16));
        if descending { key.reversed() } else { key }
    }

    #[expect(clippy::cast_possible_truncation, reason = "each half by itself")]
    const fn from_bits(bits: u128) -> Self {
        Self { high: (bits >> 64) as u64, low: bits as u64 }
    }

    const fn reversed(self) -> Self {
        Self { high: !self.high, low: !self.low }
    }
}

/// A number's bits, in the order of numbers.
fn ordered(number: f64) -> u64 {
    // Of the two zeros one.
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn first_bytes(bytes: &mut NaturalBytes<'_>, count: usize) -> u128 {
    (0..count).fold(0, |packed, _| packed << 8 | u128::from(bytes.next().unwrap_or(0)))
}

/// A text as bytes that are ordered as people order names: letters without their case, and runs of digits by value. No byte is zero.
///
/// A run of digits is its length, among the digits' own bytes, and then its digits without leading zeros.
struct NaturalBytes<'a> {
    rest: Chars<'a>,
    /// So many digits of a run are left.
    digits: usize,
    /// Further bytes of what came last, the next one lowest.
    held: u32,
}

impl<'a> NaturalBytes<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars(), digits: 0, held: 0 }
    }

    fn begin_run(&mut self, text: &'a str) -> u8 {
        let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
        let zeros = text.bytes().take(end).take_while(|byte| *byte == b'0').count();
        self.digits = end - zeros;
        self.rest = text.get(zeros..).unwrap_or("").chars();
        let Some(long) = self.digits.checked_sub(9) else { return b'0' + u8::try_from(self.digits).unwrap_or(9) };
        let long = u32::try_from(long).unwrap_or(u32::MAX).min(254 * 254);
        self.held = (long / 255 + 1) | (long % 255 + 1) << 8;
        b'9'
    }
}

impl Iterator for NaturalBytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.held != 0 {
            let [byte, ..] = self.held.to_le_bytes();
            self.held >>= 8;
            return Some(byte);
        }
        let text = self.rest.as_str();
        let letter = self.rest.next()?;
        if let Ok(byte) = u8::try_from(letter)
            && byte.is_ascii()
        {
            if !byte.is_ascii_digit() {
                return Some(byte.to_ascii_lowercase().max(1));
            }
            if self.digits > 0 {
                self.digits -= 1;
                return Some(byte);
            }
            return Some(self.begin_run(text));
        }
        let mut bytes = [0; 4];
        fold_char(letter).encode_utf8(&mut bytes);
        let packed = u32::from_le_bytes(bytes);
        self.held = packed >> 8;
        let [byte, ..] = bytes;
        Some(byte)
    }
}

/// The order of two texts: letters without their case, runs of digits by value.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
    if left == right { Ordering::Equal } else { NaturalBytes::new(left).cmp(NaturalBytes::new(right)) }
}

/// A column that rows are ordered by.
#[derive(Clone, Copy, Debug)]
struct SortColumn {
    reader: CellReader,
    descending: bool,
}

impl SortColumn {
    fn key(&self, row: Row<'_>, part: usize) -> SortKey {
        match self.reader.value(row.1) {
            Value::Text(text) if part > 0 => SortKey::further(text, part, self.descending),
            value => SortKey::of(value, self.descending),
        }
    }

    /// The kind of value in this key.
    fn rank(&self, key: SortKey) -> u64 {
        if self.descending { !key.high >> 60 } else { key.high >> 60 }
    }

    /// Whether a text ends in the bytes of this key.
    fn ends(&self, key: SortKey) -> bool {
        let low = if self.descending { !key.low } else { key.low };
        low.trailing_zeros() >= 8
    }

    fn compare(&self, left: Row<'_>, right: Row<'_>) -> Ordering {
        let (ours, theirs) = (self.reader.value(left.1), self.reader.value(right.1));
        let order = SortKey::of(ours, false).cmp(&SortKey::of(theirs, false)).then_with(|| match (ours, theirs) {
            (Value::Text(ours), Value::Text(theirs)) => natural(ours, theirs),
            (Value::Version(_), Value::Version(_)) => natural(self.reader.text(left.1).trim(), self.reader.text(right.1).trim()),
            (Value::Address(ours), Value::Address(theirs)) => ours.cmp(&theirs),
            _ => Ordering::Equal,
        });
        let missing = ours == Value::Missing || theirs == Value::Missing;
        if self.descending && !missing { order.reverse() } else { order }
    }
}

/// What rows are ordered by: some columns, then namespace and name, then the key, so that the order is total.
#[derive(Clone, Debug)]
pub(super) struct RowOrder(Vec<SortColumn>);

impl Default for RowOrder {
    fn default() -> Self {
        Self::new([].into_iter())
    }
}

/// A row's slot, with the part of its key that is being looked at.
type Keyed = (SortKey, u32);

impl RowOrder {
    /// By these columns, each of which may be turned around.
    pub(super) fn new(columns: impl Iterator<Item = (CellReader, bool)>) -> Self {
        let last = [ColumnRole::Namespace, ColumnRole::Name].map(|role| (CellReader::of_role(role), false));
        Self(columns.chain(last).map(|(reader, descending)| SortColumn { reader, descending }).collect())
    }

    /// The order of two rows. Only a row and itself are equal.
    pub(super) fn compare(&self, left: Row<'_>, right: Row<'_>) -> Ordering {
        let by_columns = self.0.iter().map(|column| column.compare(left, right)).find(|order| order.is_ne());
        by_columns.unwrap_or_else(|| left.0.cmp(right.0))
    }

    /// Puts slots in order.
    pub(super) fn sort(&self, order: &mut Vec<u32>, slots: &Slots) {
        let mut keyed: Vec<Keyed> = order.iter().map(|slot| (SortKey::default(), *slot)).collect();
        self.sort_by(&mut keyed, 0, slots);
        order.clear();
        order.extend(keyed.iter().map(|(_, slot)| slot));
    }

    /// Sorts what is equal up to a part of a column (its key, then a text's further bytes): by that part, and what is equal in
    /// it by the next. So a cell is read once or twice, however often its row is compared.
    fn sort_by(&self, run: &mut [Keyed], part: usize, slots: &Slots) {
        let within = part % PARTS;
        let (further, next_column) = (within > 0, part.saturating_sub(within).saturating_add(PARTS));
        let column = self.0.get(part / PARTS).filter(|_| run.len() > 5);
        if let Some(column) = column {
            for (key, slot) in &mut *run {
                *key = slots.row(*slot).map(|row| column.key(row, within)).unwrap_or_default();
            }
        }
        // One sort for both, as each is some kilobytes of the page.
        run.sort_unstable_by(|(ours, left), (theirs, right)| match column {
            Some(_) => ours.cmp(theirs),
            None => slots.row(*left).zip(slots.row(*right)).map_or(Ordering::Equal, |(left, right)| self.compare(left, right)),
        });
        let Some(column) = column else { return };
        for equal in run.chunk_by_mut(|left, right| left.0 == right.0) {
            let [(key, _), _, ..] = *equal else { continue };
            let next = match (column.rank(key), further) {
                // What is still equal is mostly one text.
                (_, true) if column.ends(key) || is_one_text(equal, column, slots) => next_column,
                (rank::TEXT, false) => part + 1,
                (_, true) if within + 1 < PARTS => part + 1,
                (rank::VERSION | rank::ADDRESS, _) | (_, true) => usize::MAX,
                _ => next_column,
            };
            self.sort_by(equal, next, slots);
        }
    }
}

fn is_one_text(run: &[Keyed], column: &SortColumn, slots: &Slots) -> bool {
    let mut values = run.iter().map(|(_, slot)| slots.row(*slot).map(|row| column.reader.value(row.1)));
    let first = values.next().flatten();
    matches!(first, Some(Value::Text(_))) && values.all(|value| value == first)
}
