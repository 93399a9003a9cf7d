//! A growing delay for each of many things.

use std::{hash::Hash, time::Duration};

use rustc_hash::FxHashMap;

use super::steps::times;
use crate::platform::Instant;

/// A delay for each key: the first, then double each time, up to the most there may be (client-go
/// `util/flowcontrol/backoff.go`). A key that is left alone for more than twice the most begins anew.
///
/// ```
/// use std::time::Duration;
/// use porthole_client_core::{flowcontrol::Backoff, platform::{FakePlatform, Platform}};
///
/// let clock = FakePlatform::default();
/// let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));
/// backoff.next("pod", clock.now(), clock.random());
/// backoff.next("pod", clock.now(), clock.random());
/// assert_eq!(backoff.get("pod"), Duration::from_secs(2));
/// assert!(backoff.is_in_backoff("pod", clock.now()));
/// clock.advance(Duration::from_secs(2));
/// assert!(!backoff.is_in_backoff("pod", clock.now()));
/// ```
#[derive(Clone, Debug)]
pub struct Backoff<K> {
    first: Duration,
    most: Duration,
    jitter: f64,
    expiry: Duration,
    entries: FxHashMap<K, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    delay: Duration,
    updated: Instant,
}

impl<K: Eq + Hash> Backoff<K> {
    /// Delays that begin with `first` and do not grow over `most`.
    #[must_use]
    pub fn new(first: Duration, most: Duration) -> Self {
        Self { first, most, jitter: 0.0, expiry: most.saturating_mul(2), entries: FxHashMap::default() }
    }

    /// The same, each delay longer by up to this part of the one before it (`NewBackOffWithJitter`).
    #[must_use]
    pub const fn with_jitter(mut self, jitter: f64) -> Self {
        self.jitter = jitter.max(0.0);
        self
    }

    /// The same, with a key beginning anew where it is left alone for more than `expiry` (`HasExpiredFunc`).
    #[must_use]
    pub const fn with_expiry(mut self, expiry: Duration) -> Self {
        self.expiry = expiry;
        self
    }

    /// The delay of a key; zero where it has none.
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Duration
    where
        K: std::borrow::Borrow<Q>,
    {
        self.entries.get(key).map_or(Duration::ZERO, |entry| entry.delay)
    }

    /// Makes the delay of a key the next one, counted from `now`; `random` is in `0.0..1.0`.
    pub fn next(&mut self, key: K, now: Instant, random: f64) {
        let (first, most, expiry) = (self.first, self.most, self.expiry);
        let entry = self.entries.entry(key).or_insert(Entry { delay: Duration::ZERO, updated: now });
        let begins = entry.delay.is_zero() || has_expired(entry, now, expiry);
        let (plain, before) = if begins { (first, first) } else { (entry.delay.saturating_mul(2), entry.delay) };
        let delay = plain.saturating_add(times(before, self.jitter * random)).min(most);
        *entry = Entry { delay, updated: now };
    }

    /// Forgets a key (`Reset`).
    pub fn reset<Q: Eq + Hash + ?Sized>(&mut self, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
    {
        self.entries.remove(key);
    }

    /// Whether the delay of a key is not over, counted from its last [`next`](Self::next) (`IsInBackOffSinceUpdate`).
    pub fn is_in_backoff<Q: Eq + Hash + ?Sized>(&self, key: &Q, now: Instant) -> bool
    where
        K: std::borrow::Borrow<Q>,
    {
        self.live(key, now).is_some_and(|entry| now.since(entry.updated) < entry.delay)
    }

    /// Whether the delay of a key is not over, counted from `event`, which is when what is waited for went wrong
    /// (`IsInBackOffSince`).
    pub fn is_in_backoff_since<Q: Eq + Hash + ?Sized>(&self, key: &Q, event: Instant, now: Instant) -> bool
    where
        K: std::borrow::Borrow<Q>,
    {
        self.live(key, event).is_some_and(|entry| now.since(event) < entry.delay)
    }

    /// Forgets the keys that would begin anew (`GC`). Who has many that come and go calls it now and then.
    pub fn collect_garbage(&mut self, now: Instant) {
        let expiry = self.expiry;
        self.entries.retain(|_, entry| !has_expired(entry, now, expiry));
    }

    /// How many keys have a delay.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no key has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn live<Q: Eq + Hash + ?Sized>(&self, key: &Q, at: Instant) -> Option<&Entry>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.entries.get(key).filter(|entry| !has_expired(entry, at, self.expiry))
    }
}

fn has_expired(entry: &Entry, now: Instant, expiry: Duration) -> bool {
    now.since(entry.updated) > expiry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Chance;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const SECOND: Duration = Duration::from_secs(1);
    const KEY: &str = "key";

    fn at(seconds: u32) -> Instant {
        Instant::new(seconds * SECOND)
    }

    fn backoff(most: u32) -> Backoff<&'static str> {
        Backoff::new(SECOND, most * SECOND)
    }

    /// A backoff of at most five seconds that is at its most, last at six seconds.
    fn grown() -> Backoff<&'static str> {
        let mut backoff = backoff(5);
        (1..=6).for_each(|second| backoff.next(KEY, at(second), 0.5));
        assert_eq!(backoff.get(KEY), 5 * SECOND);
        backoff
    }

    #[test]
    fn a_delay_doubles_up_to_the_most_and_a_reset_ends_it() {
        let mut backoff = backoff(50);
        for (second, delay) in (1..).zip([0, 1, 2, 4, 8, 16, 32, 50, 50, 50]) {
            assert_eq!(backoff.get(KEY), delay * SECOND);
            backoff.next(KEY, at(second), 0.5);
        }
        backoff.next("other", at(11), 0.5);
        backoff.reset(KEY);
        assert_eq!((backoff.get(KEY), backoff.get("other")), (Duration::ZERO, SECOND));
    }

    #[test]
    fn who_is_left_alone_for_twice_the_most_is_out_of_its_delay() {
        let backoff = grown();
        assert!(backoff.is_in_backoff_since(KEY, at(6), at(6)));
        assert!(backoff.is_in_backoff_since(KEY, at(6), at(10)) && !backoff.is_in_backoff_since(KEY, at(6), at(11)));
        assert!(!backoff.is_in_backoff_since(KEY, at(6), at(17)) && !backoff.is_in_backoff_since(KEY, at(17), at(17)));
        assert!(!backoff.is_in_backoff_since("other", at(6), at(6)));
    }

    #[test]
    fn a_delay_stays_at_its_most_until_twice_of_it_has_passed() {
        let mut backoff = grown();
        backoff.next(KEY, at(16), 0.5);
        assert_eq!(backoff.get(KEY), 5 * SECOND);
        backoff.next(KEY, at(27), 0.5);
        assert_eq!(backoff.get(KEY), SECOND);
    }

    #[test]
    fn garbage_is_what_was_left_alone_for_more_than_twice_the_most() {
        let mut backoff = grown();
        backoff.collect_garbage(at(16));
        assert_eq!(backoff.len(), 1);
        backoff.collect_garbage(at(17));
        assert!(backoff.is_empty());
    }

    #[test]
    fn garbage_is_what_was_left_alone_for_more_than_a_given_time() {
        for (expiry, kept, gone) in [(None, 100, 101), (Some(200), 200, 201), (Some(8), 8, 9)] {
            let mut backoff = backoff(50);
            if let Some(expiry) = expiry {
                backoff = backoff.with_expiry(expiry * SECOND);
            }
            backoff.next(KEY, at(0), 0.5);
            backoff.collect_garbage(at(kept));
            assert_eq!(backoff.len(), 1, "{expiry:?}");
            backoff.collect_garbage(at(gone));
            assert!(backoff.is_empty(), "{expiry:?}");
        }
    }

    #[test]
    fn a_delay_begins_anew_after_a_given_time() {
        for (expiry, pause, longer) in [(100, 5, 101), (8, 5, 9)] {
            let mut backoff = backoff(50).with_expiry(expiry * SECOND);
            backoff.next(KEY, at(0), 0.5);
            backoff.next(KEY, at(pause), 0.5);
            assert_eq!(backoff.get(KEY), 2 * SECOND);
            backoff.next(KEY, at(pause + longer), 0.5);
            assert_eq!(backoff.get(KEY), SECOND);
        }
    }

    #[test]
    fn a_delay_is_counted_from_its_last_update() {
        let mut backoff = backoff(10);
        let mut waits = Vec::new();
        for second in (0..=35).chain([56, 57]) {
            if backoff.is_in_backoff(KEY, at(second)) {
                waits.push((second, backoff.get(KEY).as_secs()));
            } else {
                backoff.next(KEY, at(second), 0.5);
            }
        }
        let expected = [2..=2, 4..=6, 8..=14, 16..=24, 26..=34].into_iter().zip([2, 4, 8, 10, 10]);
        assert_eq!(waits, expected.flat_map(|(seconds, delay)| seconds.map(move |second| (second, delay))).collect::<Vec<_>>());
        assert_eq!(backoff.get(KEY), 2 * SECOND);
    }

    #[test]
    fn jitter_stretches_each_delay_by_a_part_of_the_one_before() {
        let (first, most) = (SECOND / 10, 60 * SECOND);
        let mut backoff = Backoff::new(first, most).with_jitter(0.1);
        let delays = [0, 1, 2].map(|second| {
            backoff.next(KEY, at(second), 0.5);
            backoff.get(KEY).as_micros()
        });
        assert_eq!(delays, [105_000, 215_250, 441_262]);
        for seed in 0..20 {
            let (mut chance, mut backoff) = (Chance(seed), Backoff::new(first, most).with_jitter(0.1));
            let mut before = Duration::ZERO;
            for step in 0..12 {
                #[expect(clippy::cast_precision_loss, reason = "a random number")]
                let random = chance.below(1000) as f64 / 1000.0;
                backoff.next(KEY, at(step), random);
                let (low, spread) = if step == 0 { (first, first) } else { (before * 2, before) };
                before = backoff.get(KEY);
                assert!((low..=low + spread / 10).contains(&before) || before == most, "{step}: {before:?}");
            }
            assert_eq!(before, most);
        }
    }

    #[test]
    fn a_delay_that_cannot_grow_stays_the_longest_there_is() {
        let mut backoff = Backoff::new(Duration::MAX / 3, Duration::MAX).with_jitter(f64::MAX);
        (0..9).for_each(|_| backoff.next(KEY, at(0), 0.9));
        assert_eq!(backoff.get(KEY), Duration::MAX);
    }
}
