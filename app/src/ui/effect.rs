//! What is done again whenever what it read has changed.

use leptos::prelude::*;

/// Does `what`, and does it again whenever anything that it followed has changed.
pub(crate) fn effect(what: impl FnMut() + 'static) {
    boxed_effect(Box::new(what));
}

/// Each type of closure would be an effect of its own type, at a kilobyte of code.
#[inline(never)]
fn boxed_effect(mut what: Box<dyn FnMut()>) {
    Effect::new(move |_| what());
}

/// A text that is worked out of others; who follows it hears of it only when it is another.
pub(crate) fn text_memo(text: impl Fn() -> String + Send + Sync + 'static) -> Memo<String> {
    boxed_text_memo(Box::new(text))
}

#[inline(never)]
fn boxed_text_memo(text: Box<dyn Fn() -> String + Send + Sync>) -> Memo<String> {
    Memo::new(move |_| text())
}

/// The same for something that is so or is not.
pub(crate) fn bool_memo(is: impl Fn() -> bool + Send + Sync + 'static) -> Memo<bool> {
    boxed_bool_memo(Box::new(is))
}

#[inline(never)]
fn boxed_bool_memo(is: Box<dyn Fn() -> bool + Send + Sync>) -> Memo<bool> {
    Memo::new(move |_| is())
}
