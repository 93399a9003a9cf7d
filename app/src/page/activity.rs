//! What is alive, and what it costs the API: informers, connections, requests.

use leptos::prelude::*;
use porthole_client_core::meta::human_duration;

use super::{nav::thousands, session::Session};
use crate::{
    bridge::{ActivityView, InformerActivity, RequestActivity, ToCore, ViewHealth},
    ui,
};

/// The page. The core is asked for it once a second, for as long as it is shown.
#[component]
pub(super) fn Activity(session: Session) -> impl IntoView {
    session.send(&ToCore::Activity(true));
    on_cleanup(move || session.send(&ToCore::Activity(false)));
    let before = StoredValue::new(None::<ActivityView>);
    let content = move || {
        let Some(activity) = session.activity.get() else {
            return Some(view! { <p class="hint">"Asking the core…"</p> }.into_any());
        };
        let last = before.get_value();
        before.set_value(Some(activity.clone()));
        Some(shown(session, &activity, last.as_ref()))
    };
    view! {
        <main class="page" id="activity" tabindex="-1">
            <h1>"What the API is asked"</h1>
            {ui::when(content)}
        </main>
    }
}

fn shown(session: Session, activity: &ActivityView, before: Option<&ActivityView>) -> AnyView {
    let now = session.now.get_untracked();
    let open = activity.requests.iter().filter(|request| request.whole.is_none()).count();
    let summary = format!(
        "{} of {} streams · {open} requests open · {} asked, {} failed · {} received · {}",
        activity.informers.len(),
        activity.most_streams,
        thousands(activity.asked),
        thousands(activity.failed),
        size(activity.bytes),
        if activity.tabs == 1 { "1 tab".to_owned() } else { format!("{} tabs", activity.tabs) },
    );
    let informers: Vec<_> = activity
        .informers
        .iter()
        .map(|informer| {
            let same = |other: &&InformerActivity| {
                (&other.resource, &other.namespace, &other.selector)
                    == (&informer.resource, &informer.namespace, &informer.selector)
            };
            let last = before.and_then(|before| before.informers.iter().find(same));
            let rate = last.map_or(0, |last| informer.events.saturating_sub(last.events));
            row(&[
                (informer.resource.clone(), ""),
                (informer.namespace.as_ref().map_or_else(|| "all".to_owned(), ToString::to_string), ""),
                (informer.selector.clone(), "mono"),
                (state(informer.state).to_owned(), ""),
                (thousands(informer.objects), "r"),
                (size(informer.bytes), "r"),
                (thousands(u32::try_from(informer.events).unwrap_or(u32::MAX)), "r"),
                (rate.to_string(), "r"),
                (informer.lists.to_string(), "r"),
                (informer.watches.to_string(), "r"),
                (informer.readers.to_string(), "r"),
            ])
        })
        .collect();
    let requests: Vec<_> = activity.requests.iter().map(|request| row(&request_cells(request, now))).collect();
    view! {
        <p class="hint" id="summary">{summary}</p>
        <h2>"Informers"</h2>
        {table("informers", &[("Resource", ""), ("Namespace", ""), ("Selected", ""), ("State", ""), ("Objects", "r"), ("Received", "r"),
            ("Events", "r"), ("A second", "r"), ("Lists", "r"), ("Watches", "r"), ("Readers", "r")], informers)}
        <h2>"Requests, the open ones first"</h2>
        {table("requests", &[("Verb", ""), ("Path", ""), ("Answer", "r"), ("Began", "r"), ("First byte", "r"), ("Whole", "r"), ("Bytes", "r")], requests)}
    }
    .into_any()
}

fn request_cells(request: &RequestActivity, now: porthole_client_core::platform::WallTime) -> [(String, &'static str); 7] {
    let time = |time: Option<u32>| time.map(|time| format!("{} ms", thousands(time))).unwrap_or_default();
    let whole = if request.whole.is_none() { "open".to_owned() } else { time(request.whole) };
    let code = if request.code == 0 { String::new() } else { request.code.to_string() };
    [
        (request.method.clone(), "mono"),
        (request.path.clone(), "mono path"),
        (code, if request.code >= 400 { "r bad" } else { "r" }),
        (format!("{} ago", human_duration((now - request.began).max(0))), "r"),
        (time(request.first_byte), "r"),
        (whole, "r"),
        (thousands(u32::try_from(request.bytes).unwrap_or(u32::MAX)), "r"),
    ]
}

fn table(id: &'static str, headings: &[(&'static str, &'static str)], rows: Vec<AnyView>) -> AnyView {
    let headings: Vec<_> = headings.iter().map(|&(name, class)| view! { <th class=class>{name}</th> }.into_any()).collect();
    view! {
        <div class="scrolls" tabindex="0" role="group" aria-label=id>
            <table class="plain" id=id><thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table>
        </div>
    }
    .into_any()
}

fn row(cells: &[(String, &'static str)]) -> AnyView {
    let cells: Vec<_> =
        cells.iter().map(|(text, class)| view! { <td class=*class title=text.clone()>{text.clone()}</td> }.into_any()).collect();
    view! { <tr>{cells}</tr> }.into_any()
}

fn state(state: ViewHealth) -> &'static str {
    match state {
        ViewHealth::Loading => "loading",
        ViewHealth::Live => "live",
        ViewHealth::Polling => "listed",
        ViewHealth::Reconnecting => "reconnecting",
        ViewHealth::Refused => "refused",
        ViewHealth::Waiting => "waiting",
    }
}

/// Bytes, for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
