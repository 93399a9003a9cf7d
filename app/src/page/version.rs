//! The choice of a version, where a resource has several.

use super::session::Session;
use crate::ui::{PickItem, PickList};

/// The list.
pub(super) fn list(session: Session) -> PickList {
    PickList::new(
        "Versions",
        "A version",
        "The first is the one that the server prefers.",
        move |typed| {
            let shown = session.route.with(|route| route.version.clone());
            let versions = versions(session);
            let preferred = versions.first().cloned();
            let items = versions.into_iter().filter(|version| version.contains(typed.trim())).map(|version| PickItem {
                checked: Some(shown.as_ref().or(preferred.as_ref()) == Some(&version)),
                detail: if Some(&version) == preferred.as_ref() { "preferred".to_owned() } else { String::new() },
                title: version.clone(),
                id: version,
                ..PickItem::default()
            });
            items.collect()
        },
        move |item, _| {
            let preferred = versions(session).first() == Some(&item.id);
            session.go(|route| route.version = (!preferred).then_some(item.id));
            session.close_dialog();
        },
    )
}

/// All versions of what is shown, the preferred first.
pub(super) fn versions(session: Session) -> Vec<String> {
    let resource = session.route.with(|route| route.resource.clone());
    session.catalog.with(|catalog| {
        let found = resource.as_ref().zip(catalog.as_ref()).and_then(|(resource, catalog)| catalog.find(resource));
        found.map(|found| found.versions.clone()).unwrap_or_default()
    })
}
