//! One thing after the other: what an informer does, in the order in which it is asked to.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, TryLockError},
};

use super::{
    Change, Intake, News, Reader,
    faults::{Faults, key_of},
    intake::TakeIn,
    latch::Latch,
    lock::lock,
    process::process,
    reader::Roll,
};
use crate::{
    object::{BadObject, Object},
    reflector::{Health, Output, Received},
    store::{Fresh, Key, SharedIndexer},
};

/// What an informer is asked to do.
pub(super) enum Task<T> {
    /// Take in what the reflector brought.
    TakeIn(Vec<Output<Received<T>>>, Health),
    /// Add a reader, which is told all there is.
    Admit(u64, Box<dyn Reader<T>>),
    /// Tell of every object again, as it is.
    Resync,
    /// Let go of the readers that have left.
    Leave,
    /// Let go of all readers: nothing more is taken in.
    Stop,
}

/// An informer's cache, and who reads it.
///
/// Whoever asks for something does it, and then what others asked for meanwhile: nobody waits for a lock while readers are called,
/// so a reader may ask for anything.
pub(super) struct Cache<T> {
    pub(super) indexer: SharedIndexer<T>,
    /// Outlives the cache with those who still have something to hand out.
    pub(super) roll: Arc<Roll>,
    /// The first whole list is in the cache, and readers have been told of it.
    pub(super) synced: Latch,
    faults: Mutex<Faults>,
    health: Mutex<Health>,
    waiting: Mutex<VecDeque<Task<T>>>,
    work: Mutex<Work<T>>,
}

/// What only the one at work touches.
struct Work<T> {
    intake: Box<dyn TakeIn<T>>,
    readers: Vec<(u64, Box<dyn Reader<T>>)>,
    /// Nothing more is taken in, so nobody is told anything more.
    stopped: bool,
}

impl<T: Object> Cache<T> {
    pub(super) fn new(indexer: SharedIndexer<T>, intake: Intake<T>, health: Health) -> Self {
        Self {
            indexer,
            roll: Arc::default(),
            synced: Latch::default(),
            faults: Mutex::default(),
            health: Mutex::new(health),
            waiting: Mutex::default(),
            work: Mutex::new(Work { intake: intake.0, readers: Vec::new(), stopped: false }),
        }
    }

    pub(super) fn health(&self) -> Health {
        lock(&self.health).clone()
    }

    pub(super) fn faults(&self) -> Vec<BadObject> {
        lock(&self.faults).iter().cloned().collect()
    }

    /// Takes a reader off: it is called no more. Gives back how many are left.
    pub(super) fn leave(&self, number: u64) -> usize {
        let left = self.roll.leave(number);
        self.ask(Task::Leave);
        left
    }

    /// Does `task`, or leaves it to who is at work.
    pub(super) fn ask(&self, task: Task<T>) {
        lock(&self.waiting).push_back(task);
        // Who was at work may have looked for more just before this came: so look again after each time.
        while !lock(&self.waiting).is_empty() {
            let mut work = match self.work.try_lock() {
                Ok(work) => work,
                // A reader panicked; its own state is its own, and the rest is whole.
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            loop {
                let next = lock(&self.waiting).pop_front();
                let Some(task) = next else { break };
                self.work(&mut work, task);
            }
        }
    }

    fn work(&self, work: &mut Work<T>, task: Task<T>) {
        match task {
            Task::TakeIn(outputs, health) => {
                for output in outputs {
                    self.take_in(&mut *work.intake, output);
                }
                lock(&self.health).clone_from(&health);
                self.tell(work, &health, false);
            }
            Task::Admit(number, mut reader) => {
                if self.roll.has(number) {
                    let changes = self.indexer.read(|indexer| {
                        let added = |(key, object): (&Key, &Arc<T>)| Change::Added {
                            key: key.clone(),
                            object: Arc::clone(object),
                            is_in_initial_list: true,
                        };
                        indexer.iter_unsorted().map(added).collect()
                    });
                    let (changes, health) = (Arc::new(changes), self.health());
                    let news = News {
                        changes: &changes,
                        health: &health,
                        cache: &self.indexer,
                        is_resync: false,
                        is_synced: work.intake.has_synced(),
                    };
                    self.call(number, &mut *reader, &news);
                    if !work.stopped {
                        work.readers.push((number, reader));
                    }
                }
            }
            Task::Resync => {
                work.intake.resync(&self.indexer);
                let health = self.health();
                self.tell(work, &health, true);
            }
            Task::Stop => {
                work.stopped = true;
                work.readers.clear();
            }
            Task::Leave => work.readers.retain(|(number, _)| self.roll.has(*number)),
        }
    }

    fn take_in(&self, intake: &mut dyn TakeIn<T>, output: Output<Received<T>>) {
        let mut faults = lock(&self.faults);
        match readable(output) {
            Ok(output) => {
                match &output {
                    Output::Begin => faults.begin(),
                    Output::Synced(_) => faults.end(),
                    Output::Clear => faults.clear(),
                    Output::Added(object) | Output::Modified(object) | Output::Deleted(object) => {
                        faults.remove(|| Key::of(&**object));
                    }
                    Output::Listed(_) | Output::Bookmark(_) => {}
                }
                intake.take_in(output, &self.indexer);
            }
            // What was there before is not what it is now.
            Err((bad, is_gone)) => {
                let key = key_of(&bad);
                intake.lose(key.clone(), &self.indexer);
                if is_gone {
                    faults.remove(|| key.clone());
                } else {
                    faults.insert(key, *bad);
                }
            }
        }
    }

    /// Brings what is queued to the cache, and then to the readers.
    fn tell(&self, work: &mut Work<T>, health: &Health, is_resync: bool) {
        let mut changes = Vec::new();
        while let Some(popped) = work.intake.pop() {
            self.indexer.write(|indexer| process(popped, indexer, &mut changes));
        }
        let is_synced = work.intake.has_synced();
        let news = News { changes: &Arc::new(changes), health, cache: &self.indexer, is_resync, is_synced };
        for (number, reader) in &mut work.readers {
            if self.roll.has(*number) {
                self.call(*number, &mut **reader, &news);
            }
        }
        if is_synced {
            self.synced.open();
        }
    }

    /// Calls a reader. One that panics is called no more, and hurts no other.
    fn call(&self, number: u64, reader: &mut dyn Reader<T>, news: &News<'_, T>) {
        if catch_unwind(AssertUnwindSafe(|| reader(news))).is_err() {
            self.roll.leave(number);
        }
    }
}

/// What the reflector brought, where its object could be read; else what is known of it, and whether it is gone.
fn readable<T>(output: Output<Received<T>>) -> Result<Output<Fresh<T>>, (Box<BadObject>, bool)> {
    let is_gone = matches!(output, Output::Deleted(_));
    let output = match output {
        Output::Listed(object) => object.map(Output::Listed),
        Output::Added(object) => object.map(Output::Added),
        Output::Modified(object) => object.map(Output::Modified),
        Output::Deleted(object) => object.map(Output::Deleted),
        Output::Begin => Ok(Output::Begin),
        Output::Bookmark(resource_version) => Ok(Output::Bookmark(resource_version)),
        Output::Synced(resource_version) => Ok(Output::Synced(resource_version)),
        Output::Clear => Ok(Output::Clear),
    };
    output.map_err(|bad| (bad, is_gone))
}
