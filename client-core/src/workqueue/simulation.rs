//! A queue against plain lists, by chance: whatever is added, taken, done and shut down, and whenever time passes, it hands out
//! what a list does that is changed at once, and drains end exactly when all is done.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures::FutureExt as _;

use super::{Processing, WorkQueue};
use crate::platform::{BoxFuture, Chance, FakePlatform, ready};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ITEMS: u64 = 6;

/// What has to be in a queue.
#[derive(Default)]
struct Model {
    queued: Vec<u64>,
    /// Who is being processed, and whether it was added since.
    processing: BTreeMap<u64, bool>,
    /// When items that wait are due, and which of them was first.
    delayed: BTreeMap<u64, (u64, u64)>,
    seconds: u64,
    steps: u64,
    shut_down: bool,
    drain: bool,
}

impl Model {
    fn add(&mut self, item: u64) {
        if self.shut_down {
            return;
        }
        match self.processing.get_mut(&item) {
            Some(again) => *again = true,
            None if self.queued.contains(&item) => {}
            None => self.queued.push(item),
        }
    }

    fn add_after(&mut self, item: u64, seconds: u64) {
        if self.shut_down || seconds == 0 {
            return self.add(item);
        }
        let due = (self.seconds + seconds, self.steps);
        let known = self.delayed.entry(item).or_insert(due);
        if due.0 < known.0 {
            *known = due;
        }
    }

    fn pass(&mut self, seconds: u64) {
        self.seconds += seconds;
        let mut due: Vec<_> = self.delayed.iter().map(|(item, due)| (*due, *item)).collect();
        due.retain(|((at, _), _)| *at <= self.seconds);
        due.sort_unstable();
        for (_, item) in due {
            self.delayed.remove(&item);
            self.add(item);
        }
    }

    fn done(&mut self, item: u64) {
        if self.processing.remove(&item) == Some(true) {
            self.queued.push(item);
        }
    }

    fn shut_down(&mut self, drain: bool) {
        (self.shut_down, self.drain) = (true, drain);
        self.delayed.clear();
    }

    fn is_drained(&self) -> bool {
        !self.drain || self.queued.is_empty() && self.processing.is_empty()
    }
}

struct Simulation {
    seed: u64,
    chance: Chance,
    platform: FakePlatform,
    queue: WorkQueue<u64>,
    model: Model,
    held: Vec<Processing<u64>>,
    drains: Vec<BoxFuture<'static, ()>>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let platform = FakePlatform::default();
        let queue = WorkQueue::new(Arc::new(platform.clone()));
        Self { seed, chance: Chance(seed), platform, queue, model: Model::default(), held: Vec::new(), drains: Vec::new() }
    }

    fn step(&mut self) {
        self.model.steps += 1;
        let item = self.chance.below(ITEMS);
        match self.chance.below(40) {
            0..=9 => {
                self.queue.add(item);
                self.model.add(item);
            }
            10..=15 => {
                let seconds = self.chance.below(6);
                self.queue.add_after(item, Duration::from_secs(seconds));
                self.model.add_after(item, seconds);
            }
            16..=20 => {
                if self.chance.percent(50) {
                    self.platform.run();
                }
                let seconds = self.chance.below(4);
                self.platform.advance(Duration::from_secs(seconds));
                self.platform.run();
                self.model.pass(seconds);
            }
            21..=29 => self.take(),
            30..=38 => self.let_go(),
            _ if self.chance.percent(20) => {
                let drain = self.chance.percent(60);
                if drain {
                    self.drains.push(Box::pin(self.queue.shut_down_with_drain()));
                } else {
                    self.queue.shut_down();
                }
                self.model.shut_down(drain);
            }
            _ => {}
        }
        self.check();
    }

    fn take(&mut self) {
        let expected = if self.model.queued.is_empty() {
            self.model.shut_down.then_some(None)
        } else {
            let item = self.model.queued.remove(0);
            assert_eq!(self.model.processing.insert(item, false), None, "seed {}: nobody else has it", self.seed);
            Some(Some(item))
        };
        let taken = self.queue.get().now_or_never();
        assert_eq!(taken.as_ref().map(|taken| taken.as_deref().copied()), expected, "seed {}", self.seed);
        self.held.extend(taken.flatten());
    }

    fn let_go(&mut self) {
        if !self.held.is_empty() {
            let item = self.held.swap_remove(self.chance.index(self.held.len()));
            self.model.done(*item);
        }
    }

    fn check(&mut self) {
        let seed = self.seed;
        assert_eq!(self.queue.len(), self.model.queued.len(), "seed {seed}");
        assert_eq!(self.queue.is_shutting_down(), self.model.shut_down, "seed {seed}");
        assert!(self.platform.running_tasks() <= 2 && self.platform.pending_timers() <= 1, "seed {seed}");
        let drained = self.model.is_drained();
        for mut drain in std::mem::take(&mut self.drains) {
            let ended = drain.as_mut().now_or_never().is_some();
            assert_eq!(ended, drained, "seed {seed}: a drain ends exactly when all is done");
            if !ended {
                self.drains.push(drain);
            }
        }
    }

    fn finish(mut self) {
        let mut last: BoxFuture<'static, ()> = Box::pin(self.queue.shut_down_with_drain());
        self.model.shut_down(true);
        while !self.model.is_drained() {
            assert_eq!(last.as_mut().now_or_never(), None, "seed {}", self.seed);
            if self.chance.percent(50) {
                self.take();
            } else {
                self.let_go();
            }
            self.check();
        }
        ready(last);
        self.take();
        self.platform.run();
        assert_eq!((self.platform.running_tasks(), self.platform.pending_timers()), (0, 0), "seed {}", self.seed);
    }
}

#[test]
fn a_queue_hands_out_what_was_added_in_time_and_its_drains_end_when_all_is_done() {
    for seed in 0..3000 {
        let mut simulation = Simulation::new(seed);
        for _ in 0..simulation.chance.below(120) {
            simulation.step();
        }
        simulation.finish();
    }
}
