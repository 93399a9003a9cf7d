//! Giving what is on screen a name.

use std::sync::Arc;

use super::session::Session;
use crate::ui::{PickItem, PickList};

/// The list of saved views, and the name that is typed.
pub(super) fn list(session: Session) -> PickList {
    let list = PickList::new(
        "Save this view",
        "A name for this view",
        "Enter saves what is on screen under this name. Delete takes the marked one off.",
        move |typed| {
            let typed = typed.trim();
            let saved = session.saved.get();
            let known = saved.iter().any(|view| view.name == typed);
            let item = |name: &str, detail: &str| PickItem {
                id: name.to_owned(),
                title: name.to_owned(),
                detail: detail.to_owned(),
                ..PickItem::default()
            };
            let fresh = (!typed.is_empty() && !known).then(|| item(typed, "new"));
            let others = saved.iter().filter(|view| view.name.contains(typed));
            fresh.into_iter().chain(others.map(|view| item(&view.name, "replaced by what is on screen"))).collect()
        },
        move |item, _| {
            session.save_view(&item.id);
            session.say(format!("Saved as {}; it stands in the navigation and in the palette.", item.id));
            session.close_dialog();
        },
    );
    let key = move |event: &leptos::ev::KeyboardEvent, item: Option<PickItem>, typed: &str| {
        let delete = event.key() == "Delete" && typed.is_empty();
        if let Some(item) = item.filter(|_| delete) {
            session.remove_view(&item.id);
        }
        delete
    };
    PickList { key: Arc::new(key), ..list }
}
