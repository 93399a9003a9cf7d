//! What any page is made of: dialogs, lists to pick from, forms, texts that follow what they read.
//!
//! Guarantees: nothing here knows Kubernetes. Closures are boxed where they cross into a view: each type of closure of its
//! own would be some kilobytes of code.

#[cfg(target_family = "wasm")]
mod dialog;
#[cfg(target_family = "wasm")]
mod effect;
#[cfg(target_family = "wasm")]
mod form;
#[cfg(target_family = "wasm")]
mod host;
#[cfg(target_family = "wasm")]
mod live;
#[cfg(target_family = "wasm")]
mod pick;
#[cfg(target_family = "wasm")]
mod text;

#[cfg(target_family = "wasm")]
pub(crate) use dialog::{close_modal, modal};
#[cfg(target_family = "wasm")]
pub(crate) use effect::{bool_memo, effect, text_memo};
#[cfg(target_family = "wasm")]
pub(crate) use form::{choice, field, switch};
#[cfg(target_family = "wasm")]
pub(crate) use host::{copy, download, focus, focus_first, time_text};
#[cfg(target_family = "wasm")]
pub(crate) use live::Live;
#[cfg(target_family = "wasm")]
pub(crate) use pick::{How, PickItem, PickList, pick};
#[cfg(target_family = "wasm")]
pub(crate) use text::{button, live, when};
