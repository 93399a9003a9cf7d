//! What an informer asks the server for.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use porthole_client_core::{rest::RequestObserver, transport::Request};

/// The most complaints that are kept.
const MOST_COMPLAINTS: usize = 10;

/// What became of one informer so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    lists: AtomicU64,
    watches: AtomicU64,
    events: AtomicU64,
    complaints: Mutex<Vec<String>>,
}

impl Counts {
    pub(super) fn event(&self) {
        self.events.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn complain(&self, complaint: String) {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if complaints.len() < MOST_COMPLAINTS {
            complaints.push(complaint);
        }
    }

    pub(super) fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// How often the collection was asked for again, after the first time.
    pub(super) fn relists(&self) -> u64 {
        self.lists.load(Ordering::Relaxed).saturating_sub(1)
    }

    /// How often a watch was opened again, after the first time.
    pub(super) fn reconnects(&self) -> u64 {
        self.watches.load(Ordering::Relaxed).saturating_sub(1)
    }

    pub(super) fn complaints(&self) -> Vec<String> {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl RequestObserver for Counts {
    fn sending(&self, request: &Request) {
        let query = request.path.split_once('?').map_or("", |(_, query)| query);
        let has = |wanted: &str| query.split('&').any(|parameter| parameter == wanted);
        let watch = has("watch=true");
        if watch {
            self.watches.fetch_add(1, Ordering::Relaxed);
        }
        let next_page = query.split('&').any(|parameter| parameter.starts_with("continue="));
        if has("sendInitialEvents=true") || !watch && !next_page {
            self.lists.fetch_add(1, Ordering::Relaxed);
        }
    }
}
