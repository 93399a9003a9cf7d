//! What the browser does for a page: the clipboard, files, the focus, times in a zone.

use leptos::prelude::*;
use porthole_client_core::platform::WallTime;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlElement, HtmlInputElement, Url};

/// Puts `text` into the clipboard; `done` hears whether the browser allowed it.
pub(crate) fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let written = window().navigator().clipboard().write_text(text);
    leptos::task::spawn_local(async move { done(wasm_bindgen_futures::JsFuture::from(written).await.is_ok()) });
}

/// Hands `text` to the person as a file.
pub(crate) fn download(name: &str, kind: &str, text: &str) -> Result<(), JsValue> {
    let properties = BlobPropertyBag::new();
    properties.set_type(kind);
    let blob = Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &properties)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // Not at once: the browser may not have begun to read it.
    set_timeout(
        move || {
            // An address that is gone already is as good.
            Url::revoke_object_url(&address).ok();
        },
        std::time::Duration::from_secs(60),
    );
    Ok(())
}

/// Gives the element of this id the focus; what is in a field is selected.
pub(crate) fn focus(id: &str) {
    let Some(element) = document().get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok()) else {
        return;
    };
    // An element that does not take the focus leaves it where it is.
    element.focus().ok();
    if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
        field.select();
    }
}

/// Gives the first element that matches the focus.
pub(crate) fn focus_first(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // As above.
        element.focus().ok();
    }
}

/// A time as `2026-03-01 12:04:31`, in the zone of this machine or in UTC.
pub(crate) fn time_text(time: WallTime, utc: bool) -> String {
    let options = js_sys::Object::new();
    if utc {
        // A new object takes any property.
        js_sys::Reflect::set(&options, &"timeZone".into(), &"UTC".into()).ok();
    }
    let date = js_sys::Date::new(&JsValue::from_f64(time.0 as f64));
    // Of all languages the Swedish one writes times as ISO 8601 does.
    let text = String::from(date.to_locale_string("sv-SE", &options));
    if utc { format!("{text} UTC") } else { text }
}
