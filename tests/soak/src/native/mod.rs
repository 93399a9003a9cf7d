//! The program: what runs, what is done to it, and what comes of it.

mod browser;
mod cluster;
mod compare;
mod disturb;
mod figures;
mod journal;
mod memory;
mod objects;
mod options;
mod proxy;
mod random;
mod scene;
mod soak;
mod table;
mod writers;

use std::process::ExitCode;

pub(crate) use soak::run;

/// What goes wrong, in words for whoever started the program.
type Fallible<T> = Result<T, String>;

/// Says what was being done when something went wrong.
fn while_doing<T>(what: impl std::fmt::Display, result: Result<T, impl std::fmt::Display>) -> Fallible<T> {
    result.map_err(|error| format!("{what}: {error}"))
}

fn exit(result: Fallible<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}
