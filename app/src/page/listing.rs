//! The table with what stands around it.

use leptos::prelude::*;

use super::{nav::thousands, resource_label::label, session::Session, trouble::Trouble};
use crate::table::Grid;

/// The main part of the page.
#[component]
pub(super) fn Listing(session: Session) -> impl IntoView {
    let table = session.table;
    let title = Memo::new(move |_| {
        session.route.with(|route| {
            let resource = route.resource.clone()?;
            let known = session.catalog.with(|catalog| catalog.as_ref().and_then(|catalog| catalog.find(&resource).map(label)));
            Some(known.unwrap_or_else(|| resource.resource.clone()))
        })
    });
    let group = move || {
        session
            .route
            .with(|route| route.resource.as_ref().map(|resource| resource.group.clone()).filter(|group| !group.is_empty()))
    };
    let count = move || {
        let (matched, total) = (table.matched.get(), table.total.get());
        if !table.health.with(|health| health.synced) && total == 0 {
            String::new()
        } else if matched == total {
            thousands(total)
        } else {
            format!("{} of {}", thousands(matched), thousands(total))
        }
    };
    Effect::new(move |_| {
        let name = title.get().unwrap_or_default();
        document().set_title(&format!("{name} · porthole"));
    });
    let route = Memo::new(move |_| session.route.get());
    let has_wide = move || table.columns.with(|columns| columns.iter().any(|column| column.wide));
    view! {
        <main>
            <div class="head">
                <h1>{title}</h1>{move || group().map(|group| view! { <span class="faint">{group}</span> })}<span class="count" id="count">{count}</span>
                <label class="q">
                    <input id="filter" placeholder="Filter rows" aria-label="Filter rows" spellcheck="false" autocomplete="off"
                        prop:value=move || route.with(|route| route.filter.clone())
                        on:input=move |event| session.go(|route| route.filter = event_target_value(&event)) />
                    <kbd>"/"</kbd>
                </label>
                <div class="tools">
                    <Show when=has_wide>
                        <button type="button" class="btn" aria-pressed=move || table.wide.get().to_string()
                            on:click=move |_| session.go(|route| route.wide = !route.wide)>"Wide"</button>
                    </Show>
                </div>
            </div>
            <Strip session />
            <Notices session />
            <Trouble session />
            <Grid model=table route now=session.now
                on_window=Callback::new(move |window| session.ask_window(window))
                on_sort=Callback::new(move |column| session.sort(column)) />
        </main>
    }
}

/// The changes of the last two minutes, second by second.
#[component]
fn Strip(session: Session) -> impl IntoView {
    let strip = session.table.strip;
    let bars = move || {
        strip.with(|strip| {
            let most = strip.iter().map(|bar| bar.iter().sum::<u32>()).max().unwrap_or(0).max(8);
            let bar = |[added, changed, removed]: &[u32; 3]| {
                let all = added + changed + removed;
                let height = if all == 0 { 0.0 } else { 2.0 + 13.0 * f64::from(all) / f64::from(most) };
                let class = if removed * 2 > all {
                    "d"
                } else if added * 2 > all {
                    "a"
                } else {
                    ""
                };
                view! { <i class=class style:height=format!("{height:.0}px")></i> }
            };
            strip.iter().map(bar).collect_view()
        })
    };
    let rate = move || strip.with(|strip| strip.last().map_or(0, |bar| bar.iter().sum::<u32>()));
    view! {
        <div class="strip" title="Rows that came, changed and went, second by second">
            <div class="bars">{bars}</div><span>{move || format!("{} changes/s", thousands(rate()))}</span>
        </div>
    }
}

/// What the server warned of.
#[component]
fn Notices(session: Session) -> impl IntoView {
    view! {
        <div class="notices" role="log">
            <For each=move || session.notices.get() key=|notice| notice.number let:notice>
                <div class="notice warn"><span>{notice.text}</span>
                    <button type="button" class="close" aria-label="Put away" on:click=move |_| session.dismiss(notice.number)>"×"</button>
                </div>
            </For>
        </div>
    }
}
