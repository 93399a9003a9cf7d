//! Watches: streams over the log (apiserver `storage/cacher`).

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures::{FutureExt as _, Stream};

use super::{
    faults::{Disturbance, StreamFaults},
    history::Change,
    listing::{Selection, invalid_options, number, too_large, unreadable_version, watch_faults},
    projection::{Form, Include, at_version, project, status_value},
    query::Target,
    state::{Place, State, meta, object, set_meta},
};
use crate::{json::Value, meta::Status, platform::BoxFuture, transport::TransportError};

/// How often a watch says how far it is, where it is asked to.
const BOOKMARK_PERIOD: Duration = Duration::from_mins(1);
/// How long a watch lasts that names no end.
const LONGEST: Duration = Duration::from_mins(30);

/// A running watch.
pub(super) struct Watch {
    state: Arc<Mutex<State>>,
    place: Place,
    selection: Selection,
    form: Form,
    include: Include,
    at: u64,
    columns_said: bool,
    bookmarks: bool,
    bookmarks_seen: u64,
    ended_seen: u64,
    disturbances_seen: usize,
    ready: VecDeque<Bytes>,
    end: BoxFuture<'static, ()>,
    next_bookmark: BoxFuture<'static, ()>,
    ending: Ending,
    faults: StreamFaults,
}

/// What comes after all that a watch has to say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// More.
    Open,
    /// The end.
    Ended,
    /// A broken connection, and the end.
    Broken,
    /// Nothing.
    Stalled,
}

/// What a watch was asked for, checked.
pub(super) struct WatchPlan {
    place: Place,
    selection: Selection,
    form: Form,
    include: Include,
    version: u64,
    /// How far the watch cache had come.
    cached: u64,
    initial: bool,
    ends_initial: bool,
    bookmarks: bool,
    timeout: Duration,
    failure: Option<Status>,
}

impl State {
    /// Checks what a watch asks for.
    pub(super) fn plan_watch(
        &mut self,
        place: &Place,
        target: &Target,
        form: Form,
        include: Include,
    ) -> Result<WatchPlan, Status> {
        let faults = watch_faults(target);
        if !faults.is_empty() {
            return Err(invalid_options(faults));
        }
        let selection = Selection::of(target, self.definition(place)?)?;
        let asked = target.parameter("resourceVersion");
        let version = number(asked).map_err(unreadable_version)?;
        let listing = target.has("sendInitialEvents");
        let bookmarks = target.flag("allowWatchBookmarks");
        let initial = if listing { target.flag("sendInitialEvents") } else { version == 0 };
        let current = self.history.version();
        let watch_cache = self.definition(place)?.watch_cache;
        // The storage itself can still tell of the change that it was compacted at.
        let forgotten = !watch_cache && version + 1 < self.history.compacted();
        let failure = if listing && initial && version > current {
            Some(too_large(version, current, 1))
        } else if !initial && version > 0 && forgotten {
            Some(Status::expired("The resourceVersion for the provided watch is too old."))
        } else if !initial && version > 0 && version < self.history.oldest_watch() {
            Some(Status::expired(format!("too old resource version: {version} ({})", self.history.oldest_watch())))
        } else {
            None
        };
        let cached = match asked {
            _ if !watch_cache => current,
            "" if listing && initial => self.history.catch_up(place.resource),
            _ if listing && initial => self.history.wait_for(place.resource, version),
            _ => self.history.cached(place.resource),
        };
        let seconds = target.parameter("timeoutSeconds").parse().ok().filter(|seconds| *seconds > 0);
        Ok(WatchPlan {
            place: place.clone(),
            selection,
            form,
            include,
            version: if initial || version == 0 { current } else { version },
            cached,
            initial,
            ends_initial: listing && initial && bookmarks,
            bookmarks: bookmarks && watch_cache,
            timeout: seconds.map_or(LONGEST, Duration::from_secs),
            failure,
        })
    }
}

impl Watch {
    pub(super) fn start(state: Arc<Mutex<State>>, plan: WatchPlan, faults: StreamFaults) -> Self {
        let mut locked = lock(&state);
        locked.open_watches += 1;
        // A bookmark before the end, so that the next watch goes on from there.
        let early = plan.timeout.saturating_sub(Duration::from_secs(2));
        let mut watch = Self {
            end: locked.platform.sleep(plan.timeout),
            next_bookmark: locked.platform.sleep(BOOKMARK_PERIOD.min(early)),
            bookmarks_seen: locked.bookmarks,
            ended_seen: locked.ended_watches,
            disturbances_seen: locked.disturbances.len(),
            state: Arc::clone(&state),
            place: plan.place,
            selection: plan.selection,
            form: plan.form,
            include: plan.include,
            at: plan.version,
            columns_said: false,
            bookmarks: plan.bookmarks,
            ready: VecDeque::new(),
            ending: Ending::Open,
            faults,
        };
        if let Some(failure) = plan.failure {
            watch.fail(&failure);
        } else if plan.initial {
            let objects = locked.history.at(plan.version, watch.place.resource, &watch.place.prefix());
            for whole in objects.values() {
                if watch.selects(whole) {
                    watch.say(&locked, "ADDED", whole);
                }
            }
            if plan.ends_initial && !watch.faults.loses_bookmark {
                watch.bookmark(&locked, plan.cached, true);
            }
        }
        drop(locked);
        watch
    }

    fn selects(&self, whole: &Value) -> bool {
        (self.place.name.is_empty() || meta(whole, "name") == self.place.name) && self.selection.matches(whole)
    }

    fn say(&mut self, state: &State, kind: &str, whole: &Value) {
        let Some(definition) = state.definitions.get(self.place.resource) else { return };
        let now = state.platform.wall_time();
        let projected = project(self.form, self.include, !self.columns_said, whole, definition, now);
        self.columns_said = true;
        self.ready.push_back(line(kind, projected));
    }

    fn bookmark(&mut self, state: &State, version: u64, ends_initial: bool) {
        let Some(definition) = state.definitions.get(self.place.resource) else { return };
        let mut whole = object([
            ("kind", definition.kind.as_str().into()),
            ("apiVersion", definition.group_version.to_string().into()),
            ("metadata", Value::object()),
        ]);
        set_meta(&mut whole, "resourceVersion", version.to_string());
        if ends_initial {
            set_meta(&mut whole, "annotations", object([("k8s.io/initial-events-end", "true".into())]));
        }
        let times = if self.faults.doubles_bookmark { 2 } else { 1 };
        for _ in 0..times {
            self.say(state, "BOOKMARK", &whole);
        }
    }

    fn fail(&mut self, status: &Status) {
        self.ready.push_back(line("ERROR", status_value(status)));
        self.ending = Ending::Ended;
    }

    fn disturb(&mut self, disturbance: Disturbance) {
        match disturbance {
            Disturbance::Break => self.ending = Ending::Broken,
            Disturbance::Error(status) => self.fail(&status),
            Disturbance::Line(text) => self.ready.push_back(Bytes::from(text + "\n")),
            Disturbance::Stall => self.ending = Ending::Stalled,
        }
    }

    /// What happened since the last look.
    fn follow(&mut self, state: &State) {
        if self.at < state.history.oldest_watch() {
            let message = format!("too old resource version: {} ({})", self.at, state.history.oldest_watch());
            return self.fail(&Status::expired(message));
        }
        let prefix = self.place.prefix();
        let changes: Vec<Change> = state.history.since(self.at, self.place.resource).cloned().collect();
        for change in changes.iter().filter(|change| change.key.path.starts_with(&prefix)) {
            let old = change.old.as_ref().filter(|old| self.selects(old));
            let new = change.new.as_ref().filter(|new| self.selects(new));
            match (old, new) {
                (None, Some(new)) => self.say(state, "ADDED", new),
                (Some(_), Some(new)) => self.say(state, "MODIFIED", new),
                (Some(old), None) => self.say(state, "DELETED", &at_version(old, change.version)),
                (None, None) => {}
            }
        }
        self.at = self.at.max(state.history.version());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        lock(&self.state).open_watches -= 1;
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream for Watch {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let watch = &mut *self;
        if let Some(next) = watch.ready.pop_front() {
            return Poll::Ready(Some(Ok(next)));
        }
        match watch.ending {
            Ending::Open => {}
            Ending::Ended => return Poll::Ready(None),
            Ending::Stalled => return Poll::Pending,
            Ending::Broken => {
                watch.ending = Ending::Ended;
                return Poll::Ready(Some(Err(TransportError::Broken { message: "connection reset by peer".to_owned() })));
            }
        }
        let shared = Arc::clone(&watch.state);
        let mut state = lock(&shared);
        watch.follow(&state);
        let asked = state.bookmarks > watch.bookmarks_seen;
        watch.bookmarks_seen = state.bookmarks;
        let due = watch.next_bookmark.poll_unpin(context).is_ready();
        if due {
            watch.next_bookmark = state.platform.sleep(BOOKMARK_PERIOD);
            // Asked once, so that it wakes this watch.
            let _is_pending = watch.next_bookmark.poll_unpin(context);
        }
        if (due || asked) && watch.bookmarks && watch.ending == Ending::Open && !watch.faults.loses_bookmark {
            let version = state.history.catch_up(watch.place.resource);
            watch.bookmark(&state, version, false);
        }
        if state.ended_watches > watch.ended_seen || watch.end.poll_unpin(context).is_ready() {
            watch.ending = Ending::Ended;
        }
        let disturbances = state.disturbances.get(watch.disturbances_seen..).unwrap_or_default().to_vec();
        watch.disturbances_seen += disturbances.len();
        for disturbance in disturbances {
            watch.disturb(disturbance);
        }
        match watch.ready.pop_front() {
            Some(next) => Poll::Ready(Some(Ok(next))),
            None if watch.ending != Ending::Open => {
                drop(state);
                self.poll_next(context)
            }
            None => {
                if !state.waiting.iter().any(|known| known.will_wake(context.waker())) {
                    state.waiting.push(context.waker().clone());
                }
                Poll::Pending
            }
        }
    }
}

fn line(kind: &str, whole: Value) -> Bytes {
    Bytes::from(format!("{}\n", object([("type", kind.into()), ("object", whole)])))
}
