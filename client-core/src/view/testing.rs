//! Rows and columns for tests of this room.

use std::sync::Arc;

use super::{ViewColumn, view_columns};
use crate::{
    informer::Change,
    platform::WallTime,
    store::{Entry, Key},
    wire::{Cell, Column, TableRow},
};

/// Columns of these headings, with the namespace after the name.
pub(super) fn columns(names: &[&str]) -> Vec<ViewColumn> {
    let column = |name: &&str| Column {
        name: (*name).into(),
        kind: "string".into(),
        format: String::new(),
        description: String::new(),
        priority: i32::from(name.starts_with("Wide")),
    };
    view_columns(&names.iter().map(column).collect::<Vec<_>>(), true)
}

/// A row whose first cell is its name, and that arrived at 1,000 s.
pub(super) fn entry(name: &str, namespace: &str, cells: &[&str]) -> Entry<TableRow> {
    Entry::of(TableRow {
        uid: Some(format!("uid-{name}").into()),
        name: name.into(),
        namespace: Some(namespace.into()).filter(|_| !namespace.is_empty()),
        arrived: WallTime(1_000_000),
        cells: [name].iter().chain(cells).map(|text| Cell::Text((*text).into())).collect(),
        ..TableRow::default()
    })
}

/// The change that brings this row.
pub(super) fn added(entry: &Entry<TableRow>) -> Change<TableRow> {
    Change::Added { key: entry.key.clone(), object: Arc::clone(&entry.object), is_in_initial_list: false }
}

/// The change that takes it.
pub(super) fn deleted(entry: &Entry<TableRow>) -> Change<TableRow> {
    Change::Deleted { key: entry.key.clone(), last: Arc::clone(&entry.object), is_final_state_unknown: false }
}

/// The change that puts one row in place of another.
pub(super) fn updated(before: &Entry<TableRow>, after: &Entry<TableRow>) -> Change<TableRow> {
    Change::Updated { key: after.key.clone(), before: Arc::clone(&before.object), after: Arc::clone(&after.object) }
}

/// A key.
pub(super) fn key(text: &str) -> Key {
    Key::new(text)
}
