//! The headings: they sort, and are dragged to another place or another width.

use leptos::{ev::PointerEvent, prelude::*};
use porthole_client_core::view::{ColumnRole, SortOrder};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

use super::{grid::GridEvents, layout::Drawn, model::TableModel};
use crate::ui::{self, Live};

/// How far a pointer moves before it drags a heading, in pixels.
const DRAG: i32 = 6;

/// What a pointer holds: a heading, by its edge or as a whole.
#[derive(Clone)]
struct Held {
    column: String,
    /// The width that the column had, where it is held by its edge.
    width: Option<i32>,
    from: i32,
    moved: bool,
}

/// The headings of the table.
pub(super) fn header(model: TableModel, events: GridEvents) -> AnyView {
    let held = Live::new(None::<Held>);
    let headings = move || {
        let drawn = model.drawn.get();
        Some(
            drawn
                .into_iter()
                .enumerate()
                .map(|(place, drawn)| heading(drawn, place, model.sort, events, held))
                .collect::<Vec<_>>()
                .into_any(),
        )
    };
    let moved = move |event: PointerEvent| {
        held.update_untracked(|held| {
            let Some(held) = held else { return };
            let by = event.client_x() - held.from;
            held.moved |= by.abs() > DRAG;
            if let (Some(before), true) = (held.width, held.moved) {
                let width = u16::try_from((before + by).max(0)).unwrap_or(0);
                events.width.run((held.column.clone(), width));
            }
        });
    };
    let dropped = move |event: PointerEvent| {
        let Some(Held { column, width: None, moved: true, .. }) = held.get_untracked() else { return };
        let under = document().element_from_point(event.client_x() as f32, event.client_y() as f32);
        let name = under
            .and_then(|under| under.closest(".th > [data-name]").ok().flatten())
            .and_then(|cell| cell.get_attribute("data-name"));
        if let Some(before) = name.filter(|before| *before != column) {
            events.place.run((column, before));
        }
    };
    view! {
        <div class="tr th" role="row" aria-rowindex="1" on:pointermove=moved on:pointerup=dropped>
            <i></i><span class="mark"></span>{ui::when(headings)}
        </div>
    }
    .into_any()
}

fn heading(drawn: Drawn, place: usize, sort: Live<Vec<SortOrder>>, events: GridEvents, held: Live<Option<Held>>) -> AnyView {
    let Drawn { column, .. } = drawn;
    let (name, role) = (column.name, column.role);
    let by = {
        let name = name.clone();
        move || {
            sort.with(|sort| {
                sort.iter().position(|by| by.column == name).and_then(|at| Some((at, sort.len(), sort.get(at)?.descending)))
            })
        }
    };
    let (by_class, by_order) = (by.clone(), by.clone());
    let mark = move || match by() {
        None => String::new(),
        Some((at, all, descending)) => {
            let arrow = if descending { " ↓" } else { " ↑" };
            if all > 1 { format!("{arrow}{}", at + 1) } else { arrow.to_owned() }
        }
    };
    let right = matches!(role, ColumnRole::Number | ColumnRole::Age | ColumnRole::Since | ColumnRole::Duration);
    let sticky = if role == ColumnRole::Name { " name" } else { "" };
    let side = if right { " r" } else { "" };
    let class: Box<dyn FnMut() -> String + Send> =
        Box::new(move || format!("td{sticky}{side}{}", if by_class().is_some() { " s" } else { "" }));
    let order: Box<dyn FnMut() -> &'static str + Send> = Box::new(move || match by_order() {
        None => "none",
        Some((_, _, false)) => "ascending",
        Some((_, _, true)) => "descending",
    });
    let grab = {
        let column = name.clone();
        move |event: &PointerEvent, edge: bool| {
            let cell = event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok())
                .and_then(|target| target.closest("[data-name]").ok().flatten());
            let Some(cell) = cell else { return };
            // The pointer may leave the heading while it holds it. It fails only where it has left the page.
            cell.set_pointer_capture(event.pointer_id()).ok();
            let width = cell.dyn_ref::<HtmlElement>().map_or(0, HtmlElement::offset_width);
            held.set(Some(Held { column: column.clone(), width: edge.then_some(width), from: event.client_x(), moved: false }));
        }
    };
    let grab_edge = grab.clone();
    let clicked = {
        let column = name.clone();
        move |event: leptos::ev::MouseEvent| {
            let dragged = held.get_untracked().is_some_and(|held| held.moved);
            held.set(None);
            if !dragged {
                events.sort.run((column.clone(), event.shift_key() || event.ctrl_key() || event.meta_key()));
            }
        }
    };
    let called = name.clone();
    let title = if column.description.is_empty() { name.clone() } else { column.description };
    view! {
        <span class=class role="columnheader" aria-colindex=(place + 1).to_string() title=title aria-sort=order data-column=place.to_string() data-name=called
            on:pointerdown=move |event| grab(&event, false)
            on:click=clicked>
            <button type="button" tabindex="-1">{name}<span class="dir" aria-hidden="true">{ui::live(mark)}</span></button>
            <b class="edge" aria-hidden="true" on:pointerdown=move |event| { event.stop_propagation(); grab_edge(&event, true); }></b>
        </span>
    }
    .into_any()
}
