//! What is alive, for the pages that look.

use std::time::Duration;

use porthole_client_core::{
    platform::{Instant, WallTime},
    transport::LoggedRequest,
};

use super::{live_view::view_state, server::Core};
use crate::bridge::{ActivityView, InformerActivity, RequestActivity, ToPage};

/// How often the pages that look are told.
const PERIOD: Duration = Duration::from_secs(1);
/// The shortest time between two reports of how many objects there are.
const COUNTS_PERIOD: Duration = Duration::from_secs(1);
/// How many requests that are over are told.
const MOST_FINISHED: usize = 60;

impl Core {
    /// Tells this tab of what is alive from now on, or no longer.
    pub(super) fn set_activity(&self, tab: u32, on: bool) {
        if let Some(tab) = self.0.tabs.borrow_mut().get_mut(&tab) {
            tab.looks_at_activity = on;
        }
        if on && !self.0.telling_activity.replace(true) {
            let core = self.clone();
            self.0.platform.spawn(Box::pin(async move {
                while core.tell_activity() {
                    core.0.platform.sleep(PERIOD).await;
                }
                core.0.telling_activity.set(false);
            }));
        }
    }

    /// Tells those that look; gives back whether any does.
    fn tell_activity(&self) -> bool {
        let tabs = self.0.tabs.borrow();
        let mut looking = tabs.values().filter(|tab| tab.looks_at_activity).peekable();
        if looking.peek().is_none() {
            return false;
        }
        let message = ToPage::Activity(self.activity(tabs.len()));
        looking.for_each(|tab| tab.port.send(&message));
        true
    }

    fn activity(&self, tabs: usize) -> ActivityView {
        let (now, wall) = (self.0.platform.now(), self.0.platform.wall_time());
        let streams = self.0.streams.borrow();
        let informers = streams.iter().map(|stream| {
            let statistics = stream.informer.statistics();
            let selection = &stream.key.selection;
            let columns = selection.projection.iter().map(|column| column.name.as_str());
            let parts = selection.label_selector.iter().chain(&selection.field_selector).map(String::as_str).chain(columns);
            InformerActivity {
                resource: stream.key.resource.to_string(),
                namespace: stream.key.namespace.clone(),
                selector: parts.collect::<Vec<_>>().join(" "),
                state: view_state(stream.informer.read(|state| state.health.state)),
                objects: small(statistics.objects),
                bytes: statistics.bytes_received,
                events: statistics.events,
                lists: u32::try_from(statistics.lists).unwrap_or(u32::MAX),
                watches: u32::try_from(statistics.watches).unwrap_or(u32::MAX),
                readers: small(stream.readers.len()),
            }
        });
        let log = &self.0.log;
        let (open, finished, totals) = (log.open(), log.finished(), log.totals());
        let latest = finished.iter().rev().take(MOST_FINISHED);
        let failed = totals.iter().filter(|total| total.code.is_none_or(|code| code >= 400)).map(|total| total.count);
        let asked = totals.iter().map(|total| total.count).sum::<u64>() + open.len() as u64;
        ActivityView {
            informers: informers.collect(),
            requests: open.iter().chain(latest).map(|request| request_activity(request, now, wall)).collect(),
            asked: u32::try_from(asked).unwrap_or(u32::MAX),
            failed: u32::try_from(failed.sum::<u64>()).unwrap_or(u32::MAX),
            bytes: totals.iter().map(|total| total.bytes).chain(open.iter().map(|request| request.bytes)).sum(),
            tabs: small(tabs),
            most_streams: small(streams.most().0),
        }
    }

    /// Tells all pages how many objects there are of what is followed as a whole, where that has changed; gives back when to
    /// look again, where it is too soon.
    pub(super) fn tell_counts(&self, wall: WallTime) -> Option<WallTime> {
        // Every frame asks; once a second is looked.
        let now = self.0.platform.now();
        let since = now.since(self.0.counts_at.get());
        if since < COUNTS_PERIOD {
            let wait = i64::try_from(COUNTS_PERIOD.saturating_sub(since).as_millis()).unwrap_or(0);
            return Some(WallTime(wall.0 + wait));
        }
        self.0.counts_at.set(now);
        let streams = self.0.streams.borrow();
        let whole = streams.iter().filter(|stream| stream.key.is_whole());
        let counts: Vec<_> = whole
            .filter_map(|stream| {
                let objects = stream.informer.read(|state| state.health.synced.then(|| small(state.rows.len())))?;
                Some((stream.key.resource.group_resource().to_string(), objects))
            })
            .collect();
        if *self.0.counts.borrow() != counts {
            self.tell_all(&ToPage::Counts(counts.clone()));
            *self.0.counts.borrow_mut() = counts;
        }
        None
    }
}

fn request_activity(request: &LoggedRequest, now: Instant, wall: WallTime) -> RequestActivity {
    let after = |then: Option<Instant>| then.map(|then| u32::try_from(then.since(request.began).as_millis()).unwrap_or(u32::MAX));
    RequestActivity {
        method: request.method.to_string(),
        path: request.path.clone(),
        code: request.code.unwrap_or(0),
        began: wall.before(now.since(request.began)),
        first_byte: after(request.first_byte),
        whole: after(request.ended),
        bytes: request.bytes,
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
