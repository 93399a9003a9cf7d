//! Items that are queued at once.

use std::sync::Arc;

use futures::future::try_join_all;
use porthole_client_core::{store::Key, workqueue::WorkQueue};
use tokio::{
    spawn,
    sync::Notify,
    task::{JoinHandle, yield_now},
};

use super::{
    Fallible, keys,
    meter::{Cost, Meter},
    queue,
};

/// How many go through it in one run.
const ITEMS: usize = 200_000;
/// How many go through it one by one.
const SINGLE_ITEMS: usize = 20_000;
/// How many are queued while they are added again, and how often.
const KNOWN: usize = 10_000;
const TIMES: usize = 20;
/// How many a producer adds before it lets others at its thread. Go does so by itself; handlers of informers do so where they
/// wait for the next event.
const TURN: usize = 128;

/// Producers add items, each another, while workers take them and are done with them.
pub(super) async fn through(producers: usize, workers: usize) -> Fallible<Cost> {
    let queue = queue();
    let mut shares: Vec<Vec<Key>> = vec![Vec::new(); producers];
    let keys = keys(ITEMS);
    for (share, key) in (0..producers).cycle().zip(keys.iter().cloned()) {
        shares.get_mut(share).ok_or("there is no producer")?.push(key);
    }
    let meter = Meter::start()?;
    let workers: Vec<_> = (0..workers).map(|_| worker(queue.clone())).collect();
    let producers = shares.into_iter().map(|keys| producer(queue.clone(), keys));
    joined(producers).await?;
    queue.shut_down();
    let done: usize = joined(workers).await?.into_iter().sum();
    all_done(meter.stop(ITEMS)?, done)
}

/// One item after the other is added, each when the one before it was taken, to a queue whose workers wait.
pub(super) async fn one_by_one(workers: usize) -> Fallible<Cost> {
    let queue = queue();
    let keys = keys(SINGLE_ITEMS);
    let taken = Arc::new(Notify::new());
    let workers: Vec<_> = (0..workers).map(|_| telling_worker(queue.clone(), Arc::clone(&taken))).collect();
    // They begin to wait.
    for _ in 0..100 {
        yield_now().await;
    }
    let meter = Meter::start()?;
    let adding = spawn({
        let queue = queue.clone();
        async move {
            for key in keys {
                queue.add(key);
                taken.notified().await;
            }
        }
    });
    joined([adding]).await?;
    let cost = meter.stop(SINGLE_ITEMS)?;
    queue.shut_down();
    let done = joined(workers).await?.into_iter().sum();
    all_done(cost, done)
}

/// Items that are queued are added again, and again, which changes nothing.
pub(super) async fn again() -> Fallible<Cost> {
    let queue = queue();
    for key in keys(KNOWN) {
        queue.add(key);
    }
    // Whoever hears of an event makes a key for it.
    let equal: Vec<_> = (0..TIMES).flat_map(|_| keys(KNOWN)).collect();
    let _kept = equal.clone();
    let meter = Meter::start()?;
    for key in equal {
        queue.add(key);
    }
    let cost = meter.stop(KNOWN * TIMES)?;
    let queued = queue.len();
    if queued == KNOWN { Ok(cost) } else { Err(format!("{queued} of {KNOWN} items are queued")) }
}

/// Takes items until there are no more; gives back how many.
fn worker(queue: WorkQueue<Key>) -> JoinHandle<usize> {
    spawn(async move {
        let mut done = 0;
        while let Some(item) = queue.get().await {
            drop(item);
            done += 1;
        }
        done
    })
}

fn telling_worker(queue: WorkQueue<Key>, taken: Arc<Notify>) -> JoinHandle<usize> {
    spawn(async move {
        let mut done = 0;
        while let Some(item) = queue.get().await {
            drop(item);
            done += 1;
            taken.notify_one();
        }
        done
    })
}

fn producer(queue: WorkQueue<Key>, keys: Vec<Key>) -> JoinHandle<()> {
    spawn(async move {
        for (number, key) in keys.into_iter().enumerate() {
            queue.add(key);
            if number % TURN == 0 {
                yield_now().await;
            }
        }
    })
}

pub(super) async fn joined<T>(tasks: impl IntoIterator<Item = JoinHandle<T>>) -> Fallible<Vec<T>> {
    try_join_all(tasks).await.map_err(|error| format!("a task ended early: {error}"))
}

fn all_done(cost: Cost, done: usize) -> Fallible<Cost> {
    if done == cost.items { Ok(cost) } else { Err(format!("{done} of {} items were done", cost.items)) }
}
