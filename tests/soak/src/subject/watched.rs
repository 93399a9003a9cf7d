//! An informer with a reader and a handler that check what they are told.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use porthole_client_core::{
    clients::{ResourceClient, TableClient},
    informer::{
        Change, InformerError, InformerOptions, Intake, News, ObjectSource, SameCluster, Selection, SharedInformer, TableInformer,
    },
    object::Object,
    platform::{MaybeSend, MaybeSync},
    queue::{DeltaFifo, Fifo},
    reflector::{BackoffOptions, HealthState, ReflectorOptions, Signal},
    rest::{PathError, RestClient},
    store::Key,
};
use serde_json::Value;

use super::{Entry, Form, Report, counts::Counts, history::History};
use crate::plan::{Arrival, Plan};

/// Where something breaks every few seconds, client-go's waits of up to a minute would be most of the time. Those of tables stay.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// An informer under test.
pub(crate) struct Subject {
    pub(crate) plan: &'static Plan,
    counts: Arc<Counts>,
    watched: Box<dyn Watched>,
}

/// An informer of whatever form.
trait Watched: MaybeSend + MaybeSync {
    fn signal(&self, signal: Signal);
    fn report(&self, counts: &Counts, with_entries: bool) -> Report;
}

impl Subject {
    pub(crate) fn signal(&self, signal: Signal) {
        self.watched.signal(signal);
    }

    pub(crate) fn report(&self, with_entries: bool) -> Report {
        let mut report = self.watched.report(&self.counts, with_entries);
        self.plan.name.clone_into(&mut report.name);
        report
    }
}

/// Why there is no such informer.
fn because(error: impl ToString) -> String {
    error.to_string()
}

fn selection(plan: &Plan) -> Selection {
    Selection { label_selector: (!plan.selector.is_empty()).then(|| plan.selector.to_owned()), ..Selection::default() }
}

/// Follows the objects of the plan in the form `K`, from now on.
pub(crate) fn objects<K: Form>(plan: &'static Plan, client: RestClient) -> Result<Subject, String> {
    let counts = Arc::new(Counts::default());
    let platform = Arc::clone(client.platform());
    let client = ResourceClient::<K>::namespaced(client.with_observer(counts.clone()), plan.resource.path(), plan.namespace);
    let source = ObjectSource::new(client, selection(plan), Arc::new(SameCluster));
    let intake = match plan.arrival {
        Arrival::Whole => Intake::whole(Fifo::default()),
        Arrival::WholeInDeltas => Intake::whole(DeltaFifo::default()),
        Arrival::AsTheyCome => Intake::as_they_come(Fifo::default()),
        Arrival::AsTheyComeInDeltas => Intake::as_they_come(DeltaFifo::default()),
    };
    let backoff = BackoffOptions { longest: LONGEST_WAIT, ..BackoffOptions::default() };
    let reflector = ReflectorOptions { backoff, ..ReflectorOptions::following(plan.following) };
    let informer = SharedInformer::new(platform, source, InformerOptions { reflector, intake, ..InformerOptions::default() });
    let histories = Histories::of(&informer, plan, &counts).map_err(because)?;
    informer.start();
    let read = |object: &K| object.content();
    Ok(Subject { plan, counts, watched: Box::new(Objects { informer, histories, read }) })
}

/// Follows the server's table of the plan, from now on.
pub(crate) fn table(plan: &'static Plan, client: RestClient) -> Result<Subject, String> {
    let counts = Arc::new(Counts::default());
    let client = client.with_observer(counts.clone());
    let tables =
        TableClient::namespaced(client, &plan.resource.path(), plan.namespace).map_err(|error: PathError| because(error))?;
    let informer = TableInformer::new(tables, selection(plan), plan.following, Arc::new(SameCluster));
    let histories = Histories::of(informer.rows(), plan, &counts).map_err(because)?;
    informer.rows().start();
    Ok(Subject { plan, counts, watched: Box::new(Table { informer, histories }) })
}

/// What the reader and the handler of an informer were told.
struct Histories {
    reader: Arc<Mutex<History>>,
    handler: Arc<Mutex<History>>,
}

fn lock(history: &Mutex<History>) -> MutexGuard<'_, History> {
    history.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take<T: Object>(who: &str, history: &Mutex<History>, change: &Change<T>, counts: &Counts) {
    if let Err(wrong) = lock(history).take(change) {
        counts.complain(format!("{who}: {wrong}"));
    }
}

impl Histories {
    fn of<T: Object>(informer: &SharedInformer<T>, plan: &Plan, counts: &Arc<Counts>) -> Result<Self, InformerError> {
        let history = || Arc::new(Mutex::new(History::new(!plan.selector.is_empty())));
        let histories = Self { reader: history(), handler: history() };
        let (history, told) = (Arc::clone(&histories.reader), Arc::clone(counts));
        informer.subscribe(move |news: &News<'_, T>| {
            for change in news.changes.iter() {
                take("reader", &history, change, &told);
            }
            for change in news.changes.iter() {
                let (key, cached) = (change.key(), news.cache.find(change.key().as_str()));
                if !lock(&history).is(key.as_str(), cached.as_deref()) {
                    let version = cached.map(|object| object.resource_version().to_owned());
                    told.complain(format!("reader: {change:?} is told and {version:?} is in the cache"));
                }
            }
        });
        let (history, told) = (Arc::clone(&histories.handler), Arc::clone(counts));
        informer.on_change(move |change| {
            told.event();
            take("handler", &history, change, &told);
        })?;
        Ok(histories)
    }

    /// What the reader and the handler were told against what the cache has, once nothing changes any more.
    fn check<T: Object>(&self, informer: &SharedInformer<T>) -> Vec<String> {
        let mut wrong = Vec::new();
        for (who, history) in [("reader", &self.reader), ("handler", &self.handler)] {
            let history = lock(history);
            informer.indexer().read(|cache| {
                if history.len() != cache.len() {
                    wrong.push(format!("{who}: {} objects were told, {} are in the cache", history.len(), cache.len()));
                }
                let differs = |(key, object): &(&Key, &Arc<T>)| !history.is(key.as_str(), Some(&***object));
                wrong.extend(cache.iter_unsorted().filter(differs).map(|(key, object)| {
                    format!(
                        "{who}: {key} is at {} in the cache and was told as {:?}",
                        object.resource_version(),
                        history.now(key.as_str())
                    )
                }));
            });
        }
        wrong
    }
}

fn report<T: Object>(
    informer: &SharedInformer<T>,
    histories: &Histories,
    counts: &Counts,
    content: Option<impl Fn(&T) -> Result<Value, String>>,
) -> Report {
    let health = informer.health();
    let mut complaints = counts.complaints();
    complaints.extend(informer.faults().iter().map(|bad| format!("cannot be read: {bad:?}")));
    let mut entries = BTreeMap::new();
    if let Some(content) = content {
        complaints.extend(histories.check(informer));
        for object in informer.indexer().list() {
            let content = content(&object).unwrap_or_else(|error| {
                complaints.push(format!("{}: {error}", Key::of(&*object)));
                Value::Null
            });
            let (uid, resource_version) = (object.uid().to_owned(), object.resource_version().to_owned());
            entries.insert(Key::of(&*object).to_string(), Entry { uid, resource_version, content });
        }
    }
    Report {
        live: health.state == HealthState::Live,
        health: format!("{:?}: {}", health.state, health.reason),
        events: counts.events(),
        relists: counts.relists(),
        reconnects: counts.reconnects(),
        complaints,
        entries,
        ..Report::default()
    }
}

struct Objects<K: Object> {
    informer: SharedInformer<K>,
    histories: Histories,
    read: fn(&K) -> Result<Value, String>,
}

impl<K: Object> Watched for Objects<K> {
    fn signal(&self, signal: Signal) {
        self.informer.signal(signal);
    }

    fn report(&self, counts: &Counts, with_entries: bool) -> Report {
        report(&self.informer, &self.histories, counts, with_entries.then_some(self.read))
    }
}

struct Table {
    informer: TableInformer,
    histories: Histories,
}

impl Watched for Table {
    fn signal(&self, signal: Signal) {
        self.informer.signal(signal);
    }

    fn report(&self, counts: &Counts, with_entries: bool) -> Report {
        let columns = self.informer.columns();
        let cells = |row: &porthole_client_core::wire::TableRow| {
            if let Some(fault) = &row.fault {
                return Err(fault.to_string());
            }
            let texts =
                columns.iter().zip(&row.cells).map(|(column, cell)| (column.name.to_uppercase(), cell.to_string().into()));
            Ok(Value::Object(texts.collect()))
        };
        report(self.informer.rows(), &self.histories, counts, with_entries.then_some(cells))
    }
}
