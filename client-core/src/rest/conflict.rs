//! Doing a thing again that somebody else came in between of: client-go's `util/retry`.

use std::{sync::Arc, time::Duration};

use super::ApiError;
use crate::{flowcontrol::BackoffSteps, platform::Platform};

/// Five tries some 10 ms apart: where several clients change one object (`retry.DefaultRetry`).
pub const DEFAULT_RETRY: BackoffSteps =
    BackoffSteps { duration: Duration::from_millis(10), factor: 1.0, jitter: 0.1, steps: 5, cap: None };

/// Four tries, after some 10, 50 and 250 ms: where controllers change the object as well (`retry.DefaultBackoff`).
pub const DEFAULT_BACKOFF: BackoffSteps =
    BackoffSteps { duration: Duration::from_millis(10), factor: 5.0, jitter: 0.1, steps: 4, cap: None };

/// Calls `work` until it succeeds, fails otherwise than by a conflict, or was called as often as `backoff` has steps; once in
/// any case (`retry.RetryOnConflict`). `work` reads the object anew in each call and changes what it read.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     meta::Status,
///     platform::{FakePlatform, Platform, ready},
///     rest::{ApiError, DEFAULT_RETRY, retry_on_conflict},
/// };
///
/// let platform: Arc<dyn Platform> = Arc::new(FakePlatform::default());
/// let done = retry_on_conflict(&platform, DEFAULT_RETRY, async || Ok::<_, ApiError>("changed"));
/// assert_eq!(ready(done).unwrap(), "changed");
/// ```
///
/// `work` begins anew each time, so what an async closure counts or changes is in a `Cell`, or behind a lock.
///
/// # Errors
/// The last conflict, or the first other error.
pub async fn retry_on_conflict<T, F: Future<Output = Result<T, ApiError>>>(
    platform: &Arc<dyn Platform>,
    backoff: BackoffSteps,
    work: impl FnMut() -> F,
) -> Result<T, ApiError> {
    retry_on_error(platform, backoff, ApiError::is_conflict, work).await
}

/// As [`retry_on_conflict`], for the errors for which `is_retriable` holds (`retry.OnError`). [`ApiError::find`] finds the error
/// of a request in another.
///
/// # Errors
/// The last error that is retriable, or the first that is not.
pub async fn retry_on_error<T, E, F: Future<Output = Result<T, E>>>(
    platform: &Arc<dyn Platform>,
    mut backoff: BackoffSteps,
    is_retriable: impl Fn(&E) -> bool,
    mut work: impl FnMut() -> F,
) -> Result<T, E> {
    loop {
        let outcome = work().await;
        match &outcome {
            Err(error) if backoff.steps > 0 && is_retriable(error) => {
                let delay = backoff.step(platform.random());
                // This was the last; the cap ends the tries as well, as in apimachinery's `ExponentialBackoff`.
                if backoff.steps == 0 {
                    return outcome;
                }
                platform.sleep(delay).await;
            }
            _ => return outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        meta::Status,
        platform::{FakePlatform, is_ready},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn conflict(text: &str) -> ApiError {
        ApiError::Refused(Box::new(Status::conflict(&"pods".into(), "p", text)))
    }

    /// The outcome of `work`, how often it was called, and after how many milliseconds it was over.
    fn run(
        backoff: BackoffSteps,
        mut work: impl FnMut(u32) -> Result<&'static str, ApiError>,
    ) -> (Result<&'static str, String>, u32, u128) {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        let (mut calls, mut outcome) = (0, None);
        {
            let mut task = Box::pin(async {
                let work = || {
                    calls += 1;
                    std::future::ready(work(calls))
                };
                outcome = Some(retry_on_conflict(&platform, backoff, work).await);
            });
            while !is_ready(&mut task) {
                clock.advance(Duration::from_millis(1));
            }
        }
        (
            outcome.unwrap().map_err(|error| error.to_string()),
            calls,
            clock.now().since(crate::platform::Instant::default()).as_millis(),
        )
    }

    #[test]
    fn a_conflict_is_tried_again_until_it_is_over_or_the_steps_are() {
        let steps = |steps| BackoffSteps { steps, ..BackoffSteps { jitter: 0.0, ..DEFAULT_RETRY } };
        let always = |call| Err(conflict(&format!("conflict {call}")));
        let (outcome, calls, took) = run(steps(3), always);
        assert_eq!((calls, took), (3, 20));
        assert!(outcome.unwrap_err().contains("conflict 3"));
        assert_eq!(run(steps(3), |_| Ok("done")), (Ok("done"), 1, 0));
        let third = |call| if call < 3 { Err(conflict("again")) } else { Ok("done") };
        assert_eq!(run(steps(3), third), (Ok("done"), 3, 20));
        assert_eq!(run(steps(0), always).1, 1);
    }

    #[test]
    fn tries_can_go_on_in_a_task_of_their_own() {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        let host = Arc::clone(&platform);
        platform.spawn(Box::pin(async move {
            let named = Status::not_found(&"pods".into(), "p");
            let work = async || {
                host.sleep(Duration::ZERO).await;
                Err::<(), _>(ApiError::Refused(Box::new(named.clone())))
            };
            assert!(retry_on_conflict(&host, DEFAULT_RETRY, work).await.unwrap_err().is_not_found());
        }));
        let mut task = clock.tasks().pop().unwrap();
        assert!(!is_ready(&mut task));
        clock.advance(Duration::ZERO);
        assert!(is_ready(&mut task));
    }

    #[test]
    fn nothing_is_tried_before_somebody_waits_and_nothing_after_nobody_does() {
        let clock = FakePlatform::default();
        let platform: Arc<dyn Platform> = Arc::new(clock.clone());
        for wanted in 0..5 {
            let calls = std::cell::Cell::new(0);
            let work = || {
                calls.set(calls.get() + 1);
                std::future::ready(Err::<(), _>(conflict("again")))
            };
            let mut tries = Box::pin(async { drop(retry_on_conflict(&platform, DEFAULT_RETRY, work).await) });
            while calls.get() < wanted {
                assert!(!is_ready(&mut tries));
                clock.advance(Duration::from_millis(11));
            }
            drop(tries);
            clock.advance(Duration::from_secs(1));
            assert_eq!(calls.get(), wanted);
        }
    }

    #[test]
    fn another_error_is_the_end() {
        let gone = |call| Err(if call == 1 { conflict("first") } else { ApiError::Refused(Box::new(Status::gone("too old"))) });
        assert_eq!(run(DEFAULT_BACKOFF, gone), (Err("too old".into()), 2, 11));
    }

    #[test]
    fn delays_grow_by_the_backoff_and_its_cap_ends_the_tries() {
        let always = |_| Err(conflict("again"));
        let plain = BackoffSteps { jitter: 0.0, ..DEFAULT_BACKOFF };
        assert_eq!((run(plain, always).1, run(plain, always).2), (4, 10 + 50 + 250));
        let capped = BackoffSteps { cap: Some(Duration::from_millis(20)), ..plain };
        assert_eq!((run(capped, always).1, run(capped, always).2), (1, 0));
        assert_eq!(run(DEFAULT_RETRY, always).1, 5);
    }
}
