//! The informer.

use std::{
    fmt,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use futures::{channel::mpsc, future::select, pin_mut};

use super::{
    Change, ChangeStream, EventHandler, InformerError, InformerOptions, InformerStatistics, Lister, Reader, WatchErrorHandler,
    handler::{run_handler, tell},
    latch::Latch,
    lock::lock,
    resync::{Resync, Resyncs},
    statistics::Counts,
    turn::{Cache, Task},
};
use crate::{
    meta::GroupResource,
    object::{BadObject, Object},
    platform::{Instant, MaybeSend, Platform},
    reflector::{Failure, Health, Output, Received, ReflectorOptions, Signal, Sink, Source, Traffic, drive},
    store::SharedIndexer,
};

/// One cache of a collection, and its many readers (client-go `tools/cache/shared_informer.go`, `SharedIndexInformer`). Clones are
/// the same informer. Once the last is dropped its watch ends. What it promises is said in the [module](super).
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use porthole_client_core::{
///     clients::ResourceClient,
///     fake::FakeApiServer,
///     informer::{HandlerFuncs, InformerOptions, ObjectSource, SameCluster, Selection, SharedInformer},
///     meta::GroupVersionResource,
///     object::{Object as _, Unstructured},
///     platform::FakePlatform,
/// };
///
/// let platform = FakePlatform::default();
/// let server = FakeApiServer::new(Arc::new(platform.clone()));
/// let map = |name: &str| format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
/// server.apply_json(&map("settings"))?;
///
/// let maps = ResourceClient::namespaced(server.client(), GroupVersionResource::new("", "v1", "configmaps"), "default");
/// let source = ObjectSource::<Unstructured>::new(maps, Selection::default(), Arc::new(SameCluster));
/// let informer = SharedInformer::new(Arc::new(platform.clone()), source, InformerOptions::default());
///
/// let told = Arc::new(Mutex::new(Vec::new()));
/// let log = Arc::clone(&told);
/// let handler = HandlerFuncs::new().on_add(move |object: &Arc<Unstructured>, is_in_initial_list| {
///     log.lock().unwrap().push((object.name().to_owned(), is_in_initial_list));
/// });
/// let registration = informer.add_event_handler(handler)?;
/// informer.start();
/// // A native program and a browser run tasks by themselves.
/// platform.run();
/// assert!(registration.has_synced());
///
/// server.apply_json(&map("colours"))?;
/// platform.run();
/// assert_eq!(*told.lock().unwrap(), [("settings".to_owned(), true), ("colours".to_owned(), false)]);
/// assert!(informer.lister("configmaps").namespace("default").get("colours").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SharedInformer<T: Object> {
    inner: Arc<Inner<T>>,
}

struct Inner<T: Object> {
    platform: Arc<dyn Platform>,
    cache: Arc<Cache<T>>,
    /// What it runs on, until it does.
    engine: Mutex<Option<Engine<T>>>,
    signals: mpsc::UnboundedSender<Signal>,
    resyncs: Arc<Mutex<Resyncs>>,
    started: Latch,
    /// The watch has ended, and nothing more is taken in.
    ended: Latch,
    counts: Counts,
    /// When it was made.
    since: Instant,
    /// One for each handler: it has handled its last change.
    handlers: Mutex<Vec<Latch>>,
}

struct Engine<T> {
    source: Box<dyn Source<Received<T>>>,
    reflector: ReflectorOptions,
    watch_error_handler: Option<Box<dyn WatchErrorHandler>>,
    signals: mpsc::UnboundedReceiver<Signal>,
}

/// A handler of an informer (client-go `ResourceEventHandlerRegistration`).
#[derive(Clone)]
pub struct HandlerRegistration {
    number: u64,
    /// What tells an informer from others.
    informer: usize,
    synced: Latch,
}

impl HandlerRegistration {
    /// Whether the handler has handled all that was there at its start.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.synced.is_open()
    }

    /// Ends once the handler has handled all that was there at its start.
    pub async fn synced(&self) {
        self.synced.wait().await;
    }
}

impl<T: Object> Clone for SharedInformer<T> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

/// Nobody is left who could start it: what waits for that need not wait any longer.
impl<T: Object> Drop for Inner<T> {
    fn drop(&mut self) {
        self.ended.open();
    }
}

impl<T: Object> AsRef<Self> for SharedInformer<T> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<T: Object> fmt::Debug for SharedInformer<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SharedInformer({} objects, {:?})", self.inner.cache.indexer.len(), self.health())
    }
}

impl<T: Object> SharedInformer<T> {
    /// An informer of what `source` brings. It runs once it is [started](Self::start).
    #[must_use]
    pub fn new(platform: Arc<dyn Platform>, source: impl Source<Received<T>> + 'static, options: InformerOptions<T>) -> Self {
        let InformerOptions { reflector, intake, indexer, resync_check, watch_error_handler } = options;
        let since = platform.now();
        let health = Health::starting(since);
        let cache = Arc::new(Cache::new(indexer, intake, health));
        let (sender, signals) = mpsc::unbounded();
        let engine = Engine { source: Box::new(source), reflector, watch_error_handler, signals };
        let inner = Inner {
            platform,
            cache,
            engine: Mutex::new(Some(engine)),
            signals: sender,
            resyncs: Arc::new(Mutex::new(Resyncs::new(resync_check))),
            started: Latch::default(),
            ended: Latch::default(),
            counts: Counts::default(),
            since,
            handlers: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Starts it; gives back whether it was not started before.
    #[expect(clippy::must_use_candidate, reason = "starting again does no harm")]
    pub fn start(&self) -> bool {
        let Some(run) = self.prepare() else { return false };
        self.inner.platform.spawn(Box::pin(run));
        true
    }

    /// Runs it until it is stopped.
    ///
    /// # Errors
    /// Where it runs already.
    pub async fn run(&self) -> Result<(), InformerError> {
        let run = self.prepare().ok_or(InformerError::Started)?;
        run.await;
        Ok(())
    }

    fn prepare(&self) -> Option<impl Future<Output = ()> + MaybeSend + use<T>> {
        let Engine { mut source, reflector, watch_error_handler, signals } = lock(&self.inner.engine).take()?;
        self.inner.started.open();
        let (platform, cache, ended) =
            (Arc::clone(&self.inner.platform), Arc::clone(&self.inner.cache), self.inner.ended.clone());
        let counts = self.inner.counts.clone();
        Some(async move {
            // Also where a transform or an index panics: who waits for the end must not wait for ever.
            let end = End { cache: Arc::clone(&cache), ended };
            let mut sink = Intake { cache, counts, watch_error_handler };
            drive(platform, reflector, &mut *source, signals, &mut sink).await;
            drop(end);
        })
    }

    /// Ends its watch. What handlers have not handled yet they still do.
    pub fn stop(&self) {
        self.inner.signals.close_channel();
        if lock(&self.inner.engine).take().is_some() {
            self.inner.cache.ask(Task::Stop);
            self.inner.ended.open();
        }
    }

    /// Ends once it is stopped and every handler has handled its last change.
    pub async fn stopped(&self) {
        self.inner.ended.wait().await;
        let handlers = lock(&self.inner.handlers).clone();
        for handler in handlers {
            handler.wait().await;
        }
    }

    /// Whether it was started, whatever came of it.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.inner.started.is_open()
    }

    /// Whether its watch has ended.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.inner.ended.is_open()
    }

    /// Whether the first whole list is in the cache.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.inner.cache.synced.is_open()
    }

    /// Ends once the first whole list is in the cache.
    pub async fn synced(&self) {
        self.inner.cache.synced.wait().await;
    }

    /// Ends once the first whole list is in the cache, with true, or once none will be, with false.
    pub async fn synced_or_ended(&self) -> bool {
        let (synced, ended) = (self.synced(), self.inner.ended.wait());
        pin_mut!(synced, ended);
        select(synced, ended).await;
        self.has_synced()
    }

    /// How its watch is.
    #[must_use]
    pub fn health(&self) -> Health {
        self.inner.cache.health()
    }

    /// What it costs so far.
    #[must_use]
    pub fn statistics(&self) -> InformerStatistics {
        self.inner.counts.statistics(self.inner.cache.indexer.len(), self.inner.since)
    }

    /// The objects that could not be read.
    #[must_use]
    pub fn faults(&self) -> Vec<BadObject> {
        self.inner.cache.faults()
    }

    /// The cache.
    #[must_use]
    pub fn indexer(&self) -> &SharedIndexer<T> {
        &self.inner.cache.indexer
    }

    /// What reads the cache by name, namespace and labels; `resource` is what it calls what it does not find.
    #[must_use]
    pub fn lister(&self, resource: impl Into<GroupResource>) -> Lister<T> {
        Lister::new(self.inner.cache.indexer.clone(), resource)
    }

    /// Tells its reflector something.
    pub fn signal(&self, signal: Signal) {
        // One that has ended needs no telling.
        self.inner.signals.unbounded_send(signal).ok();
    }

    /// Adds a reader, which is called at once with what is known as if all of it were new; from within another reader, after its
    /// turn. The number takes it off again. Where the informer has stopped it is called that once.
    pub fn subscribe(&self, reader: impl Reader<T>) -> u64 {
        let number = self.inner.cache.roll.enter();
        self.inner.cache.ask(Task::Admit(number, Box::new(reader)));
        number
    }

    /// Takes a reader off, if it has not left before: it is called no more. Gives back how many are left.
    #[expect(clippy::must_use_candidate, reason = "few need to know how many are left")]
    pub fn unsubscribe(&self, number: u64) -> usize {
        self.inner.cache.leave(number)
    }
}

impl<T: Object> SharedInformer<T> {
    /// What happens to the objects, for one who takes it at its own pace; what is there already comes first.
    ///
    /// # Errors
    /// Where the informer has stopped.
    pub fn changes(&self) -> Result<ChangeStream<T>, InformerError> {
        self.follow(Duration::ZERO)
    }

    /// Adds a handler, which is told what is there already first.
    ///
    /// # Errors
    /// Where the informer has stopped.
    pub fn add_event_handler(&self, handler: impl EventHandler<T>) -> Result<HandlerRegistration, InformerError> {
        self.add_event_handler_with_resync(handler, Duration::ZERO)
    }

    /// The same, and each object is told of again about once a `period`, unless that is zero.
    ///
    /// # Errors
    /// Where the informer has stopped.
    pub fn add_event_handler_with_resync(
        &self,
        mut handler: impl EventHandler<T>,
        period: Duration,
    ) -> Result<HandlerRegistration, InformerError> {
        self.handle(period, move |change| tell(&mut handler, change))
    }

    /// Adds a function that is called with each change, as a handler is.
    ///
    /// # Errors
    /// Where the informer has stopped.
    pub fn on_change(&self, handle: impl FnMut(&Change<T>) + MaybeSend + 'static) -> Result<HandlerRegistration, InformerError> {
        self.handle(Duration::ZERO, handle)
    }

    /// Takes a handler off: what it has not handled yet it does not. One that was taken off before, or is of another informer, is
    /// passed over.
    pub fn remove_event_handler(&self, registration: &HandlerRegistration) {
        if registration.informer == self.id() {
            self.inner.cache.leave(registration.number);
            lock(&self.inner.resyncs).remove(registration.number);
        }
    }

    fn handle(
        &self,
        period: Duration,
        handle: impl FnMut(&Change<T>) + MaybeSend + 'static,
    ) -> Result<HandlerRegistration, InformerError> {
        let changes = self.follow(period)?;
        let registration = HandlerRegistration { number: changes.number, informer: self.id(), synced: changes.synced.clone() };
        let (platform, done) = (Arc::clone(&self.inner.platform), Latch::default());
        let mut handlers = lock(&self.inner.handlers);
        handlers.retain(|handler| !handler.is_open());
        handlers.push(done.clone());
        drop(handlers);
        self.inner.platform.spawn(Box::pin(async move {
            run_handler(platform, changes, handle).await;
            done.open();
        }));
        Ok(registration)
    }

    fn follow(&self, period: Duration) -> Result<ChangeStream<T>, InformerError> {
        if self.is_stopped() {
            return Err(InformerError::Stopped);
        }
        let due = Arc::new(AtomicBool::new(false));
        let changes = ChangeStream::new(&self.inner.cache, Arc::clone(&due));
        if !period.is_zero() {
            self.resync(changes.number, period, due);
        }
        Ok(changes)
    }

    fn resync(&self, number: u64, period: Duration, due: Arc<AtomicBool>) {
        let inner = &self.inner;
        let started = inner.started.is_open();
        let next = started.then(|| inner.platform.now() + period);
        if !lock(&inner.resyncs).add(Resync { number, period, next, due }, started) {
            return;
        }
        let (platform, cache) = (Arc::clone(&inner.platform), Arc::downgrade(&inner.cache));
        let (resyncs, started, ended) = (Arc::clone(&inner.resyncs), inner.started.clone(), inner.ended.clone());
        inner.platform.spawn(Box::pin(async move {
            let look = async move {
                started.wait().await;
                lock(&resyncs).start(platform.now());
                loop {
                    let Some(check) = lock(&resyncs).check() else { return };
                    platform.sleep(check).await;
                    let Some(cache) = cache.upgrade() else { return };
                    if lock(&resyncs).mark(platform.now()) {
                        cache.ask(Task::Resync);
                    }
                }
            };
            let end = ended.wait();
            pin_mut!(look, end);
            select(look, end).await;
        }));
    }

    fn id(&self) -> usize {
        Arc::as_ptr(&self.inner).addr()
    }
}

/// Ends an informer when it is dropped.
struct End<T: Object> {
    cache: Arc<Cache<T>>,
    ended: Latch,
}

impl<T: Object> Drop for End<T> {
    fn drop(&mut self) {
        self.cache.ask(Task::Stop);
        self.ended.open();
    }
}

/// Takes what the reflector brings to the cache.
struct Intake<T> {
    cache: Arc<Cache<T>>,
    counts: Counts,
    watch_error_handler: Option<Box<dyn WatchErrorHandler>>,
}

impl<T: Object> Sink<Received<T>> for Intake<T> {
    fn take(&mut self, outputs: Vec<Output<Received<T>>>, health: &Health) {
        self.cache.ask(Task::TakeIn(outputs, health.clone()));
    }

    fn failed(&mut self, failure: &Failure) {
        if let Some(handler) = &mut self.watch_error_handler {
            handler(failure);
        }
    }

    fn count(&mut self, traffic: &Traffic) {
        self.counts.add(traffic);
    }
}
