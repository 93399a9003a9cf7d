//! The bar at the top: whose cluster, which namespaces, the way to anything, how the watch is.

use leptos::prelude::*;

use super::{actions::Shown, dialogs::Dialog, health::HealthChip, session::Session};
use crate::{bridge::ClusterPhase, session::preferences::ClusterMark, ui};

/// How many namespaces have a chip of their own.
const MOST_CHIPS: usize = 3;

/// The bar at the top.
#[component]
pub(super) fn Header(session: Session) -> impl IntoView {
    let phase = move || match session.cluster.with(|cluster| matches!(cluster.phase, ClusterPhase::Asking)) {
        true => "asking",
        false if session.cluster.with(|cluster| cluster.phase == ClusterPhase::Here) => "here",
        false => "away",
    };
    let class = move || format!("cluster {} c-{}", phase(), session.mark.with(ClusterMark::colour_name));
    let version = move || session.cluster.with(|cluster| cluster.version.clone().unwrap_or_default());
    let marks = move || {
        let mark = session.mark.get();
        let production = mark.production.then(|| view! { <span class="pill bad" id="production">"production"</span> }.into_any());
        let read_only =
            mark.read_only.then(|| view! { <span class="pill warn" id="read-only-mark">"read-only"</span> }.into_any());
        Some((production, read_only).into_any())
    };
    let last_seen =
        move || session.last_seen.get().then(|| view! { <span class="pill warn" id="last-seen">"last seen"</span> }.into_any());
    let health = move || session.route.with(|route| route.page.is_none()).then(|| view! { <HealthChip session /> }.into_any());
    let open = move |shown: Shown| move |_| session.dialog.set(Some(Dialog::Shown(shown)));
    view! {
        <header>
            <a class="brand" href="#/pods"><span class="porthole" aria-hidden="true"></span><span>"porthole"</span></a>
            <button type="button" class=class id="cluster" aria-haspopup="dialog" title="Name, colour, read-only, production (@)" on:click=open(Shown::Cluster)>
                <i></i><span class="cluster-name">{ui::live(move || session.cluster_name())}</span><span class="faint version">{ui::live(version)}</span>
            </button>
            {ui::when(marks)}
            <Namespaces session />
            <button type="button" class="jump" id="palette" aria-haspopup="dialog" on:click=open(Shown::Palette)>
                <span>"Go to anything"</span><kbd>":"</kbd>
            </button>
            {ui::when(last_seen)}
            {ui::when(health)}
        </header>
    }
}

/// The namespaces that are shown, each with a way off, and the way to others.
#[component]
fn Namespaces(session: Session) -> impl IntoView {
    let chosen = move || session.route.with_untracked(|route| route.namespaces.clone());
    let changed = ui::text_memo(move || {
        session.route.with(|route| route.namespaces.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
    });
    let chips = move || {
        changed.with(|_| ());
        let names = chosen();
        let more = names.len().checked_sub(MOST_CHIPS).filter(|more| *more > 0);
        let many = names.len() > 1;
        let chips: Vec<_> = names
            .iter()
            .take(if many { MOST_CHIPS } else { 0 })
            .map(|name| {
                let (gone, label) = (name.clone(), format!("Do not show {name}"));
                view! {
                    <span class="chip"><span>{name.to_string()}</span>
                        <button type="button" class="off" aria-label=label on:click=move |_| {
                            session.choose_namespaces(chosen().into_iter().filter(|other| *other != gone).collect());
                        }>"×"</button></span>
                }
                .into_any()
            })
            .collect();
        let words = match (names.as_slice(), more) {
            ([], _) => "All namespaces".to_owned(),
            ([one], _) => one.to_string(),
            (_, Some(more)) => format!("and {more} more"),
            (_, None) => "+ namespace".to_owned(),
        };
        Some(
            view! {
                {chips}
                <button type="button" class=if many { "plus" } else { "chip" } id="namespace" aria-haspopup="dialog"
                    on:click=move |_| session.dialog.set(Some(Dialog::Shown(Shown::Namespaces)))>{words}<kbd>"n"</kbd></button>
            }
            .into_any(),
        )
    };
    view! { <div class="ns">{ui::when(chips)}</div> }
}
