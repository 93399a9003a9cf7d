//! What a Table informer knows, and whom it tells.

use std::sync::Arc;

use super::{Change, News};
use crate::{
    platform::MaybeSend,
    reflector::Health,
    store::{Indexer, SharedIndexer},
    wire::{Column, TableRow},
};

/// What an informer knows.
pub struct TableState<'a> {
    /// The server's columns; empty where it has no tables for the resource.
    pub columns: Arc<[Column]>,
    /// The rows.
    pub rows: &'a Indexer<TableRow>,
    /// How the watch is.
    pub health: Health,
}

/// What a reader is told.
pub struct TableNews<'a> {
    /// What changed, in order.
    pub changes: &'a [Change<TableRow>],
    /// The columns.
    pub columns: Arc<[Column]>,
    /// Whether they are others now.
    pub columns_changed: bool,
    /// How the watch is.
    pub health: &'a Health,
    /// All rows.
    pub rows: &'a SharedIndexer<TableRow>,
}

impl<'a> TableNews<'a> {
    pub(super) fn new(news: &'a News<'_, TableRow>, columns: Arc<[Column]>, columns_changed: bool) -> Self {
        Self { changes: news.changes, columns, columns_changed, health: news.health, rows: news.cache }
    }
}

/// A reader of a table: see [`Reader`](super::Reader).
pub trait TableHandler: FnMut(TableNews<'_>) + MaybeSend + 'static {}
impl<T: FnMut(TableNews<'_>) + MaybeSend + 'static> TableHandler for T {}
