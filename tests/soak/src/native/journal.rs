//! What was done, for whoever has to understand what came of it.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

pub(super) struct Journal {
    start: Instant,
    lines: Mutex<Vec<String>>,
}

impl Journal {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), lines: Mutex::default() }
    }

    pub(super) fn note(&self, what: impl std::fmt::Display) {
        let line = format!("{:7.1} s  {what}", self.start.elapsed().as_secs_f64());
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    pub(super) fn tell(&self) {
        for line in &*self.lines.lock().unwrap_or_else(PoisonError::into_inner) {
            eprintln!("{line}");
        }
    }
}
