//! How often something may be done: client-go's `util/flowcontrol`.
//!
//! Guarantees: no clock and no timer but the platform's. Leaves out fairness among waiters: each waits its own time.

mod token_bucket;

pub use token_bucket::TokenBucket;
