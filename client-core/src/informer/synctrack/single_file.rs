//! Objects that are worked off one after the other.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use crate::informer::{latch::Latch, lock::lock};

/// Tells when all that the first list brought has been worked off, by the number of what has not (client-go
/// `tools/cache/synctrack/synctrack.go`, `SingleFileTracker`). Clones are the same tracker.
///
/// ```
/// use porthole_client_core::informer::synctrack::SingleFileTracker;
///
/// let tracker = SingleFileTracker::default();
/// let queue: Vec<_> = ["web-0", "web-1"].into_iter().map(|pod| (pod, tracker.start())).collect();
/// tracker.upstream_has_synced();
/// assert!(!tracker.has_synced());
/// for (pod, pending) in queue {
///     println!("{pod} is worked off");
///     drop(pending);
/// }
/// assert!(tracker.has_synced());
/// ```
#[derive(Clone, Default)]
pub struct SingleFileTracker {
    state: Arc<Mutex<State>>,
    synced: Latch,
}

#[derive(Default)]
struct State {
    pending: usize,
    upstream_has_synced: bool,
}

/// An object that is to be worked off, and is once this is dropped: nothing can be done more often than it was begun, and who gives
/// up an object, or panics over it, is done with it as well.
#[must_use = "an object counts as worked off once this is dropped"]
pub struct Pending(SingleFileTracker);

impl fmt::Debug for SingleFileTracker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SingleFileTracker({} pending)", lock(&self.state).pending)
    }
}

opaque_debug!(Pending);

impl SingleFileTracker {
    /// An object of the first list is to be worked off.
    pub fn start(&self) -> Pending {
        lock(&self.state).pending += 1;
        Pending(self.clone())
    }

    /// All objects of the first list have been begun: the handler that hands them on has synced.
    pub fn upstream_has_synced(&self) {
        self.change(|state| state.upstream_has_synced = true);
    }

    /// Whether all objects of the first list have been worked off. Once it is, it stays so.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.synced.is_open()
    }

    /// Ends once all objects of the first list have been worked off.
    pub async fn synced(&self) {
        self.synced.wait().await;
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let done = {
            let mut state = lock(&self.state);
            change(&mut state);
            state.upstream_has_synced && state.pending == 0
        };
        if done {
            self.synced.open();
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.change(|state| state.pending -= 1);
    }
}
