//! Columns that a reader of a table adds to those of the server: what a path finds in each row's object.

use std::{borrow::Cow, sync::Arc};

use super::{
    Cell, Column, TableEvent, TableRow,
    object::{RawObject, WireEvent, read_text},
    table::RowParts,
};
use crate::json::{JsonPath, JsonPathError, Value, print_values};

/// A column that shows what a path finds, as `kubectl get -o custom-columns` prints it.
///
/// ```
/// use porthole_client_core::{json::JsonPath, wire::ProjectedColumn};
///
/// let node = ProjectedColumn { name: "Node".into(), path: JsonPath::parse(".spec.nodeName")? };
/// assert_eq!(node.column().description, ".spec.nodeName");
/// assert_eq!(ProjectedColumn::label("app.kubernetes.io/name")?.name, "name");
/// # Ok::<(), porthole_client_core::json::JsonPathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProjectedColumn {
    /// The heading.
    pub name: String,
    /// What the cells show.
    pub path: JsonPath,
}

/// Columns that are added to a table; none add no work.
pub type Projection = Arc<[ProjectedColumn]>;

impl ProjectedColumn {
    /// The column of a label. Its heading is what stands behind the prefix of the key, as `kubectl get -L` has it
    /// (cli-runtime `printers/tableprinter.go`, `formatLabelHeaders`).
    ///
    /// # Errors
    /// Where this is no key of a label.
    pub fn label(key: &str) -> Result<Self, JsonPathError> {
        let name = key.rsplit('/').next().unwrap_or(key).to_owned();
        Ok(Self { name, path: JsonPath::parse(&format!(".metadata.labels['{key}']"))? })
    }

    /// The column as a server would define it.
    #[must_use]
    pub fn column(&self) -> Column {
        Column {
            name: self.name.clone(),
            kind: "string".to_owned(),
            format: Column::PROJECTED.to_owned(),
            description: self.path.to_string(),
            priority: 0,
        }
    }

    /// What the path finds. One number or truth value is a cell of its type, which a view can order by.
    fn cell(&self, object: &Value) -> Cell {
        let found = self.path.find(object);
        match found.as_slice() {
            [Value::Bool(value)] => Cell::Bool(*value),
            [Value::Number(number)] => serde_json::from_slice(number.as_str().as_bytes()).unwrap_or_default(),
            values => Cell::Text(print_values(values).into()),
        }
    }
}

impl Column {
    /// The `format` of a column that shows a path.
    pub const PROJECTED: &'static str = "path";

    /// Whether this column shows a path, and is not the server's.
    #[must_use]
    pub fn is_projected(&self) -> bool {
        self.format == Self::PROJECTED
    }
}

/// Appends the cells of `projection` to those of `row`. Where the object cannot be had they are empty.
fn append(projection: &[ProjectedColumn], row: &mut TableRow, object: Option<&[u8]>) {
    let object = object.and_then(|text| Value::from_slice(text).ok());
    let mut cells = std::mem::take(&mut row.cells).into_vec();
    cells.extend(projection.iter().map(|column| object.as_ref().map(|object| column.cell(object)).unwrap_or_default()));
    row.cells = cells.into();
}

/// Appends the cells that `projection` finds in the object of a row with this text, or in the plain object that it is.
pub(super) fn project_row(projection: &[ProjectedColumn], row: &mut TableRow, text: &[u8], is_plain: bool) {
    if projection.is_empty() {
        return;
    }
    let parts = if is_plain { RowParts::default() } else { serde_json::from_slice(text).unwrap_or_default() };
    let object = if is_plain { Some(text) } else { parts.object.map(|object| object.get().as_bytes()) };
    append(projection, row, object);
}

/// Appends the cells that `projection` finds to the rows that were read of this line of a watch.
pub(super) fn project_event(projection: &[ProjectedColumn], event: &mut TableEvent, line: &[u8]) {
    let (TableEvent::Applied { rows, .. } | TableEvent::Deleted(rows)) = event else { return };
    if projection.is_empty() {
        return;
    }
    let object = serde_json::from_slice::<WireEvent<'_>>(line).ok().map(|event| event.object);
    let raw: Option<RawObject<'_>> = object.and_then(|object| read_text(object.get()).ok());
    let (texts, is_plain) = match raw {
        Some(RawObject { rows: Some(rows), .. }) => (Cow::Owned(rows), false),
        Some(RawObject { items: Some(items), .. }) => (Cow::Owned(items), true),
        _ => (Cow::Borrowed(object.as_slice()), true),
    };
    let mut texts = texts.iter();
    for row in rows {
        match texts.next() {
            Some(text) => project_row(projection, row, text.get().as_bytes(), is_plain),
            None => append(projection, row, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        platform::WallTime,
        wire::{TableReader, decode_projected_event},
    };
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn projection(paths: &[&str]) -> Projection {
        paths.iter().map(|path| ProjectedColumn { name: "P".into(), path: path.parse().unwrap() }).collect()
    }

    fn read(text: &str, paths: &[&str]) -> Vec<TableRow> {
        let (mut reader, mut rows) = (TableReader::projecting(projection(paths)), Vec::new());
        for chunk in text.as_bytes().chunks(7) {
            reader.push(chunk, WallTime(0), &mut rows);
        }
        rows.extend(reader.finish().unwrap().rows);
        rows
    }

    const OBJECT: &str = r#"{"metadata":{"name":"a"},"n":9007199254740993,"f":1.5,"b":true,"t":"x","l":[1,2],"z":null}"#;
    const PATHS: [&str; 7] = [".n", ".f", ".b", ".t", ".l[*]", ".z", ".x"];

    fn expected() -> Vec<Cell> {
        let text = |text: &str| Cell::Text(text.into());
        vec![
            Cell::Integer(9_007_199_254_740_993),
            Cell::Float(1.5),
            Cell::Bool(true),
            text("x"),
            text("1,2"),
            text("<nil>"),
            text("<none>"),
        ]
    }

    #[test]
    fn numbers_and_truth_values_keep_their_type_in_rows_and_in_plain_objects() {
        for (text, cells) in [
            (
                format!(
                    r#"{{"kind":"Table","columnDefinitions":[{{"name":"N"}}],"rows":[{{"cells":["a"],"object":{OBJECT}}}]}}"#
                ),
                1,
            ),
            (
                format!(
                    r#"{{"kind":"Table","rows":[{{"cells":["a"],"object":{OBJECT}}}],"columnDefinitions":[{{"name":"N"}}]}}"#
                ),
                1,
            ),
            (format!(r#"{{"kind":"List","items":[{OBJECT}]}}"#), 0),
        ] {
            let rows = read(&text, &PATHS);
            assert_eq!(
                (rows.len(), rows[0].cells.len(), &rows[0].cells[cells..]),
                (1, cells + 7, expected().as_slice()),
                "{text}"
            );
            assert!(read(&text, &[])[0].cells.len() == cells);
        }
    }

    #[test]
    fn events_have_these_cells_in_each_of_their_rows() {
        let row = |object: &str| format!(r#"{{"cells":["a"],"object":{object}}}"#);
        let table = |rows: &str| format!(r#"{{"kind":"Table","rows":[{rows}]}}"#);
        let malformed = r#"{"metadata":{"name":"a","uid":7},"n":1}"#;
        for (object, server, rows, cells) in [
            (table(&row(OBJECT)), 1, 1, expected()[0].clone()),
            (table(&[row(OBJECT), row(OBJECT)].join(",")), 1, 2, expected()[0].clone()),
            (OBJECT.to_owned(), 0, 1, expected()[0].clone()),
            (table(&row(malformed)), 1, 1, Cell::Integer(1)),
            (table(r#"{"cells":["a"]}"#), 1, 1, Cell::Null),
            (table("17"), 0, 1, Cell::Null),
        ] {
            for kind in ["ADDED", "MODIFIED", "DELETED"] {
                let line = format!(r#"{{"type":"{kind}","object":{object}}}"#);
                let event = decode_projected_event(line.as_bytes(), WallTime(0), &projection(&[".n"])).unwrap();
                let (TableEvent::Applied { rows: found, .. } | TableEvent::Deleted(found)) = event else { panic!("no rows") };
                assert_eq!(found.len(), rows, "{line}");
                for row in found {
                    assert_eq!((row.cells.len(), row.cells.last()), (server + 1, Some(&cells)), "{line}");
                }
            }
        }
    }

    #[test]
    fn a_label_has_the_end_of_its_key_as_its_heading() {
        let column = ProjectedColumn::label("app.kubernetes.io/name").unwrap();
        assert_eq!((column.name.as_str(), column.path.as_str()), ("name", ".metadata.labels['app.kubernetes.io/name']"));
        assert!(column.path.needs_only_metadata() && column.column().is_projected());
        assert_eq!(ProjectedColumn::label("app").unwrap().name, "app");
        assert!(ProjectedColumn::label("it's").is_err());
    }
}
