//! What is told.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::ObjectReference;
use crate::meta::{MicroTime, Namespace, ObjectName};

/// What sort of event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum EventType {
    /// Only to be known.
    Normal,
    /// Something may need attention.
    Warning,
}

impl EventType {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Something that happened to an object, as a controller tells it (the arguments of client-go's `EventRecorder`).
///
/// ```
/// use porthole_client_core::{events::{Event, EventType}, object::Unstructured};
///
/// let pod: Unstructured = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop"}}"#.parse()?;
/// let node: Unstructured = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}"#.parse()?;
/// let event = Event::new(&pod, EventType::Warning, "FailedScheduling", "not enough memory on n1")
///     .action("Scheduling")
///     .related(&node)
///     .annotation("example.com/try", "3");
/// assert_eq!(event.to_string(), "Pod shop/web-0: Warning FailedScheduling: not enough memory on n1");
/// # Ok::<(), porthole_client_core::object::ParseObjectError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is about (`involvedObject` of a `v1` event).
    pub regarding: ObjectReference,
    /// What else it is about.
    pub related: Option<ObjectReference>,
    /// What sort of event it is.
    pub event_type: EventType,
    /// Why it happened: a short word in `UpperCamelCase`, for programs to tell events apart by.
    pub reason: String,
    /// What was done or failed, in the same form. Where nothing is said, an `events.k8s.io` event, which must have one, has its
    /// reason here.
    pub action: String,
    /// What happened, for people (`message` of a `v1` event). A server takes 1024 bytes.
    pub note: String,
    /// The annotations of the event itself.
    pub annotations: BTreeMap<String, String>,
}

impl Event {
    /// An event about `regarding`: an object, or a reference to one or to a part of it.
    #[must_use]
    pub fn new(
        regarding: impl Into<ObjectReference>,
        event_type: EventType,
        reason: impl Into<String>,
        note: impl Into<String>,
    ) -> Self {
        Self {
            regarding: regarding.into(),
            related: None,
            event_type,
            reason: reason.into(),
            action: String::new(),
            note: note.into(),
            annotations: BTreeMap::new(),
        }
    }

    /// The same, where this was done or failed.
    #[must_use]
    pub fn action(mut self, action: impl Into<String>) -> Self {
        self.action = action.into();
        self
    }

    /// The same, which is about this as well.
    #[must_use]
    pub fn related(mut self, related: impl Into<ObjectReference>) -> Self {
        self.related = Some(related.into());
        self
    }

    /// The same with this annotation.
    #[must_use]
    pub fn annotation(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.annotations.insert(key.into(), value.into());
        self
    }
}

/// The event in one line, as for a log.
impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} {}: {}", self.regarding, self.event_type, self.reason, self.note)
    }
}

/// Who tells of events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reporter {
    /// The name of the controller, such as `example.com/scaler` (`source.component` of a `v1` event).
    pub controller: String,
    /// Which of its instances: where it runs, or a word that is its own. It is `source.host` of a `v1` event; an `events.k8s.io`
    /// event, which must have one, has the name of the controller here where nothing is said.
    pub instance: String,
}

impl Reporter {
    /// The controller of this name.
    #[must_use]
    pub fn new(controller: impl Into<String>) -> Self {
        Self { controller: controller.into(), instance: String::new() }
    }

    /// The same controller, and this instance of it.
    #[must_use]
    pub fn instance(mut self, instance: impl Into<String>) -> Self {
        self.instance = instance.into();
        self
    }
}

impl From<&str> for Reporter {
    fn from(controller: &str) -> Self {
        Self::new(controller)
    }
}

/// An event as it was taken down: who told it, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// What happened.
    pub event: Event,
    /// Who told it.
    pub reporter: Reporter,
    /// When: to the millisecond. What is finer is chance, so that no two events have one time.
    pub time: MicroTime,
    /// The name that it gets.
    pub name: ObjectName,
    /// The namespace that it is written to: that of what it is about, or `default`.
    pub namespace: Namespace,
}

impl fmt::Display for RecordedEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.event.fmt(formatter)
    }
}
