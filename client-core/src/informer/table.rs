//! The Table informer: any resource as the server's own table, followed live.
//!
//! client-go has none (its reflector refuses tables); kubectl's `get --watch` comes nearest. Columns come with
//! the first event of a stream only and are kept; a row that does not fit them makes the reflector list again.

use std::sync::{Arc, Mutex, PoisonError};

use futures::channel::mpsc;

use super::{
    readers::Readers,
    table_source::{IdentityCheck, TableSelector, TableSource},
    table_state::{Shared, TableHandler, TableNews, TableState, take_in},
};
use crate::{
    clients::TableClient,
    reflector::{Following, Health, HealthState, Signal, drive},
    store::{Change, Store},
};

/// A running informer. Dropping it ends its watch.
pub struct TableInformer {
    shared: Arc<Mutex<Shared>>,
    readers: Arc<Readers>,
    signals: mpsc::UnboundedSender<Signal>,
}

impl TableInformer {
    /// Starts following the collection of `tables`.
    #[must_use]
    pub fn start(tables: TableClient, selector: TableSelector, following: Following, identity: Arc<dyn IdentityCheck>) -> Self {
        let platform = Arc::clone(tables.platform());
        let health = Health {
            state: HealthState::Loading,
            since: platform.now(),
            heard: None,
            synced: false,
            reason: String::new(),
            code: 0,
        };
        let shared = Arc::new(Mutex::new(Shared {
            state: TableState { columns: Arc::from([]), rows: Store::default(), health },
            columns_changed: false,
        }));
        let readers = Arc::<Readers>::default();
        let (signals, receiver) = mpsc::unbounded();
        let source = TableSource { tables, selector, identity, shared: Arc::clone(&shared), misfits: Vec::new(), whole: true };
        let sink = {
            let (shared, readers) = (Arc::clone(&shared), Arc::clone(&readers));
            move |deltas, health: &Health| take_in(&shared, &readers, deltas, health)
        };
        platform.spawn(Box::pin(drive(Arc::clone(&platform), following, source, receiver, sink)));
        Self { shared, readers, signals }
    }

    /// Adds a reader, which is called at once with what is known, as if all of it were new. The number takes
    /// it off again.
    pub fn subscribe(&self, mut handler: impl TableHandler) -> u64 {
        // Held until it is a reader: it misses nothing, and is told nothing twice.
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let changes: Vec<_> =
            shared.state.rows.iter_unsorted().map(|(key, row)| Change::Added(key.clone(), Arc::clone(row))).collect();
        handler(TableNews { state: &shared.state, changes: &changes, columns_changed: true });
        self.readers.add(Box::new(handler))
    }

    /// Takes a reader off, if it has not left before; gives back how many are left.
    #[expect(clippy::must_use_candidate, reason = "few need to know how many are left")]
    pub fn unsubscribe(&self, number: u64) -> usize {
        self.readers.remove(number)
    }

    /// Looks at what is known.
    pub fn read<R>(&self, look: impl FnOnce(&TableState) -> R) -> R {
        look(&self.shared.lock().unwrap_or_else(PoisonError::into_inner).state)
    }

    /// Tells the reflector something.
    pub fn signal(&self, signal: Signal) {
        // A reflector that has ended needs no telling.
        self.signals.unbounded_send(signal).ok();
    }
}
