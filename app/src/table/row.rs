//! One row.

use leptos::prelude::*;
use porthole_client_core::platform::WallTime;

use super::{
    cell::cell,
    grid::GridEvents,
    model::{Slot, TableModel},
    state_word::row_state,
};
use crate::ui::{self, Live};

/// The row in `slot`, the slot of this number.
pub(super) fn row(slot: Slot, number: usize, model: TableModel, now: Live<WallTime>, events: GridEvents) -> AnyView {
    let is_cursor = ui::bool_memo(move || {
        let cursor = model.cursor.get();
        cursor.is_some() && slot.row.with(|row| row.as_ref().map(|row| row.id)) == cursor
    });
    let is_selected = ui::bool_memo(move || slot.row.with(|row| row.as_ref().is_some_and(|row| model.is_selected(row))));
    let class: Box<dyn FnMut() -> String + Send> = Box::new(move || {
        let marks = match (is_cursor.get(), is_selected.get()) {
            (false, false) => "",
            (true, false) => " sel",
            (false, true) => " picked",
            (true, true) => " sel picked",
        };
        model.columns.with(|columns| {
            slot.row.with(|row| {
                let Some(row) = row else { return "tr off".to_owned() };
                let state = row_state(&row.cells, columns, row.deleting || row.gone).class();
                let deleting = if row.gone {
                    " gone"
                } else if row.deleting {
                    " leaving"
                } else {
                    ""
                };
                let faulty = if row.fault.is_some() { " faulty" } else { "" };
                format!("tr {state}{deleting}{faulty}{marks}")
            })
        })
    });
    let of_row = move |take: fn(&crate::bridge::RowView) -> String| -> Box<dyn FnMut() -> Option<String> + Send> {
        Box::new(move || slot.row.with(|row| row.as_ref().map(|row| take(row))))
    };
    let mark = move || {
        if slot.row.with(|row| row.as_ref().is_some_and(|row| row.fault.is_some())) {
            "!".to_owned()
        } else if is_selected.get() {
            "✓".to_owned()
        } else if is_cursor.get() {
            "▸".to_owned()
        } else {
            String::new()
        }
    };
    let cells = move || {
        let cells: Vec<_> =
            model.drawn.get().into_iter().enumerate().map(|(place, drawn)| cell(slot, place, drawn, now, model.utc)).collect();
        Some(cells.into_any())
    };
    let place: Box<dyn FnMut() -> String + Send> =
        Box::new(move || format!("translateY({}px)", to_pixels(f64::from(slot.index.get()) * model.row_height.get())));
    let index: Box<dyn FnMut() -> String + Send> = Box::new(move || (slot.index.get() + 2).to_string());
    let selected: Box<dyn FnMut() -> String + Send> = Box::new(move || is_selected.get().to_string());
    let pressed = move |event: leptos::ev::MouseEvent| {
        if event.button() != 0 {
            return;
        }
        let (before, index) = (model.cursor.get_untracked(), slot.index.get_untracked());
        model.set_cursor(index);
        let Some(row) = slot.row.get_untracked() else { return };
        if event.shift_key() {
            event.prevent_default();
            events.between.run((before.unwrap_or(row.id), row.id));
        } else if event.ctrl_key() || event.meta_key() {
            model.toggle(&row);
        }
    };
    let picked = move |event: leptos::ev::MouseEvent| {
        // The mark is what a mouse selects with.
        if !event.shift_key()
            && !event.ctrl_key()
            && !event.meta_key()
            && let Some(row) = slot.row.get_untracked()
        {
            model.toggle(&row);
        }
    };
    view! {
        <div
            class=class
            role="row"
            id=format!("row-{number}")
            aria-rowindex=index
            aria-selected=selected
            data-row=of_row(|row| row.id.to_string())
            data-name=of_row(|row| row.name.clone())
            data-namespace=of_row(|row| row.namespace.clone())
            style:transform=place
            on:mousedown=pressed
            on:dblclick=move |_| events.open.run(())
        >
            <i></i>
            <span class="mark" title=of_row(|row| row.fault.clone().unwrap_or_default()) on:click=picked>{ui::live(mark)}</span>
            {ui::when(cells)}
        </div>
    }
    .into_any()
}

/// Whole pixels, as a whole number: what a float is written with is large.
#[expect(clippy::cast_possible_truncation, reason = "rows by pixels, far below 2^63")]
pub(super) fn to_pixels(pixels: f64) -> i64 {
    pixels as i64
}
