//! Porthole: a Kubernetes dashboard that is a page and nothing else.
//!
//! One module, two roles: the page, and the worker that holds the core. The boot module starts both. What needs no
//! browser compiles natively too, for its tests.

#![allow(unreachable_pub, reason = "the component macro makes the fields of components public")]
#![cfg_attr(not(target_family = "wasm"), allow(dead_code, unused_imports, reason = "only the tests use it there"))]

mod bridge;
mod core;
mod page;
#[cfg(target_family = "wasm")]
mod panic;
mod route;
#[cfg(target_family = "wasm")]
mod session;
mod table;
mod ui;

#[cfg(target_family = "wasm")]
fn main() {
    match bridge::role() {
        bridge::Role::Page => {
            panic::show_in_page();
            page::mount();
        }
        bridge::Role::Worker => {
            let core = core::start();
            panic::tell_pages(core.clone());
            bridge::take_ports(move |port| core.connect(port));
        }
    }
}

#[cfg(not(target_family = "wasm"))]
fn main() {}
