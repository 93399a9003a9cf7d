//! What kubectl prints as a table.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Columns that say how long ago something was.
const RELATIVE: [&str; 1] = ["AGE"];

/// The cells of what kubectl printed by the key of the object; `namespace` is that of all rows, where no column says it.
pub(super) fn rows(printed: &str, namespace: &str) -> BTreeMap<String, Value> {
    let mut lines = printed.lines().filter(|line| !line.is_empty());
    let headings = lines.next().map(headings).unwrap_or_default();
    let row = |line: &str| {
        let characters: Vec<char> = line.chars().collect();
        let ends = headings.iter().skip(1).map(|(at, _)| *at).chain([characters.len()]);
        let cells = headings.iter().zip(ends).map(|((start, heading), end)| {
            let cell: String = characters.get(*start..end.min(characters.len())).unwrap_or_default().iter().collect();
            (heading.clone(), cell.trim().into())
        });
        let mut cells: Map<String, Value> = cells.collect();
        let namespace = cells.remove("NAMESPACE").unwrap_or_else(|| namespace.into());
        let text = |cell: Option<&Value>| cell.and_then(Value::as_str).unwrap_or_default().to_owned();
        (format!("{}/{}", text(Some(&namespace)), text(cells.get("NAME"))), Value::Object(cells))
    };
    lines.map(row).collect()
}

/// Where each heading begins, in characters, and its name. Two blanks or more are between them.
fn headings(line: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut blanks = 2;
    for (at, character) in line.chars().enumerate() {
        if character == ' ' {
            blanks += 1;
            continue;
        }
        match found.last_mut() {
            Some((_, name)) if blanks < 2 => {
                name.extend(std::iter::repeat_n(' ', blanks));
                name.push(character);
            }
            _ => found.push((at, character.to_string())),
        }
        blanks = 0;
    }
    found
}

/// A row without what changes by itself: how long ago something was.
pub(super) fn still(row: &Value) -> Value {
    let cells = row.as_object().into_iter().flatten().filter(|(heading, _)| !RELATIVE.contains(&heading.as_str()));
    let still = |cell: &Value| match cell.as_str() {
        // `3 (5m ago)`, as restarts are printed.
        Some(text) if text.ends_with(" ago)") => text.split(" (").next().unwrap_or_default().into(),
        Some(text) => text.trim().into(),
        None => cell.clone(),
    };
    cells.map(|(heading, cell)| (heading.clone(), still(cell))).collect::<Map<_, _>>().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cells_are_read_by_where_their_headings_begin() {
        let printed = "NAMESPACE   NAME   RESTARTS     NOMINATED NODE   AGE\nsoak-a      a      1 (2s ago)   <none>           5s\nsoak-b      \u{416}b                  x y              7m\n";
        let rows = rows(printed, "");
        let still = |key: &str| still(&rows[key]);
        assert_eq!(still("soak-a/a"), json!({ "NAME": "a", "RESTARTS": "1", "NOMINATED NODE": "<none>" }));
        assert_eq!(still("soak-b/\u{416}b"), json!({ "NAME": "\u{416}b", "RESTARTS": "", "NOMINATED NODE": "x y" }));
    }

    #[test]
    fn rows_of_one_namespace_are_told_which_it_is() {
        assert_eq!(rows("NAME   AGE\na      5s\n", "soak-c").keys().collect::<Vec<_>>(), ["soak-c/a"]);
        assert!(rows("", "soak-c").is_empty());
    }
}
