//! List and watch: a state machine without I/O, and the short loop that drives it.
//!
//! Guarantees: whatever the server and the connection do, what the machine hands out ends equal to a fresh
//! list; a gap shows in [`Health`] while it lasts; retries grow apart. It follows client-go's
//! `tools/cache/reflector.go`; where it differs, the place says why. Leaves out resync.

mod backoff;
mod driver;
mod exchange;
mod health;
mod machine;
mod options;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod traffic;
mod window;

pub use backoff::{Backoff, BackoffOptions};
pub use driver::{Signal, Sink, Source, drive};
pub use exchange::{Failure, Identity, Input, Output, PageEnd, Received, Request, Step, Versioned};
pub use health::{Health, HealthState};
pub use machine::Reflector;
#[cfg(all(test, feature = "typed", not(target_family = "wasm")))]
pub(crate) use machine::trace::{Transition, take_transitions};
pub use options::{FirstList, Following, ReflectorOptions};
pub use traffic::Traffic;
