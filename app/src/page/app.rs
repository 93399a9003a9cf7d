//! The root of the page, and what it listens to.

use std::time::Duration;

use leptos::prelude::*;
use porthole_client_core::{host::web::WebPlatform, platform::Platform as _};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::Window;

use super::{footer::Footer, header::Header, keys, listing::Listing, nav::Nav, session::Session};
use crate::{
    bridge::{Placement, ToCore},
    route::Route,
};

/// Draws the page and connects it.
pub(crate) fn mount() {
    mount_to_body(|| {
        let session = Session::new(&hash());
        begin(session);
        view! { <Page session /> }
    });
    if let Some(boot) = document().get_element_by_id("boot") {
        boot.remove();
    }
}

#[component]
fn Page(session: Session) -> impl IntoView {
    view! {
        <Header session />
        <Nav session />
        <Listing session />
        <Footer session />
    }
}

fn begin(session: Session) {
    let window = window();
    follow_route(session, &window);
    session.start(placement(&window));
    session.show();
    tick(session);
    watch_host(session, &window);
    keys::listen(session, &window);
}

/// The hash follows the route, and the route the hash.
fn follow_route(session: Session, page: &Window) {
    if session.route.with_untracked(|route| route.resource.is_none()) {
        session.go(|route| route.resource = Some("pods".into()));
    }
    Effect::new(move |before: Option<Route>| {
        let route = session.route.get();
        let wanted = route.hash();
        if hash() != wanted {
            // Another resource or namespace is a step back to; another filter or order of the same rows is not.
            let step =
                before.as_ref().is_some_and(|before| before.resource != route.resource || before.namespace != route.namespace);
            let history = window().history();
            let done = history.and_then(|history| {
                if step {
                    history.push_state_with_url(&JsValue::NULL, "", Some(&wanted))
                } else {
                    history.replace_state_with_url(&JsValue::NULL, "", Some(&wanted))
                }
            });
            if let Err(error) = done {
                leptos::logging::warn!("the address could not follow: {error:?}");
            }
        }
        if before.as_ref() != Some(&route) {
            session.show();
        }
        route
    });
    let follow = move || {
        let route = Route::parse(&hash());
        if route.resource.is_some() && route != session.route.get_untracked() {
            session.route.set(route);
        }
    };
    listen(page, "hashchange", follow);
    listen(page, "popstate", follow);
}

fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

/// Where the core is to run: `?core=worker` and `?core=page` are for browsers and tests that want it elsewhere.
fn placement(window: &Window) -> Placement {
    let search = window.location().search().unwrap_or_default();
    let choice = search.trim_start_matches('?').split('&').find_map(|pair| pair.strip_prefix("core="));
    match choice {
        Some("worker") => Placement::Worker,
        Some("page") => Placement::Page,
        _ => Placement::Shared,
    }
}

fn tick(session: Session) {
    WebPlatform.spawn(Box::pin(async move {
        loop {
            WebPlatform.sleep(Duration::from_secs(1)).await;
            session.now.set(WebPlatform.wall_time());
            session.table.tick();
        }
    }));
}

/// Tells the core what happens to the tab and the host.
fn watch_host(session: Session, window: &Window) {
    listen(window, "online", move || session.send(&ToCore::Woken));
    listen(window, "pagehide", move || session.send(&ToCore::Goodbye));
    listen(&document(), "visibilitychange", move || {
        let visible = !document().hidden();
        session.send(&ToCore::Visible(visible));
        if visible {
            session.send(&ToCore::Woken);
        }
    });
}

fn listen(target: &web_sys::EventTarget, event: &str, handle: impl FnMut() + 'static) {
    let listener = Closure::<dyn FnMut()>::new(handle);
    if let Err(error) = target.add_event_listener_with_callback(event, listener.as_ref().unchecked_ref()) {
        leptos::logging::warn!("{event} cannot be listened to: {error:?}");
    }
    // The page listens for as long as it lives.
    listener.forget();
}
