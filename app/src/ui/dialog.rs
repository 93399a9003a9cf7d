//! A dialog over the page. The browser keeps the focus in it and closes it with Escape.

use leptos::{html, prelude::*};
use wasm_bindgen::JsCast as _;

/// A dialog with `content`, shown as soon as it is in the document. `closed` is called when it has been closed in any way.
pub(crate) fn modal(class: &'static str, label: String, content: AnyView, closed: impl Fn() + Send + 'static) -> AnyView {
    let closed = StoredValue::new_local(Box::new(closed) as Box<dyn Fn() + Send>);
    let closed = move || closed.with_value(|closed| closed());
    let element = NodeRef::<html::Dialog>::new();
    super::effect(move || {
        if let Some(dialog) = element.get()
            && !dialog.open()
        {
            // It fails only where the element has left the document meanwhile.
            dialog.show_modal().ok();
        }
    });
    // A press beside the content is one on the dialog itself.
    let outside = move |event: leptos::ev::MouseEvent| {
        let on_itself = event.target().is_some_and(|target| target.dyn_ref::<web_sys::HtmlDialogElement>().is_some());
        if let Some(dialog) = element.get_untracked().filter(|_| on_itself) {
            dialog.close();
        }
    };
    // The browser tells of it later: by then the element may show another dialog.
    let told = move || {
        if element.get_untracked().is_some_and(|dialog| dialog.is_connected() && !dialog.open()) {
            closed();
        }
    };
    // The browser tells of a dialog that Escape has closed only later, and the next key may come before that.
    let escaped = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            closed();
        }
    };
    view! {
        <dialog node_ref=element class=class aria-label=label on:close=move |_| told() on:mousedown=outside on:keydown=escaped>
            <div class="inside">{content}</div>
        </dialog>
    }
    .into_any()
}

/// Closes the dialog that is open in the document. Until then nothing outside of it takes the focus.
pub(crate) fn close_modal() {
    let open = document().query_selector("dialog[open]").ok().flatten();
    if let Some(dialog) = open.and_then(|open| open.dyn_into::<web_sys::HtmlDialogElement>().ok()) {
        dialog.close();
    }
}
