//! The keyboard.

use leptos::prelude::*;
use wasm_bindgen::{JsCast as _, closure::Closure};
use web_sys::{HtmlInputElement, KeyboardEvent, Window};

use super::{
    actions::{Action, Place, Shown, of_key},
    dialogs::Dialog,
    drill, filter,
    later::LaterCode,
    session::Session,
};
use crate::{
    bridge::ToCore,
    route::OwnPage,
    session::preferences::{Density, Theme},
    ui,
};

/// Listens to the keys of the page. Inside a field they belong to the field, but for Escape and what has Control; inside a
/// dialog they belong to the dialog.
pub(super) fn listen(session: Session, window: &Window) {
    let listener = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| pressed(session, &event));
    if let Err(error) = window.add_event_listener_with_callback("keydown", listener.as_ref().unchecked_ref()) {
        leptos::logging::warn!("the keyboard cannot be listened to: {error:?}");
    }
    listener.forget();
}

fn pressed(session: Session, event: &KeyboardEvent) {
    let control = event.ctrl_key() || event.meta_key();
    if event.alt_key() || event.default_prevented() {
        return;
    }
    if session.dialog.with_untracked(Option::is_some) {
        // One that is not drawn yet cannot close itself.
        if event.key() == "Escape" && !matches!(session.later.get_untracked(), LaterCode::Here(_)) {
            session.close_dialog();
        }
        return;
    }
    let key = if control { format!("Ctrl-{}", event.key()) } else { event.key() };
    let target = event.target();
    let field = target.as_ref().and_then(|target| target.dyn_ref::<HtmlInputElement>());
    if let Some(field) = field
        && !control
        && !matches!(field.type_().as_str(), "radio" | "checkbox")
    {
        if event.key() == "Escape" || (matches!(event.key().as_str(), "Enter" | "ArrowDown") && field.id() == filter::ID) {
            session.show_now();
            focus_main(session);
            event.prevent_default();
        }
        return;
    }
    // A button, a link or a choice with the focus does what these keys do everywhere.
    let acts = target
        .as_ref()
        .and_then(|target| target.dyn_ref::<web_sys::Element>())
        .is_some_and(|element| matches!(element.tag_name().as_str(), "BUTTON" | "A" | "INPUT" | "SUMMARY"));
    if acts && matches!(event.key().as_str(), "Enter" | " " | "ArrowUp" | "ArrowDown") {
        return;
    }
    let Some(entry) = of_key(&key) else { return };
    if entry.place != Place::Anywhere && session.route.with_untracked(|route| route.page.is_some()) {
        return;
    }
    event.prevent_default();
    run(session, entry.action);
}

/// Does it.
pub(super) fn run(session: Session, action: Action) {
    let table = session.table;
    match action {
        Action::Move(by) => table.move_cursor(by),
        Action::Page(by) => table.move_cursor(by * i64::from(table.page_size())),
        Action::Extend(by) => table.extend_selection(by),
        Action::Select => table.toggle_cursor(),
        Action::SelectAll => session.select_all(),
        Action::Invert => session.invert_selection(),
        Action::Open => drill::open(session),
        Action::Escape => escape(session),
        Action::Filter => ui::focus(filter::ID),
        Action::FindResource => ui::focus("find-resource"),
        Action::Show(Shown::Versions) if super::version::versions(session).len() < 2 => {
            session.say("The server has one version of this alone.".to_owned());
        }
        Action::Show(shown) => session.dialog.set(Some(Dialog::Shown(shown))),
        Action::AllNamespaces => session.choose_namespaces(Vec::new()),
        Action::Wide => session.go(|route| {
            route.wide = !route.wide && route.columns.is_none();
            route.columns = None;
        }),
        Action::SortBack => {
            session.lay_out(None);
            session.go(|route| route.sort.clear());
        }
        Action::CopyName => match table.cursor_row() {
            Some(row) => session.copy(&row.name, &row.name),
            None => session.say("No row is under the cursor: j and k choose one.".to_owned()),
        },
        Action::CopyCommand => session.copy(&session.command(), "the command"),
        Action::Favourite => {
            if let Some(resource) = session.route.with_untracked(|route| route.resource.clone()) {
                session.toggle_favourite(&resource);
            }
        }
        Action::Back | Action::Forward => go_through_history(if action == Action::Back { -1 } else { 1 }),
        Action::Retry => {
            session.send(&ToCore::Retry);
            session.say("The server is asked again.".to_owned());
        }
        Action::Delete => session.ask_deletion(),
        Action::Settings => session.open_page(OwnPage::Settings),
        Action::Activity => session.open_page(OwnPage::Activity),
        Action::Theme => session.prefer(|preferences| {
            preferences.theme = match preferences.theme {
                Theme::System => Theme::Dark,
                Theme::Dark => Theme::Light,
                Theme::Light => Theme::System,
            }
        }),
        Action::Density => session.prefer(|preferences| {
            preferences.density = match preferences.density {
                Density::Compact => Density::Comfortable,
                Density::Comfortable => Density::Compact,
            }
        }),
    }
}

/// One step out: a dialog closes by itself; then the selection goes, then the filter, then a page of our own.
fn escape(session: Session) {
    focus_main(session);
    if session.route.with_untracked(|route| route.page.is_some()) {
        go_through_history(-1);
    } else if session.table.selected.with_untracked(|selected| !selected.is_empty()) {
        session.table.clear_selection();
    } else {
        session.go(|route| route.filter.clear());
    }
}

fn go_through_history(by: i32) {
    if let Err(error) = window().history().and_then(|history| history.go_with_delta(by)) {
        leptos::logging::warn!("the browser does not go through its history: {error:?}");
    }
}

/// Gives the focus to what the keys are for: never to nothing.
pub(super) fn focus_main(session: Session) {
    ui::focus_first(if session.route.with_untracked(|route| route.page.is_none()) { ".grid" } else { "main" });
}

/// What a row with all that it holds is shown in.
pub(super) fn show_row(session: Session) {
    match session.table.cursor_row() {
        Some(row) => session.dialog.set(Some(Dialog::Row(row))),
        None => session.say("No row is under the cursor: j and k choose one.".to_owned()),
    }
}
