//! Counts the transitions of machines that are driven, for the test that is to have seen all of them.

use std::{cell::RefCell, collections::BTreeMap};

use super::{Next, Reflector, State};
use crate::{
    meta::Status,
    reflector::{Failure, Identity, Input, Step},
    wire::WatchEvent,
};

/// From where, why, and to where.
pub(crate) type Transition = (&'static str, &'static str, &'static str);

thread_local! {
    static SEEN: RefCell<BTreeMap<Transition, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// The transitions of this thread since the last call. Only the model of informers asks.
#[cfg(all(feature = "typed", not(target_family = "wasm")))]
pub(crate) fn take_transitions() -> BTreeMap<Transition, u64> {
    SEEN.take()
}

impl Reflector {
    /// What kind of state it is in.
    pub(in crate::reflector) const fn place(&self) -> &'static str {
        match &self.state {
            State::Waiting { next: Next::Begin, .. } => "waiting to begin",
            State::Waiting { next: Next::List, .. } => "waiting to list",
            State::Waiting { next: Next::Page(_), .. } => "waiting for a page",
            State::Waiting { next: Next::Watch, .. } => "waiting to watch",
            State::Confirming { .. } => "confirming",
            State::Listing { progress, .. } if progress.token.is_some() => "listing a page",
            State::Listing { .. } => "listing",
            State::Opening { initial: true, .. } => "opening a streamed list",
            State::Opening { .. } => "opening a watch",
            State::Streaming { initial: true, .. } => "streaming a list",
            State::Streaming { .. } => "streaming",
            State::Suspended { .. } => "suspended",
        }
    }

    /// Notes a step that began in `from`. One that only waits is none.
    pub(in crate::reflector) fn note_step(&self, from: &'static str, step: &Step) {
        if matches!(step, Step::Send(_)) || from != self.place() {
            note(from, if from.starts_with("waiting") { "time" } else { "silence" }, self.place());
        }
    }

    /// Notes an input of this cause that came in `from`.
    pub(in crate::reflector) fn note_input(&self, from: &'static str, cause: &'static str) {
        // Only who asks for a streamed list has to know that the server has none.
        let opens = from == "opening a streamed list" || from == "opening a watch";
        let cause = if cause == "refused: no streamed lists" && !opens { "refused: another" } else { cause };
        // Bytes of which nothing follows are not worth a word.
        if cause != "bytes" {
            note(from, cause, self.place());
        }
    }
}

fn note(from: &'static str, cause: &'static str, to: &'static str) {
    SEEN.with_borrow_mut(|seen| *seen.entry((from, cause, to)).or_default() += 1);
}

/// What class of input it is.
pub(in crate::reflector) fn cause<T>(input: &Input<T>) -> &'static str {
    match input {
        Input::Opened => "head",
        Input::Heard => "bytes",
        Input::Items(_) => "items",
        Input::PageEnd(end) if end.continue_token.is_some() => "end of a page",
        Input::PageEnd(_) => "end of the list",
        Input::Event(WatchEvent::Bookmark(bookmark)) if bookmark.ends_initial_events => "bookmark at the end",
        Input::Event(WatchEvent::Bookmark(_)) => "bookmark",
        Input::Event(WatchEvent::Error(status)) => reported(status),
        Input::Event(_) => "object",
        Input::Unreadable(_) => "unreadable line",
        Input::Outdated => "other columns",
        Input::Ended => "end",
        Input::Failed(Failure::Refused(status)) => refused(status),
        Input::Failed(Failure::Connection(_)) => "broken connection",
        Input::Failed(Failure::Unreadable(_)) => "unreadable answer",
        Input::Identity(Identity::Same) => "same cluster",
        Input::Identity(Identity::Other) => "other cluster",
        Input::Identity(Identity::Unknown) => "unknown cluster",
        Input::Woken => "woken",
        Input::Retry => "retry",
        Input::Suspend => "suspend",
        Input::Resume => "resume",
    }
}

fn reported(status: &Status) -> &'static str {
    if status.is_expired_or_gone() || status.is_resource_version_too_large() {
        "error: version"
    } else if status.is_too_many_requests() {
        "error: too many requests"
    } else if status.is_store_read_error() {
        "error: storage"
    } else if status.is_internal_error() {
        "error: internal"
    } else {
        "error: another"
    }
}

fn refused(status: &Status) -> &'static str {
    if status.is_expired_or_gone() || status.is_resource_version_too_large() {
        "refused: version"
    } else if status.is_too_many_requests() || status.is_unavailable() {
        "refused: for now"
    } else if status.is_denial() {
        "refused: denied"
    } else if status.refuses_watch_list() {
        "refused: no streamed lists"
    } else {
        "refused: another"
    }
}
