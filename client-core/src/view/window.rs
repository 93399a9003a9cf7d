//! The window of a page on a table: what the page has, and what it has yet to hear.

use std::{mem, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Arrangement, RowView, TableView, ViewColumn, ViewWindow, WindowPatch};
use crate::{informer::Change, platform::WallTime, store::Key, wire::TableRow};

/// How many new objects are remembered between two patches.
const MOST_FRESH: usize = 1000;
/// How many rows that have gone are shown at once.
const MOST_GONE: usize = 100;
/// For how long, in milliseconds.
const GONE_TIME: i64 = 1000;
/// How many rows one stroke selects at most.
const MOST_BETWEEN: usize = 100_000;

/// A table, and the part of it that a page is shown by patches.
///
/// A patch has the numbers of the window's rows in order and only those rows that the page does not have as they are. Which rows are
/// selected is the page's to know, by their numbers. Nothing here waits: who holds it asks for a [`patch`](Self::patch) when something was
/// taken in, and when [`next_change`](Self::next_change) has come.
///
/// ```
/// use porthole_client_core::{
///     informer::Change,
///     platform::WallTime,
///     store::Entry,
///     view::{Arrangement, ViewWindow, Window, view_columns},
///     wire::TableRow,
/// };
///
/// let now = WallTime(0);
/// let mut window = Window::new(ViewWindow { count: 10, ..ViewWindow::default() });
/// window.arrange(Arrangement::default(), Some(view_columns(&[], false)), std::iter::empty(), now);
/// let Entry { key, object } = Entry::of(TableRow { name: "web-0".into(), ..TableRow::default() });
/// window.take_in(&[Change::Added { key, object, is_in_initial_list: false }], true, now);
/// let patch = window.patch(now);
/// assert_eq!((patch.matched, patch.rows[0].name.as_str(), patch.rows[0].fresh), (1, "web-0", true));
/// // What the page has is not sent again.
/// assert!(window.patch(now).rows.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Window {
    range: ViewWindow,
    columns: Vec<ViewColumn>,
    table: TableView,
    /// The page's numbers for rows it has been told of, and the other way round.
    numbers: FxHashMap<Key, u64>,
    keys: FxHashMap<u64, Key>,
    next_number: u64,
    /// The rows of the last patch, as the page has them, and whether as gone.
    sent: FxHashMap<u64, (Arc<TableRow>, bool)>,
    /// Objects that came since the last patch.
    fresh: FxHashSet<Key>,
    /// Rows that have gone and are shown a little longer, in their order.
    gone: Vec<Gone>,
    hides_gone: bool,
    removed: Vec<u64>,
    columns_to_send: bool,
    was_sent: bool,
}

#[derive(Debug)]
struct Gone {
    key: Key,
    row: Arc<TableRow>,
    number: u64,
    at: WallTime,
}

impl Gone {
    fn is_over(&self, now: WallTime) -> bool {
        // Of a clock that went back nothing is known any more.
        !(0..GONE_TIME).contains(&(now - self.at))
    }
}

impl Window {
    /// A window on nothing yet.
    #[must_use]
    pub fn new(range: ViewWindow) -> Self {
        Self { range, columns_to_send: true, ..Self::default() }
    }

    /// Whether rows that are deleted vanish at once, rather than after a second.
    pub fn hide_gone(&mut self, hides: bool) {
        self.hides_gone = hides;
        if hides {
            self.gone.clear();
        }
    }

    /// Which part is shown.
    #[must_use]
    pub fn range(&self) -> ViewWindow {
        self.range
    }

    /// Shows another part; gives back whether it is another.
    pub fn show(&mut self, range: ViewWindow) -> bool {
        mem::replace(&mut self.range, range) != range
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[ViewColumn] {
        &self.columns
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &TableView {
        &self.table
    }

    /// Shows `rows` another way, over other columns where they are given.
    pub fn arrange<'a>(
        &mut self,
        arrangement: Arrangement,
        columns: Option<Vec<ViewColumn>>,
        rows: impl Iterator<Item = (&'a Key, &'a Arc<TableRow>)>,
        now: WallTime,
    ) {
        if let Some(columns) = columns {
            self.columns = columns;
            self.columns_to_send = true;
            self.sent.clear();
        }
        self.gone.clear();
        self.table.arrange(arrangement, &self.columns, rows, now);
    }

    /// Takes in changes. Of those after the first whole list, objects that are `new` are shown as such.
    pub fn take_in(&mut self, changes: &[Change<TableRow>], new: bool, now: WallTime) {
        self.table.apply(changes, now);
        self.note(changes, new, now);
    }

    /// Takes in changes that the rows have already that the table was arranged with.
    pub fn note(&mut self, changes: &[Change<TableRow>], new: bool, now: WallTime) {
        for change in changes {
            match change {
                Change::Deleted { key, .. } => {
                    self.fresh.remove(key);
                    self.forget(key, Some(now));
                }
                // Another object of the same name, where nobody saw the one before go: what a person has chosen is not it.
                Change::Updated { key, before, after } if before.uid != after.uid => self.forget(key, None),
                // Only those in the window are ever shown as new, so a hidden page need not collect them all.
                Change::Added { key, .. } if new && self.fresh.len() < MOST_FRESH => {
                    self.fresh.insert(key.clone());
                }
                _ => {}
            }
            if !matches!(change, Change::Deleted { .. }) {
                self.gone.retain(|gone| gone.key != *change.key());
            }
        }
    }

    /// The next row of this key is another to the page.
    fn forget(&mut self, key: &Key, gone: Option<WallTime>) {
        let Some(number) = self.numbers.remove(key) else { return };
        self.keys.remove(&number);
        self.removed.push(number);
        let Some((row, _)) = self.sent.get(&number) else { return };
        if let Some(at) = gone.filter(|_| !self.hides_gone && self.gone.len() < MOST_GONE) {
            let gone = Gone { key: key.clone(), row: Arc::clone(row), number, at };
            let table = &self.table;
            let place = self.gone.partition_point(|other| table.compare((&other.key, &other.row), (key, row)).is_lt());
            self.gone.insert(place, gone);
        } else {
            self.sent.remove(&number);
        }
    }

    /// When the window is another by nothing but time, so that a patch is wanted.
    #[must_use]
    pub fn next_change(&self) -> Option<WallTime> {
        let over = self.gone.iter().map(|gone| WallTime(gone.at.0.saturating_add(GONE_TIME)));
        over.chain(self.table.next_tick()).min()
    }

    /// What the page has to hear.
    pub fn patch(&mut self, now: WallTime) -> WindowPatch {
        self.table.tick(now);
        self.gone.retain(|gone| !gone.is_over(now));
        let count = to_usize(self.range.count);
        let anchor = self.range.anchor.and_then(|id| Some((id, self.place(id)?)));
        // Rows that came or went above what is read have moved it: what is around it is wanted, and not what is at the old place.
        let first = anchor.map_or(to_usize(self.range.first), |(_, place)| place.saturating_sub(to_usize(self.range.offset)));
        // The rows may have become fewer than where the page was.
        let first = first.min(self.table.len().saturating_sub(count));
        let live: Vec<_> = self.table.window(first, count).map(|(key, row)| (key.clone(), Arc::clone(row))).collect();
        let fresh = mem::take(&mut self.fresh);
        let mut shown: Vec<_> =
            live.into_iter().map(|(key, row)| (self.number(&key), row, fresh.contains(&key), false)).collect();
        let last = first + shown.len();
        // From the last to the first, so that each is put in where none has been yet.
        for gone in self.gone.iter().rev() {
            let place = self.table.place_for((&gone.key, &gone.row));
            if (first..=last).contains(&place) {
                shown.insert(place - first, (gone.number, Arc::clone(&gone.row), false, true));
            }
        }
        let mut patch = WindowPatch {
            reset: !mem::replace(&mut self.was_sent, true),
            columns: mem::take(&mut self.columns_to_send).then(|| self.columns.clone()),
            matched: to_u32(self.table.len()),
            first: to_u32(first),
            removed: mem::take(&mut self.removed),
            problem: self.table.problem().cloned(),
            ..WindowPatch::default()
        };
        let before = mem::take(&mut self.sent);
        for (id, row, is_fresh, gone) in shown {
            if !before.get(&id).is_some_and(|(before, was_gone)| Arc::ptr_eq(before, &row) && *was_gone == gone) {
                patch.rows.push(RowView { fresh: is_fresh, gone, ..RowView::new(id, &row, &self.columns) });
            }
            patch.order.push(id);
            self.sent.insert(id, (row, gone));
        }
        patch.anchor = anchor.map(|(id, place)| (id, to_u32(place)));
        patch
    }

    /// The keys of the rows of these numbers, as far as they are there.
    pub fn keys_of(&self, numbers: &[u64]) -> impl Iterator<Item = &Key> {
        numbers.iter().filter_map(|number| self.keys.get(number))
    }

    /// The numbers of the rows from one to another, both among them, in order; at most 100,000. None, where one of the two is not shown.
    pub fn rows_between(&mut self, from: u64, to: u64) -> Vec<u64> {
        let Some((from, to)) = self.place(from).zip(self.place(to)) else { return Vec::new() };
        self.numbers_from(from.min(to), from.abs_diff(to).saturating_add(1).min(MOST_BETWEEN))
    }

    /// The numbers of all rows that pass, in order.
    pub fn all_numbers(&mut self) -> Vec<u64> {
        self.numbers_from(0, usize::MAX)
    }

    fn numbers_from(&mut self, first: usize, count: usize) -> Vec<u64> {
        let keys: Vec<_> = self.table.window(first, count).map(|(key, _)| key.clone()).collect();
        keys.iter().map(|key| self.number(key)).collect()
    }

    fn place(&self, number: u64) -> Option<usize> {
        self.table.position(self.keys.get(&number)?)
    }

    fn number(&mut self, key: &Key) -> u64 {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        self.next_number += 1;
        self.numbers.insert(key.clone(), self.next_number);
        self.keys.insert(self.next_number, key.clone());
        self.next_number
    }
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
