//! Fields of a form.

use leptos::prelude::*;

/// One of several, each with its value and its words.
pub(crate) fn choice(
    label: &'static str,
    name: &'static str,
    options: &[(&'static str, &'static str)],
    value: impl Fn() -> String + Send + Sync + 'static,
    chosen: impl Fn(String) + Send + Sync + 'static,
) -> AnyView {
    let value = StoredValue::new(Box::new(value) as Box<dyn Fn() -> String + Send + Sync>);
    let chosen = StoredValue::new(Box::new(chosen) as Box<dyn Fn(String) + Send + Sync>);
    let options: Vec<_> = options
        .iter()
        .map(|&(option, words)| {
            let on: Box<dyn FnMut() -> bool + Send> = Box::new(move || value.with_value(|value| value()) == option);
            view! {
                <label class="option" data-option=option>
                    <input type="radio" name=name value=option prop:checked=on
                        on:change=move |_| chosen.with_value(|chosen| chosen(option.to_owned())) />
                    <i class=option aria-hidden="true"></i><span>{words}</span>
                </label>
            }
            .into_any()
        })
        .collect();
    view! { <fieldset class="choice"><legend>{label}</legend>{options}</fieldset> }.into_any()
}

/// Something that is on or off.
pub(crate) fn switch(
    id: &'static str,
    label: &'static str,
    more: &'static str,
    value: impl Fn() -> bool + Send + 'static,
    chosen: impl Fn(bool) + Send + 'static,
) -> AnyView {
    let value: Box<dyn FnMut() -> bool + Send> = Box::new(value);
    view! {
        <label class="switch">
            <input type="checkbox" id=id prop:checked=value on:change=move |event| chosen(event_target_checked(&event)) />
            <span>{label}<small>{more}</small></span>
        </label>
    }
    .into_any()
}

/// A text of one line; `changed` is told when it is left or Enter is pressed.
pub(crate) fn field(
    id: &'static str,
    label: &'static str,
    placeholder: &'static str,
    value: impl Fn() -> String + Send + 'static,
    changed: impl Fn(String) + Send + 'static,
) -> AnyView {
    let value: Box<dyn FnMut() -> String + Send> = Box::new(value);
    view! {
        <label class="labelled"><span>{label}</span>
            <input class="field" type="text" id=id placeholder=placeholder spellcheck="false" autocomplete="off"
                prop:value=value on:change=move |event| changed(event_target_value(&event)) />
        </label>
    }
    .into_any()
}
