//! The state machine.
//!
//! The contract: call [`Reflector::step`]; do what it says; tell what came of it by [`Reflector::handle`];
//! call `step` again. The machine reads no clock and no random source: both come in as arguments.

use std::time::Duration;

use super::{
    Backoff, Failure, FirstList, Following, Health, HealthState, Identity, Input, Output, PageEnd, ReflectorOptions, Request,
    Step, Versioned, window::RetryWindow,
};
use crate::{
    meta::{ResourceVersion, Status},
    platform::Instant,
    wire::{Bookmark, WatchEvent},
};

#[cfg(test)]
pub(crate) mod trace;

/// client-go's page size.
const PAGE: u32 = 500;
/// A watch that ends within this time without an event is a fault (client-go `very short watch`).
const VERY_SHORT: Duration = Duration::from_secs(1);
/// How long the head of an answer is waited for.
const OPENING_LIMIT: Duration = Duration::from_secs(30);
/// How long a list may be silent.
const LIST_SILENCE: Duration = Duration::from_secs(60);
/// How long the initial events may pause before the server is taken for one that never ends them.
const INITIAL_SILENCE: Duration = Duration::from_secs(10);
/// Two periods of the server's bookmarks: where they arrive, silence for longer means a dead stream.
const BOOKMARK_SILENCE: Duration = Duration::from_secs(120);
/// What a watch may be late by where no bookmarks arrive.
const WATCH_SLACK: Duration = Duration::from_secs(30);
/// What a stream of this age brings is progress.
const HEALTHY_LIFE: Duration = Duration::from_secs(10);
/// A retry without delay is allowed once in this time.
const AT_ONCE_PERIOD: Duration = Duration::from_secs(5);
/// For how long a refusal may be one of a server that has just begun: before it has read its roles and definitions, it refuses all, and
/// has never heard of custom resources.
const REFUSED_AT_FIRST: Duration = Duration::from_secs(15);
/// How long to wait after a refusal that asking again does not change.
const REFUSED_DELAY: Duration = Duration::from_secs(60);
/// How long to wait after the first of the refusals of a watch; after each that follows twice as long.
const WATCH_AGAIN: Duration = Duration::from_secs(1);
/// After so many refusals of a watch in a row it is not tried again soon: together they are as long as [`REFUSED_AT_FIRST`].
const WATCH_TRIES: u32 = 4;
/// How often a collection that cannot be watched is listed.
const POLL_PERIOD: Duration = Duration::from_secs(30);
/// After so many lists a watch that was forbidden is tried again: rights come and go.
const POLLS_BEFORE_WATCH: u32 = 10;
/// A stream silent for longer than this when the host wakes up is opened anew.
const WAKE_SILENCE: Duration = Duration::from_secs(15);
/// The longest wait that a server can ask for.
const RETRY_AFTER_LIMIT: Duration = Duration::from_secs(60);
/// This many ERROR events in a row without progress, and the list is fetched anew.
const ERRORS_BEFORE_LIST: u32 = 3;

/// The reflector's state (client-go `tools/cache/reflector.go`, `Reflector`), without what sends its requests and keeps what they
/// bring.
///
/// ```
/// use porthole_client_core::{
///     platform::Instant,
///     reflector::{Following, HealthState, Reflector, ReflectorOptions, Request, Step},
/// };
///
/// let now = Instant::default();
/// let mut reflector = Reflector::new(now, ReflectorOptions::following(Following::Watch));
/// assert!(matches!(reflector.step(now, 0.5), Step::Send(Request::List { .. })));
/// assert_eq!(reflector.health().state, HealthState::Loading);
/// ```
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the server")]
pub struct Reflector {
    options: ReflectorOptions,
    state: State,
    /// The version to go on from (client-go `lastSyncResourceVersion`).
    resource_version: Option<ResourceVersion>,
    /// The server does not have that version (client-go `isLastSyncResourceVersionUnavailable`).
    version_unavailable: bool,
    /// Nothing was asked for since the last whole list.
    just_listed: bool,
    /// A list of any version, or the newest, has begun to be handed out: one that may be older in its place would take that back
    /// in time.
    begun: bool,
    /// The first list came in pages although any version would do: there is no watch cache.
    paginated: bool,
    watch_list: bool,
    /// Whether the collection can be watched at all, and whether this person may.
    watchable: bool,
    watch: bool,
    /// How often in a row it was refused to watch what could be listed.
    watch_refusals: u32,
    polls: u32,
    bookmarks_arrive: bool,
    confirm: bool,
    /// Something the server said could not be read: only a list makes it good.
    doubt: bool,
    backoff: Backoff,
    internal_errors: RetryWindow,
    last_at_once: Option<Instant>,
    errors_in_row: u32,
    health: Health,
}

#[derive(Debug)]
enum State {
    Waiting {
        until: Instant,
        next: Next,
    },
    Confirming {
        since: Instant,
        next: Next,
    },
    Listing {
        heard: Instant,
        progress: Progress,
    },
    Opening {
        since: Instant,
        timeout: Duration,
        initial: bool,
    },
    Streaming {
        opened: Instant,
        heard: Instant,
        timeout: Duration,
        initial: bool,
        unordered: bool,
        events: u64,
    },
    /// Nobody looks. This follows when somebody does again.
    Suspended {
        next: Next,
    },
}

/// How far a list has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Progress {
    version: Option<ResourceVersion>,
    exact: bool,
    limit: Option<u32>,
    pages: u32,
    token: Option<String>,
}

/// What follows a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Next {
    /// The whole collection, streamed where the server can.
    Begin,
    /// The whole collection by a list.
    List,
    /// Another page of the list.
    Page(Progress),
    /// What changes from here on.
    Watch,
}

impl Reflector {
    /// A machine that starts at `now`.
    #[must_use]
    pub fn new(now: Instant, options: ReflectorOptions) -> Self {
        let following = options.following;
        Self {
            backoff: Backoff::new(options.backoff),
            internal_errors: RetryWindow::new(options.internal_error_retry),
            options,
            state: State::Waiting { until: now, next: Next::Begin },
            resource_version: None,
            version_unavailable: false,
            just_listed: false,
            begun: false,
            paginated: false,
            watch_list: following == Following::WatchList,
            watchable: following != Following::List,
            watch: following != Following::List,
            watch_refusals: 0,
            polls: 0,
            bookmarks_arrive: false,
            confirm: false,
            doubt: false,
            last_at_once: None,
            errors_in_row: 0,
            health: Health::starting(now),
        }
    }

    /// How the watch is.
    #[must_use]
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Whether an exchange is open; the driver drops its connection where none is.
    #[must_use]
    pub fn is_exchanging(&self) -> bool {
        !matches!(self.state, State::Waiting { .. } | State::Suspended { .. })
    }

    /// What to do at `now`; `random` is in `0.0..1.0`.
    pub fn step(&mut self, now: Instant, random: f64) -> Step {
        if self.limit().is_some_and(|limit| now >= limit) {
            self.overdue(now, random);
        }
        if let State::Waiting { until, next } = &self.state {
            if now < *until {
                return Step::Wait(*until);
            }
            let next = next.clone();
            return Step::Send(self.begin(now, random, next));
        }
        Step::Wait(self.limit().unwrap_or(now + OPENING_LIMIT))
    }

    /// Takes in what happened; what follows for the store is appended to `outputs`.
    pub fn handle<T: Versioned>(&mut self, now: Instant, random: f64, input: Input<T>, outputs: &mut Vec<Output<T>>) {
        if matches!(self.state, State::Suspended { .. }) && !matches!(input, Input::Resume) {
            return;
        }
        match input {
            Input::Opened => self.opened(now, outputs),
            Input::Heard => self.heard(now),
            Input::Items(items) => self.items(now, items, outputs),
            Input::PageEnd(end) => self.page_end(now, end, outputs),
            Input::Event(event) => self.event(now, random, event, outputs),
            // client-go ends its watch here. The stream may go on; but what the line said is lost, so the next one begins
            // with a list.
            Input::Unreadable(reason) => {
                self.health.reason = reason;
                self.doubt = true;
            }
            Input::Outdated => self.at_once(now, random, Next::Begin),
            Input::Ended => self.ended(now, random),
            Input::Failed(failure) => self.failed(now, random, &failure),
            Input::Identity(identity) => self.identified(now, identity, outputs),
            Input::Woken => self.woken(now, random),
            Input::Retry => {
                self.backoff.reset();
                self.watch = self.watchable;
                self.watch_refusals = 0;
                self.hurry(now);
            }
            Input::Suspend => self.suspend(now),
            Input::Resume => self.resume(now),
        }
    }

    fn begin(&mut self, now: Instant, random: f64, next: Next) -> Request {
        if self.confirm {
            self.state = State::Confirming { since: now, next };
            return Request::Identity;
        }
        // Without a version a watch tells what there is and not what is gone: unless the list has just been, that takes a list.
        let fresh = std::mem::take(&mut self.just_listed);
        let blind = self.resource_version.is_none() && !fresh;
        let next = if next == Next::Watch && (self.doubt || blind) { Next::Begin } else { next };
        match next {
            Next::Begin if self.watch_list => self.open_watch(now, random, true),
            Next::Begin | Next::List => self.list(now, self.list_parameters()),
            Next::Page(progress) => self.list(now, progress),
            Next::Watch => self.open_watch(now, random, false),
        }
    }

    fn list(&mut self, now: Instant, progress: Progress) -> Request {
        let request = Request::List {
            // The token names the version; a server refuses both together.
            resource_version: progress.version.clone().filter(|_| progress.token.is_none()),
            exact: progress.exact && progress.token.is_none(),
            limit: progress.limit,
            continue_token: progress.token.clone(),
        };
        self.state = State::Listing { heard: now, progress };
        request
    }

    /// client-go's `relistResourceVersion` and its choice of page size.
    fn list_parameters(&self) -> Progress {
        let (version, exact) = match (&self.resource_version, &self.options.first_list) {
            _ if self.version_unavailable => (None, false),
            // Pages from a version on are of just that version. Where no watch brings what came after it, they are to be new.
            (Some(_), _) if !self.watch && (self.options.page_size.is_some() || self.paginated) => (None, false),
            (Some(version), _) => (Some(version.clone()), false),
            (None, _) if self.begun => (None, false),
            (None, FirstList::Any) => (Some(ResourceVersion::from("0")), false),
            (None, FirstList::MostRecent) => (None, false),
            (None, FirstList::Exact(version)) => (Some(version.clone()), true),
        };
        let any = version.as_ref().is_none_or(|version| version.as_str() == "0");
        let limit = self.options.page_size.or((self.paginated || any).then_some(PAGE));
        Progress { version, exact, limit, ..Progress::default() }
    }

    fn open_watch(&mut self, now: Instant, random: f64, initial: bool) -> Request {
        let timeout = self.options.timeout(random);
        self.state = State::Opening { since: now, timeout, initial };
        let resource_version = self.resource_version.clone().filter(|_| !(initial && self.version_unavailable));
        Request::Watch { resource_version, send_initial_events: initial, timeout }
    }

    fn opened<T>(&mut self, now: Instant, outputs: &mut Vec<Output<T>>) {
        match self.state {
            State::Opening { timeout, initial, .. } => {
                // From no version on, what there is comes first, in no order.
                let unordered = initial || self.resource_version.is_none();
                self.state = State::Streaming { opened: now, heard: now, timeout, initial, unordered, events: 0 };
                self.watch_refusals = 0;
                if initial {
                    outputs.push(Output::Begin);
                } else {
                    self.live(now);
                }
            }
            State::Listing { ref progress, .. } => {
                if progress.token.is_none() {
                    outputs.push(Output::Begin);
                }
                self.heard(now);
            }
            _ => {}
        }
    }

    fn heard(&mut self, now: Instant) {
        if let State::Streaming { heard, .. } | State::Listing { heard, .. } = &mut self.state {
            *heard = now;
            self.health.heard = Some(now);
        }
    }

    fn items<T>(&mut self, now: Instant, items: Vec<T>, outputs: &mut Vec<Output<T>>) {
        if let State::Listing { progress, .. } = &self.state {
            self.begun |= !progress.exact && !items.is_empty();
            outputs.extend(items.into_iter().map(Output::Listed));
            self.heard(now);
        }
    }

    fn page_end<T>(&mut self, now: Instant, end: PageEnd, outputs: &mut Vec<Output<T>>) {
        let State::Listing { progress, .. } = &mut self.state else { return };
        let mut progress = std::mem::take(progress);
        progress.pages += 1;
        if let Some(token) = end.continue_token {
            progress.token = Some(token);
            self.wait(now, Next::Page(progress));
            return;
        }
        if progress.pages > 1 && progress.version.as_ref().is_some_and(|version| version.as_str() == "0") {
            self.paginated = true;
        }
        self.complete(end.resource_version, outputs);
        if !self.watch {
            self.poll(now);
        } else if self.watch_refusals == 0 {
            self.wait(now, Next::Watch);
        } else {
            self.settled(now, HealthState::Polling);
            self.wait(now + WATCH_AGAIN, Next::Watch);
        }
    }

    /// Nothing tells of changes: the list is fetched now and then.
    fn poll(&mut self, now: Instant) {
        self.polls += 1;
        if self.polls.is_multiple_of(POLLS_BEFORE_WATCH) {
            self.watch = self.watchable;
        }
        self.settled(now, HealthState::Polling);
        self.wait(now + POLL_PERIOD, Next::List);
    }

    /// A whole list, of this version, has been handed out.
    fn complete<T>(&mut self, version: ResourceVersion, outputs: &mut Vec<Output<T>>) {
        (self.version_unavailable, self.begun) = (false, false);
        self.resource_version = Some(version.clone()).filter(|version| !version.is_empty());
        self.just_listed = true;
        self.errors_in_row = 0;
        self.doubt = false;
        self.health.synced = true;
        outputs.push(Output::Synced(version));
    }

    fn event<T: Versioned>(&mut self, now: Instant, random: f64, event: WatchEvent<T>, outputs: &mut Vec<Output<T>>) {
        self.heard(now);
        let State::Streaming { initial, unordered, events, opened, .. } = &mut self.state else { return };
        *events += 1;
        // Synthetic events of what there is are ADDED, and in no order: none of their versions is one to go on from.
        *unordered &= *initial || matches!(event, WatchEvent::Added(_));
        let (initial, unordered) = (*initial, *unordered);
        self.begun |= initial && matches!(event, WatchEvent::Added(_));
        if !matches!(event, WatchEvent::Error(_)) && now.since(*opened) >= HEALTHY_LIFE {
            self.errors_in_row = 0;
        }
        match event {
            WatchEvent::Added(object) => {
                self.advance(unordered, object.resource_version());
                outputs.push(if initial { Output::Listed(object) } else { Output::Added(object) });
            }
            WatchEvent::Modified(object) => {
                self.advance(unordered, object.resource_version());
                outputs.push(Output::Modified(object));
            }
            WatchEvent::Deleted(object) => {
                self.advance(unordered, object.resource_version());
                outputs.push(Output::Deleted(object));
            }
            WatchEvent::Bookmark(Bookmark { resource_version, ends_initial_events }) => {
                if initial && ends_initial_events {
                    if let State::Streaming { initial, unordered, .. } = &mut self.state {
                        (*initial, *unordered) = (false, false);
                    }
                    self.complete(resource_version, outputs);
                    self.live(now);
                } else if !initial {
                    self.bookmarks_arrive = true;
                    self.advance(false, resource_version.as_str());
                    outputs.push(Output::Bookmark(resource_version));
                }
            }
            WatchEvent::Error(status) => self.error_event(now, random, &status, initial),
        }
    }

    fn advance(&mut self, unordered: bool, version: &str) {
        if !unordered && !version.is_empty() {
            self.resource_version = Some(version.into());
        }
    }

    fn error_event(&mut self, now: Instant, random: f64, status: &Status, initial: bool) {
        if status.is_expired_or_gone() || status.is_resource_version_too_large() {
            // Routine: the version is too old. client-go lists with it once more; the newest is as right.
            self.version_unavailable = true;
            self.at_once(now, random, Next::Begin);
            return;
        }
        self.lost(now, status.code, status.to_string());
        if !initial && status.is_internal_error() && self.internal_errors.allows(now) {
            self.wait(now, Next::Watch);
            return;
        }
        self.errors_in_row += 1;
        let next = if status.is_too_many_requests() {
            if initial { Next::Begin } else { Next::Watch }
        } else if initial {
            self.note_refused_watch_list(status);
            Next::List
        } else if self.errors_in_row >= ERRORS_BEFORE_LIST || status.is_store_read_error() {
            // What cannot be read there is deleted without an event; only a list tells.
            self.errors_in_row = 0;
            Next::Begin
        } else {
            Next::Watch
        };
        self.later_than(now, random, status, next);
    }

    fn ended(&mut self, now: Instant, random: f64) {
        match self.state {
            State::Streaming { opened, initial, events, .. } => {
                let life = now.since(opened);
                // Who knows what else ended: whoever answers next is asked who it is before the watch resumes.
                self.confirm = true;
                if initial && events == 0 && life < VERY_SHORT {
                    self.later(now, random, Next::List);
                } else if initial {
                    self.lost(now, 0, "the server ended the stream before its list was whole".to_owned());
                    self.at_once(now, random, Next::Begin);
                } else if life >= VERY_SHORT {
                    self.at_once(now, random, Next::Watch);
                } else {
                    self.lost(now, 0, "the server ended the stream at once".to_owned());
                    self.later(now, random, if events == 0 { Next::Begin } else { Next::Watch });
                }
            }
            // The driver hands out the pages of a list before its end; an end without them is a fault.
            State::Listing { .. } | State::Opening { .. } => {
                self.failed(now, random, &Failure::Connection("the answer ended before it was whole".to_owned()));
            }
            State::Confirming { .. } | State::Waiting { .. } | State::Suspended { .. } => {}
        }
    }

    fn failed(&mut self, now: Instant, random: f64, failure: &Failure) {
        match failure {
            Failure::Refused(status) => self.refused(now, random, status),
            Failure::Connection(reason) => {
                self.lost(now, 0, reason.clone());
                self.confirm = true;
                let streaming = matches!(self.state, State::Streaming { .. });
                let next = self.same_again();
                if streaming { self.at_once(now, random, next) } else { self.later(now, random, next) }
            }
            Failure::Unreadable(reason) => {
                self.lost(now, 0, reason.clone());
                let next =
                    if matches!(self.state, State::Opening { initial: true, .. }) { Next::List } else { self.same_again() };
                self.later(now, random, next);
            }
        }
    }

    fn refused(&mut self, now: Instant, random: f64, status: &Status) {
        let expired = status.is_expired_or_gone() || status.is_resource_version_too_large();
        if expired && let State::Listing { progress, .. } = &self.state {
            if progress.token.is_some() && progress.limit.is_some() {
                // The pages have expired: one whole list instead, of the version the first page had.
                let whole = Progress { version: progress.version.clone(), exact: progress.exact, ..Progress::default() };
                self.wait(now, Next::Page(whole));
                return;
            }
            if !self.version_unavailable {
                self.version_unavailable = true;
                self.wait(now, Next::List);
                return;
            }
        }
        let State::Opening { initial, .. } = self.state else {
            if expired {
                self.version_unavailable = true;
            }
            self.give_up_for_now(now, random, status, self.same_again());
            return;
        };
        if expired {
            self.version_unavailable = true;
            self.at_once(now, random, Next::Begin);
        } else if status.is_too_many_requests() || status.is_unavailable() {
            self.give_up_for_now(now, random, status, self.same_again());
        } else if initial {
            // Whatever the server has against streaming its list, a plain list shows whether it is that.
            self.note_refused_watch_list(status);
            self.wait(now, Next::List);
        } else if matches!(status.code, 403 | 405) {
            self.watch_refused(now, status.code == 405);
        } else {
            self.give_up_for_now(now, random, status, Next::Begin);
        }
    }

    /// It may not be watched, or not yet: a list tells whether it may be listed. A server that has just begun may let it be watched a
    /// moment later; only then is it listed now and then instead.
    fn watch_refused(&mut self, now: Instant, for_good: bool) {
        self.watch_refusals = if for_good { u32::MAX } else { self.watch_refusals.saturating_add(1) };
        match self.watch_refusals {
            1 => self.wait(now, Next::List),
            tries @ 2..=WATCH_TRIES => self.wait(now + WATCH_AGAIN * (1 << (tries - 1)), Next::Watch),
            _ => {
                self.watch = false;
                self.watch_list = false;
                self.wait(now, Next::List);
            }
        }
    }

    fn give_up_for_now(&mut self, now: Instant, random: f64, status: &Status, next: Next) {
        self.confirm = true;
        let refused_since = (self.health.state == HealthState::Refused).then_some(self.health.since);
        self.lost(now, status.code, status.to_string());
        if status.is_denial() {
            self.health.state = HealthState::Refused;
            self.health.since = refused_since.unwrap_or(now);
            if now.since(self.health.since) >= REFUSED_AT_FIRST {
                return self.wait(now + REFUSED_DELAY, next);
            }
        }
        self.later_than(now, random, status, next);
    }

    fn note_refused_watch_list(&mut self, status: &Status) {
        if status.refuses_watch_list() {
            self.watch_list = false;
        }
    }

    fn identified<T>(&mut self, now: Instant, identity: Identity, outputs: &mut Vec<Output<T>>) {
        let State::Confirming { next, .. } = &self.state else { return };
        let next = next.clone();
        self.confirm = false;
        match identity {
            Identity::Same => self.wait(now, next),
            Identity::Unknown => {
                self.resource_version = None;
                self.version_unavailable = true;
                self.wait(now, if next == Next::List { Next::List } else { Next::Begin });
            }
            Identity::Other => {
                self.resource_version = None;
                (self.version_unavailable, self.begun) = (false, false);
                self.health.synced = false;
                outputs.push(Output::Clear);
                self.wait(now, Next::Begin);
            }
        }
    }

    fn woken(&mut self, now: Instant, random: f64) {
        match self.state {
            State::Streaming { heard, .. } if now.since(heard) > WAKE_SILENCE => {
                self.confirm = true;
                let next = self.same_again();
                self.at_once(now, random, next);
            }
            State::Waiting { .. } if self.health.state != HealthState::Refused => self.hurry(now),
            _ => {}
        }
    }

    fn suspend(&mut self, now: Instant) {
        let next = match &self.state {
            // Pages expire before somebody looks again.
            State::Waiting { next: Next::Page(_), .. } | State::Confirming { next: Next::Page(_), .. } => Next::List,
            _ => self.same_again(),
        };
        // Whoever answers then may be another.
        self.confirm = true;
        self.state = State::Suspended { next };
        self.settled(now, HealthState::Suspended);
    }

    fn resume(&mut self, now: Instant) {
        let State::Suspended { next } = &self.state else { return };
        let next = next.clone();
        self.health.state = if self.health.synced { HealthState::Reconnecting } else { HealthState::Loading };
        self.health.since = now;
        self.wait(now, next);
    }

    /// When the open exchange has been silent for too long.
    fn limit(&self) -> Option<Instant> {
        match self.state {
            State::Waiting { .. } | State::Suspended { .. } => None,
            State::Confirming { since, .. } | State::Opening { since, .. } => Some(since + OPENING_LIMIT),
            State::Listing { heard, .. } => Some(heard + LIST_SILENCE),
            State::Streaming { heard, initial: true, .. } => Some(heard + INITIAL_SILENCE),
            State::Streaming { heard, .. } if self.bookmarks_arrive => Some(heard + BOOKMARK_SILENCE),
            State::Streaming { opened, heard, timeout, .. } => Some((opened + timeout + WATCH_SLACK).max(heard + WATCH_SLACK)),
        }
    }

    fn overdue(&mut self, now: Instant, random: f64) {
        if let State::Streaming { initial: true, events, .. } = self.state {
            // The end of the initial events never comes: a server that does not know the parameter. Only if it
            // sent something is it sure that it is not merely slow.
            if events > 0 {
                self.watch_list = false;
            }
            self.wait(now, Next::List);
            return;
        }
        let silent = match self.state {
            State::Streaming { heard, .. } => now.since(heard).as_secs(),
            State::Listing { .. } => LIST_SILENCE.as_secs(),
            _ => OPENING_LIMIT.as_secs(),
        };
        self.failed(now, random, &Failure::Connection(format!("nothing was heard from the server for {silent} seconds")));
    }

    /// What the open exchange was for.
    fn same_again(&self) -> Next {
        match &self.state {
            State::Waiting { next, .. } | State::Confirming { next, .. } | State::Suspended { next } => next.clone(),
            State::Listing { .. } => Next::List,
            State::Opening { initial, .. } | State::Streaming { initial, .. } => {
                if *initial {
                    Next::Begin
                } else {
                    Next::Watch
                }
            }
        }
    }

    fn wait(&mut self, until: Instant, next: Next) {
        self.state = State::Waiting { until, next };
    }

    fn later(&mut self, now: Instant, random: f64, next: Next) {
        // Meanwhile another cluster may come to the address.
        self.confirm = true;
        if self.health.state == HealthState::Live {
            self.lost(now, 0, "the server ends its streams again and again".to_owned());
        }
        let until = now + self.backoff.delay(now, random);
        self.wait(until, next);
    }

    /// The same, but not before the server wants it. client-go's reflector passes that over.
    fn later_than(&mut self, now: Instant, random: f64, status: &Status, next: Next) {
        self.later(now, random, next);
        let wanted = now + Duration::from_secs(u64::from(status.details.retry_after_seconds)).min(RETRY_AFTER_LIMIT);
        if let State::Waiting { until, .. } = &mut self.state {
            *until = wanted.max(*until);
        }
    }

    /// Without delay, unless that was done a moment ago.
    fn at_once(&mut self, now: Instant, random: f64, next: Next) {
        if self.last_at_once.is_some_and(|last| now.since(last) < AT_ONCE_PERIOD) {
            self.later(now, random, next);
        } else {
            self.last_at_once = Some(now);
            self.wait(now, next);
        }
    }

    /// Ends a wait.
    fn hurry(&mut self, now: Instant) {
        if let State::Waiting { until, .. } = &mut self.state {
            *until = now;
        }
    }

    fn live(&mut self, now: Instant) {
        self.settled(now, HealthState::Live);
    }

    /// All is well, in this way.
    fn settled(&mut self, now: Instant, state: HealthState) {
        if self.health.state != state {
            self.health.state = state;
            self.health.since = now;
        }
        self.health.heard = Some(now);
        self.health.reason.clear();
        self.health.code = 0;
    }

    fn lost(&mut self, now: Instant, code: u16, reason: String) {
        if self.health.state != HealthState::Reconnecting && (self.health.synced || self.health.state != HealthState::Loading) {
            self.health.state = HealthState::Reconnecting;
            self.health.since = now;
        }
        self.health.reason = reason;
        self.health.code = code;
    }
}
