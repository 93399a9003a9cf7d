//! The headless table: cells, filter, order, window, row patches.
//!
//! Guarantees: a cell is read in one way, for the order and for the filter; the order is total, so rows never swap by chance; a change
//! moves only its own row; a window and its patches are all that is handed out. Leaves out ranking by how well a row matches.
//! client-go has nothing like it; cells print as those of `kubectl get` (cli-runtime `printers/tableprinter.go`).

mod cell;
mod column;
mod export;
mod order;
mod query;
mod row_view;
mod slots;
mod table;
mod value;
mod window;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use cell::{CellView, cell_view};
pub use column::{ColumnRole, ViewColumn, view_columns};
pub use export::{csv, names};
pub use query::{Filter, Operator, Pattern, Query, QueryError, QueryProblem, Term, TermKind};
pub use row_view::{RowView, ViewWindow, WindowPatch};
pub use table::{Arrangement, SortOrder, TableView};
pub use value::{CellReader, Value, Version};
pub use window::Window;
