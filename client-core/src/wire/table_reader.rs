//! Tables, as their bytes arrive.

use serde::Deserialize;

use super::{
    Column, DecodeError, Element, ItemReader, Projection, TableList, TableRow,
    object::{RawObject, WireMeta},
    projection::project_row,
    table::{plain_row, token, tolerant_row},
};
use crate::platform::WallTime;

/// Reads a table row by row as it arrives. A row that cannot be read shows its fault. Where a server has no tables, the objects
/// of its list are rows without cells.
///
/// ```
/// use porthole_client_core::{platform::WallTime, wire::TableReader};
///
/// let (mut reader, mut rows) = (TableReader::default(), Vec::new());
/// for chunk in [&br#"{"kind":"Table","columnDefinitions":[{"name":"Name"}],"rows":[{"cells":["a"]},{"#[..], br#""cells":[]}]}"#] {
///     reader.push(chunk, WallTime(0), &mut rows);
///     assert_eq!(reader.columns().unwrap()[0].name, "Name");
/// }
/// assert_eq!(rows[0].cells[0].to_string(), "a");
/// assert_eq!(rows.len(), 2);
/// assert!(reader.finish()?.rows.is_empty());
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
#[derive(Default)]
pub struct TableReader {
    reader: ItemReader,
    state: State,
}

opaque_debug!(TableReader);

#[derive(Default)]
struct State {
    columns: Option<Vec<Column>>,
    has_elements: bool,
    /// Rows whose columns have not come.
    waiting: Vec<TableRow>,
    projection: Projection,
}

impl TableReader {
    /// A reader that puts the cells of `projection` behind those of the server.
    #[must_use]
    pub fn projecting(projection: Projection) -> Self {
        Self { state: State { projection, ..State::default() }, ..Self::default() }
    }

    /// Takes a chunk of the body in, which arrived at `now`, and appends the rows that it completes. Every server sends the
    /// columns before the rows; where they come behind them, the rows come with the end.
    pub fn push(&mut self, chunk: &[u8], now: WallTime, rows: &mut Vec<TableRow>) {
        let state = &mut self.state;
        self.reader.push(chunk, &mut |element| state.read(element, now, rows));
    }

    /// The columns; `None` before the first row came, and where the server sends plain objects.
    #[must_use]
    pub fn columns(&self) -> Option<&[Column]> {
        self.state.columns.as_deref()
    }

    /// Ends the body, and gives back what the list says of itself, with the rows that have not been handed out.
    ///
    /// # Errors
    /// Where the body was cut, where it is no JSON, and where it is no table and no list. What was read of it does not count as
    /// the list then.
    pub fn finish(self) -> Result<TableList, DecodeError> {
        let body = self.reader.finish()?;
        let error = |message: String| DecodeError::new("the list", message, &body);
        let envelope: RawObject<'_> = serde_json::from_slice(&body).map_err(|wrong| error(wrong.to_string()))?;
        let kind = envelope.kind.as_ref();
        if kind != "Table" && !kind.ends_with("List") && !self.state.has_elements {
            return Err(error(format!("its kind is {kind:?}, not a table or a list")));
        }
        let meta: WireMeta<'_> =
            envelope.metadata.and_then(|meta| serde_json::from_slice(meta.get().as_bytes()).ok()).unwrap_or_default();
        Ok(TableList {
            columns: envelope.column_definitions,
            rows: self.state.waiting,
            resource_version: meta.resource_version.as_ref().into(),
            continue_token: token(meta.continue_token),
        })
    }
}

impl State {
    fn read(&mut self, element: Element<'_>, now: WallTime, rows: &mut Vec<TableRow>) {
        if !std::mem::replace(&mut self.has_elements, true) {
            #[derive(Deserialize)]
            struct Columns {
                #[serde(rename = "columnDefinitions", default)]
                columns: Option<Vec<Column>>,
            }
            self.columns = serde_json::from_slice::<Columns>(element.envelope).ok().and_then(|envelope| envelope.columns);
        }
        let mut row = if element.is_row { tolerant_row(element.text, now) } else { plain_row(element.text, now) };
        project_row(&self.projection, &mut row, element.text, !element.is_row);
        let waits = element.is_row && self.columns.is_none();
        if waits { &mut self.waiting } else { rows }.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::decode_list;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW: WallTime = WallTime(5);
    const TABLE: &str = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7","continue":"c"},
        "columnDefinitions":[{"name":"Name","type":"string"}],"rows":[{"cells":["a"],"object":{"metadata":{"name":"a"}}},
        {"cells":["b"],"object":{"metadata":{"name":"b","uid":7}}},17]}"#;

    #[test]
    fn rows_come_as_they_arrive_and_are_those_of_the_whole_table() {
        let whole = decode_list(TABLE.as_bytes(), NOW).unwrap();
        assert_eq!((whole.rows.len(), whole.resource_version.as_str(), whole.continue_token.as_deref()), (3, "7", Some("c")));
        for size in [1, 7, 100] {
            let (mut reader, mut rows) = (TableReader::default(), Vec::new());
            for chunk in TABLE.as_bytes().chunks(size) {
                reader.push(chunk, NOW, &mut rows);
                assert!(rows.is_empty() || reader.columns() == whole.columns.as_deref());
            }
            assert_eq!(rows, whole.rows);
            assert_eq!(reader.finish().unwrap(), TableList { rows: Vec::new(), ..whole.clone() });
        }
    }

    #[test]
    fn a_row_has_the_time_of_the_chunk_that_completed_it() {
        let (mut reader, mut rows) = (TableReader::default(), Vec::new());
        let (first, second) = TABLE.split_at(TABLE.find("\"b\"").unwrap());
        reader.push(first.as_bytes(), WallTime(1), &mut rows);
        assert_eq!(rows.len(), 1);
        reader.push(second.as_bytes(), WallTime(2), &mut rows);
        assert_eq!(rows.iter().map(|row| row.arrived).collect::<Vec<_>>(), [WallTime(1), WallTime(2), WallTime(2)]);
    }

    #[test]
    fn rows_wait_for_columns_that_come_behind_them() {
        let text = r#"{"kind":"Table","rows":[{"cells":["a"],"object":{"metadata":{"name":"a"}}}],"columnDefinitions":[{"name":"Name"}]}"#;
        let (mut reader, mut rows) = (TableReader::default(), Vec::new());
        reader.push(text.as_bytes(), NOW, &mut rows);
        assert!(rows.is_empty() && reader.columns().is_none());
        let list = reader.finish().unwrap();
        assert_eq!((list.columns.unwrap()[0].name.as_str(), list.rows[0].name.as_str()), ("Name", "a"));
    }

    #[test]
    fn objects_are_rows_at_once_where_a_server_has_no_tables() {
        let text = r#"{"apiVersion":"example.com/v1","items":[{"metadata":{"name":"a"}},{}],"kind":"WidgetHeap","metadata":{"resourceVersion":"7"}}"#;
        let (mut reader, mut rows) = (TableReader::default(), Vec::new());
        reader.push(&text.as_bytes()[..text.len() - 5], NOW, &mut rows);
        assert_eq!(
            rows.iter().map(|row| (row.name.as_str(), row.fault.is_some())).collect::<Vec<_>>(),
            [("a", false), ("", true)]
        );
        reader.push(&text.as_bytes()[text.len() - 5..], NOW, &mut rows);
        assert!(reader.columns().is_none());
        assert_eq!(reader.finish().unwrap().resource_version.as_str(), "7");
    }
}
