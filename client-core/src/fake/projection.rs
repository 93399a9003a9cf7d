//! The forms an answer can have: whole objects, their metadata, tables (apiserver `endpoints/handlers/response.go`,
//! `endpoints/handlers/negotiation`).

use std::sync::Arc;

use super::{
    listing::Listed,
    resource::{Column, ResourceDefinition},
    state::{meta, object},
};
use crate::{
    json::{Map, Value},
    meta::{ListMeta, Status, StatusReason, human_duration, parse_timestamp},
    platform::WallTime,
};

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    Metadata(&'static str),
    /// The metadata of a list.
    MetadataList(&'static str),
    Table(&'static str),
}

/// What a table has beside the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Include {
    None,
    Metadata,
    Object,
}

const VERSIONS: [&str; 2] = ["v1", "v1beta1"];

/// The first form in an `Accept` that can be had.
pub(super) fn negotiate(accept: &str, definition: &ResourceDefinition) -> Result<Form, Status> {
    if accept.trim().is_empty() {
        return Ok(Form::Whole);
    }
    accept.split(',').find_map(form_of).ok_or_else(|| {
        let available = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
        let message = if definition.custom {
            format!("only the following media types are accepted: {available}")
        } else {
            format!("406: Not Acceptable\n\nAvailable representations: {available}")
        };
        Status::failure(406, StatusReason::NOT_ACCEPTABLE, message)
    })
}

fn form_of(range: &str) -> Option<Form> {
    let mut parts = range.split(';').map(str::trim);
    if !matches!(parts.next()?, "application/json" | "*/*" | "application/*") {
        return None;
    }
    let (mut kind, mut group, mut version) = ("", "", "");
    for part in parts {
        match part.split_once('=') {
            Some(("as", value)) => kind = value,
            Some(("g", value)) => group = value,
            Some(("v", value)) => version = value,
            _ => {}
        }
    }
    if kind.is_empty() {
        return Some(Form::Whole);
    }
    let version = VERSIONS.into_iter().find(|known| *known == version).filter(|_| group == "meta.k8s.io")?;
    match kind {
        "Table" => Some(Form::Table(version)),
        "PartialObjectMetadata" => Some(Form::Metadata(version)),
        "PartialObjectMetadataList" => Some(Form::MetadataList(version)),
        _ => None,
    }
}

/// Refuses the metadata of a list for what is none, and the other way round. The server notices when it has the answer.
pub(super) fn check_form(form: Form, list: bool, definition: &ResourceDefinition) -> Result<(), Status> {
    let (form, is) = match (form, list) {
        (Form::Metadata(_), true) => ("PartialObjectMetadata", "is a list"),
        (Form::MetadataList(_), false) => ("PartialObjectMetadataList", "is not a list"),
        _ => return Ok(()),
    };
    let suffix = if list { "List" } else { "" };
    let group = definition.group_version.group.split('.').next().filter(|group| !group.is_empty()).unwrap_or("core");
    let name = if definition.custom {
        format!("*unstructured.Unstructured{suffix}")
    } else {
        format!("*{group}.{}{suffix}", definition.kind)
    };
    let message = format!("you requested {form}, but the requested object {is} ({name})");
    Err(Status::failure(406, StatusReason::NOT_ACCEPTABLE, message))
}

/// An object in a form. `first`: whether the table says its columns.
pub(super) fn project(
    form: Form,
    include: Include,
    first: bool,
    whole: &Value,
    definition: &ResourceDefinition,
    now: WallTime,
) -> Value {
    match form {
        Form::Whole => whole.clone(),
        Form::Metadata(version) | Form::MetadataList(version) => partial(whole, version),
        Form::Table(version) => {
            let list = ListMeta { resource_version: meta(whole, "resourceVersion").into(), ..ListMeta::default() };
            let rows = vec![row(include, whole, definition, now, version)];
            table(version, &list, first, rows, definition)
        }
    }
}

/// A list in a form.
pub(super) fn project_list(
    form: Form,
    include: Include,
    listed: &Listed,
    definition: &ResourceDefinition,
    now: WallTime,
) -> Value {
    match form {
        Form::Whole => {
            let items = listed.objects.iter().map(|item| {
                let mut item = (**item).clone();
                if !definition.custom
                    && let Some(fields) = item.as_object_mut()
                {
                    fields.remove("apiVersion");
                    fields.remove("kind");
                }
                item
            });
            list(
                &format!("{}List", definition.kind),
                &definition.group_version.to_string(),
                list_meta(&listed.meta, definition.custom),
                items,
            )
        }
        Form::Metadata(version) | Form::MetadataList(version) => {
            let items = listed.objects.iter().map(|item| partial(item, version));
            let api_version = format!("meta.k8s.io/{version}");
            let mut metadata = list("PartialObjectMetadataList", &api_version, list_meta(&listed.meta, false), items);
            if listed.objects.is_empty()
                && let Some(fields) = metadata.as_object_mut()
            {
                fields.insert("items".to_owned(), Value::Null);
            }
            metadata
        }
        Form::Table(version) => {
            let rows = listed.objects.iter().map(|item| row(include, item, definition, now, version)).collect();
            table(version, &listed.meta, true, rows, definition)
        }
    }
}

fn list(kind: &str, api_version: &str, meta: Value, items: impl Iterator<Item = Value>) -> Value {
    object([
        ("kind", kind.into()),
        ("apiVersion", api_version.into()),
        ("metadata", meta),
        ("items", Value::Array(items.collect())),
    ])
}

fn list_meta(list: &ListMeta, custom: bool) -> Value {
    let mut fields = Map::new();
    if !list.resource_version.is_empty() {
        fields.insert("resourceVersion".to_owned(), list.resource_version.as_str().into());
    }
    // Lists of custom resources are written by other code, which leaves nothing out.
    if custom || !list.continue_token.is_empty() {
        fields.insert("continue".to_owned(), list.continue_token.as_str().into());
    }
    if let Some(count) = list.remaining_item_count {
        fields.insert("remainingItemCount".to_owned(), count.into());
    }
    Value::Object(fields)
}

fn partial(whole: &Value, version: &str) -> Value {
    object([
        ("kind", "PartialObjectMetadata".into()),
        ("apiVersion", format!("meta.k8s.io/{version}").into()),
        ("metadata", whole.field("metadata").cloned().unwrap_or_else(Value::object)),
    ])
}

fn table(version: &str, list: &ListMeta, first: bool, rows: Vec<Value>, definition: &ResourceDefinition) -> Value {
    let columns = if first { Value::Array(columns(definition)) } else { Value::Null };
    object([
        ("kind", "Table".into()),
        ("apiVersion", format!("meta.k8s.io/{version}").into()),
        ("metadata", list_meta(list, false)),
        ("columnDefinitions", columns),
        ("rows", Value::Array(rows)),
    ])
}

fn columns(definition: &ResourceDefinition) -> Vec<Value> {
    let column = |name: &str, kind: &str, format: &str, priority: i32| {
        object([
            ("name", name.into()),
            ("type", kind.into()),
            ("format", format.into()),
            ("description", format!("{name} of the {}", definition.singular).into()),
            ("priority", i64::from(priority).into()),
        ])
    };
    let mut columns = vec![column("Name", "string", "name", 0)];
    columns.extend(own_columns(definition).iter().map(|own| column(&own.name, &own.kind, "", own.priority)));
    columns
}

fn own_columns(definition: &ResourceDefinition) -> Vec<Column> {
    if definition.columns.is_empty() {
        return vec![Column::new("Age", "date", ".metadata.creationTimestamp")];
    }
    definition.columns.clone()
}

fn row(include: Include, whole: &Value, definition: &ResourceDefinition, now: WallTime, version: &str) -> Value {
    let mut cells = vec![Value::from(meta(whole, "name"))];
    cells.extend(own_columns(definition).iter().map(|column| cell(column, whole, now)));
    let mut row = object([("cells", Value::Array(cells))]);
    let included = match include {
        Include::None => Value::Null,
        Include::Metadata => partial(whole, version),
        Include::Object => whole.clone(),
    };
    if let Some(fields) = row.as_object_mut() {
        fields.insert("object".to_owned(), included);
    }
    row
}

fn cell(column: &Column, whole: &Value, now: WallTime) -> Value {
    let (path, function) = column.path.split_once('|').unwrap_or((&column.path, ""));
    let names: Vec<&str> = path.split('.').filter(|name| !name.is_empty()).collect();
    let found = whole.nested(&names).ok().flatten().filter(|value| !value.is_null());
    if function == "length" {
        let length = match found {
            Some(Value::Object(fields)) => fields.len(),
            Some(Value::Array(items)) => items.len(),
            _ => 0,
        };
        return i64::try_from(length).unwrap_or(i64::MAX).into();
    }
    let Some(found) = found else { return if column.path.ends_with("|age") { "<unknown>".into() } else { Value::Null } };
    if function == "age" || column.kind == "date" {
        let age = found.as_str().and_then(parse_timestamp).map(|since| human_duration(now - since));
        return age.unwrap_or_else(|| "<unknown>".to_owned()).into();
    }
    match (column.kind.as_str(), found) {
        ("string", Value::String(_)) | ("integer" | "number", Value::Number(_)) | ("boolean", Value::Bool(_)) => found.clone(),
        ("string", other) => other.to_string().into(),
        _ => Value::Null,
    }
}

/// A refusal as it is sent.
pub(super) fn status_value(status: &Status) -> Value {
    // A Status can be written as JSON, and JSON read back.
    let mut written = Value::from_serialize(status).unwrap_or_else(|_impossible| Value::object());
    if let Some(fields) = written.as_object_mut() {
        fields.insert("kind".to_owned(), "Status".into());
        fields.insert("apiVersion".to_owned(), "v1".into());
        fields.retain(|name, value| !(matches!(name.as_str(), "reason" | "message") && value.as_str() == Some("")));
        let empty = fields.get("details").and_then(Value::as_object).is_some_and(Map::is_empty);
        // The two refusals of content types are made by code that always writes the details.
        let keeps = matches!(status.code, 406 | 415) && status.message.starts_with(char::is_numeric);
        let generic = matches!(status.code, 404 | 405) && status.message.starts_with("the server");
        if empty && !keeps && !generic {
            fields.remove("details");
        }
    }
    written
}

/// The object as it is when it is deleted: what it was, with the version of the deletion.
pub(super) fn at_version(whole: &Arc<Value>, version: u64) -> Value {
    let mut whole = (**whole).clone();
    super::state::set_meta(&mut whole, "resourceVersion", version.to_string());
    whole
}
