//! A cell as a page shows it: text, or a time that goes on.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{ColumnRole, ViewColumn, value::is_complete};
use crate::{
    meta::{human_duration, parse_duration},
    platform::WallTime,
    wire::TableRow,
};

/// What a cell shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellView {
    /// A text that stays.
    Text(String),
    /// How long ago a time was, between two texts that stay, such as `9 (` and ` ago)`.
    Since {
        /// The time.
        at: WallTime,
        /// What stands before.
        before: String,
        /// What stands after.
        after: String,
    },
}

impl CellView {
    /// The text at `now`.
    #[must_use]
    pub fn text(&self, now: WallTime) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Since { at, before, after } => format!("{before}{}{after}", human_duration(now - *at)),
        }
    }
}

/// The cell of `row` in `column`, as kubectl prints it. Among `columns` a running duration looks for the state of its row.
#[must_use]
pub fn cell_view(row: &TableRow, column: &ViewColumn, columns: &[ViewColumn]) -> CellView {
    let text = match (column.role, column.cell) {
        (ColumnRole::Namespace, _) => row.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
        (_, Some(index)) => row.cells.get(index).map(ToString::to_string).unwrap_or_default(),
        (ColumnRole::Age, None) => {
            return row.created.map_or_else(|| CellView::Text("<unknown>".into()), since);
        }
        (_, None) => String::new(),
    };
    // A row that came as a plain object, or damaged, still has its name.
    if text.is_empty() && column.role == ColumnRole::Name {
        return CellView::Text(row.name.to_string());
    }
    let running = match column.role {
        ColumnRole::Age | ColumnRole::Since => true,
        ColumnRole::Duration => {
            let status = columns.iter().find(|column| column.role == ColumnRole::Status).and_then(|column| column.cell);
            !is_complete(row, status)
        }
        _ => false,
    };
    if running && let Some(age) = parse_duration(&text) {
        return since(anchor(row, column.role, age));
    }
    if let Some((before, age)) = trailing_age(&text) {
        return CellView::Since { at: row.arrived.before(age), before: before.to_owned(), after: " ago)".to_owned() };
    }
    CellView::Text(text)
}

fn since(at: WallTime) -> CellView {
    CellView::Since { at, before: String::new(), after: String::new() }
}

/// The time an age counts from: exact where the object says it, else the arrival less what was printed. Where
/// the two disagree by more than the age's own coarseness, the clocks do, and the server's word counts.
pub(super) fn anchor(row: &TableRow, role: ColumnRole, age: Duration) -> WallTime {
    let printed = row.arrived.before(age);
    match row.created {
        Some(created) if role == ColumnRole::Age => {
            let coarseness = 2000 + i64::try_from(age.as_millis() / 8).unwrap_or(i64::MAX);
            if (created - printed).abs() <= coarseness { created } else { printed }
        }
        _ => printed,
    }
}

/// `9 (5m ago)` is `9 (` and five minutes.
pub(super) fn trailing_age(text: &str) -> Option<(&str, Duration)> {
    let body = text.strip_suffix(" ago)")?;
    let open = body.rfind('(')? + 1;
    let (before, age) = body.split_at_checked(open)?;
    Some((before, parse_duration(age)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        view::view_columns,
        wire::{Cell, Column},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn column(name: &str) -> Column {
        Column { name: name.into(), kind: "string".into(), format: String::new(), description: String::new(), priority: 0 }
    }

    /// The text of a one-column row that arrived at 1,000 s, `later` seconds afterwards.
    fn shown(name: &str, text: &str, created: Option<i64>, later: i64) -> String {
        let columns = view_columns(&[column(name), column("Completions"), column("Status")], false);
        let status = if name == "Duration" && created.is_some() { "Complete" } else { "Running" };
        let row = TableRow {
            created: created.map(|seconds| WallTime(seconds * 1000)),
            arrived: WallTime(1_000_000),
            cells: [text, "0/1", status].map(|text| Cell::Text(text.into())).into(),
            ..TableRow::default()
        };
        cell_view(&row, &columns[0], &columns).text(WallTime(1_000_000 + later * 1000))
    }

    #[test]
    fn ages_tick_from_the_time_the_object_was_made() {
        assert_eq!(shown("Age", "5m", Some(680), 0), "5m20s");
        assert_eq!(shown("Age", "5m", Some(680), 100), "7m");
    }

    #[test]
    fn an_age_follows_the_server_where_the_clocks_disagree() {
        assert_eq!(shown("Age", "10s", Some(100), 5), "15s");
    }

    #[test]
    fn other_ages_are_anchored_to_their_arrival() {
        assert_eq!(shown("Last Seen", "30s", None, 12), "42s");
        assert_eq!(shown("Restarts", "9 (40s ago)", None, 10), "9 (50s ago)");
        assert_eq!(shown("Last Schedule", "<none>", None, 10), "<none>");
        assert_eq!(shown("Age", "<invalid>", Some(5000), 10), "<invalid>");
    }

    #[test]
    fn a_duration_runs_until_its_job_is_complete() {
        assert_eq!(shown("Duration", "30s", None, 12), "42s");
        assert_eq!(shown("Duration", "30s", Some(1), 12), "30s");
    }

    #[test]
    fn text_that_only_looks_like_an_age_stays() {
        for text in ["5m", "(5m)", "x (soon ago)", "ago)"] {
            assert_eq!(shown("Message", text, None, 10), text);
        }
    }
}
