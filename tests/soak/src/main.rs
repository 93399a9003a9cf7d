//! Twenty informers on a real control plane, ten in this program and ten in a page, while objects change all the time and the
//! parts between are killed, paused and made to forget. In the end each cache must be what `kubectl get` says, each history legal,
//! and memory flat. See `README.md`.

#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod page;
mod plan;
mod subject;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    native::run()
}

/// In a page its script says what is to be done.
#[cfg(target_family = "wasm")]
fn main() {}
