//! Events: what a controller tells people of what it does, seen by `kubectl describe` and `kubectl get events` (client-go
//! `tools/record`, `tools/events` and `tools/reference`).
//!
//! An [`EventRecorder`] takes [`Event`]s, and a task of its own writes them, to either [API](EventApi) that servers have for them.
//! Both count what comes again instead of writing it again: `v1` by counting events and by combining those that differ in their
//! text alone, as a [`CorrelatorOptions`] says; `events.k8s.io/v1` by making a series of them.
//!
//! Guarantees: recording never waits and never fails. At most so many events wait to be written, and every event that is not
//! written, be it for want of room, of a server, of its consent or of time, is [told](EventObserver). No event is written under
//! the name of another. The task ends with a [shut down](EventRecorder::shut_down) or when the last recorder is gone, after one
//! more try for each event that waits, and within a time limit.
//!
//! Where it differs from client-go: events are written one after another to both APIs, in the order in which they came, where
//! `tools/events` has a goroutine for each. A series is looked after when its time has come, not every six minutes, and what was
//! counted of it is written when the recorder is shut down. A creation whose answer was lost, and that is there when it is tried
//! again, has been done. `v1` events, too, have their action and what else they are about.
//!
//! Leaves out the reading and watching of events, for which there are [clients](crate::clients) and
//! [informers](crate::informer): [`regarding_selector`] selects those about an object.

mod aggregator;
mod core_v1;
mod correlator;
mod counts;
mod error;
mod event;
mod events_v1;
mod lru;
mod moments;
mod name;
mod observer;
mod options;
mod queue;
mod recorder;
mod reference;
mod selector;
mod series;
mod spam_filter;
mod task;
#[cfg(test)]
mod tests;
mod writer;

pub use correlator::{CorrelatorOptions, aggregate_by_reason, combined_message, spam_key};
pub use error::EventError;
pub use event::{Event, EventType, RecordedEvent, Reporter};
pub use observer::EventObserver;
pub use options::{EventApi, RecorderOptions};
pub use recorder::EventRecorder;
pub use reference::ObjectReference;
pub use selector::{EventSelectorError, regarding_selector};
