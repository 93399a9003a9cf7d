//! The hosts: the only place that knows a browser or a runtime.

#[cfg(all(feature = "native", not(target_family = "wasm")))]
pub mod native;
#[cfg(all(feature = "web", target_family = "wasm"))]
pub mod web;
