//! Objects that are worked off in any order.

use std::{
    collections::HashSet,
    fmt,
    hash::Hash,
    sync::{Arc, Mutex},
};

use crate::informer::{latch::Latch, lock::lock};

/// Tells when all that the first list brought has been worked off, by the keys of what has not (client-go
/// `tools/cache/synctrack/synctrack.go`, `AsyncTracker`): for several who work at once, over a queue that knows nothing but
/// keys. Clones are the same tracker.
///
/// ```
/// use porthole_client_core::informer::synctrack::AsyncTracker;
///
/// let tracker = AsyncTracker::default();
/// for pod in ["web-0", "web-1"] {
///     tracker.start(pod);
/// }
/// // Who works them off has a clone.
/// let worker = tracker.clone();
/// tracker.upstream_has_synced();
/// worker.finished(&"web-1");
/// // One that is worked off for another reason does no harm.
/// tracker.finished(&"db-0");
/// assert!(!tracker.has_synced());
/// tracker.finished(&"web-0");
/// assert!(tracker.has_synced());
/// ```
pub struct AsyncTracker<K> {
    state: Arc<Mutex<State<K>>>,
    synced: Latch,
}

struct State<K> {
    pending: HashSet<K>,
    upstream_has_synced: bool,
}

impl<K> Default for AsyncTracker<K> {
    fn default() -> Self {
        let state = State { pending: HashSet::new(), upstream_has_synced: false };
        Self { state: Arc::new(Mutex::new(state)), synced: Latch::default() }
    }
}

impl<K> Clone for AsyncTracker<K> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state), synced: self.synced.clone() }
    }
}

impl<K> fmt::Debug for AsyncTracker<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AsyncTracker({} pending)", lock(&self.state).pending.len())
    }
}

impl<K: Hash + Eq> AsyncTracker<K> {
    /// The object of this key, of the first list, is to be worked off.
    pub fn start(&self, key: K) {
        lock(&self.state).pending.insert(key);
    }

    /// The object of this key has been worked off. One that was never begun is passed over.
    pub fn finished(&self, key: &K) {
        self.change(|state| {
            state.pending.remove(key);
        });
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

    fn change(&self, change: impl FnOnce(&mut State<K>)) {
        let done = {
            let mut state = lock(&self.state);
            change(&mut state);
            state.upstream_has_synced && state.pending.is_empty()
        };
        if done {
            self.synced.open();
        }
    }
}
