//! What goes over the wire.

use super::{Input, Request};
use crate::wire::WatchEvent;

/// What a reflector asked for and got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes of bodies.
    pub bytes_received: u64,
    /// Events that brought an object.
    pub events: u64,
    /// Lists that were sent; each page is one.
    pub lists: u64,
    /// Watches that were sent.
    pub watches: u64,
}

impl Traffic {
    /// Adds what came since.
    pub const fn add(&mut self, other: &Self) {
        self.bytes_received += other.bytes_received;
        self.events += other.events;
        self.lists += other.lists;
        self.watches += other.watches;
    }

    /// That of a request that is sent.
    pub(super) fn of_request(request: &Request) -> Self {
        Self {
            lists: u64::from(matches!(request, Request::List { .. })),
            watches: u64::from(matches!(request, Request::Watch { .. })),
            ..Self::default()
        }
    }

    /// That of something that arrived: so many bytes, and what was read of them.
    pub(super) fn of_arrival<T>(bytes: usize, inputs: &[Input<T>]) -> Self {
        let is_event = |input: &&Input<T>| matches!(input, Input::Event(event) if !matches!(event, WatchEvent::Bookmark(_) | WatchEvent::Error(_)));
        let events = inputs.iter().filter(is_event).count();
        Self { bytes_received: bytes as u64, events: events as u64, ..Self::default() }
    }
}
