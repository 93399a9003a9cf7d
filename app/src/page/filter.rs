//! The field that says which rows are looked for. What is understood is marked as one types; what is not is said.

use leptos::{html, prelude::*};
use porthole_client_core::view::{Pattern, Query, TermKind};

use super::session::Session;
use crate::ui;

/// The id of the field.
pub(super) const ID: &str = "filter";

/// The field.
#[component]
pub(super) fn Filter(session: Session) -> impl IntoView {
    let (field, marks) = (NodeRef::<html::Input>::new(), NodeRef::<html::Span>::new());
    let text = ui::text_memo(move || session.route.with(|route| route.filter.clone()));
    // The marks lie behind the letters: they have to be scrolled as these are.
    let follow = move || {
        if let (Some(field), Some(marks)) = (field.get_untracked(), marks.get_untracked()) {
            marks.set_scroll_left(field.scroll_left());
        }
    };
    let tokens = move || Some(text.with(|text| tokens(text)));
    let fault = move || {
        let fault = session.table.fault.get()?;
        Some(view! { <p class="fault" id="filter-fault" role="alert">{fault}</p> }.into_any())
    };
    let faulty: Box<dyn FnMut() -> String + Send> = Box::new(move || session.table.fault.with(Option::is_some).to_string());
    view! {
        <div class="q">
            <span class="marks" aria-hidden="true" node_ref=marks>{ui::when(tokens)}</span>
            <input id=ID node_ref=field placeholder="Filter rows" aria-label="Filter rows" spellcheck="false" autocomplete="off"
                aria-invalid=faulty aria-describedby="filter-fault"
                title="status:crash   cpu>500m   age<5m   !word   /regex/   ~fuzzy   -l app=web   -f spec.nodeName=node-1"
                prop:value=move || text.get()
                on:scroll=move |_| follow()
                on:input=move |event| { session.go(|route| route.filter = event_target_value(&event)); follow(); } />
            <kbd>"/"</kbd>
            {ui::when(fault)}
        </div>
    }
}

/// The text with what is understood marked; letter for letter as it is.
fn tokens(text: &str) -> AnyView {
    let Ok(query) = Query::parse(text) else { return text.to_owned().into_any() };
    let mut parts = Vec::new();
    let mut end = 0;
    for term in query.terms() {
        let class = match term.kind {
            // A word alone needs no mark.
            TermKind::Anywhere(Pattern::Text(_)) if !term.negated => continue,
            TermKind::Labels(_) | TermKind::Fields(_) => "server",
            _ if term.negated => "not",
            _ => "",
        };
        let (before, marked) = (text.get(end..term.place.start), text.get(term.place.clone()));
        if let (Some(before), Some(marked)) = (before, marked) {
            parts.push(before.to_owned().into_any());
            parts.push(view! { <b class=class>{marked.to_owned()}</b> }.into_any());
            end = term.place.end;
        }
    }
    parts.push(text.get(end..).unwrap_or_default().to_owned().into_any());
    parts.into_any()
}
