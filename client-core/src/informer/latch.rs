//! Something that happens once.

use std::sync::Arc;

use crate::queue::Waiting;

/// Something that happens once and is waited for by many (a channel that Go closes).
#[derive(Clone)]
pub(crate) struct Latch(Arc<Waiting<bool>>);

impl Default for Latch {
    fn default() -> Self {
        Self(Arc::new(Waiting::new(false)))
    }
}

impl Latch {
    /// It has happened.
    pub(crate) fn open(&self) {
        self.0.change(|open| *open = true);
    }

    /// Whether it has.
    pub(crate) fn is_open(&self) -> bool {
        self.0.read(|open| *open)
    }

    /// Ends when it has.
    pub(crate) async fn wait(&self) {
        self.0.wait(|open| open.then_some(())).await;
    }
}
