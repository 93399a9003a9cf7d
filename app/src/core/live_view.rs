//! A view that a page is shown: its rows in order, and what the page already has of them.

use std::sync::Arc;

use porthole_client_core::{
    informer::{Change, TableNews},
    platform::{Instant, WallTime},
    reflector::{Health, HealthState},
    store::{Indexer, Key},
    view::{Arrangement, SortOrder, TableView, ViewColumn, cell_view, view_columns},
    wire::TableRow,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bridge::{HealthView, Problem, RowView, ViewHealth, ViewPatch, ViewSpec, ViewWindow};

/// How many new objects are remembered between two patches.
const MOST_FRESH: usize = 1000;

/// A view of one subscription.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says what the page has yet to hear of")]
pub(super) struct LiveView {
    spec: Option<ViewSpec>,
    window: ViewWindow,
    namespaced: bool,
    columns: Vec<ViewColumn>,
    table: TableView,
    total: usize,
    health: HealthView,
    /// The page's numbers for rows it has been sent, and the other way round.
    numbers: FxHashMap<Key, u64>,
    keys: FxHashMap<u64, Key>,
    next_number: u64,
    /// The rows of the last window, as the page has them.
    sent: FxHashMap<u64, Arc<TableRow>>,
    /// Objects that came since the last patch.
    fresh: FxHashSet<Key>,
    /// The page shows the rows of an earlier core meanwhile.
    resumed: bool,
    /// The rows that the page has are another cluster's.
    forget: bool,
    changes: [u32; 3],
    columns_to_send: bool,
    reset: bool,
    dirty: bool,
}

impl LiveView {
    /// A view of what `spec` says, of which nothing is known yet.
    pub(super) fn new(spec: ViewSpec, window: ViewWindow, resumed: bool, now: WallTime) -> Self {
        let mut view =
            Self { spec: Some(spec), window, resumed, reset: true, dirty: true, columns_to_send: true, ..Self::default() };
        view.health.since = now;
        view
    }

    /// What it shows.
    pub(super) fn spec(&self) -> Option<&ViewSpec> {
        self.spec.as_ref()
    }

    /// Whether its objects belong to namespaces.
    pub(super) fn set_namespaced(&mut self, namespaced: bool) {
        self.namespaced = namespaced;
    }

    /// Whether the page has yet to hear of something.
    pub(super) fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Begins anew: the rows come from elsewhere now. The page keeps what it has until they do.
    pub(super) fn restart(&mut self, now: WallTime) {
        if let Some(spec) = self.spec.take() {
            *self = Self::new(spec, ViewWindow { anchor: None, ..self.window }, true, now);
        }
    }

    /// Begins anew, and so does the page: what it shows is another cluster's.
    pub(super) fn forget(&mut self, now: WallTime) {
        self.restart(now);
        self.resumed = false;
        self.forget = true;
    }

    /// Shows another part.
    pub(super) fn set_window(&mut self, window: ViewWindow) {
        if self.window != window {
            self.window = window;
            self.dirty = true;
        }
    }

    /// Shows the same rows another way.
    pub(super) fn arrange(&mut self, spec: ViewSpec, rows: &Indexer<TableRow>) {
        self.table.arrange(arrangement(&spec, &self.columns), &self.columns, rows);
        self.spec = Some(spec);
        self.window.anchor = None;
        self.dirty = true;
    }

    /// Remembers how it is to be shown, where there are no rows to show it with.
    pub(super) fn set_spec(&mut self, spec: ViewSpec) {
        self.spec = Some(spec);
    }

    /// Says how the view is where no informer does.
    pub(super) fn set_health(&mut self, state: ViewHealth, since: WallTime, problem: Option<Problem>) {
        let health = HealthView { state, since, heard: None, synced: false, problem };
        if self.health != health {
            self.health = health;
            self.dirty = true;
        }
    }

    /// Takes in what an informer says.
    pub(super) fn take_in(&mut self, news: &TableNews<'_>, now: Instant, wall: WallTime) {
        self.dirty = true;
        self.total = news.rows.len();
        let was_synced = self.health.synced;
        self.health = health_view(news.health, now, wall);
        if news.columns_changed || self.columns.is_empty() {
            let all_namespaces = self.spec.as_ref().is_some_and(|spec| spec.namespaces.len() != 1);
            self.columns = view_columns(&news.columns, self.namespaced && all_namespaces);
            self.columns_to_send = true;
            self.sent.clear();
            if let Some(spec) = &self.spec {
                news.rows.read(|rows| self.table.arrange(arrangement(spec, &self.columns), &self.columns, rows));
            }
        } else {
            news.rows.read(|rows| self.table.apply(news.changes, rows));
        }
        for change in news.changes {
            match change {
                Change::Deleted { key, .. } => {
                    self.changes[2] += u32::from(was_synced);
                    self.fresh.remove(key);
                    self.forget_row(key);
                }
                Change::Added { key, .. } if was_synced => {
                    self.changes[0] += 1;
                    // Only those in the window are ever shown as new, so a hidden tab need not collect them all.
                    if self.fresh.len() < MOST_FRESH {
                        self.fresh.insert(key.clone());
                    }
                }
                Change::Updated { key, before, after } => {
                    // Another object of the same name, where nobody saw the one before go: what a person has chosen is not it.
                    if before.uid != after.uid {
                        self.forget_row(key);
                    }
                    self.changes[1] += u32::from(was_synced && !change.is_sync());
                }
                Change::Added { .. } => {}
            }
        }
    }

    /// The next row of this key is another to the page.
    fn forget_row(&mut self, key: &Key) {
        if let Some(number) = self.numbers.remove(key) {
            self.keys.remove(&number);
            self.sent.remove(&number);
        }
    }

    /// What the page has to hear.
    pub(super) fn flush(&mut self) -> ViewPatch {
        self.dirty = false;
        let nothing_known = !self.health.synced && (self.resumed || self.total == 0);
        if nothing_known && !std::mem::take(&mut self.forget) {
            return ViewPatch { only_health: true, health: self.health.clone(), ..ViewPatch::default() };
        }
        self.resumed = false;
        let (first, count) = (to_usize(self.window.first), to_usize(self.window.count));
        // The rows may have become fewer than where the page was.
        let first = first.min(self.table.len().saturating_sub(count.min(self.table.len())));
        let rows: Vec<_> = self.table.window(first, count).map(|(key, row)| (key.clone(), Arc::clone(row))).collect();
        let fresh = std::mem::take(&mut self.fresh);
        let mut order = Vec::with_capacity(rows.len());
        let mut changed = Vec::new();
        let mut sent = FxHashMap::default();
        for (key, row) in rows {
            let id = self.number(&key);
            order.push(id);
            if !self.sent.get(&id).is_some_and(|before| Arc::ptr_eq(before, &row)) {
                changed.push(self.row_view(id, &row, fresh.contains(&key)));
            }
            sent.insert(id, row);
        }
        self.sent = sent;
        let anchor = self.window.anchor.and_then(|id| Some((id, to_u32(self.table.position(self.keys.get(&id)?)?))));
        ViewPatch {
            only_health: false,
            reset: std::mem::take(&mut self.reset),
            columns: std::mem::take(&mut self.columns_to_send).then(|| self.columns.clone()),
            total: to_u32(self.total),
            matched: to_u32(self.table.len()),
            first: to_u32(first),
            order,
            rows: changed,
            anchor,
            health: self.health.clone(),
            removed: Vec::new(),
            fault: None,
            changes: std::mem::take(&mut self.changes),
        }
    }

    fn number(&mut self, key: &Key) -> u64 {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        self.next_number += 1;
        self.numbers.insert(key.clone(), self.next_number);
        self.keys.insert(self.next_number, key.clone());
        self.next_number
    }

    fn row_view(&self, id: u64, row: &TableRow, fresh: bool) -> RowView {
        RowView {
            id,
            name: row.name.to_string(),
            namespace: row.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
            uid: row.uid.as_ref().map(ToString::to_string),
            gone: false,
            cells: self.columns.iter().map(|column| cell_view(row, column, &self.columns)).collect(),
            deleting: row.deleting,
            fault: row.fault.as_deref().map(str::to_owned),
            fresh,
        }
    }
}

/// What the page asks for. Where it asks for no order, what was seen last comes first (of events, say).
fn arrangement(spec: &ViewSpec, columns: &[ViewColumn]) -> Arrangement {
    let latest = columns.iter().find(|column| column.name == "Last Seen").map(|column| column.name.clone());
    Arrangement {
        sort: match spec.sort.first().cloned() {
            Some(by) => Some(SortOrder { column: by.column, descending: by.descending }),
            None => latest.map(|column| SortOrder { column, descending: false }),
        },
        filter: spec.filter.clone(),
        wide: spec.wide,
    }
}

fn health_view(health: &Health, now: Instant, wall: WallTime) -> HealthView {
    let on_the_wall = |then: Instant| wall.before(now.since(then));
    HealthView {
        state: match health.state {
            HealthState::Loading => ViewHealth::Loading,
            HealthState::Live => ViewHealth::Live,
            HealthState::Polling => ViewHealth::Polling,
            HealthState::Reconnecting => ViewHealth::Reconnecting,
            HealthState::Refused => ViewHealth::Refused,
            HealthState::Suspended => ViewHealth::Waiting,
        },
        since: on_the_wall(health.since),
        heard: health.heard.map(on_the_wall),
        synced: health.synced,
        problem: (!health.reason.is_empty()).then(|| Problem { code: health.code, message: health.reason.clone() }),
    }
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use porthole_client_core::{
        meta::GroupResource,
        store::{Entry, SharedIndexer},
        wire::{Cell, Column},
    };

    use super::*;

    /// A view that has been shown its rows.
    fn view() -> LiveView {
        let spec = ViewSpec {
            resource: GroupResource { group: String::new(), resource: "pods".to_owned() },
            version: None,
            namespaces: Vec::new(),
            sort: Vec::new(),
            filter: String::new(),
            shown: None,
            wide: false,
            projection: Vec::new(),
        };
        LiveView::new(spec, ViewWindow { count: 10, ..ViewWindow::default() }, false, WallTime(0))
    }

    fn row(uid: &str, version: &str) -> TableRow {
        TableRow {
            name: "web-0".into(),
            uid: Some(uid.into()),
            resource_version: version.into(),
            cells: [Cell::Text("web-0".into())].into(),
            ..TableRow::default()
        }
    }

    /// Tells the view that the row is this now; gives back what the page knows it by.
    fn tell(view: &mut LiveView, rows: &SharedIndexer<TableRow>, row: TableRow) -> u64 {
        let Entry { key, object } = Entry::of(row);
        let before = rows.write(|rows| rows.insert(Entry { key: key.clone(), object: Arc::clone(&object) }));
        let change = match before {
            Some(before) => Change::Updated { key, before, after: object },
            None => Change::Added { key, object, is_in_initial_list: true },
        };
        let column =
            Column { name: "Name".into(), kind: "string".into(), format: "name".into(), description: String::new(), priority: 0 };
        let mut health = Health::starting(Instant::default());
        health.synced = true;
        let news = TableNews { changes: &[change], columns: [column].into(), columns_changed: false, health: &health, rows };
        view.take_in(&news, Instant::default(), WallTime(0));
        view.flush().order[0]
    }

    #[test]
    fn a_row_is_the_same_to_the_page_for_as_long_as_its_object_is() {
        let (mut view, rows) = (view(), SharedIndexer::default());
        let first = tell(&mut view, &rows, row("u-1", "1"));
        assert_eq!(tell(&mut view, &rows, row("u-1", "2")), first);
        assert_ne!(tell(&mut view, &rows, row("u-2", "3")), first);
    }
}
