//! Times that are never the same twice.

use std::sync::{Arc, Mutex};

use crate::{
    informer::lock::lock,
    meta::{MicroTime, Timestamp},
    platform::Platform,
};

const NANOS_PER_MILLISECOND: i64 = 1_000_000;
const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// Nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(pub(super) i64);

impl Moment {
    pub(super) const fn micro_time(self) -> MicroTime {
        MicroTime::from_unix(self.0.div_euclid(NANOS_PER_SECOND), self.0.rem_euclid(NANOS_PER_SECOND))
    }
}

/// The same time as `v1` events have it.
pub(super) fn timestamp(time: MicroTime) -> Timestamp {
    Timestamp::from_unix(time.unix_seconds(), time.subsec_nanos().into())
}

/// Gives out times, each once: an event's name is made of its time, and one that is taken is refused. The clock counts
/// milliseconds, in which much can happen, and other recorders give out times as well: the rest is chance.
pub(super) struct Moments {
    platform: Arc<dyn Platform>,
    last: Mutex<i64>,
}

impl Moments {
    pub(super) fn new(platform: Arc<dyn Platform>) -> Self {
        Self { platform, last: Mutex::new(i64::MIN) }
    }

    pub(super) fn next(&self) -> Moment {
        #[expect(clippy::cast_possible_truncation, reason = "below a million")]
        let chance = (self.platform.random() * NANOS_PER_MILLISECOND as f64) as i64;
        let now = self.platform.wall_time().0.saturating_mul(NANOS_PER_MILLISECOND).saturating_add(chance);
        let mut last = lock(&self.last);
        *last = now.max(last.saturating_add(1));
        Moment(*last)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, time::Duration};

    use super::*;
    use crate::platform::FakePlatform;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn no_time_is_given_out_twice_and_each_is_near_the_clock() {
        let platform = FakePlatform::default();
        let moments = Moments::new(Arc::new(platform.clone()));
        let mut given = BTreeSet::new();
        for round in 0..100 {
            platform.set_seed(round);
            given.extend((0..20).map(|_| moments.next()));
            platform.advance(Duration::from_millis(round % 2));
        }
        assert_eq!(given.len(), 2000);
        let off = platform.wall_time() - given.last().unwrap().micro_time().wall_time();
        assert!(off.abs() <= 1, "{off}");
    }

    #[test]
    fn recorders_that_start_at_one_time_give_out_others() {
        let platform = FakePlatform::default();
        platform.set_seed(7);
        let moments = || Moments::new(Arc::new(platform.clone()));
        assert_ne!(moments().next(), moments().next());
    }
}
