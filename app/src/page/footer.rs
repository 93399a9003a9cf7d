//! The line at the foot: the keys that work here, and what the page costs.

use leptos::prelude::*;

use super::{
    actions::{ACTIONS, Action, Place, key_name},
    keys,
    nav::thousands,
    session::Session,
};
use crate::{bridge::Placement, route::OwnPage, ui};

/// The line at the foot.
#[component]
pub(super) fn Footer(session: Session) -> impl IntoView {
    let rate = move || session.table.strip.with(|strip| strip.last().map_or(0, |bar| bar.iter().sum::<u32>()));
    let cost = move || {
        session.now.track();
        let place = match session.placement() {
            Some(Placement::Shared) => "core shared by all tabs",
            Some(Placement::Worker) => "core in a worker of this tab",
            Some(Placement::Page) => "core in this page",
            None => "no core",
        };
        format!("{place} · {} objects · {} changes/s", thousands(session.table.total.get()), rate())
    };
    let hints = move || {
        let (table, row) = (session.route.with(|route| route.page.is_none()), session.table.cursor.with(Option::is_some));
        let works = |place: Place| place == Place::Anywhere || (table && (place == Place::Table || row));
        let moves = table.then(|| view! { <span><kbd>"j"</kbd>" "<kbd>"k"</kbd>" move"</span> }.into_any());
        let hints: Vec<_> = ACTIONS
            .iter()
            .filter(|entry| !entry.foot.is_empty() && works(entry.place))
            .map(|entry| hint(session, entry.action, entry.keys.first().copied().map_or("", key_name), entry.foot))
            .collect();
        Some((moves, hints).into_any())
    };
    view! {
        <footer>
            {ui::when(hints)}
            <button type="button" class="e" title="What the API is asked, and what it costs (A)" on:click=move |_| session.open_page(OwnPage::Activity)>{ui::live(cost)}</button>
        </footer>
    }
}

fn hint(session: Session, action: Action, key: &'static str, words: &'static str) -> AnyView {
    view! { <button type="button" tabindex="-1" on:click=move |_| keys::run(session, action)><kbd>{key}</kbd>" "{words}</button> }
        .into_any()
}
