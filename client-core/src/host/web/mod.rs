//! The browser, in a page or in a worker: fetch, timers, clocks.
//!
//! Guarantees: dropping a request, or the body of its response, aborts the fetch and frees its connection.

mod fetch;
mod platform;

pub use fetch::FetchTransport;
pub use platform::WebPlatform;
