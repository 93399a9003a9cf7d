//! The browser, in a page or in a worker: fetch, timers, clocks; in a page, local storage.
//!
//! Guarantees: dropping a request, or the body of its response, aborts the fetch and frees its connection.

mod connector;
mod fetch;
mod platform;
mod storage;
mod words;

pub use connector::connect;
pub use fetch::FetchTransport;
pub use platform::WebPlatform;
pub use storage::{LocalTexts, cluster_storage};
