//! What a host gives the client: clocks, timers, randomness and tasks.
//!
//! Guarantees: nothing else in this crate reads a clock or starts a task, so a test that brings its own
//! [`Platform`] decides when time passes. Leaves out storage, which belongs to the page.

mod bounds;
#[cfg(test)]
mod chance;
#[cfg(any(test, feature = "test-util"))]
mod fake;
mod services;
mod time;

pub use bounds::{BoxFuture, BoxStream, MaybeSend, MaybeSync};
#[cfg(test)]
pub(crate) use chance::Chance;
#[cfg(any(test, feature = "test-util"))]
pub use fake::{FakePlatform, is_ready, ready};
pub use services::{Platform, timeout};
pub use time::{Instant, WallTime};
