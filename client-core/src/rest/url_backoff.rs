//! Waiting before requests to a server that is overloaded: client-go's `rest/urlbackoff.go`.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use http::StatusCode;

use crate::{
    flowcontrol::Backoff,
    platform::{Instant, MaybeSend, MaybeSync},
};

/// Says how long a client waits before its next try, and hears what each came to (client-go's `BackoffManager`). A client
/// without one does not wait (`NoBackoff`).
pub trait BackoffPolicy: MaybeSend + MaybeSync + 'static {
    /// How long to wait before the next try. A `Retry-After` that is longer comes before it.
    fn delay(&self) -> Duration;

    /// A try was answered with this code, or, with `None`, was not answered. `random` is in `0.0..1.0`.
    fn answered(&self, code: Option<StatusCode>, now: Instant, random: f64);
}

/// Waits longer before each request while the server answers 429 or a 5xx, and not at all once it answers anything else or
/// nothing (client-go's `URLBackoff`, which keeps one delay a host; a client here has one host). Off unless it is given to a
/// client; clients that share it share the delay.
///
/// ```
/// use std::time::Duration;
/// use http::StatusCode;
/// use porthole_client_core::{platform::Instant, rest::{BackoffPolicy as _, UrlBackoff}};
///
/// let backoff = UrlBackoff::new(Duration::from_secs(1), Duration::from_secs(60));
/// for _ in 0..3 {
///     backoff.answered(Some(StatusCode::GATEWAY_TIMEOUT), Instant::default(), 0.5);
/// }
/// assert_eq!(backoff.delay(), Duration::from_secs(4));
/// ```
#[derive(Debug)]
pub struct UrlBackoff(Mutex<Backoff<()>>);

impl UrlBackoff {
    /// A delay of `first`, doubled with each answer of an overloaded server up to `most`.
    #[must_use]
    pub fn new(first: Duration, most: Duration) -> Self {
        Self(Mutex::new(Backoff::new(first, most)))
    }
}

impl BackoffPolicy for UrlBackoff {
    fn delay(&self) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&())
    }

    fn answered(&self, code: Option<StatusCode>, now: Instant, random: f64) {
        let mut backoff = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if code.is_some_and(|code| code == StatusCode::TOO_MANY_REQUESTS || code.as_u16() >= 500) {
            backoff.next((), now, random);
        } else {
            backoff.reset(&());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn backoff() -> UrlBackoff {
        UrlBackoff::new(Duration::from_secs(1), Duration::from_secs(60))
    }

    fn answer(backoff: &UrlBackoff, code: u16) {
        backoff.answered(StatusCode::from_u16(code).ok(), Instant::default(), 0.5);
    }

    #[test]
    fn a_delay_grows_while_the_server_is_overloaded_and_ends_with_any_other_answer() {
        let backoff = backoff();
        for (code, before) in [(429, 0), (500, 1), (501, 2), (502, 4), (300, 8), (500, 0), (501, 1), (502, 2), (404, 4), (200, 0)]
        {
            assert_eq!(backoff.delay().as_secs(), before, "before {code}");
            answer(&backoff, code);
        }
        answer(&backoff, 503);
        backoff.answered(None, Instant::default(), 0.5);
        assert_eq!(backoff.delay(), Duration::ZERO);
    }

    #[test]
    fn servers_do_not_slow_one_another_down() {
        let (overloaded, other) = (backoff(), backoff());
        answer(&overloaded, 500);
        assert_eq!((overloaded.delay().as_secs(), other.delay().as_secs()), (1, 0));
    }

    #[test]
    fn a_delay_grows_to_what_it_may_be_and_one_that_may_not_be_is_none() {
        for most in [2, 0] {
            let backoff = UrlBackoff::new(Duration::from_secs(1), Duration::from_secs(most));
            (0..5).for_each(|_| answer(&backoff, 500));
            assert_eq!(backoff.delay().as_secs(), most);
        }
    }
}
