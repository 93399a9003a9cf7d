//! The library's side of `make bench-core`: does one piece of work for a while and prints what it cost as a line of JSON. The
//! other side is `tests/cluster/cmd/bench-core`. See `README.md`.

#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    native::run()
}

/// There is nothing beside it in a browser.
#[cfg(target_family = "wasm")]
fn main() {}
