//! What the page knows, and how it talks to the core.

use std::{cell::RefCell, ops::Deref, rc::Rc, sync::Arc, time::Duration};

use leptos::prelude::*;
use porthole_client_core::{
    discovery::Catalog,
    host::web::WebPlatform,
    meta::{ClusterId, GroupResource, Namespace},
    platform::{Platform as _, WallTime},
    view::SortOrder,
};

use super::{delay::Delay, dialogs::Dialog, export::Destination, later::LaterCode};
use crate::{
    bridge::{
        ActivityView, Choice, ClusterPhase, ClusterView, Connection, FoundObject, Link, Placement, Problem, ToCore, ToPage,
        ViewSpec, ViewWindow, connect,
    },
    route::{ColumnChoice, OwnPage, Route, columns_text, parse_columns},
    session::{
        preferences::{ClusterMark, Preferences, SavedView},
        store,
    },
    table::TableModel,
    ui::Live,
};

/// How long a person may pause while they type a selector before the server is asked.
const TYPING: Duration = Duration::from_millis(500);

/// The namespaces there are to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NamespaceChoice {
    pub(super) known: Vec<Namespace>,
    /// Why they may not be known.
    pub(super) problem: Option<Problem>,
}

/// Something the server or the core said, to be read and put away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) number: u32,
    pub(super) text: String,
}

/// The objects whose names hold a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) text: String,
    pub(super) objects: Vec<FoundObject>,
    /// How many kinds are still to be asked, where kinds that are not cached are asked too.
    pub(super) left: Option<u32>,
}

/// What the page knows: a pointer to signals that live as long as the page.
#[derive(Clone, Copy)]
pub(super) struct Session(&'static Knowledge);

impl Deref for Session {
    type Target = Knowledge;

    fn deref(&self) -> &Knowledge {
        self.0
    }
}

/// What there is to know.
pub(super) struct Knowledge {
    pub(super) cluster: Live<ClusterView>,
    pub(super) catalog: Live<Option<Arc<Catalog>>>,
    /// Whether the catalog is what was stored last time, and nobody has confirmed it yet.
    pub(super) last_seen: Live<bool>,
    pub(super) namespaces: Live<NamespaceChoice>,
    pub(super) route: Live<Route>,
    pub(super) table: TableModel,
    pub(super) notices: Live<Vec<Notice>>,
    /// Why there is no core at the moment.
    pub(super) core_lost: Live<Option<String>>,
    /// The time, once a second.
    pub(super) now: Live<WallTime>,
    /// What is open over the page.
    pub(super) dialog: Live<Option<Dialog>>,
    /// The code that draws what is opened later.
    pub(super) later: Live<LaterCode>,
    pub(super) preferences: Live<Preferences>,
    /// What a person says of this cluster.
    pub(super) mark: Live<ClusterMark>,
    /// The resources that stand first in the navigation.
    pub(super) favourites: Live<Vec<String>>,
    pub(super) saved: Live<Vec<SavedView>>,
    /// Where a person was, the latest first.
    pub(super) recent: Live<Vec<String>>,
    /// The objects that were found for a text.
    pub(super) found: Live<Found>,
    /// What is alive in the core, while somebody looks.
    pub(super) activity: Live<Option<ActivityView>>,
    /// What was last done, for those who hear the page.
    pub(super) said: Live<String>,
    /// How many objects there are of what the core follows beside what is shown.
    pub(super) counts: Live<Vec<(String, u32)>>,
    pub(super) silence: Delay,
    pub(super) visiting: Delay,
    typing: Delay,
    /// Whether the rows that were asked for are those that are not to be selected.
    pub(super) inverting: Live<bool>,
    /// Where what is being exported goes.
    pub(super) destination: Live<Destination>,
    connection: StoredValue<Option<Connection>, LocalStorage>,
    /// What was subscribed last, to tell a new table from the same one shown another way.
    shown: Live<Option<ViewSpec>>,
    next_view: Live<u32>,
    /// Whether the address named no place: then the last one is as good as any.
    bare: Live<bool>,
    next_notice: Live<u32>,
}

impl Session {
    /// A session that shows what `hash` says, with what was stored of the last cluster.
    pub(super) fn new(hash: &str) -> Self {
        let last = store::last_cluster();
        let knowledge = Knowledge {
            cluster: Live::new(ClusterView::default()),
            last_seen: Live::new(last.is_some()),
            catalog: Live::new(last.map(|known| Arc::new(known.catalog))),
            namespaces: Live::new(NamespaceChoice::default()),
            route: Live::new(Route::parse(hash)),
            table: TableModel::new(),
            notices: Live::new(Vec::new()),
            core_lost: Live::new(None),
            now: Live::new(WebPlatform.wall_time()),
            dialog: Live::new(None),
            later: Live::new(LaterCode::default()),
            preferences: Live::new(store::preferences()),
            mark: Live::new(ClusterMark::default()),
            favourites: Live::new(store::favourites()),
            saved: Live::new(Vec::new()),
            recent: Live::new(Vec::new()),
            found: Live::new(Found::default()),
            activity: Live::new(None),
            said: Live::new(String::new()),
            counts: Live::new(Vec::new()),
            silence: Delay::default(),
            visiting: Delay::default(),
            typing: Delay::default(),
            inverting: Live::new(false),
            destination: Live::new(Destination::File),
            connection: StoredValue::new_local(None),
            shown: Live::new(None),
            next_view: Live::new(0),
            bare: Live::new(Route::parse(hash) == Route::default()),
            next_notice: Live::new(0),
        };
        Self(Box::leak(Box::new(knowledge)))
    }

    /// Connects to the core.
    pub(super) fn start(self, placement: Placement) {
        // The first word is said while the connection is being made: it waits for it.
        let early: Rc<RefCell<Vec<Link>>> = Rc::default();
        let queue = Rc::clone(&early);
        let connection = connect(placement, move |link| {
            if self.connection.with_value(Option::is_some) {
                self.hear(link);
            } else {
                queue.borrow_mut().push(link);
            }
        });
        self.connection.set_value(Some(connection));
        for link in early.take() {
            self.hear(link);
        }
    }

    /// Says something to the core.
    pub(super) fn send(self, message: &ToCore) {
        self.connection.with_value(|connection| {
            if let Some(connection) = connection {
                connection.send(message);
            }
        });
    }

    /// Where the core runs, in a word for the footer.
    pub(super) fn placement(self) -> Option<Placement> {
        self.connection.with_value(|connection| connection.as_ref().map(Connection::placement))
    }

    /// Goes to another route.
    pub(super) fn go(self, change: impl FnOnce(&mut Route)) {
        let mut route = self.route.get_untracked();
        change(&mut route);
        if route != self.route.get_untracked() {
            self.route.set(route);
        }
    }

    /// Shows another resource in the same namespaces, with nothing left of how the last was shown.
    pub(super) fn open(self, resource: GroupResource) {
        self.go(|route| {
            *route = Route { resource: Some(resource), namespaces: route.namespaces.clone(), ..Route::default() };
        });
    }

    /// Shows a page of our own.
    pub(super) fn open_page(self, page: OwnPage) {
        self.go(|route| *route = Route { page: Some(page), namespaces: route.namespaces.clone(), ..Route::default() });
    }

    /// Goes to where `hash` says.
    pub(super) fn open_hash(self, hash: &str) {
        let there = Route::parse(hash);
        self.go(|route| *route = there);
    }

    /// Chooses namespaces; none for all. Those that were typed are remembered for this cluster.
    pub(super) fn choose_namespaces(self, namespaces: Vec<Namespace>) {
        let id = self.cluster_id();
        for namespace in &namespaces {
            if !self.namespaces.with_untracked(|choice| choice.known.contains(namespace)) {
                store::remember_namespace(id.as_ref(), namespace);
            }
        }
        store::remember_last_namespaces(id.as_ref(), &namespaces);
        self.go(|route| route.namespaces = namespaces);
    }

    /// The namespaces there are to choose from: those the server has told, and those that were typed.
    pub(super) fn all_namespaces(self) -> Vec<Namespace> {
        let mut names = self.namespaces.with(|choice| choice.known.clone());
        for name in store::typed_namespaces(self.cluster_id().as_ref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Lays the table out in another way, and remembers that for its resource; `None` is the server's way.
    pub(super) fn lay_out(self, columns: Option<Vec<ColumnChoice>>) {
        if let Some(resource) = self.route.with_untracked(|route| route.resource.clone()) {
            store::remember_columns(&resource.to_string(), columns.as_deref().map(columns_text).as_deref());
        }
        self.go(|route| {
            route.columns = columns;
            route.wide = false;
        });
    }

    /// Sets something of the page, for this and every later visit.
    pub(super) fn prefer(self, change: impl FnOnce(&mut Preferences)) {
        self.preferences.update(change);
        self.preferences.with_untracked(store::save_preferences);
    }

    /// Says something of this cluster.
    pub(super) fn mark_cluster(self, change: impl FnOnce(&mut ClusterMark)) {
        self.mark.update(change);
        if let Some(id) = self.cluster_id() {
            self.mark.with_untracked(|mark| store::save_mark(&id, mark));
        }
        self.send(&ToCore::ReadOnly(self.mark.with_untracked(|mark| mark.read_only)));
    }

    /// Puts a resource among the favourites, or takes it off.
    pub(super) fn toggle_favourite(self, resource: &GroupResource) {
        let name = resource.to_string();
        self.favourites.update(|favourites| {
            let before = favourites.len();
            favourites.retain(|other| *other != name);
            if favourites.len() == before {
                favourites.push(name);
            }
        });
        self.favourites.with_untracked(|favourites| store::save_favourites(favourites));
    }

    /// Gives what is on screen a name; no name takes it off.
    pub(super) fn save_view(self, name: &str) {
        let view = SavedView { name: name.to_owned(), hash: self.route.with_untracked(Route::hash) };
        self.saved.update(|saved| {
            saved.retain(|other| other.name != view.name);
            saved.push(view);
        });
        self.keep_views();
    }

    /// Takes a view off.
    pub(super) fn remove_view(self, name: &str) {
        self.saved.update(|saved| saved.retain(|view| view.name != name));
        self.keep_views();
    }

    fn keep_views(self) {
        self.saved.with_untracked(|saved| store::save_views(self.cluster_id().as_ref(), saved));
    }

    /// Reads again what is stored: another tab may have changed it.
    pub(super) fn reload(self) {
        let id = self.cluster_id();
        let mark = store::mark(id.as_ref());
        let read_only = mark.read_only;
        self.preferences.set(store::preferences());
        self.favourites.set(store::favourites());
        self.saved.set(store::saved_views(id.as_ref()));
        self.recent.set(store::recent(id.as_ref()));
        if id.is_some() && self.mark.with_untracked(|before| *before != mark) {
            self.mark.set(mark);
            self.send(&ToCore::ReadOnly(read_only));
        }
    }

    /// Asks the core for another part of the table.
    pub(super) fn ask_window(self, window: ViewWindow) {
        self.send(&ToCore::Window { view: self.table.view(), window });
    }

    /// Sorts by a column: upwards, then downwards, then not at all. With `more` the columns before it stay.
    pub(super) fn sort(self, column: &str, more: bool) {
        self.go(|route| {
            let at = route.sort.iter().position(|sort| sort.column == column);
            let before = at.and_then(|at| route.sort.get(at)).map(|sort| sort.descending);
            if !more {
                route.sort.clear();
            }
            let place = at.filter(|_| more);
            match (before, place) {
                (None, _) => route.sort.push(SortOrder { column: column.to_owned(), descending: false }),
                (Some(false), None) => route.sort.push(SortOrder { column: column.to_owned(), descending: true }),
                (Some(false), Some(at)) => {
                    if let Some(sort) = route.sort.get_mut(at) {
                        sort.descending = true;
                    }
                }
                (Some(true), Some(at)) => drop(route.sort.remove(at)),
                (Some(true), None) => {}
            }
        });
    }

    /// What the route asks the core for.
    pub(super) fn spec(self) -> Option<ViewSpec> {
        self.route.with_untracked(|route| {
            let columns = route.columns.as_deref().unwrap_or_default();
            let projection = columns.iter().filter_map(|column| Some((column.name.clone(), column.path.clone()?)));
            Some(ViewSpec {
                resource: route.resource.clone().filter(|_| route.page.is_none())?,
                version: route.version.clone(),
                namespaces: route.namespaces.clone(),
                sort: route.sort.clone(),
                filter: route.filter.clone(),
                shown: route.columns.as_ref().map(|columns| columns.iter().map(|column| column.name.clone()).collect()),
                wide: route.wide,
                projection: projection.collect(),
            })
        })
    }

    /// Makes the core show what the route says. Where only a selector was typed the server is asked when the person pauses.
    pub(super) fn show(self) {
        let route = self.route.get_untracked();
        self.table.choose_columns(route.columns, route.wide);
        self.table.sort.set_changed(route.sort);
        let spec = self.spec();
        let before = self.shown.get_untracked();
        let selector = |spec: &Option<ViewSpec>| spec.as_ref().map(ViewSpec::selectors);
        let typed = before.is_some() && spec.is_some() && selector(&before) != selector(&spec);
        let same_place = before.as_ref().zip(spec.as_ref()).is_some_and(|(before, spec)| before.is_same_place(spec));
        if typed && same_place {
            self.typing.after(TYPING, move || self.show_now());
        } else {
            self.show_now();
        }
    }

    /// Makes the core show what the route says, now.
    pub(super) fn show_now(self) {
        self.typing.cancel();
        let (spec, before) = (self.spec(), self.shown.get_untracked());
        if before == spec {
            return;
        }
        self.shown.set(spec.clone());
        let Some(spec) = spec else {
            self.send(&ToCore::Unsubscribe { view: self.table.view() });
            self.table.begin(0, WebPlatform.wall_time());
            return;
        };
        match before {
            Some(before) if before.has_same_rows(&spec) => {
                if before.filter != spec.filter || before.sort != spec.sort {
                    self.table.scroll_to.set(Some(0.0));
                }
                self.send(&ToCore::Arrange { view: self.table.view(), spec });
            }
            before => {
                if before.is_some() {
                    self.send(&ToCore::Unsubscribe { view: self.table.view() });
                }
                self.subscribe(spec);
            }
        }
    }

    /// Fills in how the tables of this resource were laid out last, where the address does not say.
    pub(super) fn recall_columns(self) {
        let route = self.route.get_untracked();
        let Some(resource) = route.resource.filter(|_| route.columns.is_none() && !route.wide) else { return };
        if let Some(columns) = store::columns(&resource.to_string()).and_then(|text| parse_columns(&text)) {
            self.route.update(|route| route.columns = Some(columns));
        }
    }

    /// Puts a text where it is seen.
    pub(super) fn notice(self, text: String) {
        let number = self.next_notice.get_untracked();
        self.next_notice.set(number.wrapping_add(1));
        self.notices.update(|notices| {
            notices.retain(|notice| notice.text != text);
            notices.push(Notice { number, text });
            let surplus = notices.len().saturating_sub(3);
            notices.drain(..surplus);
        });
    }

    /// Puts a notice away.
    pub(super) fn dismiss(self, number: u32) {
        self.notices.update(|notices| notices.retain(|notice| notice.number != number));
    }

    fn subscribe(self, spec: ViewSpec) {
        let view = self.next_view.get_untracked().wrapping_add(1);
        self.next_view.set(view);
        self.table.begin(view, WebPlatform.wall_time());
        self.send(&ToCore::Subscribe { view, spec, window: self.table.wanted(), resumed: false });
    }

    pub(super) fn cluster_id(self) -> Option<ClusterId> {
        self.cluster.with_untracked(|cluster| cluster.id.clone())
    }

    fn hear(self, link: Link) {
        match link {
            Link::Opened => {
                let lock =
                    self.connection.with_value(|connection| connection.as_ref().map(|connection| connection.lock().to_owned()));
                self.send(&ToCore::Hello { lock: lock.unwrap_or_default(), known: store::last_cluster() });
                // A tab can be opened behind another.
                self.send(&ToCore::Visible(!document().hidden()));
                self.send(&ToCore::ReadOnly(self.mark.with_untracked(|mark| mark.read_only)));
                // The page may have been drawn before there was a core to ask.
                if self.route.with_untracked(|route| route.page) == Some(OwnPage::Activity) {
                    self.send(&ToCore::Activity(true));
                }
                // What is shown stays until the new core's first patch replaces it.
                if let Some(spec) = self.shown.get_untracked() {
                    let (view, window) = (self.table.view(), self.table.wanted());
                    let resumed = self.table.total.get_untracked() > 0;
                    self.send(&ToCore::Subscribe { view, spec, window, resumed });
                }
            }
            Link::Lost(reason) => self.core_lost.set(Some(reason)),
            Link::Message(message) => self.receive(*message),
        }
    }

    fn receive(self, message: ToPage) {
        match message {
            ToPage::Cluster(cluster) => {
                self.core_lost.set(None);
                self.meet(cluster);
            }
            ToPage::Catalog(catalog) => {
                if let Some(id) = self.cluster_id() {
                    store::remember_cluster(&id, &catalog);
                }
                self.last_seen.set(false);
                self.catalog.set(Some(Arc::new(catalog)));
                self.send(&ToCore::Namespaces);
            }
            ToPage::Namespaces(answer) => self.namespaces.update(|choice| match answer {
                Ok(known) => *choice = NamespaceChoice { known, problem: None },
                // What was known before is better than nothing.
                Err(problem) => choice.problem = Some(problem),
            }),
            ToPage::View { view, patch } if view == self.table.view() => {
                // Another core has other numbers for the same rows.
                let selected = if patch.reset { self.table.forget_selection() } else { Vec::new() };
                self.table.apply(patch);
                if !selected.is_empty() {
                    self.send(&ToCore::Choose { view, rows: Choice::Named(selected) });
                }
            }
            ToPage::Warning(text) => self.notice(text),
            ToPage::Found { text, objects, left } => self.found.update(|found| {
                if found.text == text {
                    found.left = left;
                    found.objects.extend(objects);
                }
            }),
            ToPage::Activity(activity) => self.activity.set(Some(activity)),
            ToPage::Counts(counts) => self.counts.set(counts),
            ToPage::Chosen { view, rows } if view == self.table.view() => self.chosen(rows),
            ToPage::Exported { format, answer } => self.exported(format, answer),
            ToPage::Deleted { done, left, failed } => self.deleted(done, left, failed),
            // Of a view that is no longer shown; and what the connection keeps to itself.
            ToPage::View { .. } | ToPage::Chosen { .. } | ToPage::Welcome | ToPage::Pong(_) | ToPage::Died(_) => {}
        }
    }

    /// A cluster says who it is. If it is not the one that is drawn, nothing of that one stays.
    fn meet(self, cluster: ClusterView) {
        let before = self.cluster.get_untracked();
        let answers = cluster.phase == ClusterPhase::Here;
        // What is drawn from storage has to be confirmed: there no identity is another one too.
        let other = if self.last_seen.get_untracked() {
            store::last_cluster().map(|known| known.id) != cluster.id
        } else {
            before.differs_from(cluster.id.as_ref())
        };
        if answers && other {
            self.catalog.set(None);
            self.last_seen.set(false);
            self.namespaces.set(NamespaceChoice::default());
            self.dialog.set(None);
            if before.id.is_some() {
                self.notice("Another cluster answers at this address now. All that was shown of the first is gone.".to_owned());
            }
        }
        let id = cluster.id.clone();
        let met = before.id != id || (answers && before.phase != ClusterPhase::Here);
        self.cluster.set(cluster);
        if met {
            if before.id != id {
                self.mark.set(store::mark(id.as_ref()));
                self.send(&ToCore::ReadOnly(self.mark.with_untracked(|mark| mark.read_only)));
            }
            self.reload();
        }
        if answers && before.phase != ClusterPhase::Here && self.bare.get_untracked() {
            let namespaces = store::last_namespaces(id.as_ref());
            if !namespaces.is_empty() {
                self.go(|route| route.namespaces = namespaces);
            }
        }
        if answers {
            self.bare.set(false);
        }
    }
}
