//! How a queue is shut down.

use super::*;
use crate::platform::is_ready;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A queue two of whose items are processed.
fn busy() -> (WorkQueue<&'static str>, Vec<Processing<&'static str>>) {
    let (_, queue) = queue();
    queue.add("foo");
    queue.add("bar");
    let items = vec![next(&queue), next(&queue)];
    (queue, items)
}

#[test]
fn a_drain_ends_when_all_that_is_processed_is_done() {
    let (queue, mut items) = busy();
    let mut drain = Box::pin(queue.shut_down_with_drain());
    assert!(queue.is_shutting_down() && !is_ready(&mut drain));
    assert!(ready(queue.get()).is_none(), "who has nothing to do is told so meanwhile");
    items.pop();
    assert!(!is_ready(&mut drain));
    items.pop();
    assert!(is_ready(&mut drain));
}

#[test]
fn a_shut_down_waits_for_nobody() {
    let (queue, items) = busy();
    queue.clone().shut_down();
    assert!(queue.is_shutting_down() && ready(queue.get()).is_none());
    assert_eq!(items.len(), 2);
}

#[test]
fn a_shut_down_ends_a_drain_that_waits() {
    let (queue, items) = busy();
    let (mut drain, mut other) = (Box::pin(queue.shut_down_with_drain()), Box::pin(queue.shut_down_with_drain()));
    assert!(!is_ready(&mut drain) && !is_ready(&mut other));
    assert!(ready(queue.get()).is_none());
    queue.shut_down();
    assert!(is_ready(&mut drain) && is_ready(&mut other));
    drop(items);
}

#[test]
fn a_drain_waits_for_what_was_added_again_while_it_was_processed() {
    let (_, queue) = queue();
    queue.add("foo");
    let first = next(&queue);
    queue.add("foo");
    let mut drain = Box::pin(queue.shut_down_with_drain());
    assert!(!is_ready(&mut drain) && ready(queue.get()).is_none());
    drop(first);
    assert!(!is_ready(&mut drain));
    let again = next(&queue);
    assert!(!is_ready(&mut drain));
    drop(again);
    assert!(ready(queue.get()).is_none() && is_ready(&mut drain));
}

#[test]
fn a_drain_waits_for_what_is_queued_though_nobody_processes_anything() {
    let (_, queue) = queue();
    queue.add("foo");
    let mut drain = Box::pin(queue.shut_down_with_drain());
    assert!(!is_ready(&mut drain));
    drop(next(&queue));
    assert!(is_ready(&mut drain));
    assert!(is_ready(&mut Box::pin(queue.shut_down_with_drain())), "there is nothing left");
}

#[test]
fn a_drain_shuts_down_from_the_call_on_and_whether_it_is_awaited_or_not() {
    let (_, queue) = queue();
    drop(queue.shut_down_with_drain());
    queue.add("late");
    assert!(ready(queue.get()).is_none());
}

#[test]
fn workers_that_wait_are_told_of_the_shut_down() {
    let (_, queue) = queue::<u32>();
    let mut waiting: Vec<_> = (0..10).map(|_| Box::pin(async { assert!(queue.get().await.is_none()) })).collect();
    assert!(!waiting.iter_mut().any(is_ready));
    queue.shut_down();
    assert!(waiting.iter_mut().all(is_ready));
}
