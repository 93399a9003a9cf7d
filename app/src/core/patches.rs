//! When pages hear of what changed: at once, and at most once a frame.

use std::time::Duration;

use super::server::Core;
use crate::bridge::ToPage;

/// The shortest time between two patches: one frame.
const FLUSH_PERIOD: Duration = Duration::from_millis(16);

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
        for tab in self.0.tabs.borrow().values().filter(|tab| tab.visible) {
            for (number, view) in &tab.views {
                let mut view = view.borrow_mut();
                if view.is_dirty() {
                    tab.port.send(&ToPage::View { view: *number, patch: view.flush() });
                }
            }
        }
    }
}
