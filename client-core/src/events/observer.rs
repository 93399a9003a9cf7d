//! Who is told of events.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{EventError, RecordedEvent};
use crate::platform::{MaybeSend, MaybeSync};

/// Is told what becomes of events: for a log, or for a count of what got lost. A function of an event and an error is one that
/// is told of what got lost alone.
pub trait EventObserver: MaybeSend + MaybeSync + 'static {
    /// An event is about to be written (client-go `StartEventWatcher`, `StartLogging`). It is called in the recorder's task.
    fn recorded(&self, event: &RecordedEvent) {
        let _ = event;
    }

    /// There were too many events about the object of this one: it was not written, or not counted in what is written
    /// (client-go `EventSourceObjectSpamFilter`). It is called in the recorder's task.
    fn filtered(&self, event: &RecordedEvent) {
        let _ = event;
    }

    /// An event was not written. It is called where the event is recorded, or in the recorder's task. Of a series it is told the
    /// first event.
    fn lost(&self, event: &RecordedEvent, error: &EventError);
}

impl<F: Fn(&RecordedEvent, &EventError) + MaybeSend + MaybeSync + 'static> EventObserver for F {
    fn lost(&self, event: &RecordedEvent, error: &EventError) {
        self(event, error);
    }
}

/// Tells an observer, whose panic hurts nobody else: the panic hook has told of it.
pub(super) fn tell(telling: impl FnOnce()) {
    drop(catch_unwind(AssertUnwindSafe(telling)));
}
