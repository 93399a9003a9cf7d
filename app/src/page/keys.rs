//! The keyboard.

use leptos::prelude::*;
use wasm_bindgen::{JsCast as _, closure::Closure};
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent, Window};

use super::session::Session;
use crate::bridge::ToCore;

/// A row step that goes past any end.
const FAR: i64 = i64::MAX / 4;

/// Listens to the keys of the page. Inside a field they belong to the field, but for Escape.
pub(super) fn listen(session: Session, window: &Window) {
    let listener = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| pressed(session, &event));
    if let Err(error) = window.add_event_listener_with_callback("keydown", listener.as_ref().unchecked_ref()) {
        leptos::logging::warn!("the keyboard cannot be listened to: {error:?}");
    }
    listener.forget();
}

fn pressed(session: Session, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return;
    }
    let field = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field {
        if event.key() == "Escape" || (event.key() == "Enter" && field.id() == "filter") {
            // A field that keeps the focus can still be left by hand.
            field.blur().ok();
            event.prevent_default();
        }
        return;
    }
    let page = i64::from(session.table.page_size());
    match event.key().as_str() {
        "j" | "ArrowDown" => session.table.move_cursor(1),
        "k" | "ArrowUp" => session.table.move_cursor(-1),
        "PageDown" => session.table.move_cursor(page),
        "PageUp" => session.table.move_cursor(-page),
        "Home" => session.table.move_cursor(-FAR),
        "End" | "G" => session.table.move_cursor(FAR),
        "/" => focus("filter"),
        "g" => focus("find-resource"),
        "n" => click("namespace"),
        "w" => session.go(|route| route.wide = !route.wide),
        "r" => session.send(&ToCore::Retry),
        "Escape" => session.go(|route| route.filter.clear()),
        _ => return,
    }
    event.prevent_default();
}

fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id).and_then(|element| element.dyn_into().ok())
}

fn focus(id: &str) {
    if let Some(element) = element(id) {
        // An element that does not take the focus can still be clicked.
        element.focus().ok();
        if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
            field.select();
        }
    }
}

fn click(id: &str) {
    if let Some(element) = element(id) {
        element.click();
    }
}
