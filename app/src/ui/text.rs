//! The smallest parts.

use leptos::prelude::*;

/// A text that follows what it reads.
pub(crate) fn live(text: impl FnMut() -> String + Send + 'static) -> AnyView {
    let text: Box<dyn FnMut() -> String + Send> = Box::new(text);
    text.into_any()
}

/// A part that is there only as long as `content` says so; it is made anew whenever what that reads changes.
pub(crate) fn when(content: impl FnMut() -> Option<AnyView> + Send + 'static) -> AnyView {
    let content: Box<dyn FnMut() -> Option<AnyView> + Send> = Box::new(content);
    content.into_any()
}

/// A button; `key` is shown in it, where a key does the same.
pub(crate) fn button(title: &'static str, key: &'static str, on_click: impl FnMut() + Send + 'static) -> AnyView {
    let mut on_click: Box<dyn FnMut() + Send> = Box::new(on_click);
    let key = (!key.is_empty()).then(|| view! { <kbd>{key}</kbd> }.into_any());
    view! { <button type="button" class="btn" on:click=move |_| on_click()>{title}{key}</button> }.into_any()
}
