//! The navigation: favourites and saved views, then every resource that can be listed.

use leptos::{html::Input, prelude::*};
use porthole_client_core::discovery::Resource;

use super::{
    resource_label::{Section, label, sections},
    session::Session,
};
use crate::{
    bridge::ToCore,
    route::Route,
    ui::{self, Live},
};

/// The navigation at the left.
#[component]
pub(super) fn Nav(session: Session) -> impl IntoView {
    let filter = Live::new(String::new());
    let input = NodeRef::<Input>::new();
    let found = Live::new(Vec::<Section>::new());
    ui::effect(move || {
        let (words, first) = (filter.get(), session.favourites.get());
        let sections =
            session.catalog.with(|catalog| catalog.as_ref().map(|catalog| sections(catalog, &words, &first)).unwrap_or_default());
        found.set_changed(sections);
    });
    let open_first = move || {
        if let Some(resource) =
            found.with_untracked(|sections| sections.iter().flat_map(|section| &section.resources).next().cloned())
        {
            session.open(resource.group_resource());
            filter.set(String::new());
            super::keys::focus_main(session);
        }
    };
    let views = move || {
        let saved = session.saved.get();
        let shown = filter.with(String::is_empty) && !saved.is_empty();
        shown.then(|| {
            let views: Vec<_> = saved.into_iter().map(|view| saved_view(session, view.name, view.hash)).collect();
            view! { <h2>"Saved views"</h2>{views} }.into_any()
        })
    };
    let list = move || Some(found.get().into_iter().map(|found| section(session, found)).collect::<Vec<_>>().into_any());
    let nothing = move || {
        let nothing = found.with(Vec::is_empty) && session.catalog.with(Option::is_some);
        nothing.then(|| view! { <p class="hint">"No resource has that name."</p> }.into_any())
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| match event.key().as_str() {
        "Enter" => open_first(),
        "ArrowDown" => {
            event.prevent_default();
            ui::focus_first("nav a");
        }
        "Escape" => filter.set(String::new()),
        _ => {}
    };
    view! {
        <nav aria-label="resources" on:keydown=arrows>
            <label class="find">
                <input node_ref=input id="find-resource" placeholder="Filter resources" aria-label="Filter resources" spellcheck="false" autocomplete="off"
                    prop:value=move || filter.get()
                    on:input=move |event| filter.set(event_target_value(&event))
                    on:keydown=on_key />
                <kbd>"b"</kbd>
            </label>
            <div class="sections" class:old=move || session.last_seen.get()>
                {ui::when(views)}{ui::when(list)}{ui::when(nothing)}
            </div>
        </nav>
    }
}

/// The arrows go from link to link.
fn arrows(event: leptos::ev::KeyboardEvent) {
    use wasm_bindgen::JsCast as _;
    let Some(link) = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlAnchorElement>().ok()) else { return };
    let step = |element: &web_sys::Element| match event.key().as_str() {
        "ArrowDown" => element.next_element_sibling(),
        "ArrowUp" => element.previous_element_sibling(),
        _ => None,
    };
    let mut next = step(&link);
    while let Some(element) = next {
        event.prevent_default();
        if let Some(link) = element.dyn_ref::<web_sys::HtmlAnchorElement>() {
            // A link in the document takes the focus.
            link.focus().ok();
            return;
        }
        next = step(&element);
    }
}

fn saved_view(session: Session, name: String, hash: String) -> AnyView {
    let (there, on, shown) = (hash.clone(), hash.clone(), name.clone());
    let class: Box<dyn FnMut() -> &'static str + Send> =
        Box::new(move || if session.route.with(Route::hash) == on { "on" } else { "" });
    view! {
        <a href=hash class=class data-view=shown on:click=move |event| { event.prevent_default(); session.open_hash(&there); }><span>{name}</span></a>
    }
    .into_any()
}

fn section(session: Session, section: Section) -> AnyView {
    let Section { title, resources, failed } = section;
    let entries: Vec<_> = resources.iter().map(|resource| entry(session, resource)).collect();
    let failed = failed.map(|reason| {
        let again = move |_| session.send(&ToCore::RetryDiscovery);
        view! { <button type="button" class="failed" title=format!("{reason}. Press to ask it alone again.") on:click=again><em>"unavailable"</em></button> }.into_any()
    });
    view! { <h2><span>{title}</span>{failed}</h2>{entries} }.into_any()
}

fn entry(session: Session, resource: &Resource) -> AnyView {
    let identity = resource.group_resource();
    let name = identity.to_string();
    let on = {
        let identity = identity.clone();
        move || session.route.with(|route| route.page.is_none() && route.resource.as_ref() == Some(&identity))
    };
    let marked = on.clone();
    let class: Box<dyn FnMut() -> &'static str + Send> = Box::new(move || if marked() { "on" } else { "" });
    let counted = name.clone();
    let count = move || {
        let here = on() && session.table.health.with(|health| health.synced);
        let count = if here {
            Some(session.table.total.get())
        } else {
            session.counts.with(|counts| counts.iter().find(|(resource, _)| *resource == counted).map(|(_, count)| *count))
        };
        count.map(thousands).unwrap_or_default()
    };
    let href = format!("#/{name}");
    let title = format!("{} ({})", name, resource.identity.group_version);
    view! {
        <a href=href class=class title=title data-resource=name
            on:click=move |event| { event.prevent_default(); session.open(identity.clone()); }>
            <span>{label(resource)}</span><s>{ui::live(count)}</s>
        </a>
    }
    .into_any()
}

/// A number with its thousands apart.
pub(super) fn thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
