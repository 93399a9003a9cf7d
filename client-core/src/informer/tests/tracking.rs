//! Whether what the first list brought has been worked off (client-go `tools/cache/synctrack/synctrack_test.go`).

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use futures::FutureExt as _;

use super::bench::Bench;
use crate::{
    informer::synctrack::{AsyncTracker, Lazy, Pending, SingleFileTracker},
    object::Object as _,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What both kinds of trackers do.
trait Tracker: Default {
    fn start(&self);
    fn finish(&self);
    fn upstream_has_synced(&self);
    fn has_synced(&self) -> bool;
}

#[derive(Default)]
struct Single(SingleFileTracker, RefCell<Vec<Pending>>);

impl Tracker for Single {
    fn start(&self) {
        self.1.borrow_mut().push(self.0.start());
    }

    fn finish(&self) {
        assert!(self.1.borrow_mut().pop().is_some());
    }

    fn upstream_has_synced(&self) {
        self.0.upstream_has_synced();
    }

    fn has_synced(&self) -> bool {
        assert_eq!(self.0.synced().now_or_never().is_some(), self.0.has_synced());
        self.0.has_synced()
    }
}

impl Tracker for AsyncTracker<&'static str> {
    fn start(&self) {
        self.start("key");
    }

    fn finish(&self) {
        self.finished(&"key");
    }

    fn upstream_has_synced(&self) {
        self.upstream_has_synced();
    }

    fn has_synced(&self) -> bool {
        assert_eq!(self.synced().now_or_never().is_some(), self.has_synced());
        self.has_synced()
    }
}

fn tells_when_both_are_done<T: Tracker>() {
    // Whether upstream syncs, before the object is worked off, and whether that is.
    for (upstream, first, finishes) in [
        (false, false, true),
        (true, false, false),
        (true, true, false),
        (false, false, false),
        (true, false, true),
        (true, true, true),
    ] {
        let tracker = T::default();
        assert!(!tracker.has_synced());
        tracker.start();
        assert!(!tracker.has_synced());
        if upstream && first {
            tracker.upstream_has_synced();
            assert!(!tracker.has_synced());
        }
        if finishes {
            tracker.finish();
        }
        if upstream && !first {
            assert!(!tracker.has_synced());
            tracker.upstream_has_synced();
        }
        assert_eq!(tracker.has_synced(), upstream && finishes, "{upstream} {first} {finishes}");
    }
    // Nothing to do is done.
    let tracker = T::default();
    tracker.upstream_has_synced();
    assert!(tracker.has_synced());
}

#[test]
fn a_tracker_has_synced_once_upstream_has_and_all_that_was_begun_is_worked_off() {
    tells_when_both_are_done::<Single>();
    tells_when_both_are_done::<AsyncTracker<&'static str>>();
}

#[test]
fn a_tracker_counts_what_is_left_and_what_comes_later_changes_nothing() {
    let tracker = SingleFileTracker::default();
    let mut pending: Vec<_> = (0..100).map(|_| tracker.start()).collect();
    tracker.upstream_has_synced();
    while let Some(one) = pending.pop() {
        assert!(!tracker.has_synced());
        drop(one);
    }
    assert!(tracker.has_synced());
    let late = tracker.start();
    assert!(tracker.has_synced());
    drop(late);
    assert!(tracker.has_synced());
    assert_eq!(format!("{tracker:?}"), "SingleFileTracker(0 pending)");
}

#[test]
fn keys_are_worked_off_in_any_order_and_those_that_were_not_begun_do_not_count() {
    let tracker = AsyncTracker::default();
    (0..10).for_each(|key| tracker.start(key));
    // Twice the same is once.
    tracker.start(0);
    tracker.upstream_has_synced();
    let worker = tracker.clone();
    for key in (0..10).rev() {
        worker.finished(&(key + 100));
        assert!(!tracker.has_synced());
        worker.finished(&key);
    }
    assert!(tracker.has_synced());
}

#[test]
fn a_queue_behind_a_handler_is_synced_when_it_is_empty_and_not_when_the_handler_is() {
    let bench = Bench::with(&["one", "two"]);
    let informer = bench.informer();
    let tracker = SingleFileTracker::default();
    let (queue, work) = (std::sync::Arc::<std::sync::Mutex<VecDeque<_>>>::default(), tracker.clone());
    let sent = std::sync::Arc::clone(&queue);
    let handler =
        crate::informer::HandlerFuncs::<crate::object::Unstructured>::new().on_add(move |object, is_in_initial_list| {
            let pending = is_in_initial_list.then(|| work.start());
            sent.lock().unwrap().push_back((object.name().to_owned(), pending));
        });
    let registration = informer.add_event_handler(handler).unwrap();
    informer.start();
    bench.run();
    assert!(registration.has_synced());
    tracker.upstream_has_synced();
    for _ in 0..2 {
        assert!(!tracker.has_synced());
        drop(queue.lock().unwrap().pop_front().unwrap());
    }
    assert!(tracker.has_synced() && queue.lock().unwrap().is_empty());
}

#[test]
fn an_error_is_not_kept_and_the_next_who_asks_tries_again() {
    let succeeds = Rc::new(std::cell::Cell::new(false));
    let asked = Rc::clone(&succeeds);
    let value = Lazy::new(move || if asked.get() { Ok(1) } else { Err("deliberate") });
    assert_eq!(value.value(), Err("deliberate"));
    succeeds.set(true);
    // Nobody said that anything changed.
    assert_eq!(value.value(), Ok(1));
    succeeds.set(false);
    assert_eq!(value.value(), Ok(1));
    value.notify();
    assert_eq!(value.value(), Err("deliberate"));
}
