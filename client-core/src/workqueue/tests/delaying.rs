//! Items that come later.

use std::{sync::Mutex, time::Duration};

use futures::FutureExt as _;

use super::*;
use crate::platform::{Chance, Platform as _};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn milliseconds(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Lets the queue see what time it is after `by`.
fn pass(platform: &FakePlatform, by: u64) {
    platform.run();
    platform.advance(milliseconds(by));
    platform.run();
}

/// All that is queued.
fn all<T: WorkItem>(queue: &WorkQueue<T>) -> Vec<T> {
    std::iter::from_fn(|| queue.get().now_or_never().flatten()).map(|item| (*item).clone()).collect()
}

#[test]
fn an_item_comes_after_its_delay_and_once() {
    let (platform, queue) = queue();
    queue.add_after("foo", milliseconds(50));
    pass(&platform, 49);
    assert_eq!((queue.len(), platform.pending_timers()), (0, 1));
    pass(&platform, 1);
    assert_eq!(all(&queue), ["foo"]);
    assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0), "nothing waits, so nobody does");
    pass(&platform, 10_000);
    assert_eq!(queue.len(), 0);
}

#[test]
fn of_several_times_for_an_item_the_earliest_counts() {
    let (platform, queue) = queue();
    for (first, second) in [(50, 70), (70, 50)] {
        queue.add_after("foo", milliseconds(first));
        platform.run();
        queue.add_after("foo", milliseconds(second));
        pass(&platform, 49);
        assert!(all(&queue).is_empty());
        pass(&platform, 1);
        assert_eq!(all(&queue), ["foo"]);
        pass(&platform, 100);
        assert!(all(&queue).is_empty());
    }
}

#[test]
fn an_item_that_comes_sooner_does_not_wait_for_one_that_was_first() {
    let (platform, queue) = queue();
    queue.add_after("foo", milliseconds(1000));
    platform.run();
    queue.add_after("bar", milliseconds(50));
    pass(&platform, 60);
    assert_eq!(all(&queue), ["bar"]);
    queue.add_after("baz", milliseconds(2000));
    pass(&platform, 1000);
    assert_eq!(all(&queue), ["foo"]);
    pass(&platform, 2000);
    assert_eq!(all(&queue), ["baz"]);
}

#[test]
fn items_that_are_due_together_come_in_the_order_of_their_times() {
    let (platform, queue) = queue();
    for (item, delay) in [("foo", 1000), ("bar", 500), ("baz", 250), ("zab", 500)] {
        queue.add_after(item, milliseconds(delay));
    }
    pass(&platform, 2000);
    assert_eq!(all(&queue), ["baz", "bar", "zab", "foo"]);
}

#[test]
fn an_item_without_a_delay_comes_at_once() {
    let (platform, queue) = queue();
    queue.add_after("foo", Duration::ZERO);
    assert_eq!((queue.len(), platform.running_tasks()), (1, 0));
}

#[test]
fn an_item_that_is_added_otherwise_still_comes_at_its_time() {
    let (platform, queue) = queue();
    queue.add_after("foo", milliseconds(50));
    queue.add("foo");
    assert_eq!(all(&queue), ["foo"]);
    let held = {
        queue.add("foo");
        next(&queue)
    };
    pass(&platform, 50);
    assert_eq!(queue.len(), 0, "it is being processed");
    drop(held);
    assert_eq!(all(&queue), ["foo"]);
}

#[test]
fn workers_that_wait_are_woken_for_what_is_due() {
    let (platform, queue) = queue();
    let got = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..3 {
        let (queue, got) = (queue.clone(), Arc::clone(&got));
        platform.spawn(Box::pin(async move {
            while let Some(item) = queue.get().await {
                got.lock().unwrap().push(*item);
            }
        }));
    }
    platform.run();
    for (item, delay) in [(1, 50), (2, 50), (3, 10), (4, 60)] {
        queue.add_after(item, milliseconds(delay));
    }
    pass(&platform, 50);
    assert_eq!(*got.lock().unwrap(), [3, 1, 2]);
    pass(&platform, 10);
    assert_eq!(*got.lock().unwrap(), [3, 1, 2, 4]);
}

#[test]
fn a_hundred_thousand_items_that_wait_share_one_timer_and_none_is_lost() {
    let (platform, queue) = queue();
    let mut chance = Chance(1);
    for item in 0..100_000_u32 {
        queue.add_after(item, milliseconds(1 + chance.below(600_000)));
    }
    platform.run();
    assert_eq!((platform.running_tasks(), platform.pending_timers(), queue.len()), (1, 1, 0));
    let mut count = 0;
    for _ in 0..10 {
        pass(&platform, 60_000);
        count += all(&queue).len();
        assert!(platform.running_tasks() <= 1 && platform.pending_timers() <= 1);
    }
    assert_eq!((count, platform.running_tasks(), platform.pending_timers()), (100_000, 0, 0));
}

#[test]
fn a_queue_that_is_shut_down_forgets_what_waits_and_leaves_no_timer() {
    for drain in [false, true] {
        let (platform, queue) = queue();
        queue.add_after("foo", milliseconds(50));
        platform.run();
        if drain {
            ready(queue.shut_down_with_drain());
        } else {
            queue.shut_down();
        }
        queue.add_after("bar", milliseconds(1));
        queue.add_after("baz", Duration::ZERO);
        platform.run();
        assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
        pass(&platform, 100);
        assert!(ready(queue.get()).is_none());
    }
}

#[test]
fn a_queue_that_nobody_has_leaves_no_timer() {
    let (platform, queue) = queue();
    queue.add_after("foo", milliseconds(50));
    platform.run();
    drop(queue.clone());
    platform.run();
    assert_eq!(platform.running_tasks(), 1);
    drop(queue);
    platform.run();
    assert_eq!((platform.running_tasks(), platform.pending_timers()), (0, 0));
}

#[test]
fn the_longest_delay_there_is_never_ends() {
    let (platform, queue) = queue();
    queue.add_after("never", Duration::MAX);
    pass(&platform, 1000);
    queue.add_after("soon", milliseconds(1));
    pass(&platform, 1000);
    assert_eq!(all(&queue), ["soon"]);
}
