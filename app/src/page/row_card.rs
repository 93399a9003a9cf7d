//! A row with all that it holds, one cell a line: to read what is too long, and to copy any of it.

use std::sync::Arc;

use leptos::prelude::*;
use porthole_client_core::view::CellView;

use super::session::Session;
use crate::{
    bridge::RowView,
    ui::{self, PickItem, PickList},
};

/// The card.
pub(super) fn card(session: Session, row: &Arc<RowView>) -> AnyView {
    let (name, fault, row) = (row.name.clone(), row.fault.clone(), Arc::clone(row));
    let list = PickList::new(
        "Cells of the row",
        "Filter the cells",
        "Enter copies what the marked cell holds.",
        move |typed| cells(session, &row, &typed.trim().to_ascii_lowercase()),
        move |item, _| {
            session.copy(&item.detail, &item.title);
            session.close_dialog();
        },
    );
    view! {
        <h2 class="name">{name}</h2>
        {fault.map(|fault| view! { <p class="hint bad">{fault}</p> })}
        {ui::pick(list)}
    }
    .into_any()
}

fn cells(session: Session, row: &RowView, words: &str) -> Vec<PickItem> {
    let (now, utc) = (session.now.get_untracked(), session.is_utc());
    let columns = session.table.columns.get();
    let cells = columns.iter().zip(&row.cells).map(|(column, cell)| {
        let mut detail = cell.text(now);
        if let CellView::Since { at, .. } = cell {
            detail = format!("{detail} · {}", ui::time_text(*at, utc));
        }
        PickItem { id: column.name.clone(), title: column.name.clone(), detail, ..PickItem::default() }
    });
    cells
        .filter(|item| item.title.to_ascii_lowercase().contains(words) || item.detail.to_ascii_lowercase().contains(words))
        .collect()
}
