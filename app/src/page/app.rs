//! The root of the page, and what it listens to.

use std::time::Duration;

use leptos::prelude::*;
use porthole_client_core::{host::web::WebPlatform, platform::Platform as _};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::Window;

use super::{
    footer::Footer,
    header::Header,
    keys,
    later::{self, Later, later},
    listing::Listing,
    nav::Nav,
    session::Session,
};
use crate::{
    bridge::{Placement, ToCore},
    route::{OwnPage, Route},
    session::preferences::{ClusterMark, Density, Theme, Zone},
    ui,
};

/// Draws the page and connects it.
pub(crate) fn mount() {
    mount_to_body(|| {
        let session = Session::new(&hash());
        begin(session);
        view! { <Page session /> }
    });
    ui::focus_first("main.page, .grid");
    if let Some(boot) = document().get_element_by_id("boot") {
        boot.remove();
    }
}

#[component]
fn Page(session: Session) -> impl IntoView {
    let page = ui::text_memo(move || session.route.with(|route| route.page.map_or("", OwnPage::name).to_owned()));
    let main = move || {
        page.with(|_| ());
        Some(match session.route.with_untracked(|route| route.page) {
            None => view! { <Listing session /> }.into_any(),
            Some(OwnPage::Settings) => later(session, Later::Settings),
            Some(OwnPage::Activity) => later(session, Later::Activity),
        })
    };
    view! {
        <Header session />
        <Nav session />
        {ui::when(main)}
        <Footer session />
        <p id="said" role="status">{ui::live(move || session.said.get())}</p>
        {later::dialogs(session)}
    }
}

fn begin(session: Session) {
    let window = window();
    follow_route(session, &window);
    session.start(placement(&window));
    session.show();
    tick(session);
    watch_host(session, &window);
    follow_preferences(session);
    keys::listen(session, &window);
    later::prepare(session);
}

/// The style sheets know the theme and the density by what stands on the root element.
fn follow_preferences(session: Session) {
    ui::effect(move || {
        let (preferences, colour) = (session.preferences.get(), session.mark.with(ClusterMark::colour_name));
        session.table.set_row_height(preferences.density.row_height());
        session.table.utc.set_changed(preferences.zone == Zone::Utc);
        let Some(root) = document().document_element() else { return };
        let theme = match preferences.theme {
            Theme::System => "system",
            Theme::Dark => "dark",
            Theme::Light => "light",
        };
        let density = if preferences.density == Density::Compact { "compact" } else { "comfortable" };
        for (name, value) in [("data-theme", theme), ("data-density", density), ("data-colour", colour)] {
            // The names are valid, and nothing else fails.
            root.set_attribute(name, value).ok();
        }
    });
    ui::effect(move || {
        let title = session.title();
        let cluster = session.mark.with(|mark| mark.name.clone());
        let words = [title.as_str(), cluster.as_str(), "porthole"].into_iter().filter(|word| !word.is_empty());
        document().set_title(&words.collect::<Vec<_>>().join(" · "));
    });
}

/// The hash follows the route, and the route the hash.
fn follow_route(session: Session, page: &Window) {
    if session.route.with_untracked(|route| route.resource.is_none() && route.page.is_none()) {
        session.go(|route| route.resource = Some("pods".into()));
    }
    session.recall_columns();
    let mut last: Option<Route> = None;
    ui::effect(move || {
        let route = session.route.get();
        let before = last.replace(route.clone());
        let wanted = route.hash();
        if hash() != wanted {
            // Another page, resource or namespace is a step back to; another filter or order of the same rows is not.
            let place = |route: &Route| (route.page, route.resource.clone(), route.version.clone(), route.namespaces.clone());
            let step = before.as_ref().is_some_and(|before| place(before) != place(&route));
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
            if before.as_ref().is_some_and(|before| before.resource != route.resource) {
                session.recall_columns();
            }
            session.visited(&wanted);
            session.show();
        }
    });
    let follow = move || {
        let route = Route::parse(&hash());
        if (route.resource.is_some() || route.page.is_some()) && route != session.route.get_untracked() {
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
    // Another tab may have set something.
    listen(window, "storage", move || session.reload());
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
