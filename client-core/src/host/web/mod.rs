//! The browser, in a page or in a worker: fetch, WebSockets, timers, clocks; in a page, local storage.
//!
//! Guarantees: dropping a request, or the body of its response, aborts the fetch and frees its connection; dropping a WebSocket closes
//! it.

mod connector;
mod fetch;
mod platform;
mod socket;
mod storage;
mod words;

pub use connector::connect;
pub use fetch::FetchTransport;
pub use platform::WebPlatform;
pub use socket::WebSocketTransport;
pub use storage::{LocalTexts, cluster_storage};
