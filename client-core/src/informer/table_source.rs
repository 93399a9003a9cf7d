//! Lists and watches of tables, for the reflector.

use std::{
    hash::{Hash as _, Hasher as _},
    sync::{Arc, Mutex, PoisonError},
};

use rustc_hash::FxHasher;

use super::table_state::Shared;
use crate::{
    clients::TableClient,
    meta::ResourceVersion,
    platform::{BoxFuture, MaybeSend, MaybeSync},
    reflector::{Event, Identity, Input, Page, Request, Source, Versioned},
    rest::{ApiError, ListOptions, ResourceVersionMatch},
    store::{Key, Keyed},
    transport::Body,
    wire::{Column, TableEvent, TableRow, decode_event, decode_list},
};

/// Tells which cluster answers, against the one that was there when the informer was made.
pub trait IdentityCheck: MaybeSend + MaybeSync + 'static {
    /// Asks.
    ///
    /// # Errors
    /// Where nobody answers.
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>>;
}

/// Which part of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TableSelector {
    /// A label selector, as kubectl's `-l` takes it.
    pub label_selector: Option<String>,
    /// A field selector.
    pub field_selector: Option<String>,
}

impl Versioned for TableRow {
    fn resource_version(&self) -> &ResourceVersion {
        &self.resource_version
    }
}

impl Keyed for TableRow {
    fn key(&self) -> Key {
        match &self.uid {
            Some(uid) => Key::new(uid.as_str()),
            None => Key::new(format!("{}/{}", self.namespace.as_ref().map_or("", |namespace| namespace.as_str()), self.name)),
        }
    }
}

pub(super) struct TableSource {
    pub(super) tables: TableClient,
    pub(super) selector: TableSelector,
    pub(super) identity: Arc<dyn IdentityCheck>,
    pub(super) shared: Arc<Mutex<Shared>>,
    /// How many cells rows had that did not fit these columns: another list would not mend it.
    pub(super) misfits: Vec<usize>,
    /// Whether what is open brings the whole collection.
    pub(super) whole: bool,
}

impl TableSource {
    /// Takes over the columns that came with `rows`. Cells that every row has beyond them get columns without a
    /// name, for wide output: the server has such tables (that of `ipaddresses` is one), and nothing is lost.
    ///
    /// Gives back whether rows that came before are of other columns now: a definition's columns were changed, and a
    /// watch does not send again what has not changed.
    fn columns(&mut self, columns: Option<Vec<Column>>, rows: &[TableRow]) -> bool {
        let Some(mut columns) = columns else { return false };
        let fewest = rows.iter().map(|row| row.cells.len()).min().unwrap_or(0);
        while !columns.is_empty() && columns.len() < fewest {
            columns.push(Column {
                name: String::new(),
                kind: "string".to_owned(),
                format: String::new(),
                description: "The server sends this without saying what it is.".to_owned(),
                priority: 1,
            });
        }
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if *shared.state.columns == *columns {
            return false;
        }
        shared.state.columns = columns.into();
        shared.columns_changed = true;
        self.misfits.clear();
        !self.whole
    }

    fn column_count(&self) -> usize {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).state.columns.len()
    }

    /// Makes rows fit the columns. Gives back whether the columns must have changed, so that only a new list
    /// brings the two together; a misfit that a list did not mend is named in its row.
    fn fit(&mut self, rows: &mut [TableRow], fresh_columns: bool) -> bool {
        let columns = self.column_count();
        let mut outdated = false;
        for row in rows {
            if row.name.is_empty() && row.uid.is_none() {
                // Without a name there is nothing to follow it by: its cells stand in, until the next list.
                let mut hasher = FxHasher::default();
                row.cells.iter().for_each(|cell| cell.to_string().hash(&mut hasher));
                row.uid = Some(format!("nameless {:x}", hasher.finish()).into());
            }
            let cells = row.cells.len();
            // A plain object has no cells; a row without metadata that fits is named already.
            if cells == 0 || cells == columns {
                continue;
            }
            if !self.misfits.contains(&cells) {
                self.misfits.push(cells);
                outdated |= !fresh_columns;
            }
            row.fault.get_or_insert_with(|| format!("the server sent {cells} cells for {columns} columns").into());
        }
        outdated
    }
}

impl Source<TableRow> for TableSource {
    fn open(&mut self, request: &Request) -> BoxFuture<'static, Result<Body, ApiError>> {
        let (tables, selector) = (self.tables.clone(), self.selector.clone());
        let request = request.clone();
        self.whole = !matches!(request, Request::Watch { send_initial_events: false, .. });
        Box::pin(async move {
            let TableSelector { label_selector, field_selector } = selector;
            match request {
                Request::List { resource_version, limit, continue_token } => {
                    let options = ListOptions {
                        label_selector,
                        field_selector,
                        resource_version,
                        limit,
                        continue_token,
                        ..ListOptions::default()
                    };
                    tables.open_list(&options).await
                }
                Request::Watch { resource_version, send_initial_events, timeout } => {
                    let options = ListOptions {
                        label_selector,
                        field_selector,
                        resource_version,
                        resource_version_match: send_initial_events.then_some(ResourceVersionMatch::NotOlderThan),
                        timeout: Some(timeout),
                        allow_watch_bookmarks: true,
                        send_initial_events: send_initial_events.then_some(true),
                        ..ListOptions::default()
                    };
                    tables.open_watch(&options).await
                }
                Request::Identity => Err(ApiError::Unreadable {
                    path: tables.path().as_str().to_owned(),
                    message: "an identity is not opened as a stream".to_owned(),
                }),
            }
        })
    }

    fn identity(&mut self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        self.identity.check()
    }

    fn page(&mut self, body: &[u8]) -> Result<Page<TableRow>, String> {
        let now = self.tables.platform().wall_time();
        let mut list = decode_list(body, now).map_err(|error| error.to_string())?;
        self.columns(list.columns.take(), &list.rows);
        self.fit(&mut list.rows, true);
        Ok(Page { items: list.rows, resource_version: list.resource_version, continue_token: list.continue_token })
    }

    fn event(&mut self, line: &[u8], inputs: &mut Vec<Input<TableRow>>) {
        let now = self.tables.platform().wall_time();
        match decode_event(line, now) {
            Ok(TableEvent::Applied { columns, mut rows, .. }) => {
                let fresh = columns.is_some();
                let others_are_old = self.columns(columns, &rows);
                let outdated = self.fit(&mut rows, fresh) || others_are_old;
                inputs.push(Input::Event(Event::Applied(rows)));
                if outdated {
                    inputs.push(Input::Outdated);
                }
            }
            Ok(TableEvent::Deleted(mut rows)) => {
                self.fit(&mut rows, true);
                inputs.push(Input::Event(Event::Deleted(rows)));
            }
            Ok(TableEvent::Bookmark { resource_version, initial_events_end, columns }) => {
                let outdated = self.columns(columns, &[]);
                inputs.push(Input::Event(Event::Bookmark { resource_version, initial_events_end }));
                if outdated {
                    inputs.push(Input::Outdated);
                }
            }
            Ok(TableEvent::Error(status)) => inputs.push(Input::Event(Event::Error(status))),
            Err(error) => inputs.push(Input::Unreadable(error.to_string())),
        }
    }
}
