//! The headless table: cells, filter, order, window.
//!
//! Guarantees: the order is total, so rows never swap by chance; a change moves only its own row; a window is
//! all that is handed out. Leaves out selectors and fuzzy matching. client-go has nothing like it; cells print as those of
//! `kubectl get` (cli-runtime `printers/tableprinter.go`).

mod cell;
mod column;
mod sort;
mod table;

pub use cell::{CellView, cell_view};
pub use column::{ColumnRole, ViewColumn, view_columns};
pub use sort::{SortKey, sort_key};
pub use table::{Arrangement, SortOrder, TableView};
