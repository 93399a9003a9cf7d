//! Everybody who listens to an informer.

use std::{
    collections::BTreeMap,
    panic::resume_unwind,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{FutureExt as _, StreamExt as _};

use super::{
    operation::Manner,
    recorder::{Problems, Recorder, Shared},
};
use crate::{
    informer::{Change, ChangeStream, EventHandler, HandlerRegistration, InformerError, News, SharedInformer},
    object::Object,
    store::Key,
};

/// Everybody who listens to one informer.
pub(super) struct Readers<T: Object> {
    problems: Problems,
    made: usize,
    pub(super) subscribed: Vec<(u64, Shared<T>)>,
    pub(super) handlers: Vec<Handler<T>>,
    pub(super) streams: Vec<(ChangeStream<T>, Shared<T>)>,
}

/// A handler, and what it has to have seen before it may say that it has all.
pub(super) struct Handler<T> {
    registration: HandlerRegistration,
    pub(super) manner: Manner,
    pub(super) record: Shared<T>,
    must_see: Vec<String>,
    /// Whether the first list was there at its start, so that it is known what it must see.
    knows: bool,
    was_synced: bool,
}

impl<T: Object> Readers<T> {
    pub(super) fn new(problems: &Problems) -> Self {
        Self { problems: problems.clone(), made: 0, subscribed: Vec::new(), handlers: Vec::new(), streams: Vec::new() }
    }

    fn record(&mut self, kind: &str, skips: bool) -> Shared<T> {
        self.made += 1;
        Arc::new(Mutex::new(Recorder::new(format!("{kind} {}", self.made), &self.problems, skips)))
    }

    pub(super) fn subscribe(&mut self, informer: &SharedInformer<T>) {
        let record = self.record("reader", false);
        let (kept, problems) = (Arc::clone(&record), self.problems.clone());
        let number = informer.subscribe(move |news: &News<'_, T>| {
            let mut record = record.lock().unwrap();
            for change in news.changes.iter() {
                record.take(change);
            }
            if record.left {
                problems.report("a reader was called after it had left");
            }
            if record.synced && !news.is_synced {
                problems.report("a reader heard that all is there, and then that it is not");
            }
            record.synced |= news.is_synced;
            if !record.equals(&news.cache.read(|cache| contents(cache.iter_unsorted()))) {
                problems.report("what a reader was told does not come to what the cache has at the moment");
            }
        });
        self.subscribed.push((number, kept));
    }

    /// Says whether there was one.
    pub(super) fn unsubscribe(&mut self, which: usize, informer: &SharedInformer<T>) -> bool {
        if self.subscribed.is_empty() {
            return false;
        }
        let (number, record) = self.subscribed.remove(which % self.subscribed.len());
        informer.unsubscribe(number);
        record.lock().unwrap().left = true;
        true
    }

    pub(super) fn handle(&mut self, manner: Manner, informer: &SharedInformer<T>) -> Result<(), InformerError> {
        let record = self.record("handler", true);
        let kept = Arc::clone(&record);
        let (knows, must_see) = (informer.has_synced(), informer.indexer().keys());
        let registration = match manner {
            Manner::Function => informer.on_change(move |change| record.lock().unwrap().take(change))?,
            Manner::Methods => informer.add_event_handler(Methods(record))?,
            Manner::Panicking => informer.on_change(move |change| {
                let told = {
                    let mut record = record.lock().unwrap();
                    record.take(change);
                    record.told
                };
                if told.is_multiple_of(3) {
                    // Past the panic hook, which would fill the terminal.
                    resume_unwind(Box::new("a handler fell over"));
                }
            })?,
            Manner::Resync(seconds) => informer.add_event_handler_with_resync(Methods(record), Duration::from_secs(seconds))?,
        };
        let must_see = must_see.iter().map(|key| key.as_str().to_owned()).collect();
        self.handlers.push(Handler { registration, manner, record: kept, must_see, knows, was_synced: false });
        Ok(())
    }

    pub(super) fn remove_handler(&mut self, which: usize, informer: &SharedInformer<T>) -> bool {
        if self.handlers.is_empty() {
            return false;
        }
        let handler = self.handlers.remove(which % self.handlers.len());
        informer.remove_event_handler(&handler.registration);
        handler.record.lock().unwrap().left = true;
        true
    }

    pub(super) fn stream(&mut self, informer: &SharedInformer<T>) -> Result<(), InformerError> {
        let record = self.record("stream", true);
        self.streams.push((informer.changes()?, record));
        Ok(())
    }

    pub(super) fn drop_stream(&mut self, which: usize) -> bool {
        if self.streams.is_empty() {
            return false;
        }
        drop(self.streams.remove(which % self.streams.len()));
        true
    }

    /// Takes up to so many changes from a stream. Says whether there was any.
    pub(super) fn poll_stream(&mut self, which: usize, most: usize) -> bool {
        let count = self.streams.len();
        if count == 0 {
            return false;
        }
        let (stream, record) = &mut self.streams[which % count];
        (0..most).filter(|_| take_one(stream, record)).count() > 0
    }

    pub(super) fn drain_streams(&mut self) {
        for (stream, record) in &mut self.streams {
            while take_one(stream, record) {}
        }
    }

    /// Whoever says that it has all really has; and never takes it back.
    pub(super) fn check_synced(&mut self, informer: &SharedInformer<T>) {
        for handler in &mut self.handlers {
            let synced = handler.registration.has_synced();
            if handler.was_synced && !synced {
                self.problems.report("a handler had all that was there at its start, and then not");
            }
            if synced && !handler.was_synced {
                let record = handler.record.lock().unwrap();
                if !informer.has_synced() || (handler.knows && !handler.must_see.iter().all(|key| record.seen.contains(key))) {
                    self.problems.report("a handler says that it has all that was there at its start, and has not");
                }
            }
            handler.was_synced = synced;
        }
    }

    /// Whether handlers that rest now and then have caught up.
    pub(super) fn handlers_are_done(&self, informer: &SharedInformer<T>) -> bool {
        let mut panicking = self.handlers.iter().filter(|handler| handler.manner == Manner::Panicking).peekable();
        if panicking.peek().is_none() {
            return true;
        }
        let cache = informer.indexer().read(|cache| contents(cache.iter_unsorted()));
        panicking.all(|handler| handler.record.lock().unwrap().equals(&cache))
    }

    /// Nobody listens any more.
    pub(super) fn let_go(&mut self) {
        *self = Self::new(&self.problems);
    }

    /// Whoever has been told all has what the cache has.
    pub(super) fn check_equal(&self, cache: &BTreeMap<String, Arc<T>>) {
        let handlers = self.handlers.iter().map(|handler| &handler.record);
        let all =
            self.subscribed.iter().map(|(_, record)| record).chain(handlers).chain(self.streams.iter().map(|(_, record)| record));
        for record in all {
            let record = record.lock().unwrap();
            if !record.equals(cache) {
                self.problems.report(format!(
                    "{} was not told of all: {:?} and not {:?}",
                    record.name(),
                    record.keys(),
                    keys(cache)
                ));
            }
        }
    }
}

fn take_one<T: Object>(stream: &mut ChangeStream<T>, record: &Shared<T>) -> bool {
    let Some(Some(change)) = stream.next().now_or_never() else { return false };
    record.lock().unwrap().take(&change);
    true
}

/// Objects by key.
pub(super) fn contents<'a, T: 'a>(objects: impl Iterator<Item = (&'a Key, &'a Arc<T>)>) -> BTreeMap<String, Arc<T>> {
    objects.map(|(key, object)| (key.as_str().to_owned(), Arc::clone(object))).collect()
}

pub(super) fn keys<T: Object>(objects: &BTreeMap<String, Arc<T>>) -> Vec<String> {
    objects.iter().map(|(key, object)| format!("{key}@{}", object.resource_version())).collect()
}

/// A handler by its methods.
struct Methods<T>(Shared<T>);

impl<T: Object> EventHandler<T> for Methods<T> {
    fn on_add(&mut self, object: &Arc<T>, is_in_initial_list: bool) {
        let key = Key::of(&**object);
        self.0.lock().unwrap().take(&Change::Added { key, object: Arc::clone(object), is_in_initial_list });
    }

    fn on_update(&mut self, before: &Arc<T>, after: &Arc<T>) {
        let key = Key::of(&**after);
        self.0.lock().unwrap().take(&Change::Updated { key, before: Arc::clone(before), after: Arc::clone(after) });
    }

    fn on_delete(&mut self, last: &Arc<T>, is_final_state_unknown: bool) {
        let key = Key::of(&**last);
        self.0.lock().unwrap().take(&Change::Deleted { key, last: Arc::clone(last), is_final_state_unknown });
    }
}
