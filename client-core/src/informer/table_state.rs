//! What a Table informer knows, and whom it tells.

use std::sync::{Arc, Mutex, PoisonError};

use super::readers::Readers;
use crate::{
    platform::MaybeSend,
    reflector::{Delta, Health},
    store::{Change, Store},
    wire::{Column, TableRow},
};

/// What an informer knows.
pub struct TableState {
    /// The server's columns; empty where it has no tables for the resource.
    pub columns: Arc<[Column]>,
    /// The rows.
    pub rows: Store<TableRow>,
    /// How the watch is.
    pub health: Health,
}

/// What a reader is told.
pub struct TableNews<'a> {
    /// Everything that is known now.
    pub state: &'a TableState,
    /// What changed, in order.
    pub changes: &'a [Change<TableRow>],
    /// Whether the columns are others now.
    pub columns_changed: bool,
}

/// A reader: called with each batch of changes and with each change of health. From within it may take readers off, itself
/// among them; anything else of the informer waits for it to return, for ever if it is called there.
pub trait TableHandler: FnMut(TableNews<'_>) + MaybeSend + 'static {}
impl<T: FnMut(TableNews<'_>) + MaybeSend + 'static> TableHandler for T {}

pub(super) struct Shared {
    pub(super) state: TableState,
    pub(super) columns_changed: bool,
}

/// Takes in deltas and tells every reader.
pub(super) fn take_in(shared: &Mutex<Shared>, readers: &Readers, deltas: Vec<Delta<TableRow>>, health: &Health) {
    let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let shared = &mut *guard;
    let mut changes = Vec::with_capacity(deltas.len());
    for delta in deltas {
        shared.state.rows.apply(delta, &mut changes);
    }
    shared.state.health = health.clone();
    let columns_changed = std::mem::take(&mut shared.columns_changed);
    readers.tell(|| TableNews { state: &shared.state, changes: &changes, columns_changed });
}
