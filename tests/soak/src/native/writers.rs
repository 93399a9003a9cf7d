//! Who changes objects, all the time and whatever happens to the server.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use porthole_client_core::{
    clients::{DynamicClient, ResourceClient},
    object::Unstructured,
    patch::Patch,
    rest::{ApiError, DeleteOptions, GetOptions, PatchOptions, RestClient, WriteOptions},
    transport::TransportError,
};
use serde_json::Value;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval, sleep},
};

use super::{
    objects::{change, choice, merge, object},
    random::Random,
};
use crate::plan::{NAMESPACES, Resource};

/// What each writer writes: the resources, as often as they are here.
const SHARES: [Resource; 12] = [
    Resource::ConfigMaps,
    Resource::Pods,
    Resource::Secrets,
    Resource::Gauges,
    Resource::ConfigMaps,
    Resource::Pods,
    Resource::Secrets,
    Resource::Gauges,
    Resource::ConfigMaps,
    Resource::ConfigMaps,
    Resource::Secrets,
    Resource::Gauges,
];
/// How often the shares are given out. While one writer waits for an answer others write.
const ROUNDS: usize = 3;
/// How many objects a writer has at most.
const SLOTS: usize = 20;
/// For how long an answer is waited for.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait after a server did not answer.
const PAUSE: Duration = Duration::from_millis(300);

/// What writers are told, and what they tell.
#[derive(Default)]
pub(super) struct Orders {
    ended: AtomicBool,
    paused: AtomicBool,
    /// So many changes are to be made without a wait.
    burst: AtomicI64,
    writes: AtomicU64,
    failures: AtomicU64,
}

impl Orders {
    /// How many changes the server took.
    pub(super) fn writes(&self) -> u64 {
        self.writes.load(Ordering::Relaxed)
    }

    /// How many it did not take, or did not say it took.
    pub(super) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    pub(super) fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    pub(super) fn burst(&self, changes: i64) {
        self.burst.store(changes, Ordering::Relaxed);
    }
}

pub(super) struct Writers {
    pub(super) orders: Arc<Orders>,
    tasks: JoinSet<()>,
}

impl Writers {
    /// Starts writers that make `rate` changes a second in all.
    pub(super) fn start(client: &RestClient, rate: f64, random: &mut Random) -> Self {
        let (orders, mut tasks) = (Arc::<Orders>::default(), JoinSet::new());
        let client = DynamicClient::new(client.clone().with_timeout(TIMEOUT));
        let count = SHARES.len() * ROUNDS;
        let period = Duration::from_secs_f64(count as f64 / rate);
        for (number, resource) in SHARES.iter().copied().cycle().take(count).enumerate() {
            let slots = (0..SLOTS).map(|slot| {
                let namespace = NAMESPACES.get((number + slot) % NAMESPACES.len()).copied().unwrap_or_default();
                Slot {
                    client: client.namespaced(&resource.path(), namespace),
                    name: format!("soak-{number}-{slot}"),
                    present: false,
                }
            });
            let writer =
                Writer { resource, slots: slots.collect(), orders: Arc::clone(&orders), random: random.split(), serial: 0 };
            tasks.spawn(writer.run(period));
        }
        Self { orders, tasks }
    }

    /// Ends all writers, once each has its last answer.
    pub(super) async fn end(self) {
        self.orders.ended.store(true, Ordering::Relaxed);
        self.tasks.join_all().await;
    }
}

struct Writer {
    resource: Resource,
    slots: Vec<Slot>,
    orders: Arc<Orders>,
    random: Random,
    serial: u64,
}

/// An object that is there or not.
struct Slot {
    client: ResourceClient<Unstructured>,
    name: String,
    present: bool,
}

impl Writer {
    async fn run(mut self, period: Duration) {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.orders.ended.load(Ordering::Relaxed) {
            if self.orders.paused.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(50)).await;
                continue;
            }
            if self.orders.burst.fetch_sub(1, Ordering::Relaxed) <= 0 {
                self.orders.burst.fetch_add(1, Ordering::Relaxed);
                ticks.tick().await;
            }
            self.serial += 1;
            let number = self.random.below(self.slots.len());
            let Some(slot) = self.slots.get_mut(number) else { return };
            match slot.write(self.resource, &mut self.random, self.serial).await {
                Ok(()) => {
                    self.orders.writes.fetch_add(1, Ordering::Relaxed);
                }
                // What was last heard of it was wrong, or another write came first.
                Err(error) if error.is_not_found() => slot.present = false,
                Err(error) if error.is_already_exists() => slot.present = true,
                Err(error) if error.is_conflict() => {}
                Err(_no_answer) => {
                    self.orders.failures.fetch_add(1, Ordering::Relaxed);
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

impl Slot {
    async fn write(&mut self, resource: Resource, random: &mut Random, serial: u64) -> Result<(), ApiError> {
        if !self.present {
            return self.create(resource, random, serial).await;
        }
        match random.below(100) {
            0..30 => self.update(change(resource, random, serial)).await,
            30..65 => self.patch(change(resource, random, serial)).await,
            65..85 => self.patch(choice(random.below(2) == 0)).await,
            85..93 => self.delete(random.below(2) == 0).await,
            _ => {
                self.delete(true).await?;
                self.create(resource, random, serial).await
            }
        }
    }

    async fn create(&mut self, resource: Resource, random: &mut Random, serial: u64) -> Result<(), ApiError> {
        let text = object(resource, &self.name, random, serial);
        self.client.create(&unstructured(&text)?, &WriteOptions::default()).await?;
        self.present = true;
        Ok(())
    }

    async fn update(&self, change: Value) -> Result<(), ApiError> {
        let there = self.client.get(&*self.name, &GetOptions::default()).await?;
        let mut text = serde_json::from_str(there.as_json()).unwrap_or_default();
        merge(&mut text, change);
        self.client.update(&unstructured(&text)?, &WriteOptions::default()).await.map(drop)
    }

    async fn patch(&self, change: Value) -> Result<(), ApiError> {
        let patch = Patch::Merge(change.to_string().parse().map_err(unsendable)?);
        self.client.patch(&*self.name, &patch, &PatchOptions::default()).await.map(drop)
    }

    async fn delete(&mut self, at_once: bool) -> Result<(), ApiError> {
        let options = DeleteOptions { grace_period_seconds: at_once.then_some(0), ..DeleteOptions::default() };
        self.client.delete(&*self.name, &options).await?;
        self.present = false;
        Ok(())
    }
}

fn unstructured(text: &Value) -> Result<Unstructured, ApiError> {
    text.to_string().parse().map_err(unsendable)
}

fn unsendable(error: impl ToString) -> ApiError {
    TransportError::Invalid { message: error.to_string() }.into()
}
