//! The bar at the top: which cluster, which namespace, how the watch is.

use leptos::prelude::*;

use super::{health::HealthChip, namespace::NamespaceChooser, session::Session};
use crate::bridge::ClusterPhase;

/// The bar at the top.
#[component]
pub(super) fn Header(session: Session) -> impl IntoView {
    let phase = move || match session.cluster.get().phase {
        ClusterPhase::Asking => "asking",
        ClusterPhase::Here => "here",
        ClusterPhase::Away(_) => "away",
    };
    let name = move || {
        let cluster = session.cluster.get();
        match (&cluster.phase, cluster.id) {
            (ClusterPhase::Asking, _) => "connecting".to_owned(),
            (ClusterPhase::Away(_), None) => "no cluster".to_owned(),
            // Of a cluster nobody has named, the first part of its identity tells it from others.
            (_, Some(id)) => format!("cluster {}", id.as_str().split('-').next().unwrap_or_default()),
            (ClusterPhase::Here, None) => "cluster".to_owned(),
        }
    };
    let identity = move || {
        let id = session.cluster.get().id;
        id.map_or_else(
            || "The identity of the cluster may not be read, so nothing is stored of it.".to_owned(),
            |id| format!("The uid of its namespace kube-system: {id}"),
        )
    };
    view! {
        <header>
            <a class="brand" href="#/pods"><span class="porthole" aria-hidden="true"></span>"porthole"</a>
            <div class=move || format!("cluster {}", phase()) title=identity>
                <i></i><span class="cluster-name">{name}</span><span class="faint">{move || session.cluster.get().version}</span>
            </div>
            <NamespaceChooser session />
            <span class="space"></span>
            {move || session.last_seen.get().then(|| view! { <span class="pill warn" id="last-seen">"last seen"</span> })}
            <HealthChip session />
        </header>
    }
}
