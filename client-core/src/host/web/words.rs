//! What JavaScript throws, in words.

use wasm_bindgen::{JsCast as _, JsValue};

/// What a thrown value says.
pub(super) fn words(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
