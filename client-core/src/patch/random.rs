//! Random documents for tests of properties; the same seed makes the same ones.

use crate::json::{Map, Value};

/// A source of numbers (`SplitMix64`).
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap() % limit
    }

    /// True once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Some of the choices, each at most once, in random order.
    pub(super) fn some_of<T: Clone>(&mut self, choices: &[T]) -> Vec<T> {
        let mut left = choices.to_vec();
        let wanted = self.below(choices.len() + 1);
        (0..wanted).map(|_| left.swap_remove(self.below(left.len()))).collect()
    }

    /// A text, a number whose digits are easily lost, or a boolean.
    pub(super) fn scalar(&mut self) -> Value {
        let texts =
            ["9007199254740993", "18446744073709551615", "1.0", "1", "1e3", "-0.0", "true", "false", "\"\"", "\"a\"", "\"~/\""];
        self.pick(&texts).parse().unwrap()
    }

    /// Any document; objects in it are without `null` where `nulls` is false.
    pub(super) fn tree(&mut self, depth: usize, nulls: bool) -> Value {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 if nulls => Value::Null,
            0..=3 => self.scalar(),
            4 | 5 => (0..self.below(5)).map(|_| self.tree(depth - 1, nulls)).collect::<Vec<_>>().into(),
            _ => self.object(depth, nulls).into(),
        }
    }

    pub(super) fn object(&mut self, depth: usize, nulls: bool) -> Map {
        let names = self.some_of(&["a", "b", "c", "", "a/b", "m~n", "-", "0"]);
        names.into_iter().map(|name| (name.to_owned(), self.tree(depth.saturating_sub(1), nulls))).collect()
    }

    /// The document with some places changed.
    pub(super) fn changed(&mut self, value: &Value, depth: usize, nulls: bool) -> Value {
        if self.once_in(6) {
            return self.tree(depth, nulls);
        }
        match value {
            Value::Object(fields) => {
                let kept = fields.iter().filter(|_| !self.once_in(5)).collect::<Vec<_>>();
                let mut fields: Map =
                    kept.into_iter().map(|(name, value)| (name.clone(), self.changed(value, depth, nulls))).collect();
                if self.once_in(3) {
                    fields.extend(self.object(depth, nulls));
                }
                fields.into()
            }
            Value::Array(items) => {
                let mut items: Vec<Value> = items.iter().map(|item| self.changed(item, depth, nulls)).collect();
                if !items.is_empty() && self.once_in(3) {
                    items.remove(self.below(items.len()));
                }
                if self.once_in(3) {
                    let item = self.tree(depth, nulls);
                    items.insert(self.below(items.len() + 1), item);
                }
                items.into()
            }
            scalar => scalar.clone(),
        }
    }
}
