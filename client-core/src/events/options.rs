//! What can be chosen about a recorder.

use std::time::Duration;

use super::CorrelatorOptions;
use crate::meta::{GroupVersion, GroupVersionResource};

/// How many events may wait (client-go `maxQueuedEvents`).
const QUEUE_LIMIT: usize = 1000;
/// How long it takes until an event is tried again (client-go `defaultSleepDuration`).
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// The API that events are written to. A server shows the events of either in the other as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EventApi {
    /// `v1`: events that count how often they came (client-go `tools/record`).
    CoreV1,
    /// `events.k8s.io/v1`: series of events (client-go `tools/events`).
    #[default]
    EventsV1,
}

impl EventApi {
    /// Its group and version.
    #[must_use]
    pub fn group_version(self) -> GroupVersion {
        match self {
            Self::CoreV1 => GroupVersion::new("", "v1"),
            Self::EventsV1 => GroupVersion::new("events.k8s.io", "v1"),
        }
    }

    /// Its events.
    #[must_use]
    pub fn resource(self) -> GroupVersionResource {
        self.group_version().with_resource("events")
    }
}

/// What can be chosen about a recorder; what client-go has where nothing is said.
#[derive(Clone, Debug)]
pub struct RecorderOptions {
    /// Where events are written to.
    pub api: EventApi,
    /// How many events may wait to be written: 1000.
    pub queue_limit: usize,
    /// How long it takes until an event is tried again that could not be written: 10 s. The first time it is a part of that, by
    /// chance, for [`EventApi::CoreV1`]; with [`EventApi::EventsV1`] it is up to a quarter longer each time.
    pub retry_delay: Duration,
    /// What [`EventApi::CoreV1`] counts, combines and holds back.
    pub correlator: CorrelatorOptions,
}

impl Default for RecorderOptions {
    fn default() -> Self {
        Self {
            api: EventApi::default(),
            queue_limit: QUEUE_LIMIT,
            retry_delay: RETRY_DELAY,
            correlator: CorrelatorOptions::default(),
        }
    }
}

impl RecorderOptions {
    /// The default, for this API.
    #[must_use]
    pub fn of(api: EventApi) -> Self {
        Self { api, ..Self::default() }
    }
}
