//! What a person is told of a watch.

use crate::platform::Instant;

/// How a watch is, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// The state.
    pub state: HealthState,
    /// When the state began; for [`HealthState::Reconnecting`], when the cache stopped being live.
    pub since: Instant,
    /// When the server was last heard.
    pub heard: Option<Instant>,
    /// Whether a whole list has been seen.
    pub synced: bool,
    /// What went wrong last, in words for a person; empty while live.
    pub reason: String,
    /// The code of the server's refusal; 0 where there is none.
    pub code: u16,
}

impl Health {
    /// That of a watch that begins at `now`.
    #[must_use]
    pub const fn starting(now: Instant) -> Self {
        Self { state: HealthState::Loading, since: now, heard: None, synced: false, reason: String::new(), code: 0 }
    }
}

/// The state of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthState {
    /// The first list is on its way.
    Loading,
    /// The cache follows the server.
    Live,
    /// The collection cannot be watched, so it is listed now and then.
    Polling,
    /// The connection is lost; what is shown may be old.
    Reconnecting,
    /// The server refuses: forbidden, unknown, not signed in.
    Refused,
    /// Nobody looks, so nothing is followed; what is known may be old.
    Suspended,
}
