//! Trying again for a while.

use std::time::Duration;

use crate::platform::Instant;

/// An error this long after the one before starts a window anew.
const QUIET: Duration = Duration::from_secs(60);

/// Allows tries without delay for a while after the first error (client-go `tools/cache/retry_with_deadline.go`).
#[derive(Debug, Default)]
pub(super) struct RetryWindow {
    length: Duration,
    opened: Option<Instant>,
    last: Option<Instant>,
}

impl RetryWindow {
    /// A window of `length`; one of no length allows nothing.
    pub(super) const fn new(length: Duration) -> Self {
        Self { length, opened: None, last: None }
    }

    /// Whether an error at `now` is to be followed by a try at once.
    pub(super) fn allows(&mut self, now: Instant) -> bool {
        if self.length.is_zero() {
            return false;
        }
        let quiet = self.last.is_some_and(|last| now.since(last) >= QUIET);
        let opened = self.opened.filter(|_| !quiet).unwrap_or(now);
        self.last = Some(now);
        let allowed = now.since(opened) <= self.length;
        // One that is over makes room for the next.
        self.opened = allowed.then_some(opened);
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn at(seconds: u64) -> Instant {
        Instant::new(Duration::from_secs(1000 + seconds))
    }

    #[test]
    fn a_window_allows_tries_for_its_length_and_then_makes_room_for_the_next() {
        let mut window = RetryWindow::new(Duration::from_secs(30));
        let tries = (0..100).take_while(|second| window.allows(at(*second))).count();
        assert_eq!(tries, 31);
        assert!(window.allows(at(32)));
    }

    #[test]
    fn a_quiet_minute_starts_the_window_anew() {
        let mut window = RetryWindow::new(Duration::from_secs(30));
        assert!((0..10).all(|second| window.allows(at(second))));
        assert!((70..=100).all(|second| window.allows(at(second))));
        assert!(!window.allows(at(101)));
    }

    #[test]
    fn no_window_allows_nothing() {
        assert!(!RetryWindow::default().allows(at(0)));
    }
}
