//! What a run came to, as numbers.

use std::{fs, path::Path};

use serde::Serialize;

use super::{Fallible, while_doing};

#[derive(Default, Serialize)]
pub(super) struct Figures {
    pub(super) minutes: f64,
    pub(super) seed: u64,
    pub(super) writes: u64,
    pub(super) writes_per_second: f64,
    pub(super) failed_writes: u64,
    /// Changes that handlers were told of.
    pub(super) events: u64,
    pub(super) disturbances: u64,
    pub(super) restarts: u64,
    pub(super) relists: u64,
    pub(super) reconnects: u64,
    pub(super) caches: usize,
    pub(super) unequal_caches: usize,
    pub(super) objects: usize,
    /// How long the last cache took to be live again.
    pub(super) healing_seconds: f64,
    /// The greater one of the next two.
    pub(super) memory_growth_percent: f64,
    pub(super) native_memory_growth_percent: f64,
    pub(super) page_memory_growth_percent: f64,
    pub(super) native_memory_mib: f64,
    pub(super) page_memory_mib: f64,
}

impl Figures {
    pub(super) fn write(&self, file: &Path) -> Fallible<()> {
        if let Some(folder) = file.parent() {
            while_doing(folder.display(), fs::create_dir_all(folder))?;
        }
        let text = while_doing("write figures", serde_json::to_string_pretty(self))?;
        while_doing(file.display(), fs::write(file, text + "\n"))
    }
}
