//! The chip that says whether what is shown is true, and since when.

use leptos::prelude::*;
use porthole_client_core::meta::human_duration;

use super::session::Session;
use crate::bridge::ViewHealth;

/// A connection lost for longer than this makes what is shown stale.
const STALE_AFTER: i64 = 15_000;

/// The chip.
#[component]
pub(super) fn HealthChip(session: Session) -> impl IntoView {
    let words = move || {
        let (now, health) = (session.now.get(), session.table.health.get());
        let ago = |then| human_duration((now - then).max(0));
        match health.state {
            _ if session.core_lost.get().is_some() => ("stale", "restarting".to_owned(), String::new()),
            ViewHealth::Loading => ("wait", "loading".to_owned(), ago(health.since)),
            ViewHealth::Waiting => ("wait", "waiting".to_owned(), ago(health.since)),
            ViewHealth::Live => ("live", "live".to_owned(), health.heard.map(ago).unwrap_or_default()),
            ViewHealth::Polling => ("live", "listed".to_owned(), health.heard.map(ago).unwrap_or_default()),
            ViewHealth::Reconnecting if now - health.since > STALE_AFTER => ("stale", "stale".to_owned(), ago(health.since)),
            ViewHealth::Reconnecting => ("lost", "reconnecting".to_owned(), ago(health.since)),
            ViewHealth::Refused => ("stale", "refused".to_owned(), ago(health.since)),
        }
    };
    let title = move || {
        let health = session.table.health.get();
        let reason = session.core_lost.get().or(health.problem.map(|problem| problem.message)).unwrap_or_default();
        let meaning = match health.state {
            ViewHealth::Live => "Changes arrive as they happen; the time is how long ago the server was last heard.",
            ViewHealth::Polling => "This resource cannot be watched; it is listed every half minute, and when you press r.",
            ViewHealth::Loading => "The first rows are on their way.",
            ViewHealth::Waiting => "Other tabs hold all connections that a browser keeps to one server.",
            ViewHealth::Reconnecting => "The connection is lost; what is shown may be old. It is being opened again.",
            ViewHealth::Refused => "The server refuses. It is asked again soon, then every minute, and when you press r.",
        };
        if reason.is_empty() { meaning.to_owned() } else { format!("{meaning}\n{reason}") }
    };
    view! {
        <div class=move || format!("live {}", words().0) id="health" role="status" title=title>
            <span class="state">{move || words().1}</span>
            <span class="faint">{move || words().2}</span>
        </div>
    }
}
