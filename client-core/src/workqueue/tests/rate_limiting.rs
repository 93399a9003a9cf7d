//! Items that failed.

use std::time::Duration;

use super::*;
use crate::flowcontrol::TokenBucket;
use crate::workqueue::{BucketRateLimiter, ExponentialRateLimiter, ItemRateLimiter, RateLimitingQueue};
use futures::FutureExt as _;
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
