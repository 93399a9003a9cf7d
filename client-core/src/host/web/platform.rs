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
        let mut timer = Timer(JsValue::UNDEFINED);
        let rings = Promise::new(&mut |resolve, _reject| {
            if let Some(set_timeout) = function("setTimeout") {
                // A host without timers would be no host; the promise then stays open.
                timer.0 = set_timeout.call2(&JsValue::UNDEFINED, &resolve, &JsValue::from_f64(milliseconds)).unwrap_or_default();
            }
        });
        Box::pin(async move {
            JsFuture::from(rings).await.ok();
            drop(timer);
        })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        spawn_local(task);
    }
}

/// A timer of the browser, which ends when this is dropped.
struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(clear_timeout) = function("clearTimeout") {
            // Of one that has rung there is nothing to clear.
            clear_timeout.call1(&JsValue::UNDEFINED, &self.0).ok();
        }
    }
}

fn function(name: &str) -> Option<Function> {
    property(&global(), name)?.dyn_into().ok()
}

fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use wasm_bindgen::prelude::Closure;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn set(name: &str, value: &JsValue) {
        Reflect::set(&global(), &JsValue::from_str(name), value).unwrap();
    }

    #[wasm_bindgen_test]
    async fn a_sleep_begins_at_once_and_one_that_is_dropped_leaves_no_timer() {
        let (set_timeout, clear_timeout) = (function("setTimeout").unwrap(), function("clearTimeout").unwrap());
        let timers = Rc::new(RefCell::new(Vec::<JsValue>::new()));
        let (more, fewer) = (Rc::clone(&timers), Rc::clone(&timers));
        let (start, stop) = (set_timeout.clone(), clear_timeout.clone());
        let begins = Closure::<dyn FnMut(JsValue, JsValue) -> JsValue>::new(move |call: JsValue, time: JsValue| {
            let timer = start.call2(&JsValue::UNDEFINED, &call, &time).unwrap();
            more.borrow_mut().push(timer.clone());
            timer
        });
        let ends = Closure::<dyn FnMut(JsValue)>::new(move |timer: JsValue| {
            fewer.borrow_mut().retain(|other| *other != timer);
            stop.call1(&JsValue::UNDEFINED, &timer).unwrap();
        });
        set("setTimeout", begins.as_ref());
        set("clearTimeout", ends.as_ref());
        let sleep = WebPlatform.sleep(Duration::from_secs(3600));
        let while_asleep = timers.borrow().len();
        drop(sleep);
        let when_dropped = timers.borrow().len();
        WebPlatform.sleep(Duration::from_millis(1)).await;
        set("setTimeout", &set_timeout);
        set("clearTimeout", &clear_timeout);
        assert_eq!((while_asleep, when_dropped, timers.borrow().len()), (1, 0, 0));
    }
}
