//! Tables: the rows of a list, and those that watch events carry.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    Cell, DecodeError, ProjectedColumn, TableReader,
    object::{MetaOnly, QuickEvent, RawObject, WireEvent, WireMeta, WireObject, WireRow, error_status, read_text},
    projection::project_event,
};
use crate::{
    meta::{Namespace, ObjectName, ResourceVersion, Status, Uid, parse_timestamp},
    object::BadObject,
    platform::WallTime,
};

/// A column as the server defines it (`metav1.TableColumnDefinition`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// `string`, `integer`, `number`, `boolean` or `date`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// More about the type; `name` marks the column with the object's name.
    #[serde(default)]
    pub format: String,
    /// What the column means.
    #[serde(default)]
    pub description: String,
    /// 0 for the columns everybody sees; others are for wide output.
    #[serde(default)]
    pub priority: i32,
}

/// A row: the cells, and what a table needs to know of the object (`metav1.TableRow`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableRow {
    /// The object's uid, where it has one.
    pub uid: Option<Uid>,
    /// Its namespace, where it has one.
    pub namespace: Option<Namespace>,
    /// Its name; empty where its metadata is missing.
    pub name: ObjectName,
    /// The version of the object that the cells show.
    pub resource_version: ResourceVersion,
    /// When the object was made.
    pub created: Option<WallTime>,
    /// Whether its deletion has begun.
    pub deleting: bool,
    /// When the row arrived: cells that say how long ago something was are counted from here.
    pub arrived: WallTime,
    /// The cells, one a column; none where the server sent a plain object.
    pub cells: Box<[Cell]>,
    /// What is wrong with the row, if anything is.
    pub fault: Option<Box<str>>,
}

/// One page of a list (`metav1.Table`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableList {
    /// The columns; `None` where the server sent plain objects.
    pub columns: Option<Vec<Column>>,
    /// The rows.
    pub rows: Vec<TableRow>,
    /// The version of the list.
    pub resource_version: ResourceVersion,
    /// The token of the next page, where there is one.
    pub continue_token: Option<String>,
}

/// One event of a watch of tables; client-go's reflector refuses them, kubectl's `get --watch` reads them.
#[derive(Clone, Debug, PartialEq)]
pub enum TableEvent {
    /// Rows that are new or changed; `columns` come with the first event of a stream only.
    Applied {
        /// The columns, where this event carries them.
        columns: Option<Vec<Column>>,
        /// The rows.
        rows: Vec<TableRow>,
        /// Whether the server called it ADDED.
        added: bool,
    },
    /// Rows whose objects are gone.
    Deleted(Vec<TableRow>),
    /// A version to go on from; `initial_events_end` after the last initial event.
    Bookmark {
        /// The version.
        resource_version: ResourceVersion,
        /// Whether everything there was has been sent.
        initial_events_end: bool,
        /// The columns, where this is the first event of its stream.
        columns: Option<Vec<Column>>,
    },
    /// The server ended what was asked, and says why.
    Error(Box<Status>),
}

/// The event in one line of a watch of tables, which arrived at `now`.
///
/// # Errors
/// Where the line is no event. A malformed object inside an event is a row that shows its fault.
pub fn decode_event(line: &[u8], now: WallTime) -> Result<TableEvent, DecodeError> {
    if let Ok(event) = serde_json::from_slice::<QuickEvent<'_>>(line)
        && matches!(event.kind.as_ref(), "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK")
    {
        let mut object = event.object;
        let columns = object.column_definitions.take().filter(|columns| !columns.is_empty());
        return Ok(match event.kind.as_ref() {
            "BOOKMARK" => bookmark(object, columns),
            "DELETED" => TableEvent::Deleted(rows_of(object, now)),
            kind => TableEvent::Applied { columns, rows: rows_of(object, now), added: kind == "ADDED" },
        });
    }
    let event: WireEvent<'_> =
        serde_json::from_slice(line).map_err(|error| DecodeError::new("a line of the watch", error, line))?;
    match event.kind.as_ref() {
        "ERROR" => Ok(TableEvent::Error(Box::new(error_status(event.object)))),
        "BOOKMARK" => Err(DecodeError::new("a bookmark", "its metadata is malformed", line)),
        "ADDED" | "MODIFIED" => {
            let list = tolerant_list(event.object, now)?;
            Ok(TableEvent::Applied { columns: list.columns, rows: list.rows, added: event.kind == "ADDED" })
        }
        "DELETED" => Ok(TableEvent::Deleted(tolerant_list(event.object, now)?.rows)),
        other => Err(DecodeError::unknown_event_type(other, line)),
    }
}

/// As [`decode_event`], with the cells of `projection` behind those of the server.
///
/// # Errors
/// As [`decode_event`].
pub fn decode_projected_event(line: &[u8], now: WallTime, projection: &[ProjectedColumn]) -> Result<TableEvent, DecodeError> {
    let mut event = decode_event(line, now)?;
    project_event(projection, &mut event, line);
    Ok(event)
}

/// The rows of a list, which arrived at `now`. A list of plain objects has rows without cells.
///
/// ```
/// use porthole_client_core::{platform::WallTime, wire::decode_list};
///
/// let table = br#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},
///     "columnDefinitions":[{"name":"Name","type":"string","format":"name"},{"name":"Data","type":"integer"}],
///     "rows":[{"cells":["settings",2],"object":{"metadata":{"name":"settings","namespace":"shop"}}}]}"#;
/// let list = decode_list(table, WallTime(0))?;
/// assert_eq!(list.rows[0].name.as_str(), "settings");
/// assert_eq!(list.rows[0].cells[1].to_string(), "2");
/// # Ok::<(), porthole_client_core::wire::DecodeError>(())
/// ```
///
/// # Errors
/// Where the body is no list at all: a page of a proxy, an answer cut short.
pub fn decode_list(body: &[u8], now: WallTime) -> Result<TableList, DecodeError> {
    let (mut reader, mut rows) = (TableReader::default(), Vec::new());
    reader.push(body, now, &mut rows);
    let mut list = reader.finish()?;
    rows.append(&mut list.rows);
    Ok(TableList { rows, ..list })
}

/// Rows whose parts are read one by one, so that a malformed one does not take the others with it.
fn tolerant_list(object: &RawValue, now: WallTime) -> Result<TableList, DecodeError> {
    let text = object.get();
    let raw: RawObject<'_> = read_text(text).map_err(|error| DecodeError::new("an object", error, text.as_bytes()))?;
    let meta: WireMeta<'_> = raw.metadata.and_then(|meta| read_text(meta.get()).ok()).unwrap_or_default();
    let rows = if let Some(rows) = &raw.rows {
        rows.iter().map(|row| tolerant_row(row.get().as_bytes(), now)).collect()
    } else if let Some(items) = &raw.items {
        items.iter().map(|item| plain_row(item.get().as_bytes(), now)).collect()
    } else if raw.kind == "Table" || raw.kind.ends_with("List") {
        Vec::new()
    } else {
        vec![plain_row(text.as_bytes(), now)]
    };
    Ok(TableList {
        columns: raw.column_definitions.filter(|columns| !columns.is_empty()),
        rows,
        resource_version: meta.resource_version.as_ref().into(),
        continue_token: token(meta.continue_token),
    })
}

/// A row whose parts are read one by one.
#[derive(Default, Deserialize)]
pub(super) struct RowParts<'a> {
    #[serde(borrow, default)]
    pub(super) cells: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) object: Option<&'a RawValue>,
}

/// The row of a table in this text.
pub(super) fn tolerant_row(text: &[u8], now: WallTime) -> TableRow {
    let error = match serde_json::from_slice::<WireRow<'_>>(text) {
        Ok(row) => return row_of(row, now),
        Err(error) => error,
    };
    // Whatever can be had of its cells and its name is shown beside what is wrong.
    let parts: RowParts<'_> = serde_json::from_slice(text).unwrap_or_default();
    let mut result = parts.object.map(|object| plain_row(object.get().as_bytes(), now)).unwrap_or_default();
    result.arrived = now;
    result.cells = parts.cells.and_then(|cells| read_text::<Vec<Cell>>(cells.get()).ok()).unwrap_or_default().into();
    result.fault = Some(format!("this object could not be read: {error}").into());
    result
}

/// A row for the plain object in this text: its metadata, no cells.
pub(super) fn plain_row(text: &[u8], now: WallTime) -> TableRow {
    match serde_json::from_slice::<MetaOnly<'_>>(text) {
        Ok(MetaOnly { metadata: Some(meta) }) => described(&meta, Box::default(), now),
        Ok(MetaOnly { metadata: None }) => nameless(Box::default(), now, "this object has no metadata"),
        Err(error) => {
            let mut row = nameless(Box::default(), now, &format!("this object could not be read: {error}"));
            row.name = BadObject::new(text, "").name;
            row
        }
    }
}

fn rows_of(object: WireObject<'_>, now: WallTime) -> Vec<TableRow> {
    match (object.rows, object.metadata) {
        (Some(rows), _) => rows.into_iter().map(|row| row_of(row, now)).collect(),
        (None, _) if object.kind == "Table" => Vec::new(),
        (None, Some(meta)) => vec![described(&meta, Box::default(), now)],
        (None, None) => vec![nameless(Box::default(), now, "this object has no metadata")],
    }
}

fn row_of(row: WireRow<'_>, now: WallTime) -> TableRow {
    let cells = row.cells.into_boxed_slice();
    match row.object.and_then(|object| object.metadata) {
        Some(meta) => described(&meta, cells, now),
        None => nameless(cells, now, "this object has no metadata"),
    }
}

fn described(meta: &WireMeta<'_>, cells: Box<[Cell]>, now: WallTime) -> TableRow {
    let some = |text: &Option<Cow<'_, str>>| text.as_deref().filter(|text| !text.is_empty()).map(str::to_owned);
    TableRow {
        uid: some(&meta.uid).map(Uid::from),
        namespace: some(&meta.namespace).map(Namespace::from),
        name: meta.name.as_ref().into(),
        resource_version: meta.resource_version.as_ref().into(),
        created: meta.creation_timestamp.as_deref().and_then(parse_timestamp),
        deleting: meta.deletion_timestamp.is_some(),
        arrived: now,
        cells,
        fault: meta.name.is_empty().then(|| "this object has no name".into()),
    }
}

fn nameless(cells: Box<[Cell]>, now: WallTime, fault: &str) -> TableRow {
    TableRow { cells, arrived: now, fault: Some(fault.into()), ..TableRow::default() }
}

/// A bookmark. In a Table its metadata is that of the first row's object (kubernetes/kubernetes#126206).
fn bookmark(object: WireObject<'_>, columns: Option<Vec<Column>>) -> TableEvent {
    let of_row = object.rows.into_iter().flatten().next().and_then(|row| row.object).and_then(|object| object.metadata);
    let of_table = object.metadata.unwrap_or_default();
    let of_row = of_row.unwrap_or_default();
    let version = if of_row.resource_version.is_empty() { &of_table.resource_version } else { &of_row.resource_version };
    TableEvent::Bookmark {
        resource_version: version.as_ref().into(),
        initial_events_end: of_row.ends_initial_events() || of_table.ends_initial_events(),
        columns,
    }
}

pub(super) fn token(token: Option<Cow<'_, str>>) -> Option<String> {
    token.filter(|token| !token.is_empty()).map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW: WallTime = WallTime(5);

    fn event(line: &str) -> TableEvent {
        decode_event(line.as_bytes(), NOW).unwrap()
    }

    #[test]
    fn an_event_gives_its_row_and_drops_what_no_table_shows() {
        let TableEvent::Applied { columns: Some(columns), rows, added: true } = event(
            r#"{"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},
            "columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"d","priority":0}],
            "rows":[{"cells":["a"],"object":{"kind":"PartialObjectMetadata","metadata":{"name":"a","namespace":"n","uid":"u",
            "resourceVersion":"7","creationTimestamp":"1970-01-01T00:00:01Z","labels":{"x":"y"},"managedFields":[{}]}}}]}}"#,
        ) else {
            panic!("no row")
        };
        assert_eq!(columns.len(), 1);
        let row = &rows[0];
        assert_eq!((row.name.as_str(), row.uid.as_ref().map(Uid::as_str), row.created), ("a", Some("u"), Some(WallTime(1000))));
        assert_eq!(row.fault, None);
    }

    #[test]
    fn a_table_bookmark_says_in_its_row_that_the_initial_events_end() {
        let line = r#"{"type":"BOOKMARK","object":{"kind":"Table","rows":[{"cells":[""],"object":{"metadata":
            {"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}]}}"#;
        assert_eq!(event(line), TableEvent::Bookmark { resource_version: "9".into(), initial_events_end: true, columns: None });
        let not_the_end = line.replace("\"true\"", "\"false\"");
        assert!(matches!(event(&not_the_end), TableEvent::Bookmark { initial_events_end: false, .. }));
    }

    #[test]
    fn a_bookmark_of_a_plain_object_only_moves_the_version() {
        let line = r#"{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"12","creationTimestamp":null},
            "spec":{"containers":null},"status":{}}}"#;
        assert_eq!(event(line), TableEvent::Bookmark { resource_version: "12".into(), initial_events_end: false, columns: None });
    }

    #[test]
    fn an_error_event_is_its_status_and_never_a_row() {
        let TableEvent::Error(status) = event(
            r#"{"type":"ERROR","object":{"kind":"Status","metadata":{},"code":410,"reason":"Expired","message":"too old"}}"#,
        ) else {
            panic!("not an error")
        };
        assert!(status.is_expired_or_gone());
    }

    #[test]
    fn a_malformed_row_shows_its_fault_and_leaves_the_others_alone() {
        let list = decode_list(
            br#"{"kind":"Table","metadata":{"resourceVersion":"3"},"columnDefinitions":[{"name":"Name"}],"rows":[
            {"cells":["good"],"object":{"metadata":{"name":"good"}}},
            {"cells":["bad"],"object":{"metadata":{"name":"bad","uid":7}}},
            {"cells":["bare"]},
            {"cells":"none","object":{"metadata":{"name":"cell-less"}}},
            17]}"#,
            NOW,
        )
        .unwrap();
        let seen: Vec<_> = list.rows.iter().map(|row| (row.name.as_str(), row.cells.len(), row.fault.is_some())).collect();
        assert_eq!(seen, [("good", 1, false), ("bad", 1, true), ("", 1, true), ("cell-less", 0, true), ("", 0, true)]);
    }

    #[test]
    fn plain_objects_become_rows_where_a_server_has_no_tables() {
        let list = decode_list(
            br#"{"kind":"PodMetricsList","metadata":{"resourceVersion":"3","continue":"t"},"items":[{"metadata":{"name":"a"}},{}]}"#,
            NOW,
        )
        .unwrap();
        assert_eq!(list.columns, None);
        assert_eq!(list.continue_token.as_deref(), Some("t"));
        assert_eq!(list.rows.len(), 2);
        assert!(list.rows[1].fault.is_some());
    }

    #[test]
    fn a_page_or_a_cut_body_is_an_error_that_shows_its_start() {
        for body in [
            "<html>oops</html>",
            "{\"kind\":\"Table\",\"rows\":[{\"cells\":",
            "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"x\"}}",
            "",
        ] {
            assert!(decode_list(body.as_bytes(), NOW).is_err(), "{body}");
        }
        let error = decode_event(b"garbage", NOW).unwrap_err().to_string();
        assert!(error.contains("a line of the watch") && error.contains("garbage"), "{error}");
    }
}
