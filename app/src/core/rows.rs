//! Rows that a page asks for by number: to select them, to take them along, to delete their objects.

use std::sync::Arc;

use porthole_client_core::{
    meta::GroupVersionResource,
    store::Key,
    view::{csv, names},
    wire::TableRow,
};

use super::{changes::Target, server::Core};
use crate::bridge::{Choice, ExportFormat, ToPage};

impl Core {
    /// Tells a tab which rows these are.
    pub(super) fn choose(&self, tab: u32, number: u32, rows: &Choice) {
        let Some(view) = self.view(tab, number) else { return };
        let rows = view.borrow_mut().choose(rows);
        self.tell(tab, &ToPage::Chosen { view: number, rows });
    }

    /// Deletes the objects of these rows.
    pub(super) fn delete_rows(&self, tab: u32, number: u32, rows: &[u64]) {
        let Some(view) = self.view(tab, number) else { return };
        let Some(resource) = self.resource_of(tab, number) else { return };
        let rows = view.borrow_mut().rows_of(rows);
        let target = |(_, _, row): (u64, Key, Arc<TableRow>)| Target {
            resource: resource.clone(),
            namespace: row.namespace.clone(),
            name: row.name.clone(),
            uid: row.uid.clone(),
        };
        self.delete(tab, rows.into_iter().map(target).collect());
    }

    /// Writes these rows, or all that match, as a text.
    pub(super) fn export(&self, tab: u32, number: u32, rows: Option<Vec<u64>>, format: ExportFormat) {
        let Some(view) = self.view(tab, number) else { return };
        let now = self.0.platform.wall_time();
        let rows = {
            let mut view = view.borrow_mut();
            let numbers = rows.unwrap_or_else(|| view.window().all_numbers());
            view.rows_of(&numbers)
        };
        let listed = rows.iter().map(|(_, key, row)| (key, row));
        let text = match format {
            ExportFormat::Csv => {
                let view = view.borrow();
                let columns = view.shown_columns();
                csv(&columns, listed, now)
            }
            ExportFormat::Names => names(listed),
            ExportFormat::Json | ExportFormat::Yaml => {
                let keys = self.0.streams.borrow().of_view(&view).map(|stream| stream.key.clone()).collect();
                self.export_objects(tab, keys, rows.into_iter().map(|(_, _, row)| row).collect(), format);
                return;
            }
        };
        self.tell(tab, &ToPage::Exported { format, answer: Ok(text) });
    }

    /// Which resource a view shows, in which version.
    fn resource_of(&self, tab: u32, number: u32) -> Option<GroupVersionResource> {
        let view = self.view(tab, number)?;
        self.0.streams.borrow().of_view(&view).next().map(|stream| stream.key.resource.clone())
    }
}
