//! What is selected: rows by number, with what names them, so that a selection outlives scrolling, updates and a new core.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::model::TableModel;
use crate::bridge::{RowName, RowView};

/// The rows that are selected.
pub(crate) type Selection = FxHashMap<u64, RowName>;

impl TableModel {
    /// Selects the row under the cursor, or takes it off.
    pub(crate) fn toggle_cursor(self) {
        if let Some(row) = self.cursor_row() {
            self.toggle(&row);
        }
    }

    /// Selects a row, or takes it off.
    pub(crate) fn toggle(self, row: &RowView) {
        self.selected.update(|selected| {
            if selected.remove(&row.id).is_none() {
                selected.insert(row.id, name_of(row));
            }
        });
    }

    /// Moves the cursor, and selects the row it leaves and the one it reaches.
    pub(crate) fn extend_selection(self, by: i64) {
        let before = self.cursor_row();
        self.move_cursor(by);
        let rows: Vec<Arc<RowView>> = before.into_iter().chain(self.cursor_row()).collect();
        self.selected.update(|selected| selected.extend(rows.iter().map(|row| (row.id, name_of(row)))));
    }

    /// Takes all off.
    pub(crate) fn clear_selection(self) {
        self.selected.set(Selection::default());
    }

    /// Takes all off; gives back what was selected.
    pub(crate) fn forget_selection(self) -> Vec<RowName> {
        let selected = self.selected.with_untracked(|selected| selected.values().cloned().collect());
        self.clear_selection();
        selected
    }

    /// Selects these besides; or, of these, those that are not selected in place of those that are.
    pub(crate) fn take_selection(self, rows: Vec<RowName>, invert: bool) {
        self.selected.update(|selected| {
            let before = if invert { std::mem::take(selected) } else { Selection::default() };
            selected.extend(rows.into_iter().filter(|row| !before.contains_key(&row.id)).map(|row| (row.id, row)));
        });
    }

    /// Takes off what is no more.
    pub(super) fn unselect(self, gone: &[u64]) {
        let any = self.selected.with_untracked(|selected| gone.iter().any(|id| selected.contains_key(id)));
        if any {
            self.selected.update(|selected| selected.retain(|id, _| !gone.contains(id)));
        }
    }

    /// The numbers of what is selected.
    pub(crate) fn selected_numbers(self) -> Vec<u64> {
        self.selected.with_untracked(|selected| selected.keys().copied().collect())
    }

    /// What is selected, or else the row under the cursor: numbers, and names for people, in order of these.
    pub(crate) fn selected_or_cursor(self) -> Vec<(u64, String)> {
        let mut rows: Vec<RowName> = self.selected.with_untracked(|selected| selected.values().cloned().collect());
        if rows.is_empty() {
            rows.extend(self.cursor_row().map(|row| name_of(&row)));
        }
        let mut named: Vec<_> = rows
            .into_iter()
            .map(|row| {
                let name = if row.namespace.is_empty() { row.name } else { format!("{}/{}", row.namespace, row.name) };
                (row.id, name)
            })
            .collect();
        named.sort_by(|(_, a), (_, b)| a.cmp(b));
        named
    }

    /// Whether a row is selected.
    pub(super) fn is_selected(self, row: &RowView) -> bool {
        self.selected.with(|selected| selected.contains_key(&row.id))
    }
}

fn name_of(row: &RowView) -> RowName {
    RowName { id: row.id, namespace: row.namespace.clone(), name: row.name.clone(), uid: row.uid.clone() }
}
