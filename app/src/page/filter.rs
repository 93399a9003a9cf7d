//! The field that says which rows are looked for. What is understood is marked as one types; what is not is said.

use leptos::{html, prelude::*};

use super::session::Session;
use crate::ui;

/// The id of the field.
pub(super) const ID: &str = "filter";

/// The field.
#[component]
pub(super) fn Filter(session: Session) -> impl IntoView {
    let (field, marks) = (NodeRef::<html::Input>::new(), NodeRef::<html::Span>::new());
    let text = Memo::new(move |_| session.route.with(|route| route.filter.clone()));
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
    text.to_owned().into_any()
}
