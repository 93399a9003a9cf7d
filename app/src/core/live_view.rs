//! A view that a page is shown: its rows in order, and what the page already has of them.

use std::sync::Arc;

use porthole_client_core::{
    informer::{Change, TableNews},
    platform::{Instant, WallTime},
    reflector::{Health, HealthState},
    store::{Key, SharedIndexer},
    view::{Arrangement, SortOrder, ViewColumn, Window, view_columns},
    wire::TableRow,
};

use rustc_hash::FxHashSet;

use crate::bridge::{Choice, HealthView, Problem, RowName, ViewHealth, ViewPatch, ViewSpec, ViewWindow};

/// A view of one subscription.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says what the page has yet to hear of")]
pub(super) struct LiveView {
    spec: Option<ViewSpec>,
    namespaced: bool,
    window: Window,
    /// The collections that it shows, by their places in what was asked for: one a namespace.
    sources: Vec<Source>,
    health: HealthView,
    /// The page shows the rows of an earlier core meanwhile.
    resumed: bool,
    /// The rows that the page has are another cluster's.
    forget: bool,
    changes: [u32; 3],
    dirty: bool,
}

/// A collection that a view shows.
#[derive(Default)]
struct Source {
    rows: SharedIndexer<TableRow>,
    health: HealthView,
}

impl LiveView {
    /// A view of what `spec` says, of which nothing is known yet.
    pub(super) fn new(spec: ViewSpec, window: ViewWindow, resumed: bool, now: WallTime) -> Self {
        let mut view = Self { spec: Some(spec), window: Window::new(window), resumed, dirty: true, ..Self::default() };
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
    pub(super) fn is_dirty(&self, now: WallTime) -> bool {
        self.dirty || self.next_change().is_some_and(|next| next <= now)
    }

    /// When the page has to hear of something by nothing but time.
    pub(super) fn next_change(&self) -> Option<WallTime> {
        if self.knows_nothing() { None } else { self.window.next_change() }
    }

    /// Whether there is nothing yet that a page could be told of rows.
    fn knows_nothing(&self) -> bool {
        !self.health.synced && (self.resumed || self.total() == 0)
    }

    /// Begins anew: the rows come from elsewhere now. The page keeps what it has until they do.
    pub(super) fn restart(&mut self, now: WallTime) {
        if let Some(spec) = self.spec.take() {
            *self = Self::new(spec, ViewWindow { anchor: None, ..self.window.range() }, true, now);
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
        self.dirty |= self.window.show(window);
    }

    /// Shows the same rows another way.
    pub(super) fn arrange(&mut self, spec: ViewSpec, now: WallTime) {
        let arrangement = arrangement(&spec, self.window.columns());
        let window = &mut self.window;
        with_all_rows(&self.sources, |rows| window.arrange(arrangement, None, rows, now));
        self.window.show(ViewWindow { anchor: None, ..self.window.range() });
        self.spec = Some(spec);
        self.dirty = true;
    }

    /// The rows of these numbers, as far as they are there, in this order.
    pub(super) fn rows_of(&mut self, numbers: &[u64]) -> Vec<(u64, Key, Arc<TableRow>)> {
        let keys = numbers.iter().filter_map(|number| Some((*number, self.window.keys_of(&[*number]).next()?.clone())));
        let found = keys.filter_map(|(number, key)| {
            let row = self.sources.iter().find_map(|source| source.rows.read(|rows| rows.find(key.as_str()).cloned()))?;
            Some((number, key, row))
        });
        found.collect()
    }

    /// Which rows these are.
    pub(super) fn choose(&mut self, choice: &Choice) -> Vec<RowName> {
        let numbers = match choice {
            Choice::All | Choice::Named(_) => self.window.all_numbers(),
            Choice::Between(from, to) => self.window.rows_between(*from, *to),
        };
        let rows = self.rows_of(&numbers).into_iter().map(|(id, _, row)| RowName {
            id,
            namespace: row.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
            name: row.name.to_string(),
            uid: row.uid.as_ref().map(ToString::to_string),
        });
        match choice {
            Choice::Named(wanted) => {
                let wanted: FxHashSet<_> = wanted.iter().map(|row| (&row.namespace, &row.name, &row.uid)).collect();
                rows.filter(|row| wanted.contains(&(&row.namespace, &row.name, &row.uid))).collect()
            }
            _ => rows.collect(),
        }
    }

    /// The columns that are shown.
    pub(super) fn shown_columns(&self) -> Vec<ViewColumn> {
        let arrangement = self.window.table().arrangement();
        let columns = self.window.columns();
        match &arrangement.shown {
            Some(names) => names.iter().filter_map(|name| columns.iter().find(|column| column.name == *name).cloned()).collect(),
            None => columns.iter().filter(|column| arrangement.shows(column)).cloned().collect(),
        }
    }

    /// How many rows there are, whether they match or not.
    pub(super) fn total(&self) -> usize {
        self.sources.iter().map(|source| source.rows.len()).sum()
    }

    /// The part of the rows that is shown, and what is known of them all.
    pub(super) fn window(&mut self) -> &mut Window {
        &mut self.window
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

    /// Takes in what an informer says: that of the collection in this place.
    pub(super) fn take_in(&mut self, place: usize, news: &TableNews<'_>, now: Instant, wall: WallTime) {
        self.dirty = true;
        if self.sources.len() <= place {
            self.sources.resize_with(place + 1, Source::default);
        }
        let Some(source) = self.sources.get_mut(place) else { return };
        let was_synced = source.health.synced;
        source.rows = news.rows.clone();
        source.health = health_view(news.health, now, wall);
        self.health = worst(self.sources.iter().map(|source| &source.health));
        let several = self.spec.as_ref().is_some_and(|spec| spec.namespaces.len() != 1);
        let columns = view_columns(&news.columns, self.namespaced && several);
        // Several collections of one resource have the same columns; those of one that has none yet are no news.
        let others = *self.window.columns() != *columns && !(news.columns.is_empty() && self.sources.len() > 1);
        if (news.columns_changed && others) || self.window.columns().is_empty() {
            let arrangement = self.spec.as_ref().map(|spec| arrangement(spec, &columns)).unwrap_or_default();
            let window = &mut self.window;
            with_all_rows(&self.sources, |rows| window.arrange(arrangement, Some(columns), rows, wall));
            self.window.note(news.changes, was_synced, wall);
        } else {
            self.window.take_in(news.changes, was_synced, wall);
        }
        if was_synced {
            for change in news.changes {
                match change {
                    Change::Added { .. } => self.changes[0] += 1,
                    Change::Updated { .. } => self.changes[1] += u32::from(!change.is_sync()),
                    Change::Deleted { .. } => self.changes[2] += 1,
                }
            }
        }
    }

    /// What the page has to hear.
    pub(super) fn flush(&mut self, now: WallTime) -> ViewPatch {
        self.dirty = false;
        if self.knows_nothing() && !std::mem::take(&mut self.forget) {
            return ViewPatch { only_health: true, health: self.health.clone(), ..ViewPatch::default() };
        }
        self.resumed = false;
        let patch = self.window.patch(now);
        ViewPatch {
            only_health: false,
            reset: patch.reset,
            columns: patch.columns,
            total: u32::try_from(self.total()).unwrap_or(u32::MAX),
            matched: patch.matched,
            first: patch.first,
            order: patch.order,
            rows: patch.rows,
            anchor: patch.anchor,
            removed: patch.removed,
            fault: patch.problem.map(|problem| problem.to_string()),
            health: self.health.clone(),
            changes: std::mem::take(&mut self.changes),
        }
    }
}

/// Hands all rows of these collections to `look`.
fn with_all_rows(sources: &[Source], look: impl for<'a> FnOnce(&mut dyn Iterator<Item = (&'a Key, &'a Arc<TableRow>)>)) {
    match sources {
        [one] => one.rows.read(|rows| look(&mut rows.iter_unsorted())),
        several => {
            let mut all = Vec::new();
            for source in several {
                source.rows.read(|rows| all.extend(rows.iter_unsorted().map(|(key, row)| (key.clone(), Arc::clone(row)))));
            }
            look(&mut all.iter().map(|(key, row)| (key, row)));
        }
    }
}

/// How several collections are together: as the one that is worst, and not known before all are.
fn worst<'a>(all: impl Iterator<Item = &'a HealthView> + Clone) -> HealthView {
    let weight = |health: &&HealthView| match health.state {
        ViewHealth::Live => 0,
        ViewHealth::Polling => 1,
        ViewHealth::Loading => 2,
        ViewHealth::Waiting => 3,
        ViewHealth::Reconnecting => 4,
        ViewHealth::Refused => 5,
    };
    let mut worst = all.clone().max_by_key(weight).cloned().unwrap_or_default();
    worst.synced = all.clone().all(|health| health.synced);
    worst.heard = all.map(|health| health.heard).min().flatten();
    worst
}

/// What the page asks for. Where it asks for no order, what was seen last comes first (of events, say).
fn arrangement(spec: &ViewSpec, columns: &[ViewColumn]) -> Arrangement {
    let latest = || columns.iter().find(|column| column.name == "Last Seen");
    let all = || columns.iter().map(|column| column.name.clone()).collect();
    Arrangement {
        sort: if spec.sort.is_empty() {
            latest().map(|column| SortOrder { column: column.name.clone(), descending: false }).into_iter().collect()
        } else {
            spec.sort.clone()
        },
        filter: spec.filter.clone(),
        shown: spec.shown.clone().or_else(|| spec.wide.then(all)),
    }
}

/// The state of a watch, as a page knows it.
pub(super) fn view_state(state: HealthState) -> ViewHealth {
    match state {
        HealthState::Loading => ViewHealth::Loading,
        HealthState::Live => ViewHealth::Live,
        HealthState::Polling => ViewHealth::Polling,
        HealthState::Reconnecting => ViewHealth::Reconnecting,
        HealthState::Refused => ViewHealth::Refused,
        HealthState::Suspended => ViewHealth::Waiting,
    }
}

fn health_view(health: &Health, now: Instant, wall: WallTime) -> HealthView {
    let on_the_wall = |then: Instant| wall.before(now.since(then));
    HealthView {
        state: view_state(health.state),
        since: on_the_wall(health.since),
        heard: health.heard.map(on_the_wall),
        synced: health.synced,
        problem: (!health.reason.is_empty()).then(|| Problem { code: health.code, message: health.reason.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use porthole_client_core::{
        store::Entry,
        wire::{Cell, Column},
    };

    use super::*;

    /// A view of these namespaces; of none for all.
    fn view(namespaces: &[&str]) -> LiveView {
        let spec = ViewSpec {
            resource: "pods".into(),
            version: None,
            namespaces: namespaces.iter().map(|name| (*name).into()).collect(),
            sort: Vec::new(),
            filter: String::new(),
            shown: None,
            wide: false,
            projection: Vec::new(),
        };
        let mut view = LiveView::new(spec, ViewWindow { count: 10, ..ViewWindow::default() }, false, WallTime(0));
        view.set_namespaced(true);
        view
    }

    fn row(namespace: &str, uid: &str, version: &str) -> TableRow {
        TableRow {
            name: "web-0".into(),
            namespace: Some(namespace.into()),
            uid: Some(uid.into()),
            resource_version: version.into(),
            cells: [Cell::Text("web-0".into())].into(),
            ..TableRow::default()
        }
    }

    /// Tells the view that the row of the collection in this place is this now; gives back what the page is sent.
    fn tell(view: &mut LiveView, place: usize, rows: &SharedIndexer<TableRow>, row: TableRow, state: HealthState) -> ViewPatch {
        let Entry { key, object } = Entry::of(row);
        let before = rows.write(|rows| rows.insert(Entry { key: key.clone(), object: Arc::clone(&object) }));
        let change = match before {
            Some(before) => Change::Updated { key, before, after: object },
            None => Change::Added { key, object, is_in_initial_list: true },
        };
        let column =
            Column { name: "Name".into(), kind: "string".into(), format: "name".into(), description: String::new(), priority: 0 };
        let mut health = Health::starting(Instant::default());
        (health.synced, health.state) = (state == HealthState::Live, state);
        let news = TableNews { changes: &[change], columns: [column].into(), columns_changed: true, health: &health, rows };
        view.take_in(place, &news, Instant::default(), WallTime(0));
        view.flush(WallTime(0))
    }

    #[test]
    fn a_row_is_the_same_to_the_page_for_as_long_as_its_object_is() {
        let (mut view, rows) = (view(&[]), SharedIndexer::default());
        let mut number = |uid, version| tell(&mut view, 0, &rows, row("shop", uid, version), HealthState::Live).order[0];
        let first = number("u-1", "1");
        assert_eq!(number("u-1", "2"), first);
        assert_ne!(number("u-2", "3"), first);
    }

    #[test]
    fn several_namespaces_are_one_table_that_is_as_well_as_the_worst_of_them() {
        let mut view = view(&["shop", "bank"]);
        let (shop, bank) = (SharedIndexer::default(), SharedIndexer::default());
        tell(&mut view, 0, &shop, row("shop", "u-1", "1"), HealthState::Live);
        let patch = tell(&mut view, 1, &bank, row("bank", "u-2", "1"), HealthState::Refused);
        assert_eq!((patch.total, patch.matched, patch.order.len()), (2, 2, 2));
        assert_eq!((patch.health.state, patch.health.synced), (ViewHealth::Refused, false));
        assert_eq!(view.window().columns().len(), 2, "the namespace is a column of its own");
        let patch = tell(&mut view, 1, &bank, row("bank", "u-2", "2"), HealthState::Live);
        assert_eq!((patch.health.state, patch.health.synced), (ViewHealth::Live, true));
        let spec = ViewSpec { filter: "ns:bank".into(), ..view.spec().cloned().unwrap() };
        view.arrange(spec, WallTime(0));
        let patch = view.flush(WallTime(0));
        assert_eq!((patch.total, patch.matched, patch.order.len()), (2, 1, 1));
    }

    #[test]
    fn what_is_selected_by_name_is_found_again_and_another_object_of_that_name_is_not() {
        let (mut view, rows) = (view(&[]), SharedIndexer::default());
        let number = tell(&mut view, 0, &rows, row("shop", "u-1", "1"), HealthState::Live).order[0];
        let chosen = view.choose(&Choice::All);
        assert_eq!((chosen.len(), chosen[0].id), (1, number));
        assert_eq!(view.choose(&Choice::Named(chosen.clone())), chosen);
        let other = RowName { uid: Some("u-0".into()), ..chosen[0].clone() };
        assert_eq!(view.choose(&Choice::Named(vec![other])), []);
        assert_eq!(view.rows_of(&[number, 99]).len(), 1);
    }
}
