//! The choice of namespaces: one, several or all; from a list where there is one, typed where there is none.

use std::sync::Arc;

use leptos::prelude::*;
use porthole_client_core::meta::Namespace;

use super::session::Session;
use crate::{
    bridge::ToCore,
    ui::{self, How, PickItem, PickList},
};

const ALL: &str = "all namespaces";

/// The list, with what is to be said of it.
pub(super) fn chooser(session: Session) -> AnyView {
    session.send(&ToCore::Namespaces);
    let toggled = StoredValue::new(false);
    let list = PickList::new(
        "Namespaces",
        "Type a namespace",
        "Enter shows one alone. Space adds it to the others, or takes it off.",
        move |typed| items(session, typed),
        move |item, how| {
            if how == How::Added {
                toggle(session, &item);
            } else {
                // Whoever has put several together by hand wants these, and not the last alone.
                if !toggled.get_value() {
                    let namespaces = if item.id == ALL { Vec::new() } else { vec![Namespace::from(item.id)] };
                    session.choose_namespaces(namespaces);
                }
                session.close_dialog();
            }
        },
    );
    let key = move |event: &leptos::ev::KeyboardEvent, item: Option<PickItem>, _: &str| {
        let space = event.key() == " ";
        if let Some(item) = item.filter(|_| space) {
            toggled.set_value(true);
            toggle(session, &item);
        }
        space
    };
    let problem = move || {
        let problem = session.namespaces.get().problem?;
        let words = if problem.code == 403 {
            format!("The namespaces may not be listed: {}. Type yours; it is remembered.", problem.message)
        } else {
            format!("The namespaces could not be listed just now: {}.", problem.message)
        };
        Some(view! { <p class="hint warn" id="namespace-problem">{words}</p> }.into_any())
    };
    (ui::pick(PickList { key: Arc::new(key), ..list }), ui::when(problem)).into_any()
}

fn items(session: Session, typed: &str) -> Vec<PickItem> {
    let words = typed.trim().to_ascii_lowercase();
    let chosen = session.route.with(|route| route.namespaces.clone());
    let mut names = session.all_namespaces();
    for name in &chosen {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let unknown = !words.is_empty() && !names.iter().any(|name| name.as_str() == words);
    names.retain(|name| name.as_str().contains(&words));
    let mut items = Vec::new();
    if words.is_empty() {
        items.push(PickItem {
            id: ALL.to_owned(),
            title: "All namespaces".to_owned(),
            checked: Some(chosen.is_empty()),
            key: "0",
            ..PickItem::default()
        });
    }
    items.extend(names.into_iter().map(|name| PickItem {
        checked: Some(chosen.contains(&name)),
        title: name.to_string(),
        id: name.to_string(),
        ..PickItem::default()
    }));
    if unknown {
        let detail = "as it is typed".to_owned();
        items.push(PickItem { id: words.clone(), title: words, detail, checked: Some(false), ..PickItem::default() });
    }
    items
}

fn toggle(session: Session, item: &PickItem) {
    let mut chosen = session.route.with_untracked(|route| route.namespaces.clone());
    if item.id == ALL {
        chosen.clear();
    } else if let Some(at) = chosen.iter().position(|name| name.as_str() == item.id) {
        chosen.remove(at);
    } else {
        chosen.push(Namespace::from(item.id.as_str()));
    }
    session.choose_namespaces(chosen);
}
