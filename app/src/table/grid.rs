//! The grid: it scrolls over all rows, and has those in the document that are seen.

use leptos::{html::Div, prelude::*};
use porthole_client_core::platform::WallTime;
use wasm_bindgen::{JsCast as _, closure::Closure};
use web_sys::ResizeObserver;

use super::{
    header::header,
    layout,
    model::TableModel,
    row::{row, to_pixels},
};
use crate::{
    bridge::ViewWindow,
    ui::{self, Live},
};

/// The height of the headings in pixels, which stand above the rows inside what scrolls.
const HEADER_HEIGHT: f64 = 28.0;

/// What the grid asks of who shows it.
#[derive(Clone, Copy)]
pub(crate) struct GridEvents {
    /// Another part of the view is needed.
    pub(crate) window: Callback<ViewWindow>,
    /// The rows are to be sorted by this column; by it too, where the second says so.
    pub(crate) sort: Callback<(String, bool)>,
    /// A column is to be this wide, in pixels.
    pub(crate) width: Callback<(String, u16)>,
    /// A column is to stand where another stands.
    pub(crate) place: Callback<(String, String)>,
    /// The row under the cursor is to be opened.
    pub(crate) open: Callback<()>,
    /// The rows from one to another are to be selected.
    pub(crate) between: Callback<(u64, u64)>,
}

/// The table.
#[component]
pub(crate) fn Grid(model: TableModel, now: Live<WallTime>, events: GridEvents) -> impl IntoView {
    let (scroller, sheet) = (NodeRef::<Div>::new(), NodeRef::<Div>::new());
    let rows_height = move || format!("{}px", to_pixels(f64::from(model.length.get()) * model.row_height.get()));
    let look = move || {
        if let Some(element) = scroller.get_untracked() {
            let height = f64::from(element.client_height()) - HEADER_HEIGHT;
            if let Some(window) = model.scrolled(f64::from(element.scroll_top()), height) {
                events.window.run(window);
            }
        }
    };
    let mut observed = false;
    ui::effect(move || {
        let Some(element) = scroller.get() else { return };
        if !std::mem::replace(&mut observed, true) {
            let resized = Closure::<dyn FnMut()>::new(look);
            if let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) {
                observer.observe(&element);
                on_cleanup(move || observer.disconnect());
            }
            // The observer may call it until it is disconnected.
            resized.forget();
        }
    });
    ui::effect(move || {
        if let (Some(place), Some(element), Some(sheet)) =
            (model.scroll_to.get(), scroller.get_untracked(), sheet.get_untracked())
        {
            // It cannot be scrolled further than it is high, and rows may have come.
            if let Err(error) = web_sys::HtmlElement::style(&sheet).set_property("height", &rows_height()) {
                leptos::logging::warn!("the rows could not be made higher: {error:?}");
            }
            #[expect(clippy::cast_possible_truncation, reason = "pixels, far below 2^31")]
            element.set_scroll_top(place as i32);
            look();
        }
    });
    // More or fewer rows than before, or higher ones: the part that is seen may be another now.
    ui::effect(move || {
        model.length.track();
        model.row_height.track();
        look();
    });
    let tracks = move || model.drawn.with(|drawn| model.widths.with(|widths| layout::template(drawn, widths)));
    let rows = move || {
        let slots = model.slots.get();
        Some(
            slots
                .into_iter()
                .enumerate()
                .map(|(number, slot)| row(slot, number, model, now, events))
                .collect::<Vec<_>>()
                .into_any(),
        )
    };
    let active = move || {
        let count = model.slots.with(Vec::len).max(1);
        let index = usize::try_from(model.cursor_index.get()).unwrap_or(0);
        model.cursor.get().map(|_| format!("row-{}", index % count))
    };
    view! {
        <div class="grid" node_ref=scroller role="grid" aria-label="objects" tabindex="0" aria-multiselectable="true"
            aria-activedescendant=active
            aria-rowcount=move || (model.matched.get() + 1).to_string()
            aria-colcount=move || model.drawn.with(Vec::len).to_string()
            style=("--tracks", move || tracks().0)
            style=("--least", move || format!("{}px", tracks().1))
            on:scroll=move |_| look()>
            <div class="sheet">
            {header(model, events)}
            <div class="rows" role="rowgroup" node_ref=sheet style:height=rows_height>{ui::when(rows)}</div>
            </div>
        </div>
    }
}
