//! The core: answers pages, and keeps what they show running.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
};

use porthole_client_core::{
    discovery::Catalog,
    host::web::{FetchTransport, WebPlatform},
    platform::{Instant, Platform, WallTime},
    reflector::Signal,
    rest::RestClient,
    transport::{ReadOnly, RequestLog, TransportLayer as _},
};
use web_sys::MessagePort;

use super::{live_view::LiveView, stream::Streams};
use crate::bridge::{ClusterView, KnownCluster, Port, ToCore, ToPage, await_lock, is_shared};

/// Starts a core in this thread.
pub(crate) fn start() -> Core {
    let warn: Rc<RefCell<Option<Core>>> = Rc::default();
    let platform: Arc<dyn Platform> = Arc::new(WebPlatform);
    let heard = Rc::clone(&warn);
    let (log, read_only) = (RequestLog::new(Arc::clone(&platform)), ReadOnly::default());
    let transport = read_only.wrap(log.wrap(Arc::new(FetchTransport::new(""))));
    let client = RestClient::new(transport, Arc::clone(&platform)).with_warnings(move |text: &str| {
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
        streams: RefCell::new(Streams::new(is_shared())),
        cluster: RefCell::default(),
        catalog: RefCell::default(),
        known: RefCell::default(),
        asking: Cell::new(false),
        hurry: RefCell::default(),
        again: Cell::new(false),
        flush_at: Cell::new(now),
        flushing: Cell::new(false),
        next_change: Cell::new(None),
        log,
        read_only,
        telling_activity: Cell::new(false),
        counts: RefCell::default(),
        counts_at: Cell::default(),
    }));
    *warn.borrow_mut() = Some(core.clone());
    core
}

/// The core. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct Core(pub(super) Rc<Inner>);

pub(super) struct Inner {
    pub(super) client: RestClient,
    pub(super) platform: Arc<dyn Platform>,
    pub(super) tabs: RefCell<BTreeMap<u32, Tab>>,
    pub(super) next_tab: Cell<u32>,
    pub(super) streams: RefCell<Streams>,
    pub(super) cluster: RefCell<ClusterView>,
    pub(super) catalog: RefCell<Option<Catalog>>,
    /// What a page had stored, until the cluster has said whether it is its.
    pub(super) known: RefCell<Option<KnownCluster>>,
    /// Whether the loop that asks the cluster runs.
    pub(super) asking: Cell<bool>,
    /// Ends the wait of that loop.
    pub(super) hurry: RefCell<Option<futures::channel::oneshot::Sender<()>>>,
    /// Whether it was to hurry while it was asking.
    pub(super) again: Cell<bool>,
    pub(super) flush_at: Cell<Instant>,
    pub(super) flushing: Cell<bool>,
    /// When a view changes by itself, for which a timer runs.
    pub(super) next_change: Cell<Option<WallTime>>,
    /// What was asked of the server.
    pub(super) log: RequestLog,
    /// Whether nothing may be changed.
    pub(super) read_only: ReadOnly,
    pub(super) telling_activity: Cell<bool>,
    /// How many objects there are, as pages were last told, and when that was last looked at.
    pub(super) counts: RefCell<Vec<(String, u32)>>,
    pub(super) counts_at: Cell<Instant>,
}

pub(super) struct Tab {
    pub(super) port: Port,
    pub(super) visible: bool,
    pub(super) looks_at_activity: bool,
    /// Whether its person wants nothing changed.
    pub(super) read_only: bool,
    pub(super) views: BTreeMap<u32, Rc<RefCell<LiveView>>>,
}

impl Core {
    /// Serves the page at the other end of `port`.
    pub(crate) fn connect(&self, port: MessagePort) {
        let number = self.0.next_tab.get();
        self.0.next_tab.set(number.wrapping_add(1));
        let core = self.clone();
        let port = Port::new(port, move |message| core.receive(number, message));
        port.send(&ToPage::Welcome);
        self.0
            .tabs
            .borrow_mut()
            .insert(number, Tab { port, visible: true, looks_at_activity: false, read_only: false, views: BTreeMap::new() });
    }

    /// Says the same to all pages; also in the middle of a panic, when the list of pages may not be looked at.
    pub(crate) fn tell_all(&self, message: &ToPage) {
        if let Ok(tabs) = self.0.tabs.try_borrow() {
            for tab in tabs.values() {
                tab.port.send(message);
            }
        }
    }

    pub(super) fn tell(&self, tab: u32, message: &ToPage) {
        if let Some(tab) = self.0.tabs.borrow().get(&tab) {
            tab.port.send(message);
        }
    }

    fn receive(&self, tab: u32, message: ToCore) {
        match message {
            ToCore::Hello { lock, known } => self.hello(tab, &lock, known),
            ToCore::Subscribe { view, spec, window, resumed } => self.subscribe(tab, view, spec, window, resumed),
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
            ToCore::Find { text, everywhere } => self.find(tab, text, everywhere),
            ToCore::Choose { view, rows } => self.choose(tab, view, &rows),
            ToCore::Export { view, rows, format } => self.export(tab, view, rows, format),
            ToCore::Delete { view, rows } => self.delete_rows(tab, view, &rows),
            ToCore::RetryDiscovery => self.retry_discovery(),
            ToCore::Activity(on) => self.set_activity(tab, on),
            ToCore::ReadOnly(on) => self.set_read_only(tab, on),
            ToCore::Namespaces => self.namespaces(tab),
            ToCore::Retry => self.signal(Signal::Retry),
            ToCore::Woken => self.signal(Signal::Woken),
            ToCore::Visible(visible) => {
                if let Some(tab) = self.0.tabs.borrow_mut().get_mut(&tab) {
                    tab.visible = visible;
                }
                // One that is hidden may leave its stream to one that waits.
                self.admit();
                self.flush_now();
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
        self.tell(tab, &ToPage::Counts(self.0.counts.borrow().clone()));
        if let Some(catalog) = &*self.0.catalog.borrow() {
            self.tell(tab, &ToPage::Catalog(catalog.clone()));
        }
        if !self.0.asking.replace(true) {
            let core = self.clone();
            self.0.platform.spawn(Box::pin(async move { core.follow_cluster().await }));
        }
    }

    /// What one tab's person wants unchanged stays so for all: a tab that has yet to learn of it does not undo it.
    fn set_read_only(&self, tab: u32, on: bool) {
        let mut tabs = self.0.tabs.borrow_mut();
        if let Some(tab) = tabs.get_mut(&tab) {
            tab.read_only = on;
        }
        self.0.read_only.set(tabs.values().any(|tab| tab.read_only));
    }

    /// Ends all that a tab had. Not at once: its port may be the one whose listener is running.
    fn leave_later(&self, tab: u32) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let gone = core.0.tabs.borrow_mut().remove(&tab);
            for view in gone.iter().flat_map(|tab| tab.views.values()) {
                core.detach(view);
            }
            if core.0.tabs.borrow().is_empty() {
                // Nobody is left to look: a core that was given up must not keep connections.
                core.0.streams.borrow_mut().clear();
                core.signal(Signal::Woken);
            }
            core.admit();
        }));
    }

    pub(super) fn signal(&self, signal: Signal) {
        for stream in self.0.streams.borrow().iter() {
            stream.informer.signal(signal);
        }
        let hurried = self.0.hurry.borrow_mut().take().is_some_and(|hurry| hurry.send(()).is_ok());
        self.0.again.set(!hurried);
    }
}
