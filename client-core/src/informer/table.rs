//! The Table informer: any resource as the server's own table, followed live.
//!
//! client-go has none (its reflector refuses tables); kubectl's `get --watch` comes nearest. Columns come with
//! the first event of a stream only and are kept; a row that does not fit them makes the reflector list again.

use std::sync::{Arc, Mutex};

use super::{
    IdentityCheck, InformerOptions, InformerStatistics, Intake, News, Selection, SharedInformer, TableHandler, TableNews,
    TableState, lock::lock, table_source::TableSource,
};
use crate::{
    clients::TableClient,
    queue::Fifo,
    reflector::{Following, ReflectorOptions, Signal},
    store::SharedIndexer,
    wire::{Column, TableRow},
};

/// An informer of the rows of a table. Clones are the same informer; once the last is dropped its watch ends.
#[derive(Clone)]
pub struct TableInformer {
    rows: SharedInformer<TableRow>,
    columns: Arc<Mutex<Arc<[Column]>>>,
}

impl TableInformer {
    /// An informer of the collection of `tables`, which follows it at once.
    #[must_use]
    pub fn start(tables: TableClient, selection: Selection, following: Following, identity: Arc<dyn IdentityCheck>) -> Self {
        let informer = Self::new(tables, selection, following, identity);
        informer.rows.start();
        informer
    }

    /// An informer of the collection of `tables`, which is to be started. Its rows are told of as they come.
    #[must_use]
    pub fn new(tables: TableClient, selection: Selection, following: Following, identity: Arc<dyn IdentityCheck>) -> Self {
        let platform = Arc::clone(tables.platform());
        let columns = Arc::new(Mutex::new(Arc::from([])));
        let source = TableSource::new(tables, selection, identity, Arc::clone(&columns));
        let options = InformerOptions {
            reflector: ReflectorOptions::following(following),
            intake: Intake::as_they_come(Fifo::default()),
            indexer: SharedIndexer::default(),
            resync_check: None,
            watch_error_handler: None,
        };
        Self { rows: SharedInformer::new(platform, source, options), columns }
    }

    /// The informer of the rows alone: for handlers, listers, and whoever waits for the first list.
    #[must_use]
    pub const fn rows(&self) -> &SharedInformer<TableRow> {
        &self.rows
    }

    /// The columns; empty where the server has no tables for the resource, and before it has said them.
    #[must_use]
    pub fn columns(&self) -> Arc<[Column]> {
        Arc::clone(&lock(&self.columns))
    }

    /// Adds a reader, which is called at once with what is known, as if all of it were new. The number takes it off again.
    pub fn subscribe(&self, mut handler: impl TableHandler) -> u64 {
        let columns = Arc::clone(&self.columns);
        let mut told: Option<Arc<[Column]>> = None;
        self.rows.subscribe(move |news: &News<'_, TableRow>| {
            let columns = Arc::clone(&lock(&columns));
            let changed = !told.as_ref().is_some_and(|told| Arc::ptr_eq(told, &columns));
            told = Some(Arc::clone(&columns));
            handler(TableNews::new(news, columns, changed));
        })
    }

    /// Takes a reader off, if it has not left before; gives back how many are left.
    #[expect(clippy::must_use_candidate, reason = "few need to know how many are left")]
    pub fn unsubscribe(&self, number: u64) -> usize {
        self.rows.unsubscribe(number)
    }

    /// Looks at what is known.
    pub fn read<R>(&self, look: impl FnOnce(&TableState<'_>) -> R) -> R {
        let (columns, health) = (self.columns(), self.rows.health());
        self.rows.indexer().read(|rows| look(&TableState { columns, rows, health }))
    }

    /// What it costs so far.
    #[must_use]
    pub fn statistics(&self) -> InformerStatistics {
        self.rows.statistics()
    }

    /// Tells the reflector something.
    pub fn signal(&self, signal: Signal) {
        self.rows.signal(signal);
    }
}
