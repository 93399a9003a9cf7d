//! What goes to a page.

use serde::{Deserialize, Serialize};

use super::{CellView, QueryError, ViewColumn, cell_view};
use crate::{platform::WallTime, wire::TableRow};

/// The part of a view that a page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewWindow {
    /// The place of the first row.
    pub first: u32,
    /// How many rows.
    pub count: u32,
    /// The row that shall stay where it is on the screen.
    pub anchor: Option<u64>,
    /// How many rows below the first it is: as long as it is there, the part follows it.
    pub offset: u32,
}

/// What changed in a window since the last patch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WindowPatch {
    /// Whether nothing of earlier patches holds any more.
    pub reset: bool,
    /// The columns, where they are others now.
    pub columns: Option<Vec<ViewColumn>>,
    /// How many rows pass the filter.
    pub matched: u32,
    /// The place of the first row in `order`.
    pub first: u32,
    /// The rows of the window by number, in order; and those that have just gone, where they were.
    pub order: Vec<u64>,
    /// Those of them that are new to the page or have changed.
    pub rows: Vec<RowView>,
    /// The anchor of the window, and where it is now. The page may have chosen another since.
    pub anchor: Option<(u64, u32)>,
    /// The numbers of rows that exist no more, whether they were in the window or not.
    pub removed: Vec<u64>,
    /// What is wrong with the filter; the one before counts then.
    pub problem: Option<QueryError>,
}

/// A row as a page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowView {
    /// The page's number for it: the same for as long as its object is there.
    pub id: u64,
    /// The object's name.
    pub name: String,
    /// Its namespace; empty where it has none.
    pub namespace: String,
    /// Its uid: what it is known by to another core.
    pub uid: Option<String>,
    /// When it was made.
    pub created: Option<WallTime>,
    /// What its cells show, one a column.
    pub cells: Vec<CellView>,
    /// Whether its deletion has begun.
    pub deleting: bool,
    /// What is wrong with the row.
    pub fault: Option<String>,
    /// Whether the object has just come to be.
    pub fresh: bool,
    /// Whether the object has just gone; the row will in a moment.
    pub gone: bool,
}

impl RowView {
    /// What a page shows of `row`, which it knows as `id`.
    #[must_use]
    pub fn new(id: u64, row: &TableRow, columns: &[ViewColumn]) -> Self {
        Self {
            id,
            name: row.name.to_string(),
            namespace: row.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
            uid: row.uid.as_ref().map(ToString::to_string),
            created: row.created,
            cells: columns.iter().map(|column| cell_view(row, column, columns)).collect(),
            deleting: row.deleting,
            fault: row.fault.as_deref().map(str::to_owned),
            fresh: false,
            gone: false,
        }
    }
}
