//! What this program and the page take.

use std::{fs, time::Duration};

use tokio::time::sleep;

use super::{Fallible, browser::Browser, while_doing};

/// The median of some looks, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// What this program has in memory.
    pub(super) native: u64,
    /// The memories of the page's modules, and what its scripts hold.
    pub(super) page: u64,
}

const LOOKS: usize = 7;

impl Memory {
    pub(super) async fn take(browser: &Browser) -> Fallible<Self> {
        let (mut native, mut page) = (Vec::new(), Vec::new());
        for _ in 0..LOOKS {
            native.push(resident()?);
            let heaps = browser.heaps().await?;
            page.push(heaps.wasm + heaps.scripts);
            sleep(Duration::from_millis(200)).await;
        }
        Ok(Self { native: median(native), page: median(page) })
    }

    /// By how many percent this is more than `before`: of this program, and of the page.
    pub(super) fn growth(&self, before: &Self) -> (f64, f64) {
        let percent = |now: u64, before: u64| (now as f64 / before.max(1) as f64 - 1.0) * 100.0;
        (percent(self.native, before.native), percent(self.page, before.page))
    }
}

fn median(mut looks: Vec<u64>) -> u64 {
    looks.sort_unstable();
    looks.get(looks.len() / 2).copied().unwrap_or_default()
}

/// What this process has in memory.
pub(super) fn resident() -> Fallible<u64> {
    let status = while_doing("read the memory of this process", fs::read_to_string("/proc/self/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok());
    kibibytes.map(|kibibytes| kibibytes * 1024).ok_or_else(|| "this process has no VmRSS".to_owned())
}
