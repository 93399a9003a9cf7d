//! A list to pick from: a field that narrows it, and keys that move in it.

use std::sync::Arc;

use leptos::{
    ev::{KeyboardEvent, MouseEvent},
    html,
    prelude::*,
};
use wasm_bindgen::JsCast as _;

/// The most entries that are ever in the document.
const MOST: usize = 200;

/// An entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PickItem {
    /// What tells it from all others.
    pub(crate) id: String,
    pub(crate) title: String,
    /// More about it, in a fainter colour.
    pub(crate) detail: String,
    /// The heading it stands under; entries of one section stand together.
    pub(crate) section: &'static str,
    /// Whether it is on, where it can be on and off.
    pub(crate) checked: Option<bool>,
    /// The key that does the same without the list.
    pub(crate) key: &'static str,
}

/// What was done with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Enter, or a press.
    Chosen,
    /// Enter with Control or Shift, or a press with it: one more.
    Added,
}

/// The entries for what is typed, the best first.
type Items = Arc<dyn Fn(&str) -> Vec<PickItem> + Send + Sync>;

/// Whether a key was taken, with the entry that is marked and what is typed.
type TakesKey = Arc<dyn Fn(&KeyboardEvent, Option<PickItem>, &str) -> bool + Send + Sync>;

/// What a list shows and does.
#[derive(Clone)]
pub(crate) struct PickList {
    /// What it is a list of, for readers.
    pub(crate) label: &'static str,
    pub(crate) placeholder: &'static str,
    /// What else can be done, below the list.
    pub(crate) hint: &'static str,
    /// The text that the field begins with.
    pub(crate) begin: String,
    /// The entries for what is typed, the best first.
    pub(crate) items: Items,
    /// Is told what is typed, before the entries are asked for.
    pub(crate) typed: Arc<dyn Fn(&str) + Send + Sync>,
    /// Does it.
    pub(crate) act: Arc<dyn Fn(PickItem, How) + Send + Sync>,
    /// Keys of the list's own; says whether it has taken the key. The entry is that which is marked.
    pub(crate) key: TakesKey,
}

impl PickList {
    /// A list that does nothing but this.
    pub(crate) fn new(
        label: &'static str,
        placeholder: &'static str,
        hint: &'static str,
        items: impl Fn(&str) -> Vec<PickItem> + Send + Sync + 'static,
        act: impl Fn(PickItem, How) + Send + Sync + 'static,
    ) -> Self {
        Self {
            label,
            placeholder,
            hint,
            begin: String::new(),
            items: Arc::new(items),
            typed: Arc::new(|_| ()),
            act: Arc::new(act),
            key: Arc::new(|_, _, _| false),
        }
    }
}

/// The list.
pub(crate) fn pick(list: PickList) -> AnyView {
    let PickList { label, placeholder, hint, begin, items, typed: told, act, key } = list;
    told(&begin);
    let (typed, marked) = (RwSignal::new(begin), RwSignal::new(0_usize));
    let input = NodeRef::<html::Input>::new();
    super::effect(move || {
        if let Some(input) = input.get() {
            // A field that has left the document need not have the focus.
            input.focus().ok();
            input.select();
        }
    });
    let found = Memo::new(move |_| typed.with(|typed| items(typed)));
    let shown = Memo::new(move |_| found.with(|found| marked.get().min(found.len().saturating_sub(1))));
    let marked_item = move || found.with_untracked(|found| found.get(shown.get_untracked()).cloned());
    let on_input = move |event| {
        let text = event_target_value(&event);
        told(&text);
        typed.set(text);
        marked.set(0);
    };
    let chosen = Arc::clone(&act);
    let on_key = move |event: KeyboardEvent| {
        let end = found.with_untracked(Vec::len).min(MOST).saturating_sub(1);
        let at = shown.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => marked.set(if at == end { 0 } else { at + 1 }),
            "ArrowUp" => marked.set(if at == 0 { end } else { at - 1 }),
            "PageDown" => marked.set((at + 10).min(end)),
            "PageUp" => marked.set(at.saturating_sub(10)),
            _ if key(&event, marked_item(), &typed.get_untracked()) => {}
            "Enter" => {
                if let Some(item) = marked_item() {
                    chosen(item, how(event.ctrl_key() || event.shift_key() || event.meta_key()));
                }
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let pressed = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let at =
            target.and_then(|target| target.closest("[data-at]").ok().flatten()?.get_attribute("data-at")?.parse::<usize>().ok());
        event.prevent_default();
        if let Some(item) = at.and_then(|at| found.with_untracked(|found| found.get(at).cloned())) {
            act(item, how(event.ctrl_key() || event.shift_key() || event.meta_key()));
        }
    };
    super::effect(move || {
        let id = format!("pick-{}", shown.get());
        if let Some(element) = document().get_element_by_id(&id) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            element.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    let active: Box<dyn FnMut() -> Option<String> + Send> =
        Box::new(move || found.with(|found| !found.is_empty()).then(|| format!("pick-{}", shown.get())));
    let list = move || found.with(|found| sections(found, shown));
    view! {
        <input node_ref=input class="field" type="text" role="combobox" aria-expanded="true" aria-controls="picks" aria-autocomplete="list"
            aria-activedescendant=active
            aria-label=label placeholder=placeholder spellcheck="false" autocomplete="off"
            prop:value=move || typed.get()
            on:input=on_input
            on:keydown=on_key />
        <div class="picks" id="picks" role="listbox" aria-label=label on:mousedown=pressed>{list}</div>
        <p class="hint" role="status">{move || found.with(|found| remark(found.len(), hint))}</p>
    }
    .into_any()
}

fn how(more: bool) -> How {
    if more { How::Added } else { How::Chosen }
}

fn remark(found: usize, hint: &'static str) -> String {
    match found {
        0 => "Nothing has that name.".to_owned(),
        _ if found > MOST => format!("{} more; type more of the name. {hint}", found - MOST),
        _ => hint.to_owned(),
    }
}

fn sections(found: &[PickItem], marked: Memo<usize>) -> AnyView {
    let shown = found.get(..found.len().min(MOST)).unwrap_or_default();
    let mut views = Vec::new();
    let mut first = 0;
    for section in shown.chunk_by(|a, b| a.section == b.section) {
        let title = section.first().map_or("", |item| item.section);
        let items: Vec<_> = section.iter().enumerate().map(|(at, item)| option(item, first + at, marked)).collect();
        first += section.len();
        let heading = (!title.is_empty()).then(|| view! { <h4 aria-hidden="true">{title}</h4> }.into_any());
        let label = if title.is_empty() { "all" } else { title };
        views.push(view! { <div role="group" aria-label=label>{heading}{items}</div> }.into_any());
    }
    views.into_any()
}

fn option(item: &PickItem, at: usize, marked: Memo<usize>) -> AnyView {
    let PickItem { id, title, detail, checked, key, .. } = item.clone();
    let class: Box<dyn FnMut() -> &'static str + Send> =
        Box::new(move || if marked.get() == at { "pick marked" } else { "pick" });
    let check = checked.map(|on| view! { <i class=if on { "check on" } else { "check" } aria-hidden="true"></i> }.into_any());
    let selected = checked.unwrap_or(false).to_string();
    let key = (!key.is_empty()).then(|| view! { <kbd>{key}</kbd> }.into_any());
    view! {
        <div class=class role="option" id=format!("pick-{at}") data-at=at.to_string() data-id=id aria-selected=selected>
            {check}<span class="title">{title}</span><span class="faint">{detail}</span>{key}
        </div>
    }
    .into_any()
}
