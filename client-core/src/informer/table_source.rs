//! Lists and watches of tables, for the reflector.

use std::{
    hash::{Hash as _, Hasher as _},
    sync::{Arc, Mutex},
};

use rustc_hash::FxHasher;

use super::{IdentityCheck, Selection, lock::lock};
use crate::{
    clients::TableClient,
    platform::BoxFuture,
    reflector::{Identity, Input, PageEnd, Received, Request, Source},
    rest::ApiError,
    transport::Body,
    wire::{Bookmark, Cell, Column, ProjectedColumn, TableEvent, TableReader, TableRow, WatchEvent, decode_projected_event},
};

/// Where the rows of a table come from.
pub(super) struct TableSource {
    tables: TableClient,
    selection: Selection,
    identity: Arc<dyn IdentityCheck>,
    /// The columns, for all to see.
    columns: Arc<Mutex<Arc<[Column]>>>,
    /// How many cells rows had that did not fit these columns: another list would not mend it.
    misfits: Vec<usize>,
    /// Those among them that the list that arrives has brought again.
    unmended: Vec<usize>,
    /// Whether what is open brings the whole collection.
    whole: bool,
    list: TableReader,
    /// Whether the columns of the list that arrives have been taken over.
    has_columns: bool,
}

impl TableSource {
    pub(super) fn new(
        tables: TableClient,
        selection: Selection,
        identity: Arc<dyn IdentityCheck>,
        columns: Arc<Mutex<Arc<[Column]>>>,
    ) -> Self {
        let needs_objects = selection.projection.iter().any(|column| !column.path.needs_only_metadata());
        Self {
            tables: if needs_objects { tables.with_whole_objects() } else { tables },
            selection,
            identity,
            columns,
            misfits: Vec::new(),
            unmended: Vec::new(),
            whole: true,
            list: TableReader::default(),
            has_columns: false,
        }
    }

    /// Takes over the columns that came with `rows`. Cells that every row has beyond them get columns without a
    /// name, for wide output: the server has such tables (that of `ipaddresses` is one), and nothing is lost.
    ///
    /// Gives back whether rows that came before are of other columns now: a definition's columns were changed, and a
    /// watch does not send again what has not changed.
    fn take_columns(&mut self, columns: Option<Vec<Column>>, rows: &[TableRow]) -> bool {
        let projected = self.selection.projection.len();
        let Some(mut columns) = columns else {
            // Plain objects have no columns but those of the projection; of a table they come first.
            if projected > 0 && lock(&self.columns).is_empty() {
                self.show(Vec::new());
            }
            return false;
        };
        let fewest = rows.iter().map(|row| row.cells.len().saturating_sub(projected)).min().unwrap_or(0);
        while !columns.is_empty() && columns.len() < fewest {
            columns.push(Column {
                name: String::new(),
                kind: "string".to_owned(),
                format: String::new(),
                description: "The server sends this without saying what it is.".to_owned(),
                priority: 1,
            });
        }
        self.show(columns)
    }

    /// Shows these columns of the server, and those of the projection behind them. Gives back as
    /// [`take_columns`](Self::take_columns).
    fn show(&mut self, mut columns: Vec<Column>) -> bool {
        columns.extend(self.selection.projection.iter().map(ProjectedColumn::column));
        let mut known = lock(&self.columns);
        if **known == *columns {
            return false;
        }
        *known = columns.into();
        drop(known);
        self.misfits.clear();
        self.unmended.clear();
        !self.whole
    }

    fn listed(&mut self, columns: Option<Vec<Column>>, mut rows: Vec<TableRow>, inputs: &mut Vec<Input<Received<TableRow>>>) {
        self.has_columns |= columns.is_some();
        self.take_columns(columns, &rows);
        self.fit(&mut rows, true);
        inputs.push(Input::Items(rows.into_iter().map(|row| Ok(row.into())).collect()));
    }

    /// Makes rows fit the columns. Gives back whether the columns must have changed, so that only a new list
    /// brings the two together; a misfit that a list did not mend is named in its row.
    fn fit(&mut self, rows: &mut [TableRow], fresh_columns: bool) -> bool {
        let projected = self.selection.projection.len();
        let columns = lock(&self.columns).len().saturating_sub(projected);
        let mut outdated = false;
        for row in rows {
            if row.name.is_empty() && row.uid.is_none() {
                // Without a name there is nothing to follow it by: its cells stand in, until the next list.
                let mut hasher = FxHasher::default();
                row.cells.iter().for_each(|cell| cell.to_string().hash(&mut hasher));
                row.uid = Some(format!("nameless {:x}", hasher.finish()).into());
            }
            let cells = row.cells.len().saturating_sub(projected);
            if projected > 0 && cells != columns {
                align(row, cells, columns);
            }
            // A plain object has no cells; a row without metadata that fits is named already.
            if cells == 0 || cells == columns {
                continue;
            }
            if !self.misfits.contains(&cells) {
                self.misfits.push(cells);
                outdated |= !fresh_columns;
            }
            if !self.unmended.contains(&cells) {
                self.unmended.push(cells);
            }
            row.fault.get_or_insert_with(|| format!("the server sent {cells} cells for {columns} columns").into());
        }
        outdated
    }

    /// A whole list is there: what it did not bring again is mended, and may come to be wrong anew.
    fn listed_whole(&mut self) {
        self.misfits = std::mem::take(&mut self.unmended);
    }
}

/// Puts the cells of the projection where their columns are, in a row that has so many cells of the server for so many columns.
fn align(row: &mut TableRow, cells: usize, columns: usize) {
    let mut all = std::mem::take(&mut row.cells).into_vec();
    let projected = all.split_off(cells);
    all.resize_with(columns, Cell::default);
    all.extend(projected);
    row.cells = all.into();
}

impl Source<Received<TableRow>> for TableSource {
    fn open(&mut self, request: &Request) -> BoxFuture<'static, Result<Body, ApiError>> {
        self.list = TableReader::projecting(Arc::clone(&self.selection.projection));
        self.has_columns = false;
        self.unmended.clear();
        self.whole = !matches!(request, Request::Watch { send_initial_events: false, .. });
        let (tables, options) = (self.tables.clone(), self.selection.options(request));
        let watch = matches!(request, Request::Watch { .. });
        Box::pin(async move { if watch { tables.open_watch(&options).await } else { tables.open_list(&options).await } })
    }

    fn identity(&mut self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        self.identity.check()
    }

    fn list_chunk(&mut self, chunk: &[u8], inputs: &mut Vec<Input<Received<TableRow>>>) {
        let mut rows = Vec::new();
        self.list.push(chunk, self.tables.platform().wall_time(), &mut rows);
        if !rows.is_empty() {
            let columns = self.list.columns().filter(|_| !self.has_columns).map(<[Column]>::to_vec);
            self.listed(columns, rows, inputs);
        }
    }

    fn list_end(&mut self, inputs: &mut Vec<Input<Received<TableRow>>>) -> Result<PageEnd, String> {
        let list = std::mem::take(&mut self.list).finish().map_err(|error| error.to_string())?;
        let columns = list.columns.filter(|_| !self.has_columns);
        self.listed(columns, list.rows, inputs);
        self.listed_whole();
        Ok(PageEnd { resource_version: list.resource_version, continue_token: list.continue_token })
    }

    fn event(&mut self, line: &[u8], inputs: &mut Vec<Input<Received<TableRow>>>) {
        let now = self.tables.platform().wall_time();
        match decode_projected_event(line, now, &self.selection.projection) {
            Ok(TableEvent::Applied { added, columns, mut rows }) => {
                let fresh = columns.is_some();
                let others_are_old = self.take_columns(columns, &rows);
                let outdated = self.fit(&mut rows, fresh) || others_are_old;
                let event = if added { WatchEvent::Added } else { WatchEvent::Modified };
                inputs.extend(rows.into_iter().map(|row| Input::Event(event(Ok(row.into())))));
                if outdated {
                    inputs.push(Input::Outdated);
                }
            }
            Ok(TableEvent::Deleted(mut rows)) => {
                let outdated = self.fit(&mut rows, false);
                inputs.extend(rows.into_iter().map(|row| Input::Event(WatchEvent::Deleted(Ok(row.into())))));
                if outdated {
                    inputs.push(Input::Outdated);
                }
            }
            Ok(TableEvent::Bookmark { resource_version, initial_events_end, columns }) => {
                let outdated = self.take_columns(columns, &[]);
                if initial_events_end {
                    self.listed_whole();
                }
                inputs.push(Input::Event(WatchEvent::Bookmark(Bookmark {
                    resource_version,
                    ends_initial_events: initial_events_end,
                })));
                if outdated {
                    inputs.push(Input::Outdated);
                }
            }
            Ok(TableEvent::Error(status)) => inputs.push(Input::Event(WatchEvent::Error(status))),
            Err(error) => inputs.push(Input::Unreadable(error.to_string())),
        }
    }
}
