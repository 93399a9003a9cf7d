//! The navigation: every resource that can be listed.

use leptos::{html::Input, prelude::*};
use porthole_client_core::discovery::Resource;

use super::{
    resource_label::{Section, label, sections},
    session::Session,
};

/// The navigation at the left.
#[component]
pub(super) fn Nav(session: Session) -> impl IntoView {
    let filter = RwSignal::new(String::new());
    let input = NodeRef::<Input>::new();
    let found = Memo::new(move |_| {
        session.catalog.with(|catalog| catalog.as_ref().map(|catalog| sections(catalog, &filter.get())).unwrap_or_default())
    });
    let open_first = move || {
        if let Some(resource) = found.with(|sections| sections.iter().flat_map(|section| &section.resources).next().cloned()) {
            session.open(resource.group_resource());
            filter.set(String::new());
            if let Some(input) = input.get_untracked() {
                // A field that keeps the focus can still be left by hand.
                input.blur().ok();
            }
        }
    };
    view! {
        <nav aria-label="resources">
            <label class="find">
                <input node_ref=input id="find-resource" placeholder="Filter resources" aria-label="Filter resources" spellcheck="false" autocomplete="off"
                    prop:value=move || filter.get()
                    on:input=move |event| filter.set(event_target_value(&event))
                    on:keydown=move |event| match event.key().as_str() {
                        "Enter" => open_first(),
                        "Escape" => filter.set(String::new()),
                        _ => {}
                    } />
                <kbd>"g"</kbd>
            </label>
            <div class="sections" class:old=move || session.last_seen.get()>
                {move || found.get().into_iter().map(|section| view! { <NavSection session section /> }).collect_view()}
                {move || (found.with(Vec::is_empty) && session.catalog.with(Option::is_some)).then(|| view! { <p class="hint">"No resource has that name."</p> })}
            </div>
        </nav>
    }
}

#[component]
fn NavSection(session: Session, section: Section) -> impl IntoView {
    let Section { title, resources, failed } = section;
    view! {
        <h4>{title}{failed.map(|reason| view! { <em title=reason>"unavailable"</em> })}</h4>
        {resources.into_iter().map(|resource| entry(session, &resource)).collect_view()}
    }
}

fn entry(session: Session, resource: &Resource) -> impl IntoView + use<> {
    let identity = resource.group_resource();
    let on = {
        let identity = identity.clone();
        move || session.route.with(|route| route.resource.as_ref() == Some(&identity))
    };
    let (marked, counted) = (on.clone(), on);
    let count = move || {
        counted()
            .then(|| session.table.health.with(|health| health.synced))
            .filter(|synced| *synced)
            .map(|_| thousands(session.table.total.get()))
    };
    let href = format!("#/{identity}");
    let title = format!("{} ({})", identity, resource.identity.group_version);
    let opened = identity.clone();
    view! {
        <a href=href class:on=marked title=title data-resource=identity.to_string()
            on:click=move |event| { event.prevent_default(); session.open(opened.clone()); }>
            <span>{label(resource)}</span><s>{count}</s>
        </a>
    }
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
