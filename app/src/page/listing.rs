//! The table with what stands around it.

use leptos::prelude::*;

use super::{
    actions::Shown, columns, dialogs::Dialog, filter::Filter, nav::thousands, session::Session, trouble::Trouble, version,
};
use crate::{
    table::{Grid, GridEvents, Selection},
    ui,
};

/// The main part of the page.
#[component]
pub(super) fn Listing(session: Session) -> impl IntoView {
    let table = session.table;
    let group =
        move || session.route.with(|route| route.resource.as_ref().map(|resource| resource.group.clone()).unwrap_or_default());
    let count = move || {
        let (matched, total) = (table.matched.get(), table.total.get());
        let selected = table.selected.with(Selection::len);
        let mut words = if !table.health.with(|health| health.synced) && total == 0 {
            String::new()
        } else if matched == total {
            thousands(total)
        } else {
            format!("{} of {}", thousands(matched), thousands(total))
        };
        if selected > 0 {
            words.extend([" · ", &thousands(u32::try_from(selected).unwrap_or(u32::MAX)), " selected"]);
        }
        words
    };
    let tools = move || {
        let open = |shown: Shown, title, key| ui::button(title, key, move || session.dialog.set(Some(Dialog::Shown(shown))));
        let version = session.route.with(|route| route.version.clone());
        let versions = version::versions(session);
        let version = (versions.len() > 1).then(|| {
            let words = version.or_else(|| versions.first().cloned()).unwrap_or_default();
            view! {
                <button type="button" class="btn" id="version" title="Choose the version (V)"
                    on:click=move |_| session.dialog.set(Some(Dialog::Shown(Shown::Versions)))>{words}</button>
            }
            .into_any()
        });
        let favourite = session.route.with(|route| route.resource.clone()).map(|resource| {
            let on = session.favourites.with(|favourites| favourites.contains(&resource.to_string()));
            let label = if on { "Take off the favourites" } else { "Put among the favourites" };
            view! {
                <button type="button" class="star" aria-pressed=on.to_string() aria-label=label title=format!("{label} (f)")
                    on:click=move |_| session.toggle_favourite(&resource)>{if on { "★" } else { "☆" }}</button>
            }
            .into_any()
        });
        Some((favourite, version, open(Shown::Columns, "Columns", "o"), open(Shown::Export, "Export", "x")).into_any())
    };
    let loading = move || {
        let health = table.health.get();
        let on = !health.synced && health.problem.is_none();
        on.then(|| view! { <div class="progress" role="progressbar" aria-label="the list is loading"></div> }.into_any())
    };
    let events = GridEvents {
        window: Callback::new(move |window| session.ask_window(window)),
        sort: Callback::new(move |(column, more): (String, bool)| session.sort(&column, more)),
        width: Callback::new(move |(column, width): (String, u16)| columns::set_width(session, &column, width)),
        place: Callback::new(move |(column, before): (String, String)| columns::place(session, &column, &before)),
        open: Callback::new(move |()| super::drill::open(session)),
        between: Callback::new(move |(from, to)| session.select_between(from, to)),
    };
    view! {
        <main class="table">
            <div class="head">
                <h1>{ui::live(move || session.title())}</h1><span class="faint group">{ui::live(group)}</span>
                <span class="count" id="count">{ui::live(count)}</span>
                <Filter session />
                <div class="tools">{ui::when(tools)}</div>
            </div>
            <Strip session />
            {ui::when(loading)}
            <Notices session />
            <Trouble session />
            <Grid model=table now=session.now events />
        </main>
    }
}

/// The changes of the last two minutes, second by second.
#[component]
fn Strip(session: Session) -> impl IntoView {
    let strip = session.table.strip;
    let bars = move || {
        let bars = strip.with(|strip| {
            let most = strip.iter().map(|bar| bar.iter().sum::<u32>()).max().unwrap_or(0).max(8);
            let bar = |[added, changed, removed]: &[u32; 3]| {
                let all = added + changed + removed;
                let height = if all == 0 { 0 } else { 2 + 13 * all / most };
                let class = if removed * 2 > all {
                    "d"
                } else if added * 2 > all {
                    "a"
                } else {
                    ""
                };
                view! { <i class=class style:height=format!("{height}px")></i> }.into_any()
            };
            strip.iter().map(bar).collect::<Vec<_>>()
        });
        Some(bars.into_any())
    };
    let rate =
        move || strip.with(|strip| format!("{} changes/s", thousands(strip.last().map_or(0, |bar| bar.iter().sum::<u32>()))));
    view! {
        <div class="strip" title="Rows that came, changed and went, second by second">
            <div class="bars" aria-hidden="true">{ui::when(bars)}</div><span>{ui::live(rate)}</span>
        </div>
    }
}

/// What the server warned of.
#[component]
pub(super) fn Notices(session: Session) -> impl IntoView {
    view! {
        <div class="notices" role="log" aria-label="warnings">
            <For each=move || session.notices.get() key=|notice| notice.number let:notice>
                <div class="notice warn"><span>{notice.text}</span>
                    <button type="button" class="close" aria-label="Put away" on:click=move |_| session.dismiss(notice.number)>"×"</button>
                </div>
            </For>
        </div>
    }
}
