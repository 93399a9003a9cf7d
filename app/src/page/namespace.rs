//! The choice of a namespace: from a list where there is one, typed where there is none.

use leptos::{ev::KeyboardEvent, html::Input, prelude::*};
use porthole_client_core::meta::Namespace;

use super::session::Session;
use crate::bridge::ToCore;

/// The chooser in the bar at the top.
#[component]
pub(super) fn NamespaceChooser(session: Session) -> impl IntoView {
    let open = RwSignal::new(false);
    let typed = RwSignal::new(String::new());
    let marked = RwSignal::new(0_usize);
    let input = NodeRef::<Input>::new();
    let current = move || session.route.with(|route| route.namespace.clone());
    // What can be chosen: all, those that are known or were typed, and what is being typed.
    let choices = move || {
        let words = typed.get().trim().to_lowercase();
        let mut names = session.namespaces.with(|choice| choice.known.clone());
        for name in session.typed_namespaces() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.retain(|name| name.as_str().contains(&words));
        let unknown = !words.is_empty() && !names.iter().any(|name| name.as_str() == words);
        let mut choices: Vec<Option<Namespace>> = Vec::new();
        if words.is_empty() {
            choices.push(None);
        }
        choices.extend(names.into_iter().map(Some));
        if unknown {
            choices.push(Some(Namespace::from(words)));
        }
        choices
    };
    let choose = move |choice: Option<Namespace>| {
        open.set(false);
        session.choose_namespace(choice);
    };
    let on_key = move |event: KeyboardEvent| {
        let choices = choices();
        match event.key().as_str() {
            "ArrowDown" => marked.update(|at| *at = (*at + 1).min(choices.len().saturating_sub(1))),
            "ArrowUp" => marked.update(|at| *at = at.saturating_sub(1)),
            "Enter" => {
                if let Some(choice) = choices.into_iter().nth(marked.get_untracked()) {
                    choose(choice);
                }
            }
            "Escape" => open.set(false),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    Effect::new(move |_| {
        if open.get() {
            session.send(&ToCore::Namespaces);
            typed.set(String::new());
            marked.set(0);
            if let Some(input) = input.get() {
                // An input that is not in the document any more cannot be focused, and need not be.
                input.focus().ok();
            }
        }
    });
    let list = move || {
        let chosen = current();
        choices()
            .into_iter()
            .enumerate()
            .map(|(at, choice)| {
                let label = choice.as_ref().map_or_else(|| "All namespaces".to_owned(), ToString::to_string);
                let on = choice == chosen;
                let value = choice.clone();
                view! {
                    <li role="option" class:on=on class:marked=move || marked.get() == at aria-selected=on.to_string()
                        on:mousedown=move |event| { event.prevent_default(); choose(value.clone()); }>{label}</li>
                }
            })
            .collect_view()
    };
    view! {
        <div class="ns">
            <button type="button" class="chip" id="namespace" aria-haspopup="listbox" aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|open| *open = !*open)>
                {move || current().map_or_else(|| "All namespaces".to_owned(), |namespace| namespace.to_string())}
                <kbd>"n"</kbd>
            </button>
            <Show when=move || open.get()>
                <div class="popup">
                    <input node_ref=input class="field" placeholder="Type a namespace" aria-label="Type a namespace" spellcheck="false" autocomplete="off"
                        prop:value=move || typed.get()
                        on:input=move |event| { typed.set(event_target_value(&event)); marked.set(0); }
                        on:keydown=on_key
                        on:blur=move |_| open.set(false) />
                    {move || session.namespaces.get().problem.map(|problem| view! {
                        <p class="hint">{
                            if problem.code == 403 {
                                format!("The namespaces may not be listed: {}. Type yours; it is remembered.", problem.message)
                            } else {
                                format!("The namespaces could not be listed just now: {}.", problem.message)
                            }
                        }</p>
                    })}
                    <ul role="listbox">{list}</ul>
                </div>
            </Show>
        </div>
    }
}
