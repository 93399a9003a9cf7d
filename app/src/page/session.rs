//! What the page knows, and how it talks to the core.

use std::{cell::RefCell, ops::Deref, rc::Rc, sync::Arc};

use leptos::prelude::*;
use porthole_client_core::{
    discovery::Catalog,
    host::web::WebPlatform,
    meta::{ClusterId, GroupResource, Namespace},
    platform::{Platform as _, WallTime},
};

use crate::{
    bridge::{ClusterPhase, ClusterView, Connection, Link, Placement, Problem, ToCore, ToPage, ViewSpec, ViewWindow, connect},
    route::Route,
    session::store,
    table::TableModel,
};

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
    pub(super) cluster: RwSignal<ClusterView>,
    pub(super) catalog: RwSignal<Option<Arc<Catalog>>>,
    /// Whether the catalog is what was stored last time, and nobody has confirmed it yet.
    pub(super) last_seen: RwSignal<bool>,
    pub(super) namespaces: RwSignal<NamespaceChoice>,
    pub(super) route: RwSignal<Route>,
    pub(super) table: TableModel,
    pub(super) notices: RwSignal<Vec<Notice>>,
    /// Why there is no core at the moment.
    pub(super) core_lost: RwSignal<Option<String>>,
    /// The time, once a second.
    pub(super) now: RwSignal<WallTime>,
    connection: StoredValue<Option<Connection>, LocalStorage>,
    /// What was subscribed last, to tell a new table from the same one shown another way.
    shown: StoredValue<Option<ViewSpec>>,
    next_view: StoredValue<u32>,
    /// Whether the address named no place: then the last one is as good as any.
    bare: StoredValue<bool>,
    next_notice: StoredValue<u32>,
}

impl Session {
    /// A session that shows what `hash` says, with what was stored of the last cluster.
    pub(super) fn new(hash: &str) -> Self {
        let last = store::last_cluster();
        let knowledge = Knowledge {
            cluster: RwSignal::new(ClusterView::default()),
            last_seen: RwSignal::new(last.is_some()),
            catalog: RwSignal::new(last.map(|known| Arc::new(known.catalog))),
            namespaces: RwSignal::new(NamespaceChoice::default()),
            route: RwSignal::new(Route::parse(hash)),
            table: TableModel::new(),
            notices: RwSignal::new(Vec::new()),
            core_lost: RwSignal::new(None),
            now: RwSignal::new(WebPlatform.wall_time()),
            connection: StoredValue::new_local(None),
            shown: StoredValue::new(None),
            next_view: StoredValue::new(0),
            bare: StoredValue::new(Route::parse(hash) == Route::default()),
            next_notice: StoredValue::new(0),
        };
        let session = Self(Box::leak(Box::new(knowledge)));
        session.table.wide.set(session.route.with_untracked(|route| route.wide));
        session
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

    /// Shows another resource in the same namespace, with nothing left of how the last was shown.
    pub(super) fn open(self, resource: GroupResource) {
        self.go(|route| {
            *route = Route { resource: Some(resource), namespace: route.namespace.clone(), ..Route::default() };
        });
    }

    /// Chooses a namespace; `None` for all. One that was typed is remembered for this cluster.
    pub(super) fn choose_namespace(self, namespace: Option<Namespace>) {
        let id = self.cluster_id();
        if let Some(namespace) = &namespace
            && !self.namespaces.with_untracked(|choice| choice.known.contains(namespace))
        {
            store::remember_namespace(id.as_ref(), namespace);
        }
        store::remember_last_namespace(id.as_ref(), namespace.as_ref());
        self.go(|route| route.namespace = namespace);
    }

    /// The namespaces that were typed for this cluster.
    pub(super) fn typed_namespaces(self) -> Vec<Namespace> {
        store::typed_namespaces(self.cluster_id().as_ref())
    }

    /// Asks the core for another part of the table.
    pub(super) fn ask_window(self, window: ViewWindow) {
        self.send(&ToCore::Window { view: self.table.view(), window });
    }

    /// Sorts by a column: upwards, then downwards, then not at all.
    pub(super) fn sort(self, column: String) {
        self.go(|route| {
            let same = route.sort.as_ref() == Some(&column);
            (route.sort, route.descending) = match (same, route.descending) {
                (false, _) => (Some(column), false),
                (true, false) => (Some(column), true),
                (true, true) => (None, false),
            };
        });
    }

    /// Makes the core show what the route says.
    pub(super) fn show(self) {
        let route = self.route.get_untracked();
        self.table.wide.set(route.wide);
        let Some(resource) = route.resource else { return };
        let spec = ViewSpec {
            resource,
            namespace: route.namespace,
            sort: route.sort,
            descending: route.descending,
            filter: route.filter,
            wide: route.wide,
        };
        let before = self.shown.get_value();
        if before.as_ref() == Some(&spec) {
            return;
        }
        self.shown.set_value(Some(spec.clone()));
        let before_wide = before.as_ref().is_some_and(|before| before.wide);
        let same_rows = before.is_some_and(|before| before.resource == spec.resource && before.namespace == spec.namespace);
        if same_rows {
            if before_wide == spec.wide {
                self.table.scroll_to.set(Some(0.0));
            }
            self.send(&ToCore::Arrange { view: self.table.view(), spec });
        } else {
            self.send(&ToCore::Unsubscribe { view: self.table.view() });
            self.subscribe(spec);
        }
    }

    /// Puts a text where it is seen.
    pub(super) fn notice(self, text: String) {
        let number = self.next_notice.get_value();
        self.next_notice.set_value(number.wrapping_add(1));
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
        let view = self.next_view.get_value().wrapping_add(1);
        self.next_view.set_value(view);
        self.table.begin(view, WebPlatform.wall_time());
        self.send(&ToCore::Subscribe { view, spec, window: self.table.wanted(), resumed: false });
    }

    fn cluster_id(self) -> Option<ClusterId> {
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
                // What is shown stays until the new core's first patch replaces it.
                if let Some(spec) = self.shown.get_value() {
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
            ToPage::View { view, patch } if view == self.table.view() => self.table.apply(patch),
            ToPage::Warning(text) => self.notice(text),
            // Of a view that is no longer shown; and what the connection keeps to itself.
            ToPage::View { .. } | ToPage::Welcome | ToPage::Pong(_) | ToPage::Died(_) => {}
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
            if before.id.is_some() {
                self.notice("Another cluster answers at this address now. All that was shown of the first is gone.".to_owned());
            }
        }
        if answers
            && before.phase != ClusterPhase::Here
            && self.bare.get_value()
            && let Some(namespace) = store::last_namespace(cluster.id.as_ref())
        {
            self.go(|route| route.namespace = Some(namespace));
        }
        if answers {
            self.bare.set_value(false);
        }
        self.cluster.set(cluster);
    }
}
