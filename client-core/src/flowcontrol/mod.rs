//! How often something may be done, and how long to wait after it failed: client-go's `util/flowcontrol`, and apimachinery's
//! `util/wait`: its steps, and asking again and again until something holds.
//!
//! Guarantees: no clock, no timer and no chance but the platform's. Leaves out fairness among waiters: each waits its own time.

mod backoff;
#[cfg(any(test, feature = "test-util"))]
mod fake;
mod pace;
mod poll;
mod rate_limiter;
mod steps;
mod token_bucket;

pub use backoff::Backoff;
#[cfg(any(test, feature = "test-util"))]
pub use fake::FakeRateLimiter;
pub use pace::{Delays, Pace};
pub use poll::{PollError, poll_steps, poll_until, repeat};
pub use rate_limiter::RateLimiter;
pub use steps::BackoffSteps;
pub(crate) use steps::times;
pub use token_bucket::TokenBucket;
