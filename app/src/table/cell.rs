//! One cell.

use std::sync::Arc;

use leptos::prelude::*;
use porthole_client_core::{
    platform::WallTime,
    view::{CellView, ColumnRole},
};

use super::{
    layout::Drawn,
    model::Slot,
    state_word::{self, State},
};
use crate::{
    bridge::RowView,
    ui::{self, Live},
};

/// How many letters at the end of a name are never cut.
const TAIL: usize = 8;
/// The most bricks that are drawn.
const MOST_BRICKS: u32 = 8;

/// A cell of the row in `slot`, the `place`th that is drawn. Its text content is what the server would print.
pub(super) fn cell(slot: Slot, place: usize, drawn: Drawn, now: Live<WallTime>, utc: Live<bool>) -> AnyView {
    let Drawn { at, column, .. } = drawn;
    let role = column.role;
    let text = ui::text_memo(move || slot.row.with(|row| row.as_ref().map(|row| cell_text(row, at, now)).unwrap_or_default()));
    let state = move || match role {
        ColumnRole::Status => text.with(|text| state_word::word_state(text)),
        _ => State::Neutral,
    };
    let class: Box<dyn FnMut() -> String + Send> = Box::new(move || {
        let (bits, count) = slot.flash.get();
        let flash = match (bits >> at.min(63) & 1, count % 2) {
            (0, _) => "",
            // Two names for one animation: changing between them starts it anew.
            (_, 0) => " flash-even",
            _ => " flash-odd",
        };
        format!("td {}{flash} {}", role_class(role), state().class())
    });
    let title: Box<dyn FnMut() -> String + Send> = Box::new(move || {
        let moment = slot.row.with(|row| match row.as_ref().and_then(|row| row.cells.get(at)) {
            Some(CellView::Since { at, .. }) => Some(*at),
            _ => None,
        });
        let text = text.get();
        moment.map(|moment| format!("{text} · {}", ui::time_text(moment, utc.get()))).unwrap_or(text)
    });
    let content = match role {
        ColumnRole::Name => name(text),
        ColumnRole::Status => view! { <span class="word">{ui::live(move || text.get())}</span> }.into_any(),
        ColumnRole::Ready => {
            let bricks = move || Some(text.with(|text| bricks(text)));
            view! { <span class="count">{ui::live(move || text.get())}</span><span class="bricks" aria-hidden="true">{ui::when(bricks)}</span> }
                .into_any()
        }
        _ => ui::live(move || text.get()),
    };
    view! { <span class=class role="gridcell" aria-colindex=(place + 1).to_string() title=title>{content}</span> }.into_any()
}

fn cell_text(row: &Arc<RowView>, at: usize, now: Live<WallTime>) -> String {
    match row.cells.get(at) {
        // Only a cell that ticks listens to the clock.
        Some(cell @ CellView::Since { .. }) => cell.text(now.get()),
        Some(CellView::Text(text)) => text.clone(),
        None => String::new(),
    }
}

/// A name is cut in its middle: its end tells pods apart.
fn name(text: Memo<String>) -> AnyView {
    let split = move |tail: bool| {
        text.with(|text| {
            let at = text.char_indices().rev().nth(TAIL - 1).map_or(0, |(at, _)| at);
            let (head, end) = text.split_at_checked(at).unwrap_or((text, ""));
            if tail { end.to_owned() } else { head.to_owned() }
        })
    };
    view! { <span class="start">{ui::live(move || split(false))}</span><span class="end">{ui::live(move || split(true))}</span> }
        .into_any()
}

fn bricks(text: &str) -> AnyView {
    let (ready, all) = state_word::count(text).unwrap_or((0, 0));
    let bricks = (0..all.min(MOST_BRICKS)).map(|at| view! { <b class=if at < ready { "" } else { "w" }></b> }.into_any());
    bricks.collect::<Vec<_>>().into_any()
}

fn role_class(role: ColumnRole) -> &'static str {
    match role {
        ColumnRole::Name => "name",
        ColumnRole::Namespace => "space",
        ColumnRole::Status => "st",
        ColumnRole::Ready => "ready",
        ColumnRole::Age | ColumnRole::Since | ColumnRole::Duration => "r time",
        ColumnRole::Number => "r",
        ColumnRole::Text => "",
    }
}
