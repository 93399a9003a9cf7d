//! Where a view keeps its rows.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{platform::WallTime, store::Key, wire::TableRow};

/// A row and its key.
pub(super) type Row<'a> = (&'a Key, &'a Arc<TableRow>);

/// Rows by a number that is used again when they are gone, and the number by key.
#[derive(Debug, Default)]
pub(super) struct Slots {
    all: Vec<Slot>,
    free: Vec<u32>,
    places: FxHashMap<Key, u32>,
}

/// A row's place.
#[derive(Debug)]
pub(super) struct Slot {
    key: Key,
    /// The row; `None` where there is none (any more).
    pub(super) row: Option<Arc<TableRow>>,
    /// Whether it is in the order.
    pub(super) is_placed: bool,
    /// Whether it is among those that have to be placed anew.
    pub(super) is_touched: bool,
    /// When it may pass the filter, or no longer pass it, by nothing but time.
    pub(super) until: Option<WallTime>,
}

impl Slots {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.free.clear();
        self.places.clear();
    }

    /// The number of the row of this key.
    pub(super) fn find(&self, key: &Key) -> Option<u32> {
        self.places.get(key).copied()
    }

    /// The number of the row of this key, which is made where there is none.
    pub(super) fn find_or_add(&mut self, key: &Key) -> u32 {
        if let Some(number) = self.find(key) {
            return number;
        }
        let slot = Slot { key: key.clone(), row: None, is_placed: false, is_touched: false, until: None };
        let reused = self.free.pop().and_then(|number| Some((number, self.all.get_mut(to_usize(number))?)));
        let number = if let Some((number, place)) = reused {
            *place = slot;
            number
        } else {
            self.all.push(slot);
            u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX)
        };
        self.places.insert(key.clone(), number);
        number
    }

    /// Lets go of a row; its number is free.
    pub(super) fn free(&mut self, number: u32) {
        if let Some(slot) = self.all.get_mut(to_usize(number)) {
            slot.row = None;
            slot.until = None;
            self.places.remove(&slot.key);
            self.free.push(number);
        }
    }

    pub(super) fn get(&self, number: u32) -> Option<&Slot> {
        self.all.get(to_usize(number))
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Slot> {
        self.all.get_mut(to_usize(number))
    }

    /// The row of this number.
    pub(super) fn row(&self, number: u32) -> Option<Row<'_>> {
        let slot = self.get(number)?;
        Some((&slot.key, slot.row.as_ref()?))
    }

    /// All places, free ones as well, with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Slot)> {
        (0..).zip(&self.all)
    }
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
