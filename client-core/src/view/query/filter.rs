//! A query that knows its columns.

use super::{Operator, compare::Literal, matcher::Matcher};
use crate::{
    platform::WallTime,
    view::{CellReader, value::cell_text},
    wire::TableRow,
};

/// What rows must fulfil: a query bound to the columns of a table. The empty one lets all pass.
///
/// ```
/// use porthole_client_core::{
///     platform::WallTime,
///     view::{Query, view_columns},
///     wire::{Cell, Column, TableRow},
/// };
///
/// let restarts =
///     Column { name: "Restarts".into(), kind: "string".into(), format: String::new(), description: String::new(), priority: 0 };
/// let columns = view_columns(&[restarts], false);
/// let filter = Query::parse("restarts>3")?.bind(&columns, |_| true)?;
/// let row = |cell: &str| TableRow { cells: [Cell::Text(cell.into())].into(), ..TableRow::default() };
/// assert!(filter.passes(&row("10 (5m ago)"), WallTime(0)));
/// assert!(!filter.passes(&row("3 (5m ago)"), WallTime(0)));
/// # Ok::<(), porthole_client_core::view::QueryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub(super) checks: Vec<Check>,
    /// The cells that are shown.
    pub(super) shown: Vec<usize>,
    /// Whether time alone can change what passes.
    pub(super) is_timed: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) negated: bool,
    pub(super) test: Test,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    Anywhere(Matcher),
    Within(CellReader, Matcher),
    Compare(CellReader, Operator, Literal),
}

impl Filter {
    /// Whether a row passes.
    #[must_use]
    pub fn passes(&self, row: &TableRow, now: WallTime) -> bool {
        self.judge(row, now).0
    }

    /// Whether a row passes, and until when that is sure unless the row changes; `None` is for ever. An age that is compared with a
    /// limit passes it as time goes on.
    #[must_use]
    pub fn judge(&self, row: &TableRow, now: WallTime) -> (bool, Option<WallTime>) {
        let (mut passes, mut until) = (true, None);
        for check in &self.checks {
            let (holds, changes) = match &check.test {
                Test::Anywhere(matcher) => (self.is_anywhere(matcher, row), None),
                Test::Within(reader, matcher) => (matcher.matches(&reader.text(row)), None),
                Test::Compare(reader, operator, literal) => literal.judge(*reader, row, *operator, now),
            };
            if holds == check.negated {
                // What fails and does not change fails for ever.
                if changes.is_none() {
                    return (false, None);
                }
                passes = false;
            }
            until = until.into_iter().chain(changes).min();
        }
        (passes, until)
    }

    /// Whether time alone can change what passes.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.is_timed
    }

    fn is_anywhere(&self, matcher: &Matcher, row: &TableRow) -> bool {
        matcher.matches(row.name.as_str())
            || row.namespace.as_ref().is_some_and(|namespace| matcher.matches(namespace.as_str()))
            || self.shown.iter().filter_map(|cell| row.cells.get(*cell)).any(|cell| matcher.matches(&cell_text(cell)))
    }
}
