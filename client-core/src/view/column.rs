//! The columns of a view: the server's, and what they hold.

use serde::{Deserialize, Serialize};

use crate::wire::Column;

/// What a column holds, which decides how its cells are aligned, ordered and kept up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnRole {
    /// The object's name.
    Name,
    /// The object's namespace; not a column of the server.
    Namespace,
    /// A word for the object's state.
    Status,
    /// So many of so many.
    Ready,
    /// How long ago the object was made.
    Age,
    /// How long ago something was.
    Since,
    /// How long something took, or has taken so far.
    Duration,
    /// A number or a quantity.
    Number,
    /// Anything else.
    Text,
}

/// A column of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewColumn {
    /// The heading, as the server spells it.
    pub name: String,
    /// What the column means, in the server's words.
    pub description: String,
    /// What it holds.
    pub role: ColumnRole,
    /// Whether it is for wide output only.
    pub wide: bool,
    /// Which of a row's cells it shows; `None` for the namespace.
    pub cell: Option<usize>,
}

/// The columns of a view over a table with these columns. Objects without a table show their name and age, as
/// kubectl does, before what paths find in them.
#[must_use]
pub fn view_columns(columns: &[Column], with_namespace: bool) -> Vec<ViewColumn> {
    let mut view = Vec::new();
    let is_plain = columns.iter().all(Column::is_projected);
    if is_plain {
        let plain =
            |name: &str, role| ViewColumn { name: name.into(), description: String::new(), role, wide: false, cell: None };
        view.extend([plain("Name", ColumnRole::Name), plain("Age", ColumnRole::Age)]);
    }
    let mut named = is_plain;
    view.extend(columns.iter().enumerate().map(|(index, column)| {
        let mut role = role(column, columns);
        // What a path finds is a name or an age by its heading alone.
        let is_other = column.is_projected() && role != ColumnRole::Status;
        if is_other || role == ColumnRole::Name && std::mem::replace(&mut named, true) {
            role = ColumnRole::Text;
        }
        ViewColumn {
            name: column.name.clone(),
            description: column.description.clone(),
            role,
            wide: column.priority != 0,
            cell: Some(index),
        }
    }));
    if with_namespace {
        let at = view.iter().position(|column| column.role == ColumnRole::Name && !column.wide).map_or(0, |name| name + 1);
        let namespace = ViewColumn {
            name: "Namespace".into(),
            description: "The namespace the object belongs to.".into(),
            role: ColumnRole::Namespace,
            wide: false,
            cell: None,
        };
        view.insert(at, namespace);
    }
    view
}

fn role(column: &Column, all: &[Column]) -> ColumnRole {
    match (column.name.as_str(), column.kind.as_str()) {
        ("Age", _) => ColumnRole::Age,
        ("Last Seen" | "First Seen" | "Last Schedule", _) | (_, "date") => ColumnRole::Since,
        // Of the built-in tables only that of Jobs has a duration that runs.
        ("Duration", _) if all.iter().any(|other| other.name == "Completions") => ColumnRole::Duration,
        ("Status" | "Phase", _) => ColumnRole::Status,
        ("Ready" | "Completions", "string") => ColumnRole::Ready,
        (_, "integer" | "number") => ColumnRole::Number,
        (name, "string") if column.format == "name" || name == "Name" => ColumnRole::Name,
        _ => ColumnRole::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn column(name: &str, kind: &str, format: &str, priority: i32) -> Column {
        Column { name: name.into(), kind: kind.into(), format: format.into(), description: String::new(), priority }
    }

    #[test]
    fn the_namespace_follows_the_name_and_only_one_column_is_the_name() {
        let columns = [
            column("Last Seen", "string", "", 0),
            column("Name", "string", "name", 0),
            column("Claim", "string", "name", 0),
            column("Node", "string", "", 1),
        ];
        let view = view_columns(&columns, true);
        let names: Vec<_> = view.iter().map(|column| (column.name.as_str(), column.role)).collect();
        assert_eq!(
            names,
            [
                ("Last Seen", ColumnRole::Since),
                ("Name", ColumnRole::Name),
                ("Namespace", ColumnRole::Namespace),
                ("Claim", ColumnRole::Text),
                ("Node", ColumnRole::Text)
            ]
        );
        assert!(view[4].wide);
    }

    #[test]
    fn objects_without_a_table_show_their_name_and_age() {
        let names: Vec<_> = view_columns(&[], true).into_iter().map(|column| column.name).collect();
        assert_eq!(names, ["Name", "Namespace", "Age"]);
        let projected = |name: &str| column(name, "string", Column::PROJECTED, 0);
        let view = view_columns(&[projected("Name"), projected("Status")], false);
        let seen: Vec<_> = view.iter().map(|column| (column.name.as_str(), column.role, column.cell)).collect();
        assert_eq!(
            seen,
            [
                ("Name", ColumnRole::Name, None),
                ("Age", ColumnRole::Age, None),
                ("Name", ColumnRole::Text, Some(0)),
                ("Status", ColumnRole::Status, Some(1))
            ]
        );
    }
}
