//! What a host gives the client: clocks, timers, randomness and tasks.
//!
//! Guarantees: nothing else in this crate reads a clock, starts a task or keeps anything between two runs, so a test
//! that brings its own [`Platform`] and [`Storage`] decides when time passes and what is there. Leaves out where a
//! storage is: files and local storage belong to the hosts.

mod bounds;
#[cfg(any(test, feature = "test-util"))]
mod chance;
#[cfg(any(test, feature = "test-util"))]
mod fake;
#[cfg(any(test, feature = "test-util"))]
mod memory_storage;
mod services;
mod storage;
mod text_storage;
#[cfg(test)]
mod texts;
mod time;
mod tolerant_storage;

pub use bounds::{BoxFuture, BoxStream, MaybeSend, MaybeSync};
#[cfg(any(test, feature = "test-util"))]
pub(crate) use chance::Chance;
#[cfg(any(test, feature = "test-util"))]
pub use fake::{FakePlatform, is_ready, ready};
#[cfg(any(test, feature = "test-util"))]
pub use memory_storage::MemoryStorage;
pub use services::{Platform, TimedOut, time_limit, timeout};
pub use storage::{Storage, StorageError, StorageKey, StorageKeyError, Stored};
pub use text_storage::{BoundedStorage, TextStore};
#[cfg(test)]
pub(crate) use texts::Texts;
pub use time::{Instant, WallTime};
pub use tolerant_storage::{StorageNotice, TolerantStorage};
