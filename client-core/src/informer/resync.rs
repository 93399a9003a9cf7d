//! Who wants to hear of every object again, and when.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::platform::Instant;

/// The shortest period (client-go `minimumResyncPeriod`).
const SHORTEST: Duration = Duration::from_secs(1);

/// Who wants to hear of every object again, and when (client-go `tools/cache/shared_informer.go`, `sharedProcessor.shouldResync` and
/// `determineResyncPeriod`).
#[derive(Debug, Default)]
pub(super) struct Resyncs {
    /// How often it is looked who is due.
    check: Option<Duration>,
    handlers: Vec<Resync>,
    /// Whether somebody looks, or is going to.
    watched: bool,
}

/// A handler that wants to hear of every object again.
#[derive(Debug)]
pub(super) struct Resync {
    pub(super) number: u64,
    pub(super) period: Duration,
    /// When it is due; `None` for a period after the first look.
    pub(super) next: Option<Instant>,
    pub(super) due: Arc<AtomicBool>,
}

impl Resyncs {
    pub(super) fn new(check: Option<Duration>) -> Self {
        Self { check: check.filter(|check| !check.is_zero()), ..Self::default() }
    }

    pub(super) const fn check(&self) -> Option<Duration> {
        self.check
    }

    /// Notes a handler. Before the start a shorter period makes all checks more frequent; after it, a period is at least as long as
    /// they are apart. Gives back whether from now on somebody has to look.
    pub(super) fn add(&mut self, handler: Resync, started: bool) -> bool {
        let mut handler = Resync { period: handler.period.max(SHORTEST), ..handler };
        match self.check {
            // Where nobody looks nobody is told.
            None if started => return false,
            Some(check) if started => handler.period = handler.period.max(check),
            Some(check) => self.check = Some(check.min(handler.period)),
            None => self.check = Some(handler.period),
        }
        self.handlers.push(handler);
        !std::mem::replace(&mut self.watched, true)
    }

    pub(super) fn remove(&mut self, number: u64) {
        self.handlers.retain(|handler| handler.number != number);
    }

    /// Notes that it starts at `now`.
    pub(super) fn start(&mut self, now: Instant) {
        for handler in &mut self.handlers {
            handler.next = Some(now + handler.period);
        }
    }

    /// Notes who is due at `now`; gives back whether anybody is.
    pub(super) fn mark(&mut self, now: Instant) -> bool {
        let mut any = false;
        for handler in &mut self.handlers {
            if handler.next.is_none_or(|next| now >= next) {
                handler.next = Some(now + handler.period);
                handler.due.store(true, Ordering::Release);
                any = true;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn handler(number: u64, period: Duration) -> Resync {
        Resync { number, period, next: None, due: Arc::default() }
    }

    #[test]
    fn before_the_start_a_shorter_period_makes_checks_more_frequent_and_after_it_not() {
        let mut resyncs = Resyncs::new(Some(seconds(12 * 3600)));
        for (number, period, check) in [(1, 60, 60), (2, 55, 55), (3, 5, 5), (4, 120, 5)] {
            resyncs.add(handler(number, seconds(period)), false);
            assert_eq!(resyncs.check(), Some(seconds(check)));
        }
        resyncs.add(handler(5, seconds(2)), true);
        assert_eq!(resyncs.check(), Some(seconds(5)));
        let periods: Vec<_> = resyncs.handlers.iter().map(|handler| handler.period.as_secs()).collect();
        assert_eq!(periods, [60, 55, 5, 120, 5]);
    }

    #[test]
    fn a_period_is_a_second_at_least_and_where_nobody_looks_there_is_none() {
        let mut resyncs = Resyncs::new(None);
        assert!(!resyncs.add(handler(1, seconds(9)), true));
        assert!(resyncs.add(handler(2, Duration::from_millis(10)), false));
        assert_eq!(resyncs.check(), Some(seconds(1)));
    }

    #[test]
    fn nobody_is_due_who_was_taken_off() {
        let mut resyncs = Resyncs::new(None);
        let (one, two) = (handler(1, seconds(1)), handler(2, seconds(2)));
        let due = [Arc::clone(&one.due), Arc::clone(&two.due)];
        resyncs.add(one, false);
        resyncs.add(two, false);
        resyncs.start(Instant::default());
        resyncs.remove(1);
        assert!(!resyncs.mark(Instant::default() + seconds(1)));
        assert!(resyncs.mark(Instant::default() + seconds(2)));
        assert_eq!(due.map(|due| due.load(Ordering::Acquire)), [false, true]);
        resyncs.remove(2);
        assert!(!resyncs.mark(Instant::default() + seconds(9)));
    }
}
