//! Everything that can be done, in one table: the keys, the palette, the sheet of keys and the foot read it.

/// Where an action works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On any page.
    Anywhere,
    /// Where a table is shown.
    Table,
    /// On the row that the cursor is on.
    Row,
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The cursor goes so many rows on.
    Move(i64),
    /// The cursor goes so many screens on.
    Page(i64),
    /// The cursor goes on, and what it leaves and reaches is selected.
    Extend(i64),
    Select,
    SelectAll,
    Invert,
    Open,
    Escape,
    Filter,
    FindResource,
    Show(Shown),
    AllNamespaces,
    Wide,
    SortBack,
    CopyName,
    CopyCommand,
    Favourite,
    Back,
    Forward,
    Retry,
    Delete,
    Settings,
    Activity,
    Theme,
    Density,
}

/// What is opened over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Palette,
    Namespaces,
    Columns,
    Export,
    Keys,
    Cluster,
    Versions,
    SaveView,
}

/// An action as people are told of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) action: Action,
    /// Its keys, as the browser names them; the first is shown.
    pub(crate) keys: &'static [&'static str],
    pub(crate) title: &'static str,
    pub(crate) place: Place,
    /// The word for it in the foot, where it stands there.
    pub(crate) foot: &'static str,
}

/// A step that goes past any end.
const FAR: i64 = i64::MAX / 4;

const fn entry(action: Action, keys: &'static [&'static str], title: &'static str, place: Place, foot: &'static str) -> Entry {
    Entry { action, keys, title, place, foot }
}

/// All of them, those that are used most first.
pub(crate) const ACTIONS: &[Entry] = {
    use Action as A;
    use Place::{Anywhere, Row, Table};
    &[
        entry(A::Move(1), &["j", "ArrowDown"], "Next row", Table, ""),
        entry(A::Move(-1), &["k", "ArrowUp"], "Previous row", Table, ""),
        entry(A::Move(-FAR), &["g", "Home"], "First row", Table, ""),
        entry(A::Move(FAR), &["G", "End"], "Last row", Table, ""),
        entry(A::Page(1), &["PageDown"], "One screen down", Table, ""),
        entry(A::Page(-1), &["PageUp"], "One screen up", Table, ""),
        entry(A::Open, &["Enter"], "Open the row", Row, "open"),
        entry(A::Select, &[" "], "Select the row", Row, "select"),
        entry(A::Extend(1), &["J"], "Select downwards", Row, ""),
        entry(A::Extend(-1), &["K"], "Select upwards", Row, ""),
        entry(A::SelectAll, &["a"], "Select all rows that match", Table, ""),
        entry(A::Invert, &["i"], "Turn the selection around", Table, ""),
        entry(A::Escape, &["Escape"], "Close, then clear the selection, then the filter", Anywhere, ""),
        entry(A::Filter, &["/"], "Filter the rows", Table, "filter"),
        entry(A::Show(Shown::Palette), &[":", "Ctrl-k"], "Go to anything", Anywhere, "go to"),
        entry(A::Show(Shown::Namespaces), &["n"], "Choose namespaces", Anywhere, "namespace"),
        entry(A::AllNamespaces, &["0"], "All namespaces", Anywhere, ""),
        entry(A::FindResource, &["b"], "Browse the resources", Anywhere, ""),
        entry(A::Show(Shown::Columns), &["o"], "Columns and order", Table, "columns"),
        entry(A::Wide, &["w"], "Show all of the server's columns", Table, ""),
        entry(A::SortBack, &["O"], "The server's columns and order again", Table, ""),
        entry(A::CopyName, &["c"], "Copy the name", Row, "copy"),
        entry(A::CopyCommand, &["C"], "Copy the kubectl command that shows the same", Table, ""),
        entry(A::Show(Shown::Export), &["x"], "Export or copy rows", Table, "export"),
        entry(A::Delete, &["d"], "Delete", Row, ""),
        entry(A::Favourite, &["f"], "Put among the favourites, or take off", Table, ""),
        entry(A::Show(Shown::SaveView), &["v"], "Save this view", Table, ""),
        entry(A::Show(Shown::Versions), &["V"], "Choose the version", Table, ""),
        entry(A::Back, &["["], "Back", Anywhere, ""),
        entry(A::Forward, &["]"], "Forward", Anywhere, ""),
        entry(A::Retry, &["r"], "Ask the server again", Anywhere, ""),
        entry(A::Show(Shown::Cluster), &["@"], "This cluster: name, colour, read-only", Anywhere, ""),
        entry(A::Activity, &["A"], "What the API is asked, and what it costs", Anywhere, ""),
        entry(A::Settings, &[","], "Settings", Anywhere, ""),
        entry(A::Theme, &["T"], "Dark, light, or as the system is", Anywhere, ""),
        entry(A::Density, &["D"], "Compact or comfortable rows", Anywhere, ""),
        entry(A::Show(Shown::Keys), &["?"], "All keys", Anywhere, "all keys"),
    ]
};

/// The action of a key.
pub(crate) fn of_key(key: &str) -> Option<&'static Entry> {
    ACTIONS.iter().find(|entry| entry.keys.contains(&key))
}

/// How a key is written for people.
pub(crate) fn key_name(key: &'static str) -> &'static str {
    match key {
        " " => "Space",
        "Escape" => "Esc",
        "ArrowDown" => "↓",
        "ArrowUp" => "↑",
        "PageDown" => "PgDn",
        "PageUp" => "PgUp",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_key_has_two_meanings_and_every_action_has_a_key() {
        let mut seen = HashSet::new();
        for entry in ACTIONS {
            assert!(!entry.keys.is_empty(), "{}", entry.title);
            for key in entry.keys {
                assert!(seen.insert(*key), "{key}");
            }
        }
    }
}
