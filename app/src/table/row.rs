//! One row.

use leptos::prelude::*;
use porthole_client_core::platform::WallTime;

use super::{
    cell::Cell,
    model::{ROW_HEIGHT, Slot, TableModel},
    state_word::row_state,
};

/// The row in `slot`.
#[component]
pub(super) fn Row(place: Slot, model: TableModel, now: RwSignal<WallTime>) -> impl IntoView {
    let slot = place;
    let is_cursor = move || {
        let cursor = model.cursor.get();
        slot.row.with(|row| row.as_ref().is_some_and(|row| Some(row.id) == cursor))
    };
    let class = move || {
        let columns = model.columns.get();
        slot.row.with(|row| {
            let Some(row) = row else { return "tr off".to_owned() };
            let state = row_state(&row.cells, &columns, row.deleting).class();
            let deleting = if row.deleting { " gone" } else { "" };
            let faulty = if row.fault.is_some() { " faulty" } else { "" };
            format!("tr {state}{deleting}{faulty}")
        })
    };
    let fault = move || slot.row.with(|row| row.as_ref().and_then(|row| row.fault.clone()));
    let cells = move || {
        let wide = model.wide.get();
        let columns = model.columns.get();
        let shown = columns.into_iter().enumerate().filter(move |(_, column)| wide || !column.wide);
        shown.map(|(at, column)| view! { <Cell place=slot at column now /> }).collect_view()
    };
    view! {
        <div
            class=class
            class:sel=is_cursor
            role="row"
            aria-rowindex=move || slot.index.get() + 2
            aria-selected=move || is_cursor().to_string()
            data-row=move || slot.row.with(|row| row.as_ref().map(|row| row.id.to_string()))
            data-name=move || slot.row.with(|row| row.as_ref().map(|row| row.name.clone()))
            data-namespace=move || slot.row.with(|row| row.as_ref().map(|row| row.namespace.clone()))
            style:transform=move || format!("translateY({}px)", f64::from(slot.index.get()) * ROW_HEIGHT)
            on:mousedown=move |_| model.set_cursor(slot.index.get_untracked())
        >
            <i></i>
            <span class="mark" title=fault>{move || if fault().is_some() { "!" } else if is_cursor() { "▸" } else { "" }}</span>
            {cells}
        </div>
    }
}
