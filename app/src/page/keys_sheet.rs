//! All keys, and the words of the filter.

use leptos::prelude::*;

use super::actions::{ACTIONS, Place, key_name};

/// What can be written into the filter.
const FILTER: &[(&str, &str)] = &[
    ("web", "any cell, name or namespace that holds it"),
    ("\"two words\"", "as they stand"),
    ("!web", "does not hold it; works before everything below too"),
    ("/^web-\\d+$/", "a regular expression"),
    ("~chkt", "these letters in this order"),
    ("status:crash", "one column; its name may be shortened"),
    ("cpu>500m  age<5m  restarts>=3", "compared by value: quantities, ages, counts, versions"),
    ("-l app=web,tier!=db", "a label selector, which the server applies"),
    ("-f spec.nodeName=node-1", "a field selector, which the server applies"),
];

/// The sheet.
pub(super) fn sheet() -> AnyView {
    let group = |title: &'static str, place: Place| {
        let lines = ACTIONS.iter().filter(|entry| entry.place == place).map(|entry| {
            let keys = entry.keys.iter().map(|key| view! { <kbd>{key_name(key)}</kbd> }.into_any()).collect_view();
            line(keys.into_any(), entry.title)
        });
        let lines = lines.collect_view();
        view! { <section><h3>{title}</h3><dl class="keys">{lines}</dl></section> }.into_any()
    };
    let filter = FILTER.iter().map(|&(text, words)| line(view! { <code>{text}</code> }.into_any(), words)).collect_view();
    view! {
        <h2>"All keys"</h2>
        <div class="sheets" tabindex="0" role="group" aria-label="all keys">
            {group("In the table", Place::Table)}
            {group("On a row", Place::Row)}
            {group("Anywhere", Place::Anywhere)}
            <section><h3>"In the filter"</h3><dl class="keys wide">{filter}</dl></section>
        </div>
    }
    .into_any()
}

fn line(term: AnyView, words: &'static str) -> AnyView {
    view! { <div><dt>{term}</dt><dd>{words}</dd></div> }.into_any()
}
