//! Workers and those who give them work, as tasks whose turns come by chance.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::FutureExt as _;

use super::*;
use crate::platform::Platform as _;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SEEDS: u64 = 40;
const PRODUCERS: u32 = 50;
const WORKERS: usize = 10;
const AFTER_THE_END: u32 = 1000;

/// Runs producers and workers to their end, and shuts down when the producers are done.
fn run(seed: u64, drain: bool, adds: usize, work: impl Fn(&WorkQueue<u32>, u32) + Clone + Send + 'static) {
    let (platform, queue) = queue();
    platform.set_seed(seed);
    let left = Arc::new(AtomicUsize::new(usize::try_from(PRODUCERS).unwrap()));
    for item in 0..PRODUCERS {
        let (queue, left, platform_of_producer) = (queue.clone(), Arc::clone(&left), platform.clone());
        platform.spawn(Box::pin(async move {
            for _ in 0..adds {
                queue.add(item);
                pause().await;
            }
            if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                // Workers, who are ten, have a while.
                for _ in 0..10 {
                    pause().await;
                }
                if drain {
                    platform_of_producer.spawn(Box::pin(queue.shut_down_with_drain()));
                } else {
                    queue.shut_down();
                }
                queue.add(AFTER_THE_END);
            }
        }));
    }
    let busy = Arc::new(Mutex::new(BTreeSet::new()));
    for _ in 0..WORKERS {
        let (queue, busy, work) = (queue.clone(), Arc::clone(&busy), work.clone());
        platform.spawn(Box::pin(async move {
            while let Some(item) = queue.get().await {
                assert!(busy.lock().unwrap().insert(*item), "nobody else has it");
                pause().await;
                work(&queue, *item);
                assert!(busy.lock().unwrap().remove(&*item));
            }
        }));
    }
    platform.run();
    assert_eq!((platform.running_tasks(), queue.len()), (0, 0), "seed {seed}");
}

#[test]
fn all_that_many_add_is_processed_and_nothing_that_comes_after_the_shut_down() {
    for (seed, drain) in (0..SEEDS).flat_map(|seed| [(seed, false), (seed, true)]) {
        let done = Arc::new(Mutex::new(BTreeSet::new()));
        let all = Arc::clone(&done);
        run(seed, drain, 50, move |_, item| {
            done.lock().unwrap().insert(item);
        });
        assert_eq!(*all.lock().unwrap(), (0..PRODUCERS).collect(), "seed {seed}");
    }
}

#[test]
fn what_workers_add_while_they_process_it_comes_as_often() {
    let mut thrice = 0;
    for (seed, drain) in (0..SEEDS).flat_map(|seed| [(seed, false), (seed, true)]) {
        // How often each item has come, and was added to good effect.
        let counts = Arc::new(Mutex::new(BTreeMap::new()));
        let all = Arc::clone(&counts);
        run(seed, drain, 1, move |queue, item| {
            let mut counts = counts.lock().unwrap();
            let (came, added) = counts.entry(item).or_insert((0, 1));
            *came += 1;
            // What is added once it is shut down is ignored.
            if *came < 3 && !queue.is_shutting_down() {
                queue.add(item);
                *added += 1;
            }
        });
        let all = all.lock().unwrap();
        assert!(all.len() == 50 && all.values().all(|(came, added)| came == added), "seed {seed}: {all:?}");
        thrice += all.values().filter(|(came, _)| *came == 3).count();
    }
    assert!(thrice > 1000, "most came before the shut-down: {thrice}");
}

/// Where a panic does not end everything.
#[cfg(not(target_family = "wasm"))]
#[test]
fn a_worker_that_panics_is_done_with_its_item() {
    let (_, queue) = queue();
    queue.add("a");
    let item = next(&queue);
    queue.add("a");
    let worker = std::panic::AssertUnwindSafe(|| {
        let item = item;
        std::panic::resume_unwind(Box::new(*item));
    });
    assert!(std::panic::catch_unwind(worker).is_err());
    assert_eq!(*next(&queue), "a");
}

#[test]
fn a_worker_that_gives_up_waiting_takes_nothing_and_keeps_nobody_from_it() {
    let (platform, queue) = queue();
    let got = Arc::new(Mutex::new(Vec::new()));
    let mut given_up = Box::pin(queue.get());
    assert!(given_up.as_mut().now_or_never().is_none());
    let (worker, seen) = (queue.clone(), Arc::clone(&got));
    platform.spawn(Box::pin(async move {
        while let Some(item) = worker.get().await {
            seen.lock().unwrap().push(*item);
        }
    }));
    platform.run();
    queue.add("a");
    drop(given_up);
    platform.run();
    assert_eq!(*got.lock().unwrap(), ["a"]);
    queue.shut_down();
    platform.run();
    assert_eq!(platform.running_tasks(), 0);
}

#[test]
fn an_item_can_be_held_by_a_task_and_shows_what_it_is() {
    let (platform, queue) = queue();
    queue.add("a");
    let item = next(&queue);
    assert_eq!(format!("{item:?}"), "Processing(\"a\")");
    platform.spawn(Box::pin(async move { drop(item) }));
    queue.add("a");
    assert_eq!(queue.len(), 0);
    platform.run();
    assert_eq!(queue.len(), 1);
}
