//! What the first load does without: the code of all that is opened later is a module of its own, which is fetched when
//! the page has begun and is idle, or as soon as it is needed.
//!
//! Guarantees: nothing is drawn before its code is there, and nothing that was closed meanwhile; where the code cannot be
//! had, the person is told so, and the next time it is asked for again. The build tells by the one split point which
//! functions belong to that module: those that nothing else refers to.

use leptos::{
    prelude::*,
    task::spawn_local,
    wasm_split::{SplitLoaderError, wasm_split},
};

use super::{activity::Activity, dialogs::Dialogs, session::Session, settings::Settings};
use crate::{bridge::when_idle, ui};

/// What is drawn by the code that comes later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Later {
    /// Whatever is open over the page.
    Dialogs,
    Settings,
    Activity,
}

/// Whether the code is there.
#[derive(Clone, Copy, Default)]
pub(super) enum LaterCode {
    #[default]
    Absent,
    Coming,
    Failed,
    /// It draws what is wanted.
    Here(fn(Session, Later) -> AnyView),
}

/// Fetches the code as soon as there is nothing else to do. That it cannot be had matters when it is needed.
pub(super) fn prepare(session: Session) {
    when_idle(move || {
        if matches!(session.later.get_untracked(), LaterCode::Absent) {
            need(session);
        }
    });
}

/// Draws what is wanted once its code is there.
pub(super) fn later(session: Session, wanted: Later) -> AnyView {
    need(session);
    let drawn = move || match session.later.get() {
        LaterCode::Here(draw) => Some(draw(session, wanted)),
        LaterCode::Absent | LaterCode::Coming => None,
        LaterCode::Failed => Some(missing(session)),
    };
    ui::when(drawn)
}

/// Draws what is open over the page, and fetches the code for it when something is opened.
pub(super) fn dialogs(session: Session) -> AnyView {
    Effect::new(move |_| {
        if session.dialog.with(Option::is_some) {
            need(session);
        }
    });
    ui::when(move || match session.later.get() {
        LaterCode::Here(draw) => Some(draw(session, Later::Dialogs)),
        LaterCode::Absent | LaterCode::Coming | LaterCode::Failed => None,
    })
}

/// Stands where a page would be.
fn missing(session: Session) -> AnyView {
    view! {
        <main class="page" id="missing" tabindex="-1">
            <p>{MISSING}</p>
            <p>{ui::button("Try again", "", move || need(session))}</p>
        </main>
    }
    .into_any()
}

const MISSING: &str = "This part of the page could not be loaded. The proxy or the network may be gone.";

/// Fetches the code where it is neither there nor on its way.
fn need(session: Session) {
    if matches!(session.later.get_untracked(), LaterCode::Here(_) | LaterCode::Coming) {
        return;
    }
    session.later.set(LaterCode::Coming);
    spawn_local(async move {
        if let Ok(draw) = drawing().await {
            session.later.set(LaterCode::Here(draw));
            return;
        }
        session.later.set(LaterCode::Failed);
        if session.dialog.with_untracked(Option::is_some) {
            session.close_dialog();
            session.notice(format!("{MISSING} Opening it again tries again."));
        }
    });
}

/// The split point. It hands out the function that draws, and not what is drawn: so all that follows is drawn at once, in
/// the place where it is wanted.
#[allow(clippy::unnecessary_wraps, reason = "it is the loading that fails")]
#[wasm_split(later, wasm_split_path = leptos::wasm_split, fallible)]
fn drawing() -> Result<fn(Session, Later) -> AnyView, SplitLoaderError> {
    Ok(draw)
}

fn draw(session: Session, wanted: Later) -> AnyView {
    match wanted {
        Later::Dialogs => view! { <Dialogs session /> }.into_any(),
        Later::Settings => view! { <Settings session /> }.into_any(),
        Later::Activity => view! { <Activity session /> }.into_any(),
    }
}
