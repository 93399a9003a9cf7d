//! Random stories of a server, its faults and an informer, for what is to hold in each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::bench::{Bench, Informer, config_maps};
use crate::{
    fake::{Disturbance, Fault, FaultKind},
    informer::{Change, HandlerRegistration, InformerOptions, Intake},
    meta::Status,
    object::{Object as _, Unstructured},
    platform::Chance,
    queue::{DeltaFifo, Fifo, FifoOptions},
    reflector::{Following, ReflectorOptions, Signal},
};

pub(super) type Changes = Arc<Mutex<Vec<Change<Unstructured>>>>;

/// The versions of all objects by name.
pub(super) type Snapshot = BTreeMap<String, u64>;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// How lists get to the cache.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Any,
    /// Only such that a reader sees whole lists.
    Whole,
    /// Only that of an informer to which nothing else was said.
    Default,
}

pub(super) struct Story {
    pub(super) bench: Bench,
    pub(super) informer: Informer,
    pub(super) chance: Chance,
    /// What the server had, after each write.
    pub(super) history: Arc<Mutex<Vec<Snapshot>>>,
    now: Snapshot,
    writes: u32,
}

/// The version as the number that it is on this server.
pub(super) fn version(object: &Unstructured) -> u64 {
    object.resource_version().parse().unwrap()
}

impl Story {
    /// A story before its informer is started.
    pub(super) fn new(seed: u64, way: Way) -> Self {
        let mut chance = Chance(seed);
        let bench = Bench::with(&[]);
        bench.platform.set_seed(seed);
        if chance.percent(30) {
            bench.server.set_chunks(Some(seed));
        }
        let intake = match (way, chance.below(4)) {
            (Way::Default, _) | (_, 0 | 1) => Intake::default(),
            (_, 2) => Intake::whole(Fifo::new(FifoOptions { atomic: false, ..FifoOptions::default() })),
            (Way::Whole, _) => Intake::whole(DeltaFifo::default()),
            (Way::Any, _) => Intake::as_they_come(Fifo::default()),
        };
        let following = chance.of(&[Following::WatchList, Following::Watch]);
        let page_size = if chance.percent(30) { Some(2) } else { None };
        let reflector = ReflectorOptions { page_size, ..ReflectorOptions::following(following) };
        let informer = bench.informer_of(InformerOptions { reflector, intake, ..InformerOptions::default() });
        let mut story = Self {
            bench,
            informer,
            chance,
            history: Arc::new(Mutex::new(vec![Snapshot::new()])),
            now: Snapshot::new(),
            writes: 0,
        };
        for _ in 0..story.chance.below(8) {
            story.write();
        }
        story
    }

    fn write(&mut self) {
        let name = self.chance.of(&NAMES);
        self.writes += 1;
        if self.chance.percent(30) {
            if self.bench.remove(name) {
                self.now.remove(name);
            }
        } else {
            let made = self.bench.put(name, &self.writes.to_string());
            self.now.insert(name.to_owned(), made.as_str().parse().unwrap());
        }
        self.history.lock().unwrap().push(self.now.clone());
    }

    /// One thing happens.
    pub(super) fn step(&mut self) {
        let chance = &mut self.chance;
        let server = &self.bench.server;
        match chance.below(100) {
            0..40 => self.write(),
            40..60 => {
                for _ in 0..self.chance.below(6) {
                    self.bench.platform.turn();
                }
            }
            60..70 => self.bench.run(),
            70..78 => {
                let time = Duration::from_millis(chance.below(4000));
                self.bench.pass(time);
            }
            78..82 => server.disturb_watches(Disturbance::Break),
            82..86 => {
                let status = match chance.below(3) {
                    0 => Status::internal_error("oh"),
                    1 => Status::too_many_requests("slow down", 1),
                    _ => Status::expired("too old"),
                };
                server.disturb_watches(Disturbance::Error(Box::new(status)));
            }
            86..89 => server.end_watches(),
            89..92 => server.compact(&server.resource_version()),
            92..94 => server.send_bookmarks(),
            94..96 => server.faults().add(Fault::new(FaultKind::CutAfter(chance.index(1500))).once()),
            96..98 => {
                let refusal = FaultKind::Refuse(Box::new(Status::service_unavailable("not yet")));
                server.faults().add(Fault::new(refusal).once());
            }
            _ => {
                self.informer.signal(Signal::Suspend);
                self.bench.run();
                for _ in 0..self.chance.below(5) {
                    self.write();
                }
                self.informer.signal(Signal::Resume);
            }
        }
    }

    /// What is in the cache.
    pub(super) fn cached(&self) -> Snapshot {
        cached(&self.informer)
    }

    /// Nothing goes wrong any more, and all that is on its way arrives.
    pub(super) fn settle(&mut self) {
        self.bench.server.faults().clear();
        self.informer.signal(Signal::Retry);
        for _ in 0..10 {
            self.bench.pass(Duration::from_secs(60));
            if self.informer.has_synced() && self.cached() == self.now {
                return;
            }
        }
        panic!("the cache has {:?} and the server {:?}: {:?}", self.cached(), self.now, self.informer.health());
    }

    /// Adds a handler that keeps what it is told.
    pub(super) fn listen(&self) -> (HandlerRegistration, Changes) {
        let changes = Changes::default();
        let log = Arc::clone(&changes);
        (self.informer.on_change(move |change| log.lock().unwrap().push(change.clone())).unwrap(), changes)
    }
}

pub(super) fn cached(informer: &Informer) -> Snapshot {
    informer.indexer().list().iter().map(|object| (object.name().to_owned(), version(object))).collect()
}

/// Each change by its key, version and kind.
pub(super) fn words(changes: &[Change<Unstructured>]) -> Vec<String> {
    changes.iter().map(|change| format!("{}@{}", super::bench::word(change), change.object().resource_version())).collect()
}

/// Follows what a handler was told, which must make sense; gives back what there is at its end.
pub(super) fn replay(changes: &[Change<Unstructured>]) -> Snapshot {
    let mut there = BTreeMap::<String, Arc<Unstructured>>::new();
    let mut last = Snapshot::new();
    for change in changes {
        let name = change.object().name().to_owned();
        let told = version(change.object());
        let before = last.insert(name.clone(), told).unwrap_or_default();
        match change {
            Change::Added { object, .. } => {
                assert!(there.insert(name, Arc::clone(object)).is_none(), "{change:?} was there");
                assert!(told > before, "{change:?}: {before} then {told}");
            }
            Change::Updated { before: old, after, .. } => {
                let known = there.insert(name, Arc::clone(after));
                // A list brings what has not changed in a copy of its own.
                let known = known.map(|known| version(&known));
                assert_eq!(known, Some(version(old)), "{change:?} is not a change of what was told last");
                assert!(told > before, "{change:?}: {before} then {told}");
            }
            Change::Deleted { .. } => {
                assert!(there.remove(&name).is_some(), "{change:?} was not there");
                assert!(told >= before, "{change:?}: {before} then {told}");
            }
        }
    }
    there.into_iter().map(|(name, object)| (name, version(&object))).collect()
}

/// What the server has of one object.
pub(super) fn on_server(bench: &Bench, name: &str) -> bool {
    bench.server.get(&config_maps(), Some(&"default".into()), &name.into()).is_some()
}
