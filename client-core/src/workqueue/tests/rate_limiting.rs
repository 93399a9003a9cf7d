//! Items that failed.

use std::{sync::Mutex, time::Duration};

use futures::FutureExt as _;

use super::*;
use crate::{
    flowcontrol::TokenBucket,
    platform::{Instant, Platform as _},
    workqueue::{BucketRateLimiter, ExponentialRateLimiter, ItemRateLimiter, RateLimitingQueue, default_controller_rate_limiter},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn limited(limiter: impl ItemRateLimiter<&'static str>) -> (FakePlatform, RateLimitingQueue<&'static str>) {
    let (platform, queue) = queue();
    (platform, RateLimitingQueue::new(queue, limiter))
}

/// After how many milliseconds it comes; it is then taken.
fn delay(platform: &FakePlatform, queue: &RateLimitingQueue<&'static str>) -> u64 {
    for milliseconds in 0.. {
        platform.run();
        if queue.get().now_or_never().is_some() {
            return milliseconds;
        }
        platform.advance(Duration::from_millis(1));
    }
    0
}

#[test]
fn an_item_that_fails_comes_again_after_the_delay_of_its_limiter() {
    let (platform, queue) = limited(ExponentialRateLimiter::new(Duration::from_millis(1), Duration::from_secs(1)));
    let fail = |item| {
        queue.add_rate_limited(item);
        delay(&platform, &queue)
    };
    assert_eq!([(); 3].map(|()| fail("one")), [1, 2, 4]);
    assert_eq!((queue.retries(&"one"), queue.retries(&"two")), (3, 0));
    assert_eq!([(); 2].map(|()| fail("two")), [1, 2]);
    queue.clone().forget(&"one");
    assert_eq!((queue.retries(&"one"), queue.retries(&"two")), (0, 2));
    assert_eq!((fail("one"), fail("two")), (1, 4));
}

#[test]
fn an_item_that_is_forgotten_stays_queued() {
    let (platform, queue) = limited(ExponentialRateLimiter::new(Duration::from_millis(1), Duration::from_secs(1)));
    queue.add("one");
    queue.add_rate_limited("two");
    queue.forget(&"one");
    queue.forget(&"two");
    assert_eq!((queue.len(), delay(&platform, &queue), delay(&platform, &queue)), (1, 0, 1));
}

#[test]
fn a_limiter_reads_the_clock_of_the_queue() {
    let (platform, queue) = limited(BucketRateLimiter::new(Arc::new(TokenBucket::new(10.0, 1))));
    for _ in 0..3 {
        queue.add_rate_limited("one");
        assert_eq!(delay(&platform, &queue), 0);
        platform.advance(Duration::from_millis(50));
        queue.add_rate_limited("one");
        assert_eq!(delay(&platform, &queue), 50);
        platform.advance(Duration::from_secs(1));
    }
}

#[test]
fn a_worker_tries_again_what_failed_until_it_does_not() {
    let (platform, queue) = limited(default_controller_rate_limiter());
    let tries = Arc::new(Mutex::new(Vec::new()));
    let (worker, clock, noted) = (queue.clone(), platform.clone(), Arc::clone(&tries));
    platform.spawn(Box::pin(async move {
        while let Some(item) = worker.get().await {
            noted.lock().unwrap().push(clock.now().since(Instant::default()).as_millis());
            if worker.retries(&item) < 4 {
                worker.add_rate_limited(*item);
            } else {
                worker.forget(&item);
                worker.shut_down();
            }
        }
    }));
    queue.add("one");
    while platform.running_tasks() > 0 {
        platform.run();
        platform.advance(Duration::from_millis(1));
    }
    assert_eq!(*tries.lock().unwrap(), [0, 5, 15, 35, 75]);
    assert_eq!((queue.retries(&"one"), platform.pending_timers()), (0, 0));
}
