//! Clocks, timers and tasks of a browser.

use std::time::Duration;

use js_sys::{Date, Function, Math, Promise, Reflect, global};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::platform::{BoxFuture, Instant, Platform, WallTime};

/// The browser this runs in: its clocks, timers, random numbers and tasks.
#[derive(Clone, Copy, Debug, Default)]
pub struct WebPlatform;

impl Platform for WebPlatform {
    fn now(&self) -> Instant {
        let milliseconds = property(&global(), "performance")
            .and_then(|performance| performance.dyn_into::<web_sys::Performance>().ok())
            .map_or_else(Date::now, |performance| performance.now());
        Instant::new(Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0))
    }

    fn wall_time(&self) -> WallTime {
        #[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 are whole and far below 2^53")]
        WallTime(Date::now() as i64)
    }

    fn random(&self) -> f64 {
        Math::random()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        // A browser's timers hold 31 bits of milliseconds; a longer sleep ends early and is slept again.
        let milliseconds = duration.as_secs_f64().mul_add(1000.0, 0.0).min(2_147_483_000.0).ceil();
        Box::pin(async move {
            let promise = Promise::new(&mut |resolve, _reject| {
                if let Some(set_timeout) = property(&global(), "setTimeout").and_then(|value| value.dyn_into::<Function>().ok()) {
                    // A host without timers would be no host; the promise then stays open.
                    set_timeout.call2(&JsValue::UNDEFINED, &resolve, &JsValue::from_f64(milliseconds)).ok();
                }
            });
            JsFuture::from(promise).await.ok();
        })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        spawn_local(task);
    }
}

fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}
