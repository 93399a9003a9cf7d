//! Rows as text to take away.

use std::sync::Arc;

use super::{ViewColumn, cell_view};
use crate::{meta::parse_quantity, platform::WallTime, store::Key, wire::TableRow};

/// Rows as comma-separated values (RFC 4180), their headings first, as they read `now`. A text that a spreadsheet would take for a
/// formula has a `'` before it.
///
/// ```
/// use porthole_client_core::{
///     platform::WallTime,
///     store::Entry,
///     view::{csv, view_columns},
///     wire::{Cell, Column, TableRow},
/// };
///
/// let column = Column { name: "Message".into(), kind: "string".into(), format: String::new(), description: String::new(), priority: 0 };
/// let row = Entry::of(TableRow { cells: [Cell::Text("=1+1, he said".into())].into(), ..TableRow::default() });
/// let text = csv(&view_columns(&[column], false), [(&row.key, &row.object)].into_iter(), WallTime(0));
/// assert_eq!(text, "Message\r\n\"'=1+1, he said\"\r\n");
/// ```
#[must_use]
pub fn csv<'a>(columns: &[ViewColumn], rows: impl Iterator<Item = (&'a Key, &'a Arc<TableRow>)>, now: WallTime) -> String {
    let mut text = String::new();
    for (at, column) in columns.iter().enumerate() {
        field(&mut text, &column.name, at > 0);
    }
    text.push_str("\r\n");
    for (_, row) in rows {
        for (at, column) in columns.iter().enumerate() {
            field(&mut text, &cell_view(row, column, columns).text(now), at > 0);
        }
        text.push_str("\r\n");
    }
    text
}

fn field(text: &mut String, value: &str, further: bool) {
    if further {
        text.push(',');
    }
    let formula = value.starts_with(['=', '+', '-', '@', '\t', '\r']) && parse_quantity(value).is_none();
    let guard = if formula { "'" } else { "" };
    if value.contains(['"', ',', '\n', '\r']) {
        text.extend(["\"", guard, &value.replace('"', "\"\""), "\""]);
    } else {
        text.extend([guard, value]);
    }
}

/// The names of rows, one a line: `namespace/name`, or `name`.
#[must_use]
pub fn names<'a>(rows: impl Iterator<Item = (&'a Key, &'a Arc<TableRow>)>) -> String {
    let mut text = String::new();
    for (_, row) in rows {
        if let Some(namespace) = &row.namespace {
            text.extend([namespace.as_str(), "/"]);
        }
        text.extend([row.name.as_str(), "\n"]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testing::{columns, entry};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn fields_are_quoted_where_they_must_be_and_are_never_formulas() {
        for (value, written) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("=SUM(A1)", "'=SUM(A1)"),
            ("+1", "+1"),
            ("-5m", "-5m"),
            ("-x", "'-x"),
            ("@me", "'@me"),
            ("=\"x\",y", "\"'=\"\"x\"\",y\""),
        ] {
            let mut text = String::new();
            field(&mut text, value, false);
            assert_eq!(text, written);
        }
    }

    #[test]
    fn rows_are_written_in_the_order_they_come_in() {
        let rows = [entry("b", "shop", &["Running", "5"]), entry("a", "", &["x, y", "<none>"])];
        let rows = || rows.iter().map(|entry| (&entry.key, &entry.object));
        let text = csv(&columns(&["Name", "Status", "Count"]), rows(), WallTime(0));
        assert_eq!(text, "Name,Namespace,Status,Count\r\nb,shop,Running,5\r\na,,\"x, y\",<none>\r\n");
        assert_eq!(names(rows()), "shop/b\na\n");
        assert_eq!(csv(&[], std::iter::empty(), WallTime(0)), "\r\n");
    }
}
