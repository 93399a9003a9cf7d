//! A machine under test.

use std::{collections::BTreeMap, time::Duration};

use super::*;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    pub(super) name: &'static str,
    pub(super) version: ResourceVersion,
}

impl Versioned for Thing {
    fn resource_version(&self) -> &str {
        self.version.as_str()
    }
}

pub(super) fn thing(name: &'static str, version: &str) -> Thing {
    Thing { name, version: version.into() }
}

/// A machine, its clock, and what a store would hold.
pub(super) struct Bench {
    pub(super) machine: Reflector,
    pub(super) now: Instant,
    pub(super) cache: BTreeMap<&'static str, ResourceVersion>,
    pub(super) unseen: Vec<&'static str>,
    pub(super) synced: usize,
    pub(super) cleared: usize,
    /// Each version that the store is told of, in order.
    pub(super) told: Vec<String>,
}

impl Bench {
    pub(super) fn new(watch_list: bool) -> Self {
        Self::following(if watch_list { Following::WatchList } else { Following::Watch })
    }

    pub(super) fn following(following: Following) -> Self {
        Self::with(ReflectorOptions::following(following))
    }

    pub(super) fn with(options: ReflectorOptions) -> Self {
        let now = Instant::new(Duration::from_secs(1000));
        Self {
            machine: Reflector::new(now, options),
            now,
            cache: BTreeMap::new(),
            unseen: vec![],
            synced: 0,
            cleared: 0,
            told: vec![],
        }
    }

    pub(super) fn tell(&mut self, input: Input<Thing>) {
        let mut outputs = Vec::new();
        self.machine.handle(self.now, 0.0, input, &mut outputs);
        for output in outputs {
            match &output {
                Output::Added(thing) | Output::Modified(thing) | Output::Deleted(thing) => {
                    self.told.push(thing.version.to_string());
                }
                Output::Bookmark(version) | Output::Synced(version) => self.told.push(version.to_string()),
                Output::Begin | Output::Listed(_) | Output::Clear => {}
            }
            match output {
                Output::Begin => self.unseen = self.cache.keys().copied().collect(),
                Output::Listed(thing) | Output::Added(thing) | Output::Modified(thing) => {
                    self.unseen.retain(|name| *name != thing.name);
                    self.cache.insert(thing.name, thing.version);
                }
                Output::Deleted(thing) => drop(self.cache.remove(thing.name)),
                Output::Bookmark(_) => {}
                Output::Synced(_) => {
                    self.synced += 1;
                    for name in self.unseen.drain(..) {
                        self.cache.remove(name);
                    }
                }
                Output::Clear => {
                    self.cleared += 1;
                    self.cache.clear();
                }
            }
        }
    }

    pub(super) fn step(&mut self) -> Step {
        self.machine.step(self.now, 0.0)
    }

    pub(super) fn pass(&mut self, time: Duration) {
        self.now = self.now + time;
    }

    /// Waits as long as the machine wants to, and gives what it then sends. A question who answers is answered on the
    /// way.
    pub(super) fn sent(&mut self) -> (Request, Duration) {
        let (request, waited) = self.asked();
        if request != Request::Identity {
            return (request, waited);
        }
        self.tell(Input::Identity(Identity::Same));
        let (request, more) = self.asked();
        (request, waited + more)
    }

    /// The same, without an answer.
    pub(super) fn asked(&mut self) -> (Request, Duration) {
        let start = self.now;
        for _ in 0..10 {
            match self.step() {
                Step::Send(request) => return (request, self.now.since(start)),
                Step::Wait(until) => self.now = self.now.max(until),
            }
        }
        panic!("the machine sends nothing: {:?}", self.machine);
    }

    /// What is sent after the question who answers, which must come.
    pub(super) fn confirmed(&mut self) -> (Request, Duration) {
        assert_eq!(self.asked().0, Request::Identity);
        self.tell(Input::Identity(Identity::Same));
        self.asked()
    }

    pub(super) fn apply(&mut self, things: &[Thing]) {
        for thing in things {
            self.tell(Input::Event(WatchEvent::Added(thing.clone())));
        }
    }

    pub(super) fn bookmark(&mut self, version: &str, end: bool) {
        self.tell(Input::Event(WatchEvent::Bookmark(Bookmark { resource_version: version.into(), ends_initial_events: end })));
    }

    pub(super) fn refuse(&mut self, code: u16, reason: &'static str, message: &str) {
        self.tell(Input::Failed(Failure::Refused(Box::new(status(code, reason, message)))));
    }

    pub(super) fn error(&mut self, code: u16, reason: &'static str) {
        self.tell(Input::Event(WatchEvent::Error(Box::new(status(code, reason, "")))));
    }

    /// Brings the machine to a live watch on `a` and `b` at version 100, by streaming.
    pub(super) fn live() -> Self {
        let mut bench = Self::new(true);
        assert!(is_streaming_list(&bench.sent().0, None));
        bench.tell(Input::Opened);
        bench.apply(&[thing("a", "90"), thing("b", "95")]);
        bench.bookmark("100", true);
        assert_eq!(bench.machine.health().state, HealthState::Live);
        bench
    }

    /// The same by list and watch.
    pub(super) fn listed() -> Self {
        let mut bench = Self::new(false);
        assert_eq!(bench.sent().0, list(Some("0"), Some(500)));
        bench.page(&[thing("a", "90"), thing("b", "95")], "100", None);
        assert!(is_watch(&bench.sent().0, Some("100")));
        bench.tell(Input::Opened);
        bench
    }

    pub(super) fn page(&mut self, items: &[Thing], version: &str, token: Option<&str>) {
        self.tell(Input::Opened);
        self.tell(Input::Items(items.to_vec()));
        self.tell(Input::PageEnd(PageEnd { resource_version: version.into(), continue_token: token.map(str::to_owned) }));
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.cache.keys().copied().collect()
    }
}

pub(super) fn status(code: u16, reason: &'static str, message: &str) -> Status {
    Status { code, reason: reason.into(), message: message.into(), ..Status::default() }
}

pub(super) fn list(version: Option<&str>, limit: Option<u32>) -> Request {
    Request::List { resource_version: version.map(Into::into), exact: false, limit, continue_token: None }
}

pub(super) fn is_watch(request: &Request, version: Option<&str>) -> bool {
    matches!(request, Request::Watch { resource_version, send_initial_events: false, .. }
        if resource_version.as_ref().map(ResourceVersion::as_str) == version)
}

pub(super) fn is_streaming_list(request: &Request, version: Option<&str>) -> bool {
    matches!(request, Request::Watch { resource_version, send_initial_events: true, .. }
        if resource_version.as_ref().map(ResourceVersion::as_str) == version)
}
