//! The rows of a table that pass, in order.

use std::{cmp::Ordering, mem, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    CellReader, Filter, Query, QueryError, ViewColumn,
    order::RowOrder,
    slots::{Row, Slots},
};
use crate::{informer::Change, platform::WallTime, store::Key, wire::TableRow};

/// A column that a view is sorted by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SortOrder {
    /// Its heading.
    pub column: String,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// What a view shows of its rows, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The columns to sort by, the first counts most. What is equal in all goes by namespace and name.
    pub sort: Vec<SortOrder>,
    /// Which rows are shown: a [`Query`].
    pub filter: String,
    /// The headings of the columns that are shown; `None` for those that are not for wide output. The words of a filter are looked
    /// for in these.
    pub shown: Option<Vec<String>>,
}

impl Arrangement {
    /// Whether a column is shown.
    #[must_use]
    pub fn shows(&self, column: &ViewColumn) -> bool {
        self.shown.as_ref().map_or(!column.wide, |shown| shown.contains(&column.name))
    }
}

/// So many changed rows are put in their places one by one; of more, all are taken out and merged in.
const FEW: usize = 16;

/// A view of one store or of several: the rows that pass, in order.
///
/// The order is total and is kept up to date change by change; a filter is asked of changed rows only. Of a row there is a place
/// in one list, a number in another and its key in a map: nothing is allocated for it.
///
/// ```
/// use porthole_client_core::{
///     platform::WallTime,
///     store::{Entry, Indexer},
///     view::{Arrangement, TableView, view_columns},
///     wire::decode_list,
/// };
///
/// let table = br#"{"kind":"Table","columnDefinitions":[{"name":"Name","type":"string","format":"name"}],"rows":[
///     {"cells":["web-10"],"object":{"metadata":{"name":"web-10"}}},
///     {"cells":["web-2"],"object":{"metadata":{"name":"web-2"}}},
///     {"cells":["db-0"],"object":{"metadata":{"name":"db-0"}}}]}"#;
/// let list = decode_list(table, WallTime(0))?;
/// let columns = view_columns(&list.columns.unwrap_or_default(), false);
/// let (mut store, mut view) = (Indexer::default(), TableView::default());
/// for row in list.rows {
///     store.insert(Entry::of(row));
/// }
///
/// view.arrange(Arrangement { filter: "web".into(), ..Arrangement::default() }, &columns, store.iter_unsorted(), WallTime(0));
/// let names: Vec<_> = view.window(0, 10).map(|(_, row)| row.name.as_str()).collect();
/// assert_eq!(names, ["web-2", "web-10"]);
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct TableView {
    arrangement: Arrangement,
    filter: Filter,
    problem: Option<QueryError>,
    row_order: RowOrder,
    slots: Slots,
    order: Vec<u32>,
    /// When a row may come or go by nothing but time.
    next_tick: Option<WallTime>,
    /// When the view was looked at last.
    now: WallTime,
}

impl TableView {
    /// Shows `rows` by `arrangement`, over `columns`, as it is `now`. Columns to sort by that there are not are left out. A filter
    /// that makes no sense is a [`problem`](Self::problem), and the one before stays.
    pub fn arrange<'a>(
        &mut self,
        arrangement: Arrangement,
        columns: &[ViewColumn],
        rows: impl Iterator<Item = (&'a Key, &'a Arc<TableRow>)>,
        now: WallTime,
    ) {
        let filter = Query::parse(&arrangement.filter).and_then(|query| query.bind(columns, |column| arrangement.shows(column)));
        self.problem = match filter {
            Ok(filter) => {
                self.filter = filter;
                None
            }
            Err(problem) => Some(problem),
        };
        let column = |sort: &SortOrder| {
            let column = columns.iter().find(|column| column.name == sort.column)?;
            Some((CellReader::new(column, columns), sort.descending))
        };
        self.row_order = RowOrder::new(arrangement.sort.iter().filter_map(column));
        self.arrangement = arrangement;
        self.now = now;
        self.next_tick = None;
        self.slots.clear();
        self.order.clear();
        for (key, row) in rows {
            let (passes, until) = self.filter.judge(row, now);
            if passes || self.filter.is_timed() {
                let number = self.slots.find_or_add(key);
                if let Some(slot) = self.slots.get_mut(number) {
                    slot.row = Some(Arc::clone(row));
                    slot.until = until;
                    // Of two rows of one key the later counts.
                    if passes && !mem::replace(&mut slot.is_placed, passes) {
                        self.order.push(number);
                    }
                }
                self.expect_tick(until);
            }
        }
        self.row_order.sort(&mut self.order, &self.slots);
    }

    /// How the view is arranged.
    #[must_use]
    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// What is wrong with the filter, if anything is. It does not count then; the one before it does.
    #[must_use]
    pub fn problem(&self) -> Option<&QueryError> {
        self.problem.as_ref()
    }

    /// Takes in changes. A row that is deleted and not there is none.
    pub fn apply(&mut self, changes: &[Change<TableRow>], now: WallTime) {
        self.tick(now);
        let mut touched = Vec::with_capacity(changes.len());
        for change in changes {
            let row = match change {
                Change::Added { object: row, .. } | Change::Updated { after: row, .. } => Some(row),
                Change::Deleted { .. } => None,
            };
            let number = match (row, self.slots.find(change.key())) {
                (_, Some(number)) => number,
                (Some(row), None) if self.filter.is_timed() || self.filter.passes(row, now) => {
                    self.slots.find_or_add(change.key())
                }
                _ => continue,
            };
            if changes.len() <= FEW {
                self.take_out(number);
            }
            if let Some(slot) = self.slots.get_mut(number) {
                slot.row = row.cloned();
                if !mem::replace(&mut slot.is_touched, true) {
                    touched.push(number);
                }
            }
        }
        self.settle(&touched);
    }

    /// Looks again at what only time changes (`age<5m`); gives back whether a row came or went.
    pub fn tick(&mut self, now: WallTime) -> bool {
        let back = now < self.now;
        self.now = now;
        // Of a clock that went back nothing is known any more.
        if !self.filter.is_timed() || !(back || self.next_tick.is_some_and(|next| next <= now)) {
            return false;
        }
        let due = |until: Option<WallTime>| back || until.is_some_and(|until| until <= now);
        let touched: Vec<_> =
            self.slots.iter().filter(|(_, slot)| slot.row.is_some() && due(slot.until)).map(|(number, _)| number).collect();
        self.next_tick =
            if back { None } else { self.slots.iter().filter_map(|(_, slot)| slot.until.filter(|until| *until > now)).min() };
        let before: Vec<_> = touched.iter().map(|number| self.is_placed(*number)).collect();
        for number in &touched {
            if touched.len() <= FEW {
                self.take_out(*number);
            }
            if let Some(slot) = self.slots.get_mut(*number) {
                slot.is_touched = true;
            }
        }
        self.settle(&touched);
        touched.iter().zip(before).any(|(number, before)| self.is_placed(*number) != before)
    }

    /// When a row may come or go by nothing but time, so that [`tick`](Self::tick) is wanted.
    #[must_use]
    pub fn next_tick(&self) -> Option<WallTime> {
        self.next_tick
    }

    /// How many rows pass.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The rows from the one at `first` on, at most `count`.
    pub fn window(&self, first: usize, count: usize) -> impl Iterator<Item = (&Key, &Arc<TableRow>)> {
        let rows = self.order.get(first..).unwrap_or_default();
        rows.iter().take(count).filter_map(|number| self.slots.row(*number))
    }

    /// Where the row of this key is.
    #[must_use]
    pub fn position(&self, key: &Key) -> Option<usize> {
        let number = self.slots.find(key).filter(|number| self.is_placed(*number))?;
        self.position_of(self.slots.row(number)?)
    }

    /// The order of two rows, whether they are here or not.
    pub(super) fn compare(&self, left: Row<'_>, right: Row<'_>) -> Ordering {
        self.row_order.compare(left, right)
    }

    /// Before how many rows a row would be that is not here: how many come before it.
    pub(super) fn place_for(&self, row: Row<'_>) -> usize {
        self.partition_point(&self.order, row)
    }

    fn is_placed(&self, number: u32) -> bool {
        self.slots.get(number).is_some_and(|slot| slot.is_placed)
    }

    fn position_of(&self, row: Row<'_>) -> Option<usize> {
        let at = self.partition_point(&self.order, row);
        (self.slots.row(*self.order.get(at)?)?.0 == row.0).then_some(at)
    }

    fn partition_point(&self, order: &[u32], row: Row<'_>) -> usize {
        order.partition_point(|other| self.slots.row(*other).is_some_and(|other| self.row_order.compare(other, row).is_lt()))
    }

    /// Takes a row out of the order, where it is in it.
    fn take_out(&mut self, number: u32) {
        if self.is_placed(number)
            && let Some(at) = self.slots.row(number).and_then(|row| self.position_of(row))
        {
            self.order.remove(at);
            if let Some(slot) = self.slots.get_mut(number) {
                slot.is_placed = false;
            }
        }
    }

    fn expect_tick(&mut self, until: Option<WallTime>) {
        self.next_tick = self.next_tick.into_iter().chain(until).min();
    }

    /// Puts rows that are new or have changed where they belong.
    fn settle(&mut self, touched: &[u32]) {
        if touched.iter().any(|number| self.is_placed(*number)) {
            let slots = &self.slots;
            self.order.retain(|number| slots.get(*number).is_some_and(|slot| !slot.is_touched));
        }
        let mut added = Vec::new();
        for number in touched {
            let Some(slot) = self.slots.get_mut(*number) else { continue };
            slot.is_touched = false;
            slot.is_placed = false;
            let Some(row) = &slot.row else {
                self.slots.free(*number);
                continue;
            };
            let (passes, until) = self.filter.judge(row, self.now);
            slot.is_placed = passes;
            slot.until = until;
            self.expect_tick(until);
            if passes {
                added.push(*number);
            } else if !self.filter.is_timed() {
                self.slots.free(*number);
            }
        }
        self.merge(added);
    }

    fn merge(&mut self, mut added: Vec<u32>) {
        if added.len() <= FEW && !self.order.is_empty() {
            for number in added {
                if let Some(row) = self.slots.row(number) {
                    let at = self.partition_point(&self.order, row);
                    self.order.insert(at, number);
                }
            }
            return;
        }
        self.row_order.sort(&mut added, &self.slots);
        if self.order.is_empty() {
            self.order = added;
            return;
        }
        let mut merged = Vec::with_capacity(self.order.len() + added.len());
        let mut rest = self.order.as_slice();
        for number in added {
            let Some(row) = self.slots.row(number) else { continue };
            let (before, after) = rest.split_at_checked(self.partition_point(rest, row)).unwrap_or((rest, &[]));
            merged.extend_from_slice(before);
            merged.push(number);
            rest = after;
        }
        merged.extend_from_slice(rest);
        self.order = merged;
    }
}
