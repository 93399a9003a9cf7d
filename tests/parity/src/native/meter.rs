//! Time, and time of processors.

use std::{
    fs,
    time::{Duration, Instant},
};

use super::Fallible;

/// What one run of the work cost.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) items: usize,
    pub(super) wall: Duration,
    /// What all threads of the process were running for.
    pub(super) processor: Duration,
}

/// Reads both clocks at the beginning and at the end.
pub(super) struct Meter {
    wall: Instant,
    processor: Duration,
}

impl Meter {
    pub(super) fn start() -> Fallible<Self> {
        let processor = running_time()?;
        Ok(Self { wall: Instant::now(), processor })
    }

    pub(super) fn stop(self, items: usize) -> Fallible<Cost> {
        let wall = self.wall.elapsed();
        Ok(Cost { items, wall, processor: running_time()?.saturating_sub(self.processor) })
    }
}

/// What the threads that there are have been running for. The kernel counts it in nanoseconds; `getrusage`, which the other side
/// asks, comes from the same count.
fn running_time() -> Fallible<Duration> {
    let threads = fs::read_dir("/proc/self/task").map_err(|error| format!("list the threads of this process: {error}"))?;
    let mut total = Duration::ZERO;
    for thread in threads {
        let file = thread.map_err(|error| format!("list the threads of this process: {error}"))?.path().join("schedstat");
        let text = fs::read_to_string(&file).map_err(|error| format!("read {}: {error}", file.display()))?;
        let running = text.split_whitespace().next().and_then(|number| number.parse().ok());
        total += Duration::from_nanos(running.ok_or_else(|| format!("{} has no number", file.display()))?);
    }
    Ok(total)
}
