//! Both queues against a plain map, by chance: whatever is put in, and whenever the consumer takes something out, it ends with
//! what a map has that is changed at once, and each object has gone the same way.

use std::collections::BTreeMap;

use super::{
    Deleted, Delta, DeltaFifo, DeltaFifoOptions, Fifo, FifoOptions, Queue,
    testing::{Known, object, version, words},
};
use crate::{object::PartialObjectMetadata, platform::Chance, store::Key};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// What was put in or came out for an object, deletions left out: a [`DeltaFifo`] merges them.
type Ways = BTreeMap<Key, Vec<String>>;

struct Simulation<Q> {
    chance: Chance,
    queue: Q,
    /// Every object there is, changed at once.
    model: BTreeMap<&'static str, u32>,
    /// What an open list has brought.
    listed: Option<Vec<&'static str>>,
    version: u32,
    put_in: Ways,
    came_out: Ways,
    consumer: Known,
    synced: bool,
    seed: u64,
}

impl<Q: Queue<PartialObjectMetadata>> Simulation<Q> {
    fn new(seed: u64, queue: Q) -> Self {
        Self {
            chance: Chance(seed),
            queue,
            model: BTreeMap::new(),
            listed: None,
            version: 0,
            put_in: Ways::new(),
            came_out: Ways::new(),
            consumer: Known::default(),
            synced: false,
            seed,
        }
    }

    /// A new version of the object, which goes into the queue as `sign` says.
    fn apply(&mut self, sign: &str, name: &'static str) -> PartialObjectMetadata {
        self.version += 1;
        self.put_in.entry(Key::new(name)).or_default().push(format!("{sign}{name}{}", self.version));
        self.model.insert(name, self.version);
        if let Some(listed) = &mut self.listed {
            listed.push(name);
        }
        object(name, self.version)
    }

    fn remove(&mut self, name: &'static str) {
        self.model.remove(name);
        if let Some(listed) = &mut self.listed {
            listed.retain(|other| *other != name);
        }
    }

    /// `listed` is how an object of a list comes out; a whole list comes out as one delta if `atomic`.
    fn step(&mut self, listed: &str, atomic: bool) {
        let name = self.chance.of(&NAMES);
        match self.chance.below(16) {
            0 | 1 => {
                let object = self.apply("+", name);
                self.queue.add(object);
            }
            2 | 3 => {
                let object = self.apply("~", name);
                self.queue.update(object);
            }
            4 => {
                self.remove(name);
                self.version += 1;
                self.queue.delete(object(name, self.version), &self.consumer);
            }
            5 => {
                self.remove(name);
                self.queue.delete_unseen(Key::new(name), None, &self.consumer);
            }
            6 => {
                self.listed = None;
                self.model.clear();
                let names: Vec<_> = NAMES.into_iter().filter(|_| self.chance.percent(50)).collect();
                let objects: Vec<_> =
                    names.into_iter().map(|name| self.apply(if atomic { "[]" } else { listed }, name)).collect();
                self.queue.replace(objects, self.version.to_string().into(), &self.consumer);
            }
            7 if self.chance.percent(50) => {
                self.listed = Some(Vec::new());
                self.queue.begin_replace();
            }
            8..=10 if self.listed.is_some() => {
                let object = self.apply(listed, name);
                self.queue.replace_item(object);
            }
            11 => {
                if let Some(listed) = self.listed.take() {
                    self.model.retain(|name, _| listed.contains(name));
                }
                self.queue.end_replace(self.version.to_string().into(), &self.consumer);
            }
            12 if self.chance.percent(20) => {
                self.listed = None;
                self.model.clear();
                self.queue.clear(&self.consumer);
            }
            13 => self.queue.resync(&self.consumer),
            14 => self.queue.bookmark(self.version.to_string().into()),
            _ => self.take_out(),
        }
    }

    fn take_out(&mut self) {
        let seed = self.seed;
        assert_eq!(self.queue.is_empty(), self.queue.len() == 0, "seed {seed}");
        let before = self.queue.has_synced();
        let Some(popped) = self.queue.pop() else { return };
        assert_eq!(popped.is_in_initial_list, !before, "seed {seed}");
        assert!(!popped.deltas.is_empty(), "seed {seed}");
        assert!(before || !self.synced, "seed {seed}: it has synced once and for all");
        self.synced = before;
        for delta in popped.deltas {
            self.check(&delta);
            self.consumer.apply_one(delta);
        }
    }

    fn check(&mut self, delta: &Delta<PartialObjectMetadata>) {
        let seed = self.seed;
        let has = delta.key().and_then(|key| self.consumer.0.get(key));
        match delta {
            Delta::Deleted(Deleted::FinalStateUnknown { last: Some(last), .. }) => {
                assert_eq!(has, Some(last), "seed {seed}: a tombstone has the last state there was");
            }
            Delta::Deleted(_) | Delta::Bookmark(_) | Delta::SyncAll => {}
            // A resync; an object of a list has a version of its own.
            Delta::Sync(entry) if has == Some(&entry.object) => {}
            Delta::ReplacedAll { entries, .. } => {
                for entry in entries {
                    let text = format!("[]{}{}", entry.key.as_str(), version(&entry.object));
                    self.came_out.entry(entry.key.clone()).or_default().push(text);
                }
            }
            delta => {
                let text = words(std::slice::from_ref(delta));
                self.came_out.entry(delta.key().unwrap().clone()).or_default().push(text);
            }
        }
    }

    fn finish(mut self) {
        while !self.queue.is_empty() {
            self.take_out();
        }
        let seed = self.seed;
        let has: BTreeMap<_, _> = self.consumer.0.iter().map(|(key, object)| (key.as_str(), version(object))).collect();
        assert_eq!(has, self.model, "seed {seed}: the consumer ends with what there is");
        assert_eq!(self.came_out, self.put_in, "seed {seed}: nothing is lost, nothing comes twice, all is in order");
    }
}

fn run<Q: Queue<PartialObjectMetadata>>(listed: &str, atomic: bool, queue: impl Fn(&mut Chance) -> Q) {
    for seed in 0..3000 {
        let mut chance = Chance(seed);
        let queue = queue(&mut chance);
        let mut simulation = Simulation::new(chance.next(), queue);
        simulation.seed = seed;
        for _ in 0..chance.below(80) {
            simulation.step(listed, atomic);
        }
        simulation.finish();
    }
}

#[test]
fn a_fifo_with_whole_lists_brings_its_consumer_to_what_there_is() {
    run("=", true, |chance| Fifo::new(FifoOptions { batch_size: chance.index(5), ..FifoOptions::default() }));
}

#[test]
fn a_fifo_with_lists_taken_apart_brings_its_consumer_to_what_there_is() {
    run("=", false, |chance| Fifo::new(FifoOptions { atomic: false, batch_size: chance.index(5), ..FifoOptions::default() }));
}

#[test]
fn a_delta_fifo_brings_its_consumer_to_what_there_is() {
    run("=", false, |_| DeltaFifo::default());
}

#[test]
fn a_delta_fifo_that_has_listed_objects_looked_at_again_brings_its_consumer_to_what_there_is() {
    run("o", false, |_| DeltaFifo::new(DeltaFifoOptions { emit_replaced: false, ..DeltaFifoOptions::default() }));
}
