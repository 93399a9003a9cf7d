//! The hosts: the only place that knows a browser or a runtime.

#[cfg(all(feature = "native", not(target_family = "wasm")))]
#[expect(clippy::disallowed_methods, reason = "this is where clocks, timers and tasks come from")]
pub mod native;
#[cfg(all(feature = "web", target_family = "wasm"))]
#[expect(clippy::disallowed_methods, reason = "this is where clocks, timers and tasks come from")]
pub mod web;
