//! What is open over the page: one thing at a time.

use std::sync::Arc;

#[cfg(target_family = "wasm")]
use leptos::prelude::*;

use super::actions::Shown;
use crate::bridge::RowView;

/// What is open.
#[derive(Clone, Debug)]
pub(crate) enum Dialog {
    /// What an action of its own opens.
    Shown(Shown),
    /// A row with all that it holds.
    Row(Arc<RowView>),
    /// Whether these rows are to be deleted, as people call them.
    Delete(Arc<[(u64, String)]>),
}

/// Whatever is open.
#[cfg(target_family = "wasm")]
#[component]
pub(super) fn Dialogs(session: super::session::Session) -> impl IntoView {
    use super::{changes, cluster_form, columns, export, keys_sheet, namespace, palette, row_card, saved, version};
    use crate::ui;

    let open = move || {
        let dialog = session.dialog.get()?;
        let (class, label, content) = match dialog {
            Dialog::Shown(Shown::Palette) => ("top", "Go to anything", ui::pick(palette::list(session))),
            Dialog::Shown(Shown::Namespaces) => ("top", "Namespaces", namespace::chooser(session)),
            Dialog::Shown(Shown::Columns) => ("top columns", "Columns and order", columns::editor(session)),
            Dialog::Shown(Shown::Export) => ("top", "Export", ui::pick(export::list(session))),
            Dialog::Shown(Shown::Keys) => ("middle wide", "All keys", keys_sheet::sheet()),
            Dialog::Shown(Shown::Cluster) => ("middle", "This cluster", cluster_form::form(session)),
            Dialog::Shown(Shown::Versions) => ("top", "Versions", ui::pick(version::list(session))),
            Dialog::Shown(Shown::SaveView) => ("top", "Save this view", ui::pick(saved::list(session))),
            Dialog::Row(row) => ("middle columns", "Row", row_card::card(session, &row)),
            Dialog::Delete(rows) => ("middle", "Delete", changes::deletion(session, &rows)),
        };
        Some(ui::modal(class, label.to_owned(), content, move || session.close_dialog()))
    };
    ui::when(open)
}
