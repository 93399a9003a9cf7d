//! Something that is done once nothing new has come for a while.

use std::{cell::Cell, rc::Rc, time::Duration};

use leptos::prelude::*;
use porthole_client_core::{host::web::WebPlatform, platform::Platform as _};

/// One thing that waits to be done. Whatever is put in its place, or a cancellation, ends the one before.
pub(super) struct Delay(StoredValue<Rc<Cell<u32>>, LocalStorage>);

impl Default for Delay {
    fn default() -> Self {
        Self(StoredValue::new_local(Rc::default()))
    }
}

impl Delay {
    /// Does `what` after `wait`, unless something comes in between.
    pub(super) fn after(&self, wait: Duration, what: impl FnOnce() + 'static) {
        let turn = self.next();
        let turns = self.0.get_value();
        WebPlatform.spawn(Box::pin(async move {
            WebPlatform.sleep(wait).await;
            if turns.get() == turn {
                what();
            }
        }));
    }

    /// Does not do what waits.
    pub(super) fn cancel(&self) {
        self.next();
    }

    fn next(&self) -> u32 {
        let turns = self.0.get_value();
        turns.set(turns.get().wrapping_add(1));
        turns.get()
    }
}
