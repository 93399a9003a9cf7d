//! The grid: it scrolls over all rows, and has those in the document that are seen.

use leptos::{html::Div, prelude::*};
use porthole_client_core::platform::WallTime;
use wasm_bindgen::{JsCast as _, closure::Closure};
use web_sys::ResizeObserver;

use super::{
    header::Header,
    model::{ROW_HEIGHT, TableModel},
    row::Row,
    width,
};
use crate::{bridge::ViewWindow, route::Route};

/// The height of the headings in pixels, which stand above the rows inside what scrolls.
const HEADER_HEIGHT: f64 = 28.0;

/// The table. `on_window` is called when another part of the view is needed.
#[component]
pub(crate) fn Grid(
    model: TableModel,
    route: Memo<Route>,
    now: RwSignal<WallTime>,
    on_window: Callback<ViewWindow>,
    on_sort: Callback<String>,
) -> impl IntoView {
    let scroller = NodeRef::<Div>::new();
    let look = move || {
        if let Some(element) = scroller.get_untracked() {
            let height = f64::from(element.client_height()) - HEADER_HEIGHT;
            if let Some(window) = model.scrolled(f64::from(element.scroll_top()), height) {
                on_window.run(window);
            }
        }
    };
    Effect::new(move |observed: Option<bool>| {
        let Some(element) = scroller.get() else { return false };
        if observed != Some(true) {
            let resized = Closure::<dyn FnMut()>::new(look);
            if let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) {
                observer.observe(&element);
            }
            // The grid lives as long as the page.
            resized.forget();
        }
        true
    });
    Effect::new(move |_| {
        if let (Some(place), Some(element)) = (model.scroll_to.get(), scroller.get_untracked()) {
            #[expect(clippy::cast_possible_truncation, reason = "pixels, far below 2^31")]
            element.set_scroll_top(place as i32);
            look();
        }
    });
    // More or fewer rows than before: the part that is seen may be another now.
    Effect::new(move |_| {
        model.matched.track();
        look();
    });
    let tracks = Memo::new(move |_| {
        let wide = model.wide.get();
        model.columns.with(|columns| model.widths.with(|widths| width::template(columns, widths, |column| wide || !column.wide)))
    });
    view! {
        <div class="grid" node_ref=scroller role="grid" aria-label="objects" tabindex="0"
            aria-rowcount=move || model.matched.get() + 1
            style=("--tracks", move || tracks.get().0)
            style=("--least", move || format!("{}px", tracks.get().1))
            on:scroll=move |_| look()>
            <div class="sheet">
            <Header model route on_sort />
            <div class="rows" role="rowgroup" style:height=move || format!("{}px", f64::from(model.matched.get()) * ROW_HEIGHT)>
                <For each=move || model.slots.get().into_iter().enumerate() key=|(at, _)| *at let:item>
                    <Row place=item.1 model now />
                </For>
            </div>
            </div>
        </div>
    }
}
