//! Items that wait for their time.

use std::time::{Duration, Instant};

use porthole_client_core::{store::Key, workqueue::WorkQueue};
use tokio::{spawn, time::sleep};

use super::{
    Fallible, keys,
    meter::{Cost, Meter},
    queue,
    queue::joined,
};

/// How many wait.
const ITEMS: usize = 100_000;
/// When the first of those is due that nobody waits for.
const FAR: Duration = Duration::from_secs(600);
/// By how much the last is due after the first.
const SPREAD: Duration = Duration::from_secs(1);
/// For how long items are added before the first is due.
const LEAD: Duration = Duration::from_millis(500);

/// Items are added while so many wait.
pub(super) async fn add() -> Fallible<Cost> {
    let queue = queue();
    let mut waiting = keys(2 * ITEMS);
    let added = waiting.split_off(ITEMS);
    add_all(&queue, waiting, |number| FAR + offset(number));
    let meter = Meter::start()?;
    add_all(&queue, added, |number| FAR + offset(number));
    let cost = meter.stop(ITEMS);
    queue.shut_down();
    cost
}

/// Items that wait are added again: every other one for a later time, which changes nothing, the rest for an earlier one.
pub(super) async fn again() -> Fallible<Cost> {
    let queue = queue();
    let keys = keys(ITEMS);
    add_all(&queue, keys.clone(), |number| FAR + offset(number));
    let meter = Meter::start()?;
    add_all(&queue, keys, |number| if number % 2 == 0 { 2 * FAR } else { FAR / 2 + offset(number) });
    let cost = meter.stop(ITEMS);
    queue.shut_down();
    cost
}

/// All are due at the same time. From then until the last is done.
pub(super) async fn due() -> Fallible<Cost> {
    let queue = queue();
    let keys = keys(ITEMS);
    let due = Instant::now() + LEAD;
    add_all(&queue, keys, |_| due - Instant::now());
    let taken = spawn(take(queue.clone(), ITEMS));
    sleep(due.saturating_duration_since(Instant::now()).saturating_sub(Duration::from_millis(10))).await;
    let meter = Meter::start()?;
    let early = due.saturating_duration_since(Instant::now());
    if early.is_zero() {
        return Err(format!("{ITEMS} items took longer than {LEAD:?} to add"));
    }
    joined([taken]).await?;
    let cost = meter.stop(ITEMS)?;
    Ok(Cost { wall: cost.wall.saturating_sub(early), ..cost })
}

/// They are due one after the other, in another order than they are added in, while a worker takes them. What adding, waiting and
/// taking costs the processor, and how long after the last was due the last is done.
pub(super) async fn spread() -> Fallible<Cost> {
    let queue = queue();
    let keys = keys(ITEMS);
    let taken = spawn(take(queue.clone(), ITEMS));
    let first = Instant::now() + LEAD;
    let meter = Meter::start()?;
    add_all(&queue, keys, |number| first + offset(number) - Instant::now());
    if Instant::now() >= first {
        return Err(format!("{ITEMS} items took longer than {LEAD:?} to add"));
    }
    joined([taken]).await?;
    let late = first.elapsed().saturating_sub(SPREAD);
    Ok(Cost { wall: late, ..meter.stop(ITEMS)? })
}

fn add_all(queue: &WorkQueue<Key>, keys: Vec<Key>, delay: impl Fn(usize) -> Duration) {
    for (number, key) in keys.into_iter().enumerate() {
        queue.add_after(key, delay(number));
    }
}

/// How long after the first an item is due: each at another time, and none beside the one that was added before it.
fn offset(number: usize) -> Duration {
    SPREAD.mul_f64((number * 7919 % ITEMS) as f64 / ITEMS as f64)
}

async fn take(queue: WorkQueue<Key>, count: usize) {
    for _ in 0..count {
        drop(queue.get().await);
    }
}
