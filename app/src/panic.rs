//! What happens when the module fails.
//!
//! A panic ends a WebAssembly module: nothing in it may be called again. A worker says so to its pages and
//! closes, and they start another; a page says so to the person.

use std::{cell::RefCell, panic};

use leptos::prelude::*;

use crate::{
    bridge::{ToPage, close_worker},
    core::Core,
};

thread_local! {
    static CORE: RefCell<Option<Core>> = const { RefCell::new(None) };
}

/// In the worker.
pub(crate) fn tell_pages(core: Core) {
    CORE.with(|slot| *slot.borrow_mut() = Some(core));
    panic::set_hook(Box::new(|info| {
        let words = info.to_string();
        leptos::logging::error!("the core has failed: {words}");
        CORE.with(|slot| {
            // The panic may have come while the core was in use; its silence then tells the pages.
            if let Ok(core) = slot.try_borrow()
                && let Some(core) = &*core
            {
                core.tell_all(&ToPage::Died(words));
            }
        });
        close_worker();
    }));
}

/// In the page.
pub(crate) fn show_in_page() {
    panic::set_hook(Box::new(|info| {
        let words = info.to_string();
        leptos::logging::error!("the page has failed: {words}");
        let Ok(panel) = document().create_element("div") else { return };
        panel.set_id("crash");
        panel.set_text_content(Some(&format!(
            "Porthole has failed. Load the page again to go on; nothing in the cluster was touched by it. Version {}. {words}",
            env!("CARGO_PKG_VERSION")
        )));
        if let Some(body) = document().body() {
            // The console has the words, and after a panic nothing else can be told.
            body.append_child(&panel).ok();
        }
    }));
}
