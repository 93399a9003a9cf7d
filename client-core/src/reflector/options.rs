//! How a collection is followed.

use std::time::Duration;

use super::BackoffOptions;
use crate::meta::ResourceVersion;

/// How a collection is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Following {
    /// By a watch that brings the list first, where the server can; by list and watch where it cannot.
    #[default]
    WatchList,
    /// By list and watch.
    Watch,
    /// By a list now and then: the collection has no watch.
    List,
}

/// Of which version the first list is. A list that comes later is not older than what is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstList {
    /// Of any version that the server has at hand (`resourceVersion=0`): the quickest.
    #[default]
    Any,
    /// Of the newest (no `resourceVersion`).
    MostRecent,
    /// Of just this one (`resourceVersionMatch=Exact`); of the newest, where the server has forgotten it.
    Exact(ResourceVersion),
}

/// How a reflector goes about it (client-go `tools/cache/reflector.go`, `ReflectorOptions`). The default is client-go's.
#[derive(Clone, Debug, PartialEq)]
pub struct ReflectorOptions {
    /// By which requests.
    pub following: Following,
    /// Of which version the first list is. One that is streamed ([`Following::WatchList`]) is of the newest.
    pub first_list: FirstList,
    /// The most objects of a page of a list (`WatchListPageSize`). By default 500, where the server is not asked for what it has
    /// in memory.
    pub page_size: Option<u32>,
    /// The shortest time after which a watch ends; the longest is twice as long. Less than five minutes count as five
    /// (`MinWatchTimeout`).
    pub watch_timeout: Duration,
    /// For how long a watch that reports an internal error is opened again without delay (`MaxInternalErrorRetryDuration`).
    pub internal_error_retry: Duration,
    /// How delays between tries grow.
    pub backoff: BackoffOptions,
}

/// client-go's `defaultMinWatchTimeout`.
const WATCH_TIMEOUT: Duration = Duration::from_secs(300);

impl Default for ReflectorOptions {
    fn default() -> Self {
        Self {
            following: Following::default(),
            first_list: FirstList::default(),
            page_size: None,
            watch_timeout: WATCH_TIMEOUT,
            internal_error_retry: Duration::ZERO,
            backoff: BackoffOptions::default(),
        }
    }
}

impl ReflectorOptions {
    /// The default, for a collection that is followed in this way.
    #[must_use]
    pub fn following(following: Following) -> Self {
        Self { following, ..Self::default() }
    }

    /// When a watch is to end; `random` is in `0.0..1.0`.
    pub(super) fn timeout(&self, random: f64) -> Duration {
        self.watch_timeout.max(WATCH_TIMEOUT).mul_f64(1.0 + random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn watches_end_after_five_to_ten_minutes_or_longer_where_that_is_asked_for() {
        let seconds = |shortest: u64, random| {
            let options = ReflectorOptions { watch_timeout: Duration::from_secs(shortest), ..ReflectorOptions::default() };
            options.timeout(random).as_secs()
        };
        assert_eq!([seconds(300, 0.0), seconds(300, 0.5)], [300, 450]);
        assert!(seconds(300, 0.9999) < 600);
        assert_eq!(seconds(60, 0.0), 300);
        assert_eq!([seconds(1800, 0.0), seconds(1800, 0.5)], [1800, 2700]);
    }
}
