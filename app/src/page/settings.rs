//! The settings, and what is stored.

use leptos::prelude::*;

use super::{actions::key_name, nav::thousands, session::Session};
use crate::{
    session::{
        preferences::{Density, Theme, Zone},
        store,
    },
    ui,
};

/// The page.
#[component]
pub(super) fn Settings(session: Session) -> impl IntoView {
    let preferences = move || session.preferences.get();
    let theme = move || match preferences().theme {
        Theme::System => "system",
        Theme::Dark => "dark",
        Theme::Light => "light",
    };
    let choose_theme = move |chosen: String| {
        let theme = match chosen.as_str() {
            "dark" => Theme::Dark,
            "light" => Theme::Light,
            _ => Theme::System,
        };
        session.prefer(|preferences| preferences.theme = theme);
    };
    let density = move || if preferences().density == Density::Compact { "compact" } else { "comfortable" };
    let choose_density = move |chosen: String| {
        let density = if chosen == "compact" { Density::Compact } else { Density::Comfortable };
        session.prefer(|preferences| preferences.density = density);
    };
    let zone = move || if preferences().zone == Zone::Utc { "utc" } else { "local" };
    let choose_zone = move |chosen: String| {
        let zone = if chosen == "utc" { Zone::Utc } else { Zone::Local };
        session.prefer(|preferences| preferences.zone = zone);
    };
    view! {
        <main class="page" id="settings" tabindex="-1">
            <h1>"Settings"</h1>
            <section>
                {ui::choice("Theme", "theme", &[("system", "As the system is"), ("dark", "Dark"), ("light", "Light")],
                    move || theme().to_owned(), choose_theme)}
                {ui::choice("Rows", "density", &[("compact", "Compact"), ("comfortable", "Comfortable")],
                    move || density().to_owned(), choose_density)}
                {ui::choice("Times", "zone", &[("local", "Of this machine"), ("utc", "UTC")], move || zone().to_owned(), choose_zone)}
                {ui::switch("forgetful", "Remember nothing new", "Where you were, how tables are laid out, and what a cluster has, are not written down from now on. What you set by hand still is.",
                    move || preferences().forgetful, move |on| session.prefer(|preferences| preferences.forgetful = on))}
            </section>
            <section>
                <h2>"What this browser has stored"</h2>
                <p class="hint">"All of it is in the local storage of this address; nothing goes anywhere else."</p>
                <Stored session />
            </section>
            <p class="hint">{format!("{} closes this page.", key_name("Escape"))}</p>
        </main>
    }
}

/// What is stored, and what forgets it.
#[component]
fn Stored(session: Session) -> impl IntoView {
    let changed = RwSignal::new(0_u32);
    let forget = move |beginning: &str| {
        store::forget(beginning);
        changed.update(|changed| *changed += 1);
        session.reload();
        session.say("It is forgotten.".to_owned());
    };
    let rows = move || {
        changed.track();
        session.preferences.track();
        session.mark.track();
        session.catalog.track();
        let mut groups: Vec<(String, usize, usize)> = Vec::new();
        for (key, bytes) in store::stored() {
            let group = group_of(&key);
            match groups.iter_mut().find(|(other, _, _)| *other == group) {
                Some((_, entries, sum)) => {
                    *entries += 1;
                    *sum += bytes;
                }
                None => groups.push((group, 1, bytes)),
            }
        }
        let current = session.cluster.with(|cluster| cluster.id.as_ref().map(ToString::to_string));
        let rows: Vec<_> = groups
            .into_iter()
            .map(|(group, entries, bytes)| {
                let words = words(&group, current.as_deref(), session);
                let size = format!("{} B", thousands(u32::try_from(bytes).unwrap_or(u32::MAX)));
                let count = if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") };
                let (label, shown) = (format!("Forget {words}"), group.clone());
                view! {
                    <tr data-group=shown><td>{words}</td><td class="r">{count}</td><td class="r">{size}</td>
                        <td><button type="button" class="btn" aria-label=label on:click=move |_| forget(&group)>"Forget"</button></td></tr>
                }
                .into_any()
            })
            .collect();
        Some(if rows.is_empty() {
            view! { <p class="hint" id="nothing-stored">"Nothing is stored."</p> }.into_any()
        } else {
            view! { <table class="plain"><thead><tr><th>"What"</th><th class="r">"Entries"</th><th class="r">"Size"</th><td></td></tr></thead><tbody>{rows}</tbody></table> }.into_any()
        })
    };
    view! {
        {ui::when(rows)}
        <button type="button" class="btn danger" id="forget-all" on:click=move |_| forget("")>"Forget everything"</button>
    }
}

/// What is forgotten together: all of a cluster, or all of a purpose.
fn group_of(key: &str) -> String {
    let mut parts = key.split('/');
    match (parts.next(), parts.next()) {
        (Some("cluster"), Some(id)) => format!("cluster/{id}/"),
        (Some(purpose), Some(_)) => format!("{purpose}/"),
        _ => key.to_owned(),
    }
}

fn words(group: &str, current: Option<&str>, session: Session) -> String {
    match group.trim_end_matches('/') {
        "preferences" => "Your settings".to_owned(),
        "favourites" => "Your favourites".to_owned(),
        "columns" => "How tables are laid out".to_owned(),
        "unidentified" => "Namespaces, views and places of clusters without an identity".to_owned(),
        "last-cluster" | "clusters" => "Which clusters were seen".to_owned(),
        "worker-generation" => "Which worker is in use".to_owned(),
        other => match other.strip_prefix("cluster/") {
            Some(id) if Some(id) == current => format!("This cluster: {}", session.cluster_name()),
            Some(id) => {
                let name = store::mark(Some(&id.into())).name;
                format!("Cluster {}", if name.is_empty() { id.to_owned() } else { name })
            }
            None => other.to_owned(),
        },
    }
}
