//! The line at the foot: the keys that work here, and what the page costs.

use leptos::prelude::*;

use super::{nav::thousands, session::Session};
use crate::bridge::Placement;

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
    view! {
        <footer>
            <span><kbd>"j"</kbd>" "<kbd>"k"</kbd>" move"</span>
            <span><kbd>"/"</kbd>" filter"</span>
            <span><kbd>"g"</kbd>" resources"</span>
            <span><kbd>"n"</kbd>" namespace"</span>
            <span><kbd>"w"</kbd>" wide"</span>
            <span><kbd>"r"</kbd>" ask again"</span>
            <span class="e">{cost}</span>
        </footer>
    }
}
