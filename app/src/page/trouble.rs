//! What is wrong, what it means, and what can be done.

use leptos::prelude::*;
use porthole_client_core::meta::{Namespace, human_duration};

use super::session::Session;
use crate::{
    bridge::{Problem, ToCore, ViewHealth},
    ui,
};

/// What is said of a problem.
struct Words {
    title: String,
    what_to_do: &'static str,
    /// Whether a namespace may be typed to help it.
    namespace: bool,
}

/// The banner over the rows, or the panel instead of them.
#[component]
pub(super) fn Trouble(session: Session) -> impl IntoView {
    let state = move || {
        let health = session.table.health.get_untracked();
        let away = !matches!(health.state, ViewHealth::Live | ViewHealth::Polling);
        let problem = health.problem.clone().filter(|_| away);
        // A line of a live stream that could not be read is worth a banner too.
        let hiccup = health.problem.clone().filter(|_| !away);
        let empty = session.table.total.get_untracked() == 0;
        (health.state, problem, hiccup, empty, health.synced)
    };
    // What is heard of the server changes all the time, and little of it is drawn here.
    let changed = ui::text_memo(move || {
        let empty = session.table.total.with(|total| *total == 0);
        session.table.health.with(|health| {
            let problem =
                health.problem.as_ref().map(|problem| format!("{} {}", problem.code, problem.message)).unwrap_or_default();
            format!("{} {empty} {} {problem}", health.state as u8, health.synced)
        })
    });
    let content = move || {
        changed.with(|_| ());
        let (state, problem, hiccup, empty, synced) = state();
        let waiting = state == ViewHealth::Waiting;
        match (problem, hiccup) {
            (Some(problem), _) => Some(trouble(session, state, problem, empty && !synced).into_any()),
            (None, Some(hiccup)) => Some(view! { <div class="banner" role="alert"><span>{hiccup.message}</span></div> }.into_any()),
            (None, None) if waiting => Some(
                view! { <div class="panel" role="status"><h2>"All connections are taken"</h2>
                    <p>"A browser keeps six connections to one server, and other tabs show four tables already. This one starts when one of them is closed or hidden."</p></div> }
                .into_any(),
            ),
            (None, None) if synced && empty => Some(view! { <p class="nothing" id="nothing">"There are none here."</p> }.into_any()),
            (None, None) if !synced && empty => Some(view! { <p class="nothing">"Loading…"</p> }.into_any()),
            (None, None) => None,
        }
    };
    let nothing_matches = move || session.table.matched.get() == 0 && session.table.total.get() > 0;
    view! {
        {content}
        <Show when=nothing_matches><p class="nothing">"No row holds these words. Escape shows all again."</p></Show>
    }
}

fn trouble(session: Session, state: ViewHealth, problem: Problem, instead: bool) -> impl IntoView {
    let words = words(session, state, &problem);
    let since = move || {
        let since = session.table.health.with(|health| health.since);
        human_duration((session.now.get() - since).max(0))
    };
    let again = move |_| session.send(&ToCore::Retry);
    if !instead {
        return view! {
            <div class="banner" role="alert" id="trouble" data-code=problem.code.to_string()>
                <b>{words.title}</b><span class="dim">{move || format!("for {}", since())}</span><span class="reason">{problem.message}</span>
                <button type="button" class="btn" on:click=again>"Try now"</button>
            </div>
        }
        .into_any();
    }
    view! {
        <div class="panel" role="alert" id="trouble" data-code=problem.code.to_string()>
            <h2>{words.title}</h2>
            <p class="reason mono">{problem.message}</p>
            <p>{words.what_to_do}</p>
            {words.namespace.then(|| view! { <NamespaceForm session /> })}
            <button type="button" class="btn p" on:click=again>"Try now"</button>
        </div>
    }
    .into_any()
}

fn words(session: Session, state: ViewHealth, problem: &Problem) -> Words {
    let say = |title: &str, what_to_do: &'static str| Words { title: title.to_owned(), what_to_do, namespace: false };
    let all_namespaces = session.route.with_untracked(|route| route.namespaces.is_empty());
    match problem.code {
        401 => say(
            "The server does not know you",
            "The credentials that the proxy uses are missing or have expired. Sign in again and restart kubectl proxy.",
        ),
        403 if all_namespaces => Words {
            title: "You may not list this in all namespaces".to_owned(),
            what_to_do: "If you may in one namespace, type its name. It is remembered for this cluster.",
            namespace: true,
        },
        403 => Words {
            title: "You may not list this here".to_owned(),
            what_to_do: "Try another namespace, or ask whoever runs the cluster for the right to list it.",
            namespace: true,
        },
        404 => say(
            "This resource is not there",
            "The server does not have it, or has it no more: its definition may have been deleted, or the address names another cluster's.",
        ),
        405 => say("This resource cannot be listed", "The server has it, but only for other verbs."),
        _ if state == ViewHealth::Refused => {
            say("The server refuses", "Its answer is above. It is asked again soon, and then every minute.")
        }
        _ => say(
            "The server cannot be reached",
            "Is kubectl proxy still running, and can it reach the cluster? It is tried again by itself; nothing has to be loaded anew.",
        ),
    }
}

/// Takes the name of a namespace.
#[component]
fn NamespaceForm(session: Session) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let name = typed.get().trim().to_owned();
        if !name.is_empty() {
            session.choose_namespaces(vec![Namespace::from(name)]);
        }
    };
    view! {
        <form class="row" on:submit=submit>
            <input class="field" id="namespace-form" placeholder="Namespace" aria-label="Namespace" spellcheck="false" autocomplete="off"
                prop:value=move || typed.get() on:input=move |event| typed.set(event_target_value(&event)) />
            <button type="submit" class="btn">"Show"</button>
        </form>
    }
}
