//! What the boot module and the browser say of where this runs.

use js_sys::{Array, Function, Reflect, global};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};
use web_sys::{DedicatedWorkerGlobalScope, MessagePort, SharedWorkerGlobalScope};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = porthole, js_name = holdLock)]
    fn hold_lock_of(name: &str, held: &Function);

    #[wasm_bindgen(js_namespace = porthole, js_name = awaitLock)]
    fn await_lock_of(name: &str, gone: &Function);

    #[wasm_bindgen(js_namespace = porthole, js_name = whenIdle)]
    fn call_when_idle(idle: &Function);
}

/// What this instance of the module is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Page,
    Worker,
}

/// Where the core runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// One worker for all tabs.
    Shared,
    /// A worker of this tab.
    Worker,
    /// The page itself.
    Page,
}

/// What this instance is.
pub(crate) fn role() -> Role {
    let scope = global();
    if scope.is_instance_of::<web_sys::Window>() { Role::Page } else { Role::Worker }
}

/// Whether this instance serves all tabs.
pub(crate) fn is_shared() -> bool {
    global().is_instance_of::<SharedWorkerGlobalScope>()
}

/// The address of the boot module, which names the build.
pub(crate) fn build() -> String {
    member("address").and_then(|address| address.as_string()).unwrap_or_default()
}

/// Calls `held` when this tab holds a lock of this name, which it then does for as long as it lives.
pub(super) fn hold_lock(name: &str, held: impl FnOnce() + 'static) {
    hold_lock_of(name, wasm_bindgen::closure::Closure::once_into_js(held).unchecked_ref());
}

/// Calls `gone` when the tab that holds this lock is no more.
pub(crate) fn await_lock(name: &str, gone: impl FnOnce() + 'static) {
    await_lock_of(name, wasm_bindgen::closure::Closure::once_into_js(gone).unchecked_ref());
}

/// Calls `idle` when the page has nothing else to do.
pub(crate) fn when_idle(idle: impl FnOnce() + 'static) {
    call_when_idle(wasm_bindgen::closure::Closure::once_into_js(idle).unchecked_ref());
}

/// Hands every port to a page to `connect`: those that wait, and those that come.
pub(crate) fn take_ports(connect: impl FnMut(MessagePort) + 'static) {
    let connect = wasm_bindgen::closure::Closure::<dyn FnMut(MessagePort)>::new(connect).into_js_value();
    if let Some(porthole) = member_of(&global(), "porthole") {
        // The boot module made this object; it takes properties.
        Reflect::set(&porthole, &JsValue::from_str("connect"), &connect).ok();
    }
    let waiting = member("waiting").map(|waiting| Array::from(&waiting)).unwrap_or_default();
    for port in waiting.iter() {
        // It is our own and throws only where it panics, which the hook tells.
        connect.unchecked_ref::<Function>().call1(&JsValue::UNDEFINED, &port).ok();
    }
}

/// Ends this worker.
pub(crate) fn close_worker() {
    if let Ok(scope) = global().dyn_into::<SharedWorkerGlobalScope>() {
        scope.close();
    } else if let Ok(scope) = global().dyn_into::<DedicatedWorkerGlobalScope>() {
        scope.close();
    }
}

fn member(name: &str) -> Option<JsValue> {
    member_of(&member_of(&global(), "porthole")?, name)
}

fn member_of(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}
