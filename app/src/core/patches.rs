//! When pages hear of what changed: at once, and at most once a frame.

use std::time::Duration;

use porthole_client_core::platform::WallTime;

use super::server::Core;
use crate::bridge::ToPage;

/// The shortest time between two patches: one frame.
const FLUSH_PERIOD: Duration = Duration::from_millis(16);
/// The longest sleep of a timer: a browser's has at most 24 days.
const LONGEST_SLEEP: Duration = Duration::from_secs(3600);

impl Core {
    /// Sends what views have to say, soon.
    pub(super) fn poke(&self) {
        if self.0.flushing.replace(true) {
            return;
        }
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let now = core.0.platform.now();
            let due = core.0.flush_at.get() + FLUSH_PERIOD;
            if due > now {
                core.0.platform.sleep(due.since(now)).await;
            }
            core.0.flushing.set(false);
            core.flush_now();
        }));
    }

    /// Sends what views have to say to the tabs that are seen.
    pub(super) fn flush_now(&self) {
        self.0.flush_at.set(self.0.platform.now());
        let wall = self.0.platform.wall_time();
        let mut next = self.tell_counts(wall);
        for tab in self.0.tabs.borrow().values().filter(|tab| tab.visible) {
            for (number, view) in &tab.views {
                let mut view = view.borrow_mut();
                if view.is_dirty(wall) {
                    tab.port.send(&ToPage::View { view: *number, patch: view.flush(wall) });
                }
                next = next.into_iter().chain(view.next_change()).min();
            }
        }
        if let Some(next) = next {
            self.poke_at(next, wall);
        }
    }

    /// Looks again at a time at which a view changes by itself, unless that is done before it already.
    fn poke_at(&self, at: WallTime, now: WallTime) {
        let planned = self.0.next_change.get().filter(|planned| *planned > now);
        if planned.is_some_and(|planned| planned <= at) {
            return;
        }
        self.0.next_change.set(Some(at));
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let wait = u64::try_from(at - now).unwrap_or(0).max(1);
            core.0.platform.sleep(Duration::from_millis(wait).min(LONGEST_SLEEP)).await;
            core.0.next_change.set(None);
            core.poke();
        }));
    }
}
