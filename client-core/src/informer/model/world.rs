//! A case under way: a cluster, an informer, and everybody who listens to it.

use std::{
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use super::{
    cluster::Cluster,
    form::{Followed, Form, Parts, client},
    identity::Check,
    indexes,
    operation::Colour,
    readers::Readers,
    recorder::Problems,
    scenario::{First, Host, Identities, QueueName, Scenario},
    wire::Wire,
};
use crate::{
    informer::{FactoryOptions, IdentityCheck, InformerOptions, Intake, Selection, SharedInformer, SharedInformerFactory},
    platform::{FakePlatform, Instant, Platform},
    queue::{DeltaFifo, DeltaFifoOptions, Fifo, FifoOptions, Queue},
    reflector::{FirstList, ReflectorOptions},
    store::SharedIndexer,
};

/// A case under way.
pub(super) struct World<T: Form> {
    pub(super) scenario: Scenario,
    pub(super) platform: FakePlatform,
    pub(super) wire: Wire,
    pub(super) cluster: Cluster,
    pub(super) selection: Selection,
    identity: Arc<dyn IdentityCheck>,
    pub(super) factory: Option<SharedInformerFactory>,
    pub(super) followed: Option<Followed<T>>,
    pub(super) readers: Readers<T>,
    pub(super) problems: Problems,
    /// Lives as long as the informer does.
    pub(super) life: Weak<()>,
    pub(super) let_go: Instant,
    pub(super) was_synced: bool,
    /// The columns changed, and no row has told of it yet.
    pub(super) columns_are_news: bool,
    /// There was a handler that panics: it may be having its pause.
    pub(super) may_pause: bool,
}

impl<T: Form> World<T> {
    /// An informer that has been started, and of which no task has had a turn.
    pub(super) fn new(scenario: Scenario) -> Self {
        let platform = FakePlatform::default();
        platform.set_seed(scenario.seed);
        let cluster = populated(&platform, &scenario, 0);
        let wire = Wire::new(cluster.server.clone(), platform.clone(), scenario.streams_lists);
        let selection = Selection { label_selector: scenario.selects.then(|| "colour=red".to_owned()), ..Selection::default() };
        let identity = Arc::new(Check {
            wire: wire.clone(),
            platform: Arc::new(platform.clone()),
            identities: scenario.identity,
            known: Arc::new(Mutex::new(0)),
        });
        let problems = Problems::default();
        let mut world = Self {
            let_go: platform.now(),
            readers: Readers::new(&problems),
            scenario,
            platform,
            wire,
            cluster,
            selection,
            identity,
            factory: None,
            followed: None,
            problems,
            life: Weak::new(),
            was_synced: false,
            columns_are_news: false,
            may_pause: false,
        };
        world.factory = world.make_factory();
        world.follow();
        world
    }

    pub(super) fn informer(&self) -> Option<SharedInformer<T>> {
        self.followed.as_ref().map(|followed| followed.informer.clone())
    }

    fn client(&self) -> crate::rest::RestClient {
        client(&self.wire, Arc::new(self.platform.clone()))
    }

    fn reflector(&self) -> ReflectorOptions {
        ReflectorOptions {
            following: self.scenario.following,
            first_list: match self.scenario.first_list {
                First::Any => FirstList::Any,
                First::MostRecent => FirstList::MostRecent,
                First::Exact => FirstList::Exact(self.cluster.server.resource_version()),
                First::Forgotten => FirstList::Exact("1".into()),
            },
            page_size: self.scenario.page_size,
            internal_error_retry: Duration::from_secs(if self.scenario.retries_internal_errors { 30 } else { 0 }),
            ..ReflectorOptions::default()
        }
    }

    fn make_factory(&self) -> Option<SharedInformerFactory> {
        let Host::Factory(seconds) = self.scenario.host else { return None };
        let linger = if seconds == u64::MAX { Duration::MAX } else { Duration::from_secs(seconds) };
        let options = FactoryOptions {
            selection: self.selection.clone(),
            reflector: self.reflector(),
            linger,
            identity: Arc::clone(&self.identity),
            ..FactoryOptions::default()
        };
        Some(SharedInformerFactory::new(self.client(), options))
    }

    /// Asks for the informer and starts it.
    pub(super) fn follow(&mut self) {
        let followed = if let Some(factory) = &self.factory {
            let followed = T::of_factory(factory);
            factory.start();
            followed
        } else {
            let options = InformerOptions {
                reflector: self.reflector(),
                intake: intake(&self.scenario),
                indexer: SharedIndexer::new(indexes::at_the_start()),
                ..InformerOptions::default()
            };
            let followed = T::informer(Parts {
                scenario: &self.scenario,
                client: self.client(),
                selection: self.selection.clone(),
                identity: Arc::clone(&self.identity),
                options,
            });
            followed.informer.start();
            followed
        };
        if self.life.strong_count() == 0 {
            let life = Arc::new(());
            self.life = Arc::downgrade(&life);
            followed.informer.subscribe(move |_news: &crate::informer::News<'_, T>| drop(Arc::clone(&life)));
            self.readers = Readers::new(&self.problems);
            self.was_synced = false;
        }
        self.followed = Some(followed);
    }

    /// Another cluster comes to the address, after all that is on its way has come. Says whether one may.
    pub(super) fn replace_cluster(&mut self) -> bool {
        if self.scenario.identity == Identities::Same {
            return false;
        }
        let next = populated(&self.platform, &self.scenario, self.wire.cluster() + 1);
        let last = std::mem::replace(&mut self.cluster, next);
        self.wire.replace(self.cluster.server.clone());
        last.server.disturb_watches(crate::fake::Disturbance::Break);
        self.columns_are_news = true;
        true
    }
}

/// The cluster of this number, with objects. Its versions may be ahead of those of another, or behind them.
fn populated(platform: &FakePlatform, scenario: &Scenario, number: u64) -> Cluster {
    let seed = scenario.seed ^ (number.wrapping_add(1) << 20);
    let mut cluster = Cluster::new(platform, seed, scenario.watch_cache);
    for _ in 0..seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59 {
        cluster.write_elsewhere();
    }
    for object in 0..scenario.objects {
        cluster.write(object, [Colour::Red, Colour::Blue, Colour::None][object % 3]);
    }
    if scenario.chunks {
        cluster.server.set_chunks(Some(seed));
    }
    if scenario.first_list == First::Forgotten {
        cluster.server.compact(&cluster.server.resource_version());
    }
    cluster
}

fn intake<T: Form>(scenario: &Scenario) -> Intake<T> {
    fn through<T: Form>(whole: bool, queue: impl Queue<T> + 'static) -> Intake<T> {
        if whole { Intake::whole(queue) } else { Intake::as_they_come(queue) }
    }
    let whole = scenario.whole;
    match scenario.queue {
        QueueName::Fifo => through(whole, Fifo::default()),
        QueueName::FifoAtomic => through(whole, Fifo::new(FifoOptions { atomic: true, ..FifoOptions::default() })),
        QueueName::FifoOneByOne => through(whole, Fifo::new(FifoOptions { batch_size: 1, ..FifoOptions::default() })),
        QueueName::Delta => through(whole, DeltaFifo::default()),
        QueueName::DeltaWithoutReplaced => {
            through(whole, DeltaFifo::new(DeltaFifoOptions { emit_replaced: false, ..DeltaFifoOptions::default() }))
        }
    }
}
