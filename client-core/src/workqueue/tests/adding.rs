//! What is added, and in which order it comes.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use futures::FutureExt as _;

use super::*;
use crate::workqueue::{Order, WorkQueueOptions};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// First in, first out, and what was touched.
#[derive(Default)]
struct Traced {
    queue: VecDeque<&'static str>,
    touched: Arc<Mutex<Vec<&'static str>>>,
}

impl Order<&'static str> for Traced {
    fn push(&mut self, item: &'static str) {
        self.queue.push_back(item);
    }

    fn pop(&mut self) -> Option<&'static str> {
        self.queue.pop_front()
    }

    fn touch(&mut self, item: &&'static str) {
        self.touched.lock().unwrap().push(item);
    }
}

fn ordered<T: WorkItem>(order: impl Order<T>) -> WorkQueue<T> {
    let options = WorkQueueOptions { order: Box::new(order), ..WorkQueueOptions::default() };
    WorkQueue::with_options(Arc::new(FakePlatform::default()), options)
}

#[test]
fn the_length_counts_each_item_that_is_queued_once() {
    let (_, queue) = queue();
    assert!(queue.is_empty());
    for (item, length) in [("foo", 1), ("bar", 2), ("foo", 2)] {
        queue.add(item);
        assert_eq!((queue.len(), queue.is_empty()), (length, false));
    }
    let first = next(&queue);
    assert_eq!((*first, queue.len()), ("foo", 1));
    queue.add("foo");
    assert_eq!(queue.len(), 1);
    drop(first);
    assert_eq!(queue.len(), 2);
}

#[test]
fn items_come_in_the_order_in_which_they_were_added() {
    let (_, queue) = queue();
    (0..100).for_each(|item| queue.add(item));
    assert!((0..100).all(|item| *next(&queue) == item));
}

#[test]
fn an_item_that_is_added_while_it_is_processed_comes_again() {
    let (_, queue) = queue();
    queue.add("foo");
    let item = next(&queue);
    queue.add(*item);
    drop(item);
    let again = next(&queue);
    assert_eq!(*again, "foo");
    drop(again);
    assert_eq!((queue.len(), queue.get().now_or_never().is_none()), (0, true));
}

#[test]
fn an_item_that_is_added_twice_comes_once_and_its_order_is_told() {
    let order = Traced::default();
    let touched = Arc::clone(&order.touched);
    let queue = ordered(order);
    queue.add("bar");
    assert!(touched.lock().unwrap().is_empty());
    queue.add("bar");
    assert_eq!(*next(&queue), "bar");
    assert_eq!(queue.len(), 0);
    assert_eq!(*touched.lock().unwrap(), ["bar"]);
}

#[test]
fn an_item_that_is_added_twice_while_it_is_processed_comes_once_more_and_only_then() {
    let order = Traced::default();
    let touched = Arc::clone(&order.touched);
    let queue = ordered(order);
    queue.add("foo");
    let first = next(&queue);
    queue.add("foo");
    queue.add("foo");
    let mut second = Box::pin(queue.get());
    assert!(second.as_mut().now_or_never().is_none());
    drop(first);
    assert_eq!(ready(second).as_deref(), Some(&"foo"));
    assert_eq!(queue.len(), 0);
    assert!(touched.lock().unwrap().is_empty());
}

/// Hands out each item twice, and one that nobody added.
struct Faulty(Vec<u32>);

impl Order<u32> for Faulty {
    fn push(&mut self, item: u32) {
        self.0.extend([item, item, 1000]);
    }

    fn pop(&mut self) -> Option<u32> {
        self.0.pop()
    }
}

#[test]
fn an_order_that_is_wrong_hands_out_nothing_twice_at_once_and_makes_nothing_up() {
    let queue = ordered(Faulty(Vec::new()));
    queue.add(1);
    queue.add(2);
    let held = [next(&queue), next(&queue)];
    assert_eq!(held.each_ref().map(|item| **item), [2, 1]);
    assert!(queue.get().now_or_never().is_none());
    drop(held);
    queue.shut_down();
    assert!(ready(queue.get()).is_none());
}

/// Equal by its name; counts who has it.
#[derive(Clone, Debug)]
struct Named(&'static str, Arc<()>);

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Named {}

impl std::hash::Hash for Named {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[test]
fn a_queue_keeps_nothing_of_an_item_that_is_done() {
    let (platform, queue) = queue();
    let first = Named("a", Arc::new(()));
    let held = |item: &Named| Arc::strong_count(&item.1) - 1;
    queue.add(first.clone());
    assert_eq!(held(&first), 2, "one in its place, one in the order");
    queue.add(first.clone());
    assert_eq!(held(&first), 2);
    let item = next(&queue);
    queue.add(first.clone());
    assert_eq!(held(&first), 2);
    drop(item);
    drop(next(&queue));
    assert_eq!(held(&first), 0);
    queue.add_after(first.clone(), std::time::Duration::from_secs(1));
    queue.add_after(first.clone(), std::time::Duration::from_secs(2));
    assert_eq!(held(&first), 2);
    platform.run();
    platform.advance(std::time::Duration::from_secs(3));
    platform.run();
    drop(next(&queue));
    assert_eq!(held(&first), 0);
}
