//! Which columns, in which order, how wide, and what the rows are sorted by.

use std::sync::Arc;

use leptos::{ev::KeyboardEvent, prelude::*};

use super::session::Session;
use crate::{
    route::ColumnChoice,
    ui::{self, How, PickItem, PickList},
};

/// By how much a key makes a column wider, in pixels.
const STEP: u16 = 16;
/// The narrowest column, in pixels.
pub(crate) const NARROWEST: u16 = 40;

/// The editor.
pub(super) fn editor(session: Session) -> AnyView {
    let list = PickList::new(
        "Columns",
        "A column; or a label; or Heading=.json.path",
        "Space shows or hides. Enter sorts, Shift-Enter sorts by one more. Ctrl with arrows moves and widens; Delete takes off what was added.",
        move |typed| items(session, typed.trim()),
        move |item, how| match item.id.split_once(' ') {
            Some(("add", column)) => add(session, column),
            Some((_, column)) => session.sort(column, how == How::Added),
            None => {}
        },
    );
    let key = move |event: &KeyboardEvent, item: Option<PickItem>, typed: &str| {
        let Some((what, column)) = item.as_ref().and_then(|item| item.id.split_once(' ')) else { return false };
        if what == "add" {
            return false;
        }
        match (event.key().as_str(), event.ctrl_key() || event.meta_key()) {
            (" ", _) if !typed.starts_with(['.', '{']) && !typed.contains('=') => toggle(session, column),
            ("ArrowLeft", true) => widen(session, column, -i32::from(STEP)),
            ("ArrowRight", true) => widen(session, column, i32::from(STEP)),
            ("Delete", _) if typed.is_empty() => remove(session, column),
            _ => return false,
        }
        true
    };
    // The arrows with Control move the column, and the mark goes with it.
    let moves = move |event: KeyboardEvent| {
        if !event.ctrl_key() && !event.meta_key() {
            return;
        }
        let by = match event.key().as_str() {
            "ArrowUp" => -1,
            "ArrowDown" => 1,
            _ => return,
        };
        let marked = document().query_selector(".pick.marked").ok().flatten().and_then(|marked| marked.get_attribute("data-id"));
        if let Some(("column", column)) = marked.as_deref().and_then(|id| id.split_once(' ')) {
            shift(session, column, by);
        }
    };
    view! { <div on:keydown:capture=moves>{ui::pick(PickList { key: Arc::new(key), ..list })}</div> }.into_any()
}

/// The columns as they are shown: what a person chose, or the server's.
pub(crate) fn shown(session: Session) -> Vec<ColumnChoice> {
    let chosen = session.route.with(|route| (route.columns.clone(), route.wide));
    match chosen {
        (Some(columns), _) => columns,
        (None, wide) => session.table.columns.with(|columns| {
            let of_server = columns.iter().filter(|column| wide || !column.wide);
            of_server.map(|column| ColumnChoice { name: column.name.clone(), ..ColumnChoice::default() }).collect()
        }),
    }
}

fn items(session: Session, typed: &str) -> Vec<PickItem> {
    let words = typed.to_ascii_lowercase();
    let shown = shown(session);
    let (sort, columns) = (session.route.with(|route| route.sort.clone()), session.table.columns.get());
    let hidden = columns.iter().filter(|column| !shown.iter().any(|choice| choice.name == column.name));
    let names = shown.iter().map(|choice| (choice.name.clone(), true)).chain(hidden.map(|column| (column.name.clone(), false)));
    let mut items: Vec<_> = names
        .filter(|(name, _)| name.to_ascii_lowercase().contains(&words))
        .map(|(name, on)| {
            let place = sort.iter().position(|sort| sort.column == name);
            let arrow = place.and_then(|at| sort.get(at)).map(|by| if by.descending { "↓" } else { "↑" });
            let of_sort = arrow.map(|arrow| format!("{arrow} {}", place.unwrap_or(0) + 1)).unwrap_or_default();
            let path = shown.iter().find(|choice| choice.name == name).and_then(|choice| choice.path.clone());
            let meaning = columns.iter().find(|column| column.name == name).map_or("", |column| column.description.as_str());
            let meaning = path.as_deref().unwrap_or(meaning).chars().take(90).collect::<String>();
            PickItem {
                id: format!("column {name}"),
                title: if name.is_empty() { "(without a name)".to_owned() } else { name },
                detail: if of_sort.is_empty() { meaning } else { format!("{of_sort}   {meaning}") },
                checked: Some(on),
                ..PickItem::default()
            }
        })
        .collect();
    if let Some(column) = added(typed).filter(|column| !shown.iter().any(|choice| choice.name == column.name)) {
        let detail = column.path.clone().unwrap_or_default();
        items.push(PickItem { id: format!("add {typed}"), title: format!("Add {}", column.name), detail, ..PickItem::default() });
    }
    items
}

/// The column that a text asks for: `Image=.spec.containers[*].image`, `.spec.nodeName`, or the name of a label.
fn added(typed: &str) -> Option<ColumnChoice> {
    let is_path = |text: &str| text.starts_with(['.', '{', '$']);
    let (name, path) = match typed.split_once('=') {
        Some((name, path)) if is_path(path) && !is_path(name) => (name.trim().to_owned(), path.to_owned()),
        _ if is_path(typed) => {
            let end = typed.trim_end_matches('}').rsplit(['.', '/']).find(|part| !part.is_empty())?;
            (end.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned(), typed.to_owned())
        }
        _ => {
            // Labels end with a letter or a digit, and have no blanks.
            let is_label = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
            if typed.is_empty() || !typed.chars().all(is_label) {
                return None;
            }
            (typed.to_owned(), format!(".metadata.labels['{typed}']"))
        }
    };
    (!name.is_empty()).then_some(ColumnChoice { name, path: Some(path), width: None })
}

fn add(session: Session, typed: &str) {
    let mut columns = shown(session);
    if let Some(column) = added(typed) {
        // Before the age, which people look for at the end.
        let at = columns.iter().position(|column| column.name == "Age").unwrap_or(columns.len());
        columns.insert(at, column);
        session.lay_out(Some(columns));
    }
    session.close_dialog();
}

fn toggle(session: Session, column: &str) {
    let mut columns = shown(session);
    match columns.iter().position(|choice| choice.name == column) {
        // Something must be left to see.
        Some(_) if columns.len() == 1 => return,
        Some(at) => drop(columns.remove(at)),
        None => columns.push(ColumnChoice { name: column.to_owned(), ..ColumnChoice::default() }),
    }
    session.lay_out(Some(columns));
}

fn remove(session: Session, column: &str) {
    let mut columns = shown(session);
    columns.retain(|choice| choice.name != column || choice.path.is_none());
    session.lay_out(Some(columns));
}

/// Puts a column so many places further.
fn shift(session: Session, column: &str, by: isize) {
    let mut columns = shown(session);
    let Some(from) = columns.iter().position(|choice| choice.name == column) else { return };
    let to = from.saturating_add_signed(by).min(columns.len().saturating_sub(1));
    let moved = columns.remove(from);
    columns.insert(to, moved);
    session.lay_out(Some(columns));
}

fn widen(session: Session, column: &str, by: i32) {
    let drawn = session.table.drawn_width(column);
    set_width(session, column, u16::try_from((i32::from(drawn) + by).max(0)).unwrap_or(NARROWEST));
}

/// Gives a column a width in pixels.
pub(crate) fn set_width(session: Session, column: &str, width: u16) {
    let mut columns = shown(session);
    for choice in columns.iter_mut().filter(|choice| choice.name == column) {
        choice.width = Some(width.max(NARROWEST));
    }
    session.lay_out(Some(columns));
}

/// Puts a column in the place of another.
pub(crate) fn place(session: Session, column: &str, before: &str) {
    let columns = shown(session);
    let at = |name: &str| columns.iter().position(|choice| choice.name == name);
    if let (Some(from), Some(to)) = (at(column), at(before)) {
        shift(session, column, to.cast_signed() - from.cast_signed());
    }
}
