//! Events that come again and again.

use std::{sync::Arc, time::Duration};

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{EventType, ObjectReference, RecordedEvent, Reporter};
use crate::{meta::MicroTime, platform::Instant};

/// How long nothing may come until a series is over (client-go `finishTime`).
pub(super) const FINISH: Duration = Duration::from_secs(6 * 60);
/// How often a series that goes on is written, so that the server does not forget it (client-go `refreshTime`).
pub(super) const REFRESH: Duration = Duration::from_secs(30 * 60);

/// The series that go on, and single events that may become some (client-go `tools/events/event_broadcaster.go`, `eventCache`).
#[derive(Default)]
pub(super) struct SeriesCache {
    series: FxHashMap<SeriesKey, Series>,
    /// Nothing is to be done before this.
    check: Option<Instant>,
}

/// Events that have this in common are a series (client-go `eventKey`): all but their texts and times.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SeriesKey {
    event_type: EventType,
    action: String,
    reason: String,
    reporter: Reporter,
    regarding: ObjectReference,
    related: Option<ObjectReference>,
}

/// A series, or an event that came once.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// The first event, which is the one that is written.
    pub(super) first: Arc<RecordedEvent>,
    /// How often it came, where that is more than once.
    pub(super) observed: Option<Observed>,
    seen: Instant,
    written: Instant,
    /// Whether the server does not know it as it is.
    pub(super) unwritten: bool,
    /// It could not be written lately.
    not_before: Option<Instant>,
}

/// How often an event came (`EventSeries`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Observed {
    pub(super) count: u32,
    pub(super) last_observed_time: MicroTime,
}

/// What became of a series that was to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// The server has it, or will never take it.
    Done,
    /// It may be taken later.
    NotNow,
}

impl From<&RecordedEvent> for SeriesKey {
    fn from(recorded: &RecordedEvent) -> Self {
        let event = &recorded.event;
        Self {
            event_type: event.event_type,
            action: event.action.clone(),
            reason: event.reason.clone(),
            reporter: recorded.reporter.clone(),
            regarding: event.regarding.clone(),
            related: event.related.clone(),
        }
    }
}

impl Series {
    /// Whether nothing came for so long that it is over.
    fn is_over(&self, now: Instant) -> bool {
        now.since(self.seen) >= FINISH
    }

    fn due(&self) -> Instant {
        let over = self.seen + FINISH;
        let due = if self.observed.is_some() { over.min(self.written + REFRESH) } else { over };
        self.not_before.map_or(due, |not_before| due.max(not_before))
    }
}

impl SeriesCache {
    /// Takes in an event; gives back what is to be written now: the first of its sort, and the second, which makes a series of
    /// them. The others are counted, and written when their time [has come](Self::due).
    pub(super) fn observe(&mut self, event: Arc<RecordedEvent>, now: Instant) -> Option<Series> {
        let key = SeriesKey::from(&*event);
        let Some(series) = self.series.get_mut(&key) else {
            let series = Series { first: event, observed: None, seen: now, written: now, unwritten: false, not_before: None };
            let due = series.due();
            self.check = Some(self.check.map_or(due, |check| check.min(due)));
            self.series.insert(key, series.clone());
            return Some(series);
        };
        let count = series.observed.map_or(1, |observed| observed.count).saturating_add(1);
        series.observed = Some(Observed { count, last_observed_time: event.time });
        series.seen = now;
        if count > 2 {
            series.unwritten = true;
            return None;
        }
        series.written = now;
        Some(series.clone())
    }

    /// When the next of them may have to be looked after.
    pub(super) fn next_check(&self) -> Option<Instant> {
        self.check
    }

    /// What has to be written at `now`: series that are over, and those that the server could forget. Single events that are over
    /// are forgotten. What is given back is to be [told](Self::wrote) what became of it.
    pub(super) fn due(&mut self, now: Instant) -> Vec<(SeriesKey, Series)> {
        self.series.retain(|_, series| series.observed.is_some() || !series.is_over(now));
        let due = self.series.iter().filter(|(_, series)| series.due() <= now);
        let due = due.map(|(key, series)| (key.clone(), series.clone())).collect();
        self.check = self.series.values().map(Series::due).min();
        due
    }

    /// Takes in what became of a series that was to be written.
    pub(super) fn wrote(&mut self, key: &SeriesKey, outcome: Written, now: Instant) {
        let Some(series) = self.series.get_mut(key) else { return };
        match outcome {
            Written::Done if series.is_over(now) => drop(self.series.remove(key)),
            Written::Done => {
                series.written = now;
                series.unwritten = false;
                series.not_before = None;
            }
            // As often as client-go, which looks whether series are over at such times.
            Written::NotNow => series.not_before = Some(now + FINISH),
        }
        self.check = self.series.values().map(Series::due).min();
    }

    /// A series of which the server does not know how often it came.
    pub(super) fn next_unwritten(&self) -> Option<Series> {
        self.series.values().find(|series| series.unwritten).cloned()
    }

    pub(super) fn forget(&mut self, series: &Series) {
        self.series.remove(&SeriesKey::from(&*series.first));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.series.len()
    }
}
