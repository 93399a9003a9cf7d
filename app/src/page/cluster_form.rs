//! Whose cluster this is, and what may be done with it.

use leptos::prelude::*;
use porthole_client_core::meta::ClusterId;

use super::session::Session;
use crate::{session::preferences::COLOURS, ui};

/// The form.
pub(super) fn form(session: Session) -> AnyView {
    let id = session.cluster.with(|cluster| cluster.id.as_ref().map(ClusterId::to_string));
    let known = id.is_some();
    let identity = id.map_or_else(
        || {
            "The identity of this cluster, the uid of its namespace kube-system, may not be read: what is set here is not kept."
                .to_owned()
        },
        |id| format!("Kept for the cluster whose namespace kube-system has the uid {id}, at whatever address it answers."),
    );
    let colours: Vec<(&str, &str)> = COLOURS.iter().map(|colour| (*colour, *colour)).collect();
    let mark = move || session.mark.get();
    view! {
        <h2>"This cluster"</h2>
        <p class="hint">{identity}</p>
        {known.then(|| ui::field("cluster-name", "Name", "A name of yours", move || mark().name, move |name| {
            session.mark_cluster(|mark| name.trim().clone_into(&mut mark.name));
        }))}
        {ui::choice("Colour", "colour", &colours, move || mark().colour_name().to_owned(), move |colour| {
            session.mark_cluster(|mark| mark.colour = COLOURS.iter().position(|other| *other == colour).unwrap_or(0));
        })}
        {ui::switch("read-only", "Read-only", "Nothing is changed: every request that could is refused before it is sent.",
            move || mark().read_only, move |on| session.mark_cluster(|mark| mark.read_only = on))}
        {ui::switch("production", "Production", "Each change is asked for once more, with the name of the cluster to type.",
            move || mark().production, move |on| session.mark_cluster(|mark| mark.production = on))}
    }
    .into_any()
}
