//! One cell.

use std::sync::Arc;

use leptos::prelude::*;
use porthole_client_core::{
    platform::WallTime,
    view::{CellView, ColumnRole, ViewColumn},
};

use super::{model::Slot, state_word};
use crate::bridge::RowView;

/// How many letters at the end of a name are never cut.
const TAIL: usize = 8;
/// The most bricks that are drawn.
const MOST_BRICKS: u32 = 8;

/// A cell of the row in `slot`. Its text content is what the server would print.
#[component]
pub(super) fn Cell(place: Slot, at: usize, column: ViewColumn, now: RwSignal<WallTime>) -> impl IntoView {
    let slot = place;
    let role = column.role;
    let text = move || slot.row.with(|row| row.as_ref().map(|row| cell_text(row, at, now)).unwrap_or_default());
    let class = move || {
        let (bits, count) = slot.flash.get();
        let flash = match (bits >> at.min(63) & 1, count % 2) {
            (0, _) => "",
            // Two names for one animation: changing between them starts it anew.
            (_, 0) => " flash-even",
            _ => " flash-odd",
        };
        format!("td {}{flash}", role_class(role))
    };
    let content = match role {
        ColumnRole::Name => name(text).into_any(),
        ColumnRole::Status => view! { <span class="word">{text}</span> }.into_any(),
        ColumnRole::Ready => {
            view! { <span class="count">{text}</span><span class="bricks" aria-hidden="true">{move || bricks(&text())}</span> }
                .into_any()
        }
        _ => text.into_any(),
    };
    let state = move || match role {
        ColumnRole::Status => state_word::word_state(&text()).class(),
        _ => "",
    };
    view! { <span class=move || format!("{} {}", class(), state()) role="gridcell" title=text>{content}</span> }
}

fn cell_text(row: &Arc<RowView>, at: usize, now: RwSignal<WallTime>) -> String {
    match row.cells.get(at) {
        // Only a cell that ticks listens to the clock.
        Some(cell @ CellView::Since { .. }) => cell.text(now.get()),
        Some(CellView::Text(text)) => text.clone(),
        None => String::new(),
    }
}

/// A name is cut in its middle: its end tells pods apart.
fn name(text: impl Fn() -> String + Copy + Send + 'static) -> impl IntoView {
    let split = move |tail: bool| {
        let text = text();
        let at = text.char_indices().rev().nth(TAIL - 1).map_or(0, |(at, _)| at);
        let (head, end) = text.split_at_checked(at).unwrap_or((&text, ""));
        if tail { end.to_owned() } else { head.to_owned() }
    };
    view! { <span class="start">{move || split(false)}</span><span class="end">{move || split(true)}</span> }
}

fn bricks(text: &str) -> impl IntoView + use<> {
    let (ready, all) = state_word::count(text).unwrap_or((0, 0));
    (0..all.min(MOST_BRICKS)).map(|at| view! { <b class=if at < ready { "" } else { "w" }></b> }).collect_view()
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
