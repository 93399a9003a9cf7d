//! Informers over the API server in memory, or over a scripted one, and a clock that only the test moves.

mod bench;
mod contract;
mod controller;
mod dynamic;
mod factory;
mod handlers;
mod panics;
mod projection;
mod resyncs;
mod source;
mod statistics;
mod stopping;
mod story;
mod table;
#[cfg(not(target_family = "wasm"))]
mod threads;
mod tracking;
mod unreadable;
mod waiting;
