//! Changes are asked for first: what will be changed, and, in a cluster that is marked as production, once more by its name.

use std::sync::Arc;

use leptos::prelude::*;

use super::session::Session;
use crate::{bridge::ToCore, ui};

/// How many names are read out; the others are counted.
const MOST_NAMES: usize = 12;

/// Asks whether these rows are to be deleted.
pub(super) fn deletion(session: Session, rows: &Arc<[(u64, String)]>) -> AnyView {
    let mark = session.mark.get_untracked();
    let kind = session.title();
    let numbers: Vec<u64> = rows.iter().map(|(number, _)| *number).collect();
    let count = rows.len();
    let names = rows.iter().take(MOST_NAMES).map(|(_, name)| view! { <li>{name.clone()}</li> }.into_any()).collect_view();
    let more = count.checked_sub(MOST_NAMES).filter(|more| *more > 0).map(|more| format!("and {more} more"));
    let typed = RwSignal::new(String::new());
    let expected = session.cluster_name();
    let agreed = {
        let expected = expected.clone();
        move || !mark.production || typed.with(|typed| typed.trim() == expected)
    };
    let may = agreed.clone();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if agreed() {
            session.send(&ToCore::Delete { view: session.table.view(), rows: numbers.clone() });
            session.close_dialog();
        }
    };
    let ask = mark.production.then(|| {
        let words = format!("This cluster is marked as production. Type its name, {expected}, to go on.");
        view! {
            <label class="labelled"><span>{words}</span>
                <input class="field" type="text" id="confirm" spellcheck="false" autocomplete="off"
                    on:input=move |event| typed.set(event_target_value(&event)) />
            </label>
        }
        .into_any()
    });
    let disabled: Box<dyn FnMut() -> bool + Send> = Box::new(move || !may());
    view! {
        <form on:submit=submit>
            <h2>{format!("Delete {count} of {kind}?")}</h2>
            <ul class="names">{names}{more.map(|more| view! { <li class="faint">{more}</li> })}</ul>
            <p class="hint">"The server deletes them as kubectl delete does: what they own goes with them, and each has the time to end that it asks for. It cannot be undone."</p>
            {ask}
            <div class="buttons">
                {ui::button("Cancel", "Esc", move || session.close_dialog())}
                <button type="submit" class="btn danger" id="go" prop:disabled=disabled>"Delete"</button>
            </div>
        </form>
    }
    .into_any()
}
