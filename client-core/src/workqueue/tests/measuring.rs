//! What metrics are told.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use super::*;
use crate::workqueue::{WorkQueueMetrics, WorkQueueOptions};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What was told since the last look, in words with microseconds.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Told {
    fn note(&self, word: &str, durations: &[Duration]) {
        let numbers: Vec<_> = durations.iter().map(|duration| format!(" {}", duration.as_micros())).collect();
        self.0.lock().unwrap().push(format!("{word}{}", numbers.concat()));
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl WorkQueueMetrics for Told {
    fn added(&self) {
        self.note("added", &[]);
    }

    fn taken(&self, waited: Duration) {
        self.note("taken", &[waited]);
    }

    fn done(&self, took: Duration) {
        self.note("done", &[took]);
    }

    fn unfinished(&self, total: Duration, longest: Duration) {
        self.note("unfinished", &[total, longest]);
    }

    fn retried(&self) {
        self.note("retried", &[]);
    }
}

fn measured() -> (FakePlatform, WorkQueue<&'static str>, Arc<Told>) {
    let (platform, told) = (FakePlatform::default(), Arc::new(Told::default()));
    let options = WorkQueueOptions { metrics: Some(told.clone()), ..WorkQueueOptions::default() };
    let queue = WorkQueue::with_options(Arc::new(platform.clone()), options);
    platform.run();
    (platform, queue, told)
}

#[test]
fn metrics_tell_of_adds_waits_and_work() {
    let (platform, queue, told) = measured();
    queue.add("foo");
    assert_eq!(told.take(), ["added"]);
    platform.advance(Duration::from_micros(50));
    let first = next(&queue);
    assert_eq!(told.take(), ["taken 50"]);
    (0..5).for_each(|_| queue.add("foo"));
    assert_eq!(told.take(), ["added"], "what is added again is counted once");
    platform.advance(Duration::from_micros(25));
    drop(first);
    assert_eq!(told.take(), ["done 25"]);
    let second = next(&queue);
    assert_eq!(told.take(), ["taken 25"], "it waited since it was added");
    queue.add("bar");
    platform.advance(Duration::from_micros(425));
    let other = next(&queue);
    platform.advance(Duration::from_millis(500));
    platform.run();
    assert_eq!(told.take(), ["added", "taken 425", "unfinished 1000425 500425"]);
    drop(second);
    drop(other);
    assert_eq!(told.take(), ["done 500425", "done 500000"]);
    platform.advance(Duration::from_millis(500));
    platform.run();
    assert_eq!(told.take(), ["unfinished 0 0"]);
}

#[test]
fn nothing_is_told_of_unfinished_work_after_the_shut_down() {
    let (platform, queue, told) = measured();
    queue.add("foo");
    let item = next(&queue);
    platform.advance(Duration::from_millis(500));
    platform.run();
    assert_eq!(told.take(), ["added", "taken 0", "unfinished 500000 500000"]);
    platform.advance(Duration::from_millis(500));
    queue.shut_down();
    platform.run();
    platform.advance(Duration::from_secs(3600));
    platform.run();
    assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
    queue.add("bar");
    assert!(told.take().is_empty());
    drop(item);
    assert_eq!(told.take(), ["done 3601000000"]);
}

#[test]
fn each_delay_is_a_retry() {
    let (platform, queue, told) = measured();
    queue.add_after("foo", Duration::ZERO);
    queue.add_after("bar", Duration::from_millis(1));
    queue.add_after("bar", Duration::from_millis(2));
    assert_eq!(told.take(), ["retried", "added", "retried", "retried"]);
    platform.run();
    platform.advance(Duration::from_millis(2));
    platform.run();
    assert_eq!(told.take(), ["added"]);
    platform.advance(Duration::from_millis(3));
    assert_eq!((*next(&queue), *next(&queue)), ("foo", "bar"));
    assert_eq!(told.take(), ["taken 5000", "taken 3000", "done 0", "done 0"]);
    queue.shut_down();
    queue.add_after("foo", Duration::ZERO);
    queue.add_after("foo", Duration::from_millis(1));
    assert!(told.take().is_empty());
}

#[test]
fn a_queue_that_nobody_has_tells_nothing_and_one_without_metrics_has_no_task() {
    let (platform, queue, told) = measured();
    assert_eq!(platform.running_tasks(), 1);
    drop(queue);
    platform.run();
    assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
    assert!(told.take().is_empty());
    let (platform, _queue) = super::queue::<u32>();
    assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
}

/// Panics whenever an item is added or tried again.
#[cfg(not(target_family = "wasm"))]
struct Panics;

#[cfg(not(target_family = "wasm"))]
impl WorkQueueMetrics for Panics {
    fn added(&self) {
        panic!("a test of a panic");
    }

    fn taken(&self, _waited: Duration) {}

    fn done(&self, _took: Duration) {}

    fn unfinished(&self, _total: Duration, _longest: Duration) {}

    fn retried(&self) {
        panic!("a test of a panic");
    }
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn a_measure_that_panics_keeps_no_item_from_its_time() {
    let platform = FakePlatform::default();
    let options = WorkQueueOptions { metrics: Some(Arc::new(Panics)), ..WorkQueueOptions::default() };
    let queue = WorkQueue::with_options(Arc::new(platform.clone()), options);
    for (item, seconds) in [("a", 1), ("b", 1), ("c", 2)] {
        let add = std::panic::AssertUnwindSafe(|| queue.add_after(item, Duration::from_secs(seconds)));
        assert!(std::panic::catch_unwind(add).is_err());
    }
    for there in [0, 2, 3] {
        platform.run();
        assert_eq!(queue.len(), there);
        platform.advance(Duration::from_secs(1));
    }
}
