//! The core: answers pages, and keeps what they show running.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use porthole_client_core::{
    discovery::Catalog,
    host::web::{FetchTransport, WebPlatform},
    informer::{IdentityCheck, TableInformer, TableNews, TableSelector},
    meta::{ClusterId, GroupVersionResource, Namespace},
    platform::{BoxFuture, Instant, Platform},
    reflector::{Backoff, Following, Identity, Signal},
    rest::{ApiError, ListParameters, ResourcePath, RestClient},
    transport::read_to_end,
    wire::decode_list,
};
use web_sys::MessagePort;

use super::{
    cluster::{Found, find, identity, problem},
    live_view::LiveView,
    stream::{StreamKey, Streams},
};
use crate::bridge::{
    ClusterPhase, ClusterView, KnownCluster, Port, Problem, ToCore, ToPage, ViewHealth, ViewSpec, ViewWindow, await_lock,
};

/// How often discovery is asked again: an unchanged answer costs a few hundred bytes.
const DISCOVERY_PERIOD: Duration = Duration::from_secs(30);
/// The shortest time between two patches of a view: one frame.
const FLUSH_PERIOD: Duration = Duration::from_millis(16);

/// Starts a core in this thread.
pub(crate) fn start() -> Core {
    let warn: Rc<RefCell<Option<Core>>> = Rc::default();
    let platform: Arc<dyn Platform> = Arc::new(WebPlatform);
    let heard = Rc::clone(&warn);
    let client = RestClient::new(Arc::new(FetchTransport::new("")), Arc::clone(&platform)).with_warnings(move |text: &str| {
        if let Some(core) = &*heard.borrow() {
            core.tell_all(&ToPage::Warning(text.to_owned()));
        }
    });
    let now = platform.now();
    let core = Core(Rc::new(Inner {
        client,
        platform,
        tabs: RefCell::default(),
        next_tab: Cell::new(0),
        streams: RefCell::default(),
        cluster: RefCell::default(),
        catalog: RefCell::default(),
        known: RefCell::default(),
        asking: Cell::new(false),
        hurry: RefCell::default(),
        again: Cell::new(false),
        flush_at: Cell::new(now),
        flushing: Cell::new(false),
    }));
    *warn.borrow_mut() = Some(core.clone());
    core
}

/// The core. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct Core(Rc<Inner>);

struct Inner {
    client: RestClient,
    platform: Arc<dyn Platform>,
    tabs: RefCell<BTreeMap<u32, Tab>>,
    next_tab: Cell<u32>,
    streams: RefCell<Streams>,
    cluster: RefCell<ClusterView>,
    catalog: RefCell<Option<Catalog>>,
    /// What a page had stored, until the cluster has said whether it is its.
    known: RefCell<Option<KnownCluster>>,
    /// Whether the loop that asks the cluster runs.
    asking: Cell<bool>,
    /// Ends the wait of that loop.
    hurry: RefCell<Option<futures::channel::oneshot::Sender<()>>>,
    /// Whether it was to hurry while it was asking.
    again: Cell<bool>,
    flush_at: Cell<Instant>,
    flushing: Cell<bool>,
}

struct Tab {
    port: Port,
    visible: bool,
    views: BTreeMap<u32, Rc<RefCell<LiveView>>>,
}

impl Core {
    /// Serves the page at the other end of `port`.
    pub(crate) fn connect(&self, port: MessagePort) {
        let number = self.0.next_tab.get();
        self.0.next_tab.set(number.wrapping_add(1));
        let core = self.clone();
        let port = Port::new(port, move |message| core.receive(number, message));
        port.send(&ToPage::Welcome);
        self.0.tabs.borrow_mut().insert(number, Tab { port, visible: true, views: BTreeMap::new() });
    }

    /// Says the same to all pages.
    pub(crate) fn tell_all(&self, message: &ToPage) {
        for tab in self.0.tabs.borrow().values() {
            tab.port.send(message);
        }
    }

    /// Says the same to all pages, as far as that can be done in the middle of anything.
    pub(crate) fn try_tell_all(&self, message: &ToPage) {
        if let Ok(tabs) = self.0.tabs.try_borrow() {
            for tab in tabs.values() {
                tab.port.send(message);
            }
        }
    }

    fn tell(&self, tab: u32, message: &ToPage) {
        if let Some(tab) = self.0.tabs.borrow().get(&tab) {
            tab.port.send(message);
        }
    }

    fn receive(&self, tab: u32, message: ToCore) {
        match message {
            ToCore::Hello { lock, known } => self.hello(tab, &lock, known),
            ToCore::Subscribe { view, spec, window } => self.subscribe(tab, view, spec, window),
            ToCore::Arrange { view, spec } => self.arrange(tab, view, spec),
            ToCore::Window { view, window } => {
                if let Some(view) = self.view(tab, view) {
                    view.borrow_mut().set_window(window);
                    self.flush_now();
                }
            }
            ToCore::Unsubscribe { view } => {
                let gone = self.0.tabs.borrow_mut().get_mut(&tab).and_then(|tab| tab.views.remove(&view));
                if let Some(view) = gone {
                    self.detach(&view);
                    self.admit();
                }
            }
            ToCore::Namespaces => self.namespaces(tab),
            ToCore::Retry => self.signal(Signal::Retry),
            ToCore::Woken => self.signal(Signal::Woken),
            ToCore::Visible(visible) => {
                if let Some(tab) = self.0.tabs.borrow_mut().get_mut(&tab) {
                    tab.visible = visible;
                }
                if visible {
                    self.admit();
                    self.flush_now();
                }
            }
            ToCore::Ping(number) => self.tell(tab, &ToPage::Pong(number)),
            ToCore::Goodbye => self.leave_later(tab),
        }
    }

    fn hello(&self, tab: u32, lock: &str, known: Option<KnownCluster>) {
        let core = self.clone();
        await_lock(lock, move || core.leave_later(tab));
        if self.0.catalog.borrow().is_none() {
            *self.0.known.borrow_mut() = known;
        }
        self.tell(tab, &ToPage::Cluster(self.0.cluster.borrow().clone()));
        if let Some(catalog) = &*self.0.catalog.borrow() {
            self.tell(tab, &ToPage::Catalog(catalog.clone()));
        }
        if !self.0.asking.replace(true) {
            let core = self.clone();
            self.0.platform.spawn(Box::pin(async move { core.follow_cluster().await }));
        }
    }

    /// Ends all that a tab had. Not at once: its port may be the one whose listener is running.
    fn leave_later(&self, tab: u32) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let gone = core.0.tabs.borrow_mut().remove(&tab);
            for view in gone.iter().flat_map(|tab| tab.views.values()) {
                core.detach(view);
            }
            core.admit();
        }));
    }

    fn signal(&self, signal: Signal) {
        for stream in self.0.streams.borrow().iter() {
            stream.informer.signal(signal);
        }
        let hurried = self.0.hurry.borrow_mut().take().is_some_and(|hurry| hurry.send(()).is_ok());
        self.0.again.set(!hurried);
    }

    // ---- the cluster -------------------------------------------------------------------------------------

    /// Asks which cluster there is and what it has, for as long as the core lives.
    async fn follow_cluster(&self) {
        let inner = &self.0;
        let mut backoff = Backoff::default();
        loop {
            let known = self.known_catalog();
            let wait = match find(&inner.client, known).await {
                Ok(found) => {
                    backoff.reset();
                    self.found(found);
                    DISCOVERY_PERIOD
                }
                Err(error) => {
                    self.away(&error);
                    backoff.delay(inner.platform.now(), inner.platform.random()).min(Duration::from_secs(10))
                }
            };
            if inner.again.replace(false) {
                continue;
            }
            let (sender, hurry) = futures::channel::oneshot::channel();
            *inner.hurry.borrow_mut() = Some(sender);
            futures::future::select(inner.platform.sleep(wait), hurry).await;
        }
    }

    fn known_catalog(&self) -> Option<(ClusterId, Catalog)> {
        let of_now = self.0.cluster.borrow().id.clone().zip(self.0.catalog.borrow().clone());
        of_now.or_else(|| self.0.known.borrow().clone().map(|known| (known.id, known.catalog)))
    }

    fn found(&self, found: Found) {
        let inner = &self.0;
        let before = inner.cluster.borrow().clone();
        let first = inner.catalog.borrow().is_none();
        let other = !first && before.id != found.id;
        if other {
            self.forget_cluster();
        }
        let since = if before.phase == ClusterPhase::Here && !other { before.since } else { inner.platform.wall_time() };
        let cluster = ClusterView { id: found.id, version: found.version, phase: ClusterPhase::Here, since };
        if cluster != before {
            *inner.cluster.borrow_mut() = cluster.clone();
            self.tell_all(&ToPage::Cluster(cluster));
        }
        let changed = inner.catalog.borrow().as_ref() != Some(&found.catalog);
        if changed {
            self.tell_all(&ToPage::Catalog(found.catalog.clone()));
            *inner.catalog.borrow_mut() = Some(found.catalog);
            *inner.known.borrow_mut() = None;
        }
        if changed || other {
            self.admit();
            self.poke();
        }
    }

    fn away(&self, error: &ApiError) {
        let phase = ClusterPhase::Away(problem(error));
        let mut cluster = self.0.cluster.borrow_mut();
        if cluster.phase != phase {
            if !matches!(cluster.phase, ClusterPhase::Away(_)) {
                cluster.since = self.0.platform.wall_time();
            }
            cluster.phase = phase;
            self.tell_all(&ToPage::Cluster(cluster.clone()));
        }
        drop(cluster);
        self.admit();
        self.poke();
    }

    /// Drops all that was known: another cluster answers.
    fn forget_cluster(&self) {
        let inner = &self.0;
        inner.streams.borrow_mut().clear();
        *inner.catalog.borrow_mut() = None;
        *inner.known.borrow_mut() = None;
        let now = inner.platform.wall_time();
        for view in self.all_views() {
            view.borrow_mut().clear(now);
        }
    }

    fn namespaces(&self, tab: u32) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let answer = core.list_namespaces().await.map_err(|error| problem(&error));
            core.tell(tab, &ToPage::Namespaces(answer));
        }));
    }

    async fn list_namespaces(&self) -> Result<Vec<Namespace>, ApiError> {
        let resource = GroupVersionResource { group_version: core_v1(), resource: "namespaces".to_owned() };
        let path = ResourcePath::collection(&resource, None)?;
        let body = read_to_end(self.0.client.list_table(&path, &ListParameters::default()).await?).await?;
        let list = decode_list(&body, self.0.platform.wall_time())
            .map_err(|error| ApiError::Unreadable { path: path.as_str().to_owned(), message: error.to_string() })?;
        // The server lists by name.
        Ok(list.rows.iter().map(|row| Namespace::from(row.name.as_str())).collect())
    }

    // ---- views -------------------------------------------------------------------------------------------

    fn subscribe(&self, tab: u32, number: u32, spec: ViewSpec, window: ViewWindow) {
        let view = Rc::new(RefCell::new(LiveView::new(spec, window, self.0.platform.wall_time())));
        let before = self.0.tabs.borrow_mut().get_mut(&tab).and_then(|tab| tab.views.insert(number, view));
        if let Some(before) = before {
            self.detach(&before);
        }
        self.admit();
        self.poke();
    }

    fn arrange(&self, tab: u32, number: u32, spec: ViewSpec) {
        let Some(view) = self.view(tab, number) else { return };
        match self.0.streams.borrow().of_view(&view) {
            Some(stream) => stream.informer.read(|state| view.borrow_mut().arrange(spec, &state.rows)),
            None => view.borrow_mut().set_spec(spec),
        }
        self.flush_now();
    }

    fn view(&self, tab: u32, number: u32) -> Option<Rc<RefCell<LiveView>>> {
        self.0.tabs.borrow().get(&tab)?.views.get(&number).cloned()
    }

    fn all_views(&self) -> Vec<Rc<RefCell<LiveView>>> {
        self.0.tabs.borrow().values().flat_map(|tab| tab.views.values().cloned()).collect()
    }

    fn detach(&self, view: &Rc<RefCell<LiveView>>) {
        self.0.streams.borrow_mut().detach(view, self.0.platform.now());
    }

    /// Gives every view its stream, those of visible tabs first; a view for which none is left waits.
    fn admit(&self) {
        let views: Vec<_> = {
            let tabs = self.0.tabs.borrow();
            tabs.values().flat_map(|tab| tab.views.values().map(|view| (!tab.visible, Rc::clone(view)))).collect()
        };
        for turn in [false, true] {
            for (hidden, view) in views.iter().filter(|(hidden, _)| *hidden == turn) {
                if self.0.streams.borrow().of_view(view).is_none() {
                    self.admit_one(view, *hidden, &views);
                }
            }
        }
    }

    fn admit_one(&self, view: &Rc<RefCell<LiveView>>, hidden: bool, all: &[(bool, Rc<RefCell<LiveView>>)]) {
        let wall = self.0.platform.wall_time();
        let Some(spec) = view.borrow().spec().cloned() else { return };
        let catalog = self.0.catalog.borrow();
        let Some(catalog) = &*catalog else {
            // Nothing is known of the cluster: the view waits for it, and says what it waits for.
            let (since, problem) = match &*self.0.cluster.borrow() {
                ClusterView { phase: ClusterPhase::Away(problem), since, .. } => (*since, Some(problem.clone())),
                _ => (wall, None),
            };
            view.borrow_mut().set_health(ViewHealth::Loading, since, problem);
            return;
        };
        let Some(resource) = catalog.find(&spec.resource) else {
            let message = format!("the server has no resource \"{}\"", spec.resource);
            view.borrow_mut().set_health(ViewHealth::Refused, wall, Some(Problem { code: 404, message }));
            return;
        };
        let namespace = spec.namespace.filter(|_| resource.namespaced);
        view.borrow_mut().set_namespaced(resource.namespaced);
        let key = StreamKey { resource: resource.identity.clone(), namespace };
        if self.0.streams.borrow().find(&key).is_none() {
            let path = match ResourcePath::collection(&key.resource, key.namespace.as_ref()) {
                Ok(path) => path,
                Err(error) => {
                    let problem = Problem { code: 0, message: error.to_string() };
                    view.borrow_mut().set_health(ViewHealth::Refused, wall, Some(problem));
                    return;
                }
            };
            if !self.make_room(hidden, all) {
                view.borrow_mut().set_health(ViewHealth::Waiting, wall, None);
                return;
            }
            let check = Arc::new(CoreIdentity(self.clone()));
            let following = if resource.has("watch") { Following::WatchList } else { Following::List };
            let informer = TableInformer::start(self.0.client.clone(), path, TableSelector::default(), following, check);
            self.0.streams.borrow_mut().add(key.clone(), informer);
        }
        let subscription = self.0.streams.borrow().find(&key).map(|stream| {
            let (core, view) = (self.clone(), Rc::clone(view));
            stream.informer.subscribe(move |news: TableNews<'_>| {
                view.borrow_mut().take_in(&news, core.0.platform.now(), core.0.platform.wall_time());
                core.poke();
            })
        });
        if let Some(subscription) = subscription {
            self.0.streams.borrow_mut().attach(&key, Rc::clone(view), subscription);
        }
    }

    /// Makes room for a stream: by ending one nobody reads, or, for a tab that is seen, one that only hidden
    /// tabs read.
    fn make_room(&self, hidden: bool, all: &[(bool, Rc<RefCell<LiveView>>)]) -> bool {
        if self.0.streams.borrow_mut().make_room() {
            return true;
        }
        if hidden {
            return false;
        }
        let is_hidden = |view: &Rc<RefCell<LiveView>>| all.iter().any(|(hidden, other)| *hidden && Rc::ptr_eq(view, other));
        let readers: Option<Vec<_>> = {
            let streams = self.0.streams.borrow();
            let unseen = streams.iter().find(|stream| stream.readers.iter().all(|reader| is_hidden(&reader.view)));
            unseen.map(|stream| stream.readers.iter().map(|reader| Rc::clone(&reader.view)).collect())
        };
        for view in readers.iter().flatten() {
            self.detach(view);
            view.borrow_mut().clear(self.0.platform.wall_time());
        }
        self.0.streams.borrow_mut().make_room()
    }

    // ---- patches -----------------------------------------------------------------------------------------

    /// Sends what views have to say, soon.
    fn poke(&self) {
        if self.0.flushing.replace(true) {
            return;
        }
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let now = core.0.platform.now();
            let due = core.0.flush_at.get() + FLUSH_PERIOD;
            if due > now {
                core.0.platform.sleep(due.since(now)).await;
            }
            core.0.flushing.set(false);
            core.flush_now();
        }));
    }

    /// Sends what views have to say to the tabs that are seen.
    fn flush_now(&self) {
        self.0.flush_at.set(self.0.platform.now());
        for tab in self.0.tabs.borrow().values().filter(|tab| tab.visible) {
            for (number, view) in &tab.views {
                let mut view = view.borrow_mut();
                if view.is_dirty() {
                    tab.port.send(&ToPage::View { view: *number, patch: view.flush() });
                }
            }
        }
    }
}

/// Compares the cluster that answers with the one the core knows.
struct CoreIdentity(Core);

impl IdentityCheck for CoreIdentity {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        let core = self.0.clone();
        Box::pin(async move {
            let answer = identity(&core.0.client).await?;
            let known = core.0.cluster.borrow().id.clone();
            Ok(match (known, answer) {
                (Some(known), Some(answer)) if known == answer => Identity::Same,
                (Some(_), Some(_)) => {
                    // The loop that follows the cluster finds the other one, and drops all that is known.
                    core.signal(Signal::Woken);
                    Identity::Other
                }
                _ => Identity::Unknown,
            })
        })
    }
}

fn core_v1() -> porthole_client_core::meta::GroupVersion {
    porthole_client_core::meta::GroupVersion { group: String::new(), version: "v1".to_owned() }
}
