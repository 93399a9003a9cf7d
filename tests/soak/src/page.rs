//! What the script of a page or a worker calls.

#![expect(unreachable_pub, reason = "the script reaches what is public")]

use std::{cell::RefCell, sync::Arc};

use porthole_client_core::{
    config::PageConfig,
    host::web::{WebSocketTransport, connect},
    reflector::Signal,
};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{
    plan::{Place, Way, plans},
    subject::Subject,
};

thread_local! {
    static SUBJECTS: RefCell<Vec<Subject>> = const { RefCell::new(Vec::new()) };
}

/// Starts the informers of the page, or of its worker.
///
/// # Errors
/// Where one cannot be started.
#[wasm_bindgen]
pub fn start(in_worker: bool) -> Result<(), String> {
    let config = PageConfig::own_origin();
    let client = connect(&config).map_err(|error| error.to_string())?;
    for plan in plans(if in_worker { Place::Worker } else { Place::Page }) {
        let client = match plan.way {
            Way::Request => client.clone(),
            Way::Socket => client.clone().with_socket_watches(Arc::new(WebSocketTransport::new(&config))),
        };
        let subject = (plan.follow)(plan, client)?;
        SUBJECTS.with_borrow_mut(|subjects| subjects.push(subject));
    }
    Ok(())
}

/// Suspends the informer of this name, or lets it go on; one that is elsewhere is passed over.
#[wasm_bindgen]
#[must_use]
pub fn suspend(name: &str, suspended: bool) -> bool {
    let signal = if suspended { Signal::Suspend } else { Signal::Resume };
    SUBJECTS.with_borrow(|subjects| {
        let found = subjects.iter().find(|subject| subject.plan.name == name);
        found.inspect(|subject| subject.signal(signal)).is_some()
    })
}

/// What became of the informers so far, as JSON.
///
/// # Errors
/// Where it cannot be written.
#[wasm_bindgen]
pub fn report(with_entries: bool) -> Result<String, String> {
    SUBJECTS.with_borrow(|subjects| {
        let reports: Vec<_> = subjects.iter().map(|subject| subject.report(with_entries)).collect();
        serde_json::to_string(&reports).map_err(|error| error.to_string())
    })
}
