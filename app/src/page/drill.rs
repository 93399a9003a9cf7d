//! What is behind a row: its rows, where an object is a place for others; else all that the row holds.

use porthole_client_core::meta::GroupResource;

use super::{keys, session::Session};
use crate::route::Route;

/// Opens the row under the cursor.
pub(super) fn open(session: Session) {
    let Some(row) = session.table.cursor_row() else {
        keys::show_row(session);
        return;
    };
    let resource =
        session.route.with_untracked(|route| route.resource.as_ref().map(GroupResource::to_string).unwrap_or_default());
    let there = match resource.as_str() {
        "namespaces" => {
            Some(Route { resource: Some("pods".into()), namespaces: vec![row.name.as_str().into()], ..Route::default() })
        }
        "nodes" => {
            Some(Route { resource: Some("pods".into()), filter: format!("-f spec.nodeName={}", row.name), ..Route::default() })
        }
        // A definition is named by what it defines.
        "customresourcedefinitions.apiextensions.k8s.io" => {
            Some(Route { resource: Some(row.name.as_str().into()), ..Route::default() })
        }
        _ => None,
    };
    match there {
        Some(there) => session.go(|route| *route = there),
        None => keys::show_row(session),
    }
}
