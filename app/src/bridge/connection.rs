//! The page's side: finds a place for the core, notices when it dies, and starts another.

use std::{cell::Cell, cell::RefCell, rc::Rc, time::Duration};

use porthole_client_core::{
    host::web::WebPlatform,
    platform::{Instant, Platform as _},
};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{MessageChannel, MessagePort, SharedWorker, Worker, WorkerOptions, WorkerType};

use super::{
    Port, ToCore, ToPage,
    host::{Placement, build, hold_lock},
};
use crate::{core, session::store};

/// How often the core is asked for a sign of life.
const PING_PERIOD: Duration = Duration::from_secs(2);
/// Signs of life that may be missing before the core is taken for dead. More than one: a page that wakes up
/// runs its timers before it reads what arrived meanwhile.
const MISSED_PINGS: u32 = 3;
/// How long a core may take to say its first word.
const WELCOME_LIMIT: Duration = Duration::from_secs(20);
/// A core that lived for less than this is not started in the same place again and again.
const SHORT_LIFE: Duration = Duration::from_secs(20);

/// What the connection tells the page.
pub(crate) enum Link {
    /// A core is there: say hello, and subscribe again to all that is shown.
    Opened,
    /// It says something.
    Message(Box<ToPage>),
    /// It is gone, and another is on its way; why.
    Lost(String),
}

/// A connection to the core, whichever it is by now. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct Connection(Rc<Inner>);

struct Inner {
    report: Box<dyn Fn(Link)>,
    lock: String,
    placement: Cell<Placement>,
    port: RefCell<Option<Port>>,
    host: RefCell<Option<Host>>,
    opened: Cell<Instant>,
    welcomed: Cell<bool>,
    unanswered: Cell<u32>,
    short_lives: Cell<u32>,
    /// Which shared worker this is, of those that had to be given up.
    generation: Cell<u32>,
    /// Tells the events of this core from those of one before.
    life: Cell<u32>,
}

/// Keeps a worker and its listener.
enum Host {
    Shared { _worker: SharedWorker, _error: Closure<dyn FnMut(JsValue)> },
    Own { worker: Worker, _error: Closure<dyn FnMut(JsValue)> },
}

/// Opens a connection to a core at `placement`, or wherever one can run. `report` hears of all that happens.
pub(crate) fn connect(placement: Placement, report: impl Fn(Link) + 'static) -> Connection {
    let lock = format!("porthole-tab-{:x}-{:x}", WebPlatform.wall_time().0, (WebPlatform.random() * 4_294_967_296.0).to_bits());
    let connection = Connection(Rc::new(Inner {
        report: Box::new(report),
        lock,
        placement: Cell::new(placement),
        port: RefCell::default(),
        host: RefCell::default(),
        opened: Cell::new(WebPlatform.now()),
        welcomed: Cell::new(false),
        unanswered: Cell::new(0),
        short_lives: Cell::new(0),
        generation: Cell::new(0),
        life: Cell::new(0),
    }));
    let opened = connection.clone();
    // Not before the lock is held: a core that runs already asks for it at once, and whoever gets it takes the tab for
    // gone.
    hold_lock(connection.lock(), move || {
        opened.open();
        WebPlatform.spawn(Box::pin(async move {
            loop {
                WebPlatform.sleep(PING_PERIOD).await;
                opened.look_for_life();
            }
        }));
    });
    connection
}

impl Connection {
    /// Tells the core something; what is said while there is none is lost, and said again when one opens.
    pub(crate) fn send(&self, message: &ToCore) {
        if let Some(port) = &*self.0.port.borrow() {
            port.send(message);
        }
    }

    /// The lock that lives as long as this tab.
    pub(crate) fn lock(&self) -> &str {
        &self.0.lock
    }

    /// Where the core runs.
    pub(crate) fn placement(&self) -> Placement {
        self.0.placement.get()
    }

    fn open(&self) {
        let inner = &self.0;
        inner.life.set(inner.life.get() + 1);
        inner.opened.set(WebPlatform.now());
        inner.welcomed.set(false);
        inner.unanswered.set(0);
        loop {
            match self.start(inner.placement.get()) {
                Ok(port) => {
                    let (receiver, life) = (self.clone(), inner.life.get());
                    *inner.port.borrow_mut() = Some(Port::new(port, move |message| receiver.receive(life, message)));
                    (inner.report)(Link::Opened);
                    return;
                }
                Err(error) if inner.placement.get() == Placement::Page => {
                    (inner.report)(Link::Lost(format!("this browser gives no port to the core: {error:?}")));
                    return;
                }
                Err(error) => {
                    leptos::logging::warn!("no core at {:?}: {error:?}", inner.placement.get());
                    inner.placement.set(next(inner.placement.get()));
                }
            }
        }
    }

    fn start(&self, placement: Placement) -> Result<MessagePort, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let (address, lost) = (build(), self.clone());
        let life = self.0.life.get();
        let error = Closure::<dyn FnMut(JsValue)>::new(move |_| lost.fail_over(life, "the worker could not be started"));
        match placement {
            Placement::Shared => {
                let generation = store::worker_generation();
                self.0.generation.set(generation);
                options.set_name(&format!("porthole-{generation}"));
                let worker = SharedWorker::new_with_worker_options(&address, &options)?;
                worker.set_onerror(Some(error.as_ref().unchecked_ref()));
                let port = worker.port();
                *self.0.host.borrow_mut() = Some(Host::Shared { _worker: worker, _error: error });
                Ok(port)
            }
            Placement::Worker => {
                let worker = Worker::new_with_options(&address, &options)?;
                worker.set_onerror(Some(error.as_ref().unchecked_ref()));
                let channel = MessageChannel::new()?;
                worker.post_message_with_transfer(&channel.port2(), &js_sys::Array::of1(&channel.port2()))?;
                *self.0.host.borrow_mut() = Some(Host::Own { worker, _error: error });
                Ok(channel.port1())
            }
            Placement::Page => {
                let channel = MessageChannel::new()?;
                core::start().connect(channel.port2());
                Ok(channel.port1())
            }
        }
    }

    fn receive(&self, life: u32, message: ToPage) {
        let inner = &self.0;
        if life != inner.life.get() {
            return;
        }
        match message {
            ToPage::Welcome => inner.welcomed.set(true),
            ToPage::Pong(_) => inner.unanswered.set(0),
            ToPage::Died(reason) => self.restart(&reason),
            other => (inner.report)(Link::Message(Box::new(other))),
        }
    }

    fn look_for_life(&self) {
        let inner = &self.0;
        if inner.welcomed.get() {
            if inner.unanswered.get() >= MISSED_PINGS {
                self.restart("it gives no sign of life");
                return;
            }
            inner.unanswered.set(inner.unanswered.get() + 1);
            self.send(&ToCore::Ping(inner.life.get()));
        } else if WebPlatform.now().since(inner.opened.get()) > WELCOME_LIMIT {
            self.fail_over(inner.life.get(), "it did not start in time");
        }
    }

    /// Another core in the same place; elsewhere where cores die young.
    fn restart(&self, reason: &str) {
        let inner = &self.0;
        let young = WebPlatform.now().since(inner.opened.get()) < SHORT_LIFE;
        inner.short_lives.set(if young { inner.short_lives.get() + 1 } else { 0 });
        if inner.short_lives.get() >= 3 {
            inner.short_lives.set(0);
            self.fail_over(inner.life.get(), reason);
            return;
        }
        if inner.placement.get() == Placement::Shared {
            // One that hangs keeps its name: the next needs another, and all tabs the same.
            store::give_up_worker(inner.generation.get());
        }
        self.reopen(reason);
    }

    /// A core elsewhere.
    fn fail_over(&self, life: u32, reason: &str) {
        let inner = &self.0;
        if life == inner.life.get() && !(inner.welcomed.get() && inner.unanswered.get() == 0) {
            inner.placement.set(next(inner.placement.get()));
            self.reopen(reason);
        }
    }

    fn reopen(&self, reason: &str) {
        let inner = &self.0;
        // No event of the old core counts from here on.
        inner.life.set(inner.life.get() + 1);
        (inner.report)(Link::Lost(reason.to_owned()));
        let again = self.clone();
        // Later, and not here: the port that is dropped may be the one whose listener is running.
        WebPlatform.spawn(Box::pin(async move {
            WebPlatform.sleep(Duration::from_millis(100)).await;
            // Should the old core live after all, it must not keep streams for this tab.
            again.send(&ToCore::Goodbye);
            drop(again.0.port.borrow_mut().take());
            if let Some(Host::Own { worker, .. }) = again.0.host.borrow_mut().take() {
                worker.terminate();
            }
            again.open();
        }));
    }
}

fn next(placement: Placement) -> Placement {
    match placement {
        Placement::Shared => Placement::Worker,
        Placement::Worker | Placement::Page => Placement::Page,
    }
}
