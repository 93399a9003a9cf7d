//! The machine and the store against a server that does everything a server can do wrong, by chance.
//!
//! Whatever happens on the way, once the faults end the cache equals what the server has; and while the machine calls
//! itself live there is a watch, or one is opened without delay.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::*;
use crate::{
    meta::{ResourceVersion, Status, StatusReason},
    platform::{Chance, Instant},
    wire::{Bookmark, WatchEvent},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Clone, Debug, PartialEq)]
struct Thing {
    name: u64,
    version: ResourceVersion,
}

impl Versioned for Thing {
    fn resource_version(&self) -> &str {
        self.version.as_str()
    }
}

/// What a store does with what the machine hands on.
#[derive(Debug, Default)]
struct Cache {
    things: BTreeMap<u64, Thing>,
    seen: Option<BTreeSet<u64>>,
}

impl Cache {
    fn take(&mut self, output: Output<Thing>) {
        match output {
            Output::Begin => self.seen = Some(BTreeSet::new()),
            Output::Listed(thing) | Output::Added(thing) | Output::Modified(thing) => {
                if let Some(seen) = &mut self.seen {
                    seen.insert(thing.name);
                }
                self.things.insert(thing.name, thing);
            }
            Output::Deleted(thing) => drop(self.things.remove(&thing.name)),
            Output::Bookmark(_) => {}
            Output::Synced(_) => {
                if let Some(seen) = self.seen.take() {
                    self.things.retain(|name, _| seen.contains(name));
                }
            }
            Output::Clear => *self = Self::default(),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Applied,
    Deleted,
}

/// The API server: what there is, and what happened since it last forgot.
struct Server {
    objects: BTreeMap<u64, u64>,
    history: Vec<(u64, Kind, u64)>,
    version: u64,
    forgotten: u64,
    streams_lists: bool,
    another: bool,
}

impl Server {
    fn change(&mut self, chance: &mut Chance) {
        self.version += 1 + chance.below(3);
        let name = chance.below(12);
        if self.objects.contains_key(&name) && chance.percent(40) {
            self.objects.remove(&name);
            self.history.push((self.version, Kind::Deleted, name));
        } else {
            self.objects.insert(name, self.version);
            self.history.push((self.version, Kind::Applied, name));
        }
    }

    fn forget(&mut self) {
        self.forgotten = self.version;
        self.history.clear();
    }

    fn things(&self) -> Vec<Thing> {
        self.objects.iter().map(|(name, version)| Thing { name: *name, version: version.to_string().into() }).collect()
    }
}

/// What is open between the machine and the server.
enum Open {
    List { items: Vec<Thing>, version: u64, limit: Option<u32> },
    Watch { position: u64, initial: Option<Vec<Thing>>, bookmark: Option<u64> },
    Identity,
}

struct Simulation {
    chance: Chance,
    server: Server,
    machine: Reflector,
    store: Cache,
    now: Instant,
    open: Option<Open>,
    /// Lists in pages, by token.
    pages: BTreeMap<String, (Vec<Thing>, u64)>,
    faults: bool,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let mut chance = Chance(seed);
        let following = [Following::WatchList, Following::WatchList, Following::Watch, Following::List];
        let following = following[usize::try_from(chance.below(4)).unwrap()];
        let server = Server {
            objects: BTreeMap::new(),
            history: Vec::new(),
            version: 100 + chance.below(1000),
            forgotten: 0,
            streams_lists: chance.percent(70),
            another: false,
        };
        let now = Instant::new(Duration::from_secs(1));
        let machine = Reflector::new(now, ReflectorOptions::following(following));
        Self { chance, server, machine, store: Cache::default(), now, open: None, pages: BTreeMap::new(), faults: true }
    }

    fn tell(&mut self, input: Input<Thing>) {
        let mut outputs = Vec::new();
        let random = (self.chance.below(1000) as f64) / 1000.0;
        self.machine.handle(self.now, random, input, &mut outputs);
        for output in outputs {
            self.store.take(output);
        }
        if !self.machine.is_exchanging() {
            self.open = None;
        }
    }

    fn refuse(&mut self, code: u16, reason: &'static str, message: &str) {
        self.open = None;
        let status = Status { code, reason: reason.into(), message: message.into(), ..Status::default() };
        self.tell(Input::Failed(Failure::Refused(Box::new(status))));
    }

    fn step(&mut self) {
        let waits = !self.machine.is_exchanging();
        let random = (self.chance.below(1000) as f64) / 1000.0;
        match self.machine.step(self.now, random) {
            Step::Send(request) => self.answer(&request),
            Step::Wait(_) if !self.machine.is_exchanging() => {
                self.open = None;
                assert!(!waits || self.machine.health().state != HealthState::Live, "it waits and says that it is live");
            }
            Step::Wait(_) => {}
        }
    }

    fn answer(&mut self, request: &Request) {
        self.open = None;
        if self.faults && self.chance.percent(25) {
            return match self.chance.below(6) {
                0 => self.tell(Input::Failed(Failure::Connection("refused".into()))),
                1 => self.refuse(503, "", "unavailable"),
                2 => self.refuse(429, "TooManyRequests", "later"),
                3 => self.refuse(500, "InternalError", "oops"),
                4 => self.refuse(401, "Unauthorized", "who"),
                _ => self.tell(Input::Failed(Failure::Unreadable("<html>".into()))),
            };
        }
        match request {
            Request::Identity => self.open = Some(Open::Identity),
            Request::List { continue_token: Some(token), .. } => match self.pages.remove(token) {
                Some((items, version)) if !self.chance.percent(20) || !self.faults => {
                    self.open = Some(Open::List { items, version, limit: Some(2) });
                }
                _ => self.refuse(410, "Expired", "the token is too old"),
            },
            Request::List { limit, resource_version, .. } => {
                let wanted = resource_version.as_ref().map_or(0, |version| version.as_str().parse().unwrap());
                if wanted > self.server.version {
                    return self.refuse(504, "Timeout", "Too large resource version");
                }
                let paged = self.chance.percent(50).then_some(2).filter(|_| limit.is_some());
                self.open = Some(Open::List { items: self.server.things(), version: self.server.version, limit: paged });
            }
            Request::Watch { send_initial_events: true, .. } if !self.server.streams_lists => {
                self.refuse(422, "Invalid", "sendInitialEvents is forbidden");
            }
            Request::Watch { send_initial_events: true, resource_version, .. } => {
                let wanted = resource_version.as_ref().map_or(0, |version| version.as_str().parse().unwrap());
                if wanted > self.server.version {
                    return self.refuse(504, "Timeout", "Too large resource version");
                }
                let (items, position) = (self.server.things(), self.server.version);
                self.open = Some(Open::Watch { position, initial: Some(items), bookmark: Some(position) });
            }
            Request::Watch { resource_version, .. } => {
                let position = resource_version.as_ref().map_or(self.server.version, |version| version.as_str().parse().unwrap());
                if position < self.server.forgotten {
                    return self.refuse(410, "Expired", "too old");
                }
                self.open = Some(Open::Watch { position, initial: None, bookmark: None });
            }
        }
        if !matches!(self.open, None | Some(Open::Identity)) {
            self.tell(Input::Opened);
        }
    }

    /// The server sends the next thing there is to send; gives back whether there was any.
    fn deliver(&mut self) -> bool {
        match self.open.take() {
            None => false,
            Some(Open::Identity) => {
                let identity = if std::mem::take(&mut self.server.another) {
                    Identity::Other
                } else if self.faults && self.chance.percent(20) {
                    Identity::Unknown
                } else {
                    Identity::Same
                };
                self.tell(Input::Identity(identity));
                true
            }
            Some(Open::List { mut items, version, limit }) => {
                let rest = limit.map(|limit| usize::try_from(limit).unwrap()).filter(|limit| items.len() > *limit);
                let continue_token = rest.map(|limit| {
                    let token = format!("token-{}", self.chance.next());
                    self.pages.insert(token.clone(), (items.split_off(limit), version));
                    token
                });
                self.tell(Input::Items(items));
                self.tell(Input::PageEnd(PageEnd { resource_version: version.to_string().into(), continue_token }));
                true
            }
            Some(Open::Watch { position, initial: Some(mut items), bookmark }) if !items.is_empty() => {
                let thing = items.remove(usize::try_from(self.chance.below(items.len() as u64)).unwrap());
                self.open = Some(Open::Watch { position, initial: Some(items), bookmark });
                self.tell(Input::Event(WatchEvent::Added(thing)));
                true
            }
            Some(Open::Watch { position, bookmark: Some(version), .. }) => {
                self.open = Some(Open::Watch { position, initial: None, bookmark: None });
                self.tell(Input::Event(WatchEvent::Bookmark(Bookmark {
                    resource_version: version.to_string().into(),
                    ends_initial_events: true,
                })));
                true
            }
            Some(Open::Watch { position, .. }) => {
                if position < self.server.forgotten {
                    let status = Status { code: 410, reason: "Expired".into(), ..Status::default() };
                    self.tell(Input::Event(WatchEvent::Error(Box::new(status))));
                    return true;
                }
                let next = self.server.history.iter().find(|(version, _, _)| *version > position).copied();
                let Some((version, kind, name)) = next else {
                    self.open = Some(Open::Watch { position, initial: None, bookmark: None });
                    return false;
                };
                self.open = Some(Open::Watch { position: version, initial: None, bookmark: None });
                let thing = Thing { name, version: version.to_string().into() };
                self.tell(Input::Event(match kind {
                    Kind::Applied => WatchEvent::Modified(thing),
                    Kind::Deleted => WatchEvent::Deleted(thing),
                }));
                true
            }
        }
    }

    fn fault(&mut self) {
        match self.chance.below(10) {
            0 if self.open.is_some() => {
                self.open = None;
                self.tell(Input::Failed(Failure::Connection("reset".into())));
            }
            1 if matches!(self.open, Some(Open::Watch { .. })) => {
                self.open = None;
                self.tell(Input::Ended);
            }
            2 if matches!(self.open, Some(Open::Watch { .. })) => {
                let code = [500, 429, 410, 504][usize::try_from(self.chance.below(4)).unwrap()];
                let reason = if code == 504 { StatusReason::TIMEOUT } else { StatusReason::UNKNOWN };
                let status = Status { code, message: "Too large resource version".into(), reason, ..Status::default() };
                self.tell(Input::Event(WatchEvent::Error(Box::new(status))));
            }
            3 => self.tell(Input::Unreadable("a line".into())),
            4 => self.tell(Input::Woken),
            5 => self.tell(Input::Retry),
            6 if matches!(self.open, Some(Open::Watch { initial: None, bookmark: None, .. })) => self.tell(Input::Outdated),
            7 => self.server.forget(),
            8 if self.chance.percent(20) => self.replace_server(),
            9 => {
                self.tell(Input::Suspend);
                self.pass();
                self.tell(Input::Resume);
            }
            _ => {}
        }
    }

    /// Another control plane answers at the address: whatever was open breaks. Between two requests of one moment
    /// there is no time for that.
    fn replace_server(&mut self) {
        self.step();
        let mut other = Simulation::new(self.chance.next()).server;
        for _ in 0..self.chance.below(10) {
            other.change(&mut self.chance);
        }
        other.another = true;
        self.server = other;
        self.pages.clear();
        let was_open = self.open.take().is_some();
        if was_open || self.machine.is_exchanging() {
            self.tell(Input::Failed(Failure::Connection("reset".into())));
        }
    }

    fn pass(&mut self) {
        let seconds = [0, 0, 1, 3, 20, 70, 200][usize::try_from(self.chance.below(7)).unwrap()];
        self.now = self.now + Duration::from_secs(seconds);
    }

    /// Ends all faults and runs until everything has been said.
    fn settle(&mut self) {
        self.faults = false;
        for _ in 0..400 {
            self.step();
            let mut told = false;
            while self.deliver() {
                told = true;
                self.step();
            }
            let state = self.machine.health().state;
            if !told && state == HealthState::Live && matches!(self.open, Some(Open::Watch { .. })) {
                return;
            }
            // A list that is fetched now and then is as new as its last time.
            if state == HealthState::Polling && self.equal() {
                return;
            }
            self.now = self.now + Duration::from_secs(1);
        }
        panic!("it does not settle: {:?}", self.machine);
    }

    fn equal(&self) -> bool {
        self.store.things.values().cloned().collect::<Vec<_>>() == self.server.things()
    }
}

#[test]
fn after_any_faults_the_cache_ends_equal_to_a_fresh_list() {
    let mut live = 0;
    for seed in 0..10_000 {
        let mut simulation = Simulation::new(seed);
        for _ in 0..simulation.chance.below(4) {
            for _ in 0..simulation.chance.below(60) {
                match simulation.chance.below(10) {
                    0..3 => {
                        let Simulation { server, chance, .. } = &mut simulation;
                        server.change(chance);
                    }
                    3..7 => {
                        simulation.step();
                        simulation.deliver();
                    }
                    7 => simulation.pass(),
                    8 => simulation.step(),
                    _ => simulation.fault(),
                }
            }
            simulation.settle();
            assert!(
                simulation.equal(),
                "seed {seed}: the cache has {:?}, the server {:?}",
                simulation.store,
                simulation.server.things()
            );
            live += usize::from(simulation.machine.health().state == HealthState::Live);
            simulation.faults = true;
        }
    }
    assert!(live > 5000, "most runs end live, {live} did");
}
