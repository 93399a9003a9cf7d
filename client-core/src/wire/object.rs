//! The shapes that lists and events carry, read in one pass.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Cell, Column};
use crate::{
    json::text_or_null,
    meta::{GroupVersion, GroupVersionKind, Status, StatusReason},
};

/// One line of a watch.
#[derive(Deserialize)]
pub(super) struct WireEvent<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) object: &'a RawValue,
}

/// A watch line whose object is a well-formed table or plain object: the pass that nearly every line takes.
#[derive(Deserialize)]
pub(super) struct QuickEvent<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) object: WireObject<'a>,
}

/// A Table, a list of plain objects, or one plain object.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireObject<'a> {
    #[serde(borrow, default)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) metadata: Option<WireMeta<'a>>,
    #[serde(default)]
    pub(super) column_definitions: Option<Vec<Column>>,
    #[serde(borrow, default)]
    pub(super) rows: Option<Vec<WireRow<'a>>>,
}

/// A Table or list whose parts may be malformed: each is kept as text and read on its own.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RawObject<'a> {
    #[serde(borrow, default)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) metadata: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) column_definitions: Option<Vec<Column>>,
    #[serde(borrow, default)]
    pub(super) rows: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    pub(super) items: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct WireRow<'a> {
    #[serde(default)]
    pub(super) cells: Vec<Cell>,
    #[serde(borrow, default)]
    pub(super) object: Option<MetaOnly<'a>>,
}

#[derive(Deserialize)]
pub(super) struct MetaOnly<'a> {
    #[serde(borrow, default)]
    pub(super) metadata: Option<WireMeta<'a>>,
}

/// What a table keeps of an object's metadata, and what a list says of itself.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WireMeta<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    pub(super) namespace: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    pub(super) uid: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) resource_version: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    pub(super) creation_timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text_or_null")]
    pub(super) deletion_timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "continue", deserialize_with = "text_or_null")]
    pub(super) continue_token: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) annotations: Option<MarkAnnotation<'a>>,
}

#[derive(Deserialize)]
pub(super) struct MarkAnnotation<'a> {
    #[serde(borrow, default, rename = "k8s.io/initial-events-end", deserialize_with = "text_or_null")]
    pub(super) initial_events_end: Option<Cow<'a, str>>,
}

impl WireMeta<'_> {
    /// Whether this is the bookmark that ends the initial events. Only the text `true` is (client-go).
    pub(super) fn ends_initial_events(&self) -> bool {
        self.annotations.as_ref().is_some_and(|annotations| annotations.initial_events_end.as_deref() == Some("true"))
    }
}

/// Whether this is a table, which no object and no list of objects is (client-go `tools/cache/reflector.go`,
/// `unsupportedTableGVK`).
pub(super) fn is_table(kind: &GroupVersionKind) -> bool {
    let GroupVersion { group, version } = &kind.group_version;
    kind.kind == "Table" && group == "meta.k8s.io" && matches!(version.as_str(), "v1" | "v1beta1")
}

/// What `text` holds. It is read as bytes, as whole lines are: a second reader of JSON, for texts alone, would be a
/// twentieth of the page.
pub(super) fn read_text<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    serde_json::from_slice(text.as_bytes())
}

/// The Status of an ERROR event. Another object in its place is a Status without a code, whose message shows how the object
/// begins (apimachinery `api/errors`, `FromObject`).
pub(super) fn error_status(object: &RawValue) -> Status {
    let none = |what: &str| Status { message: format!("an ERROR event without a status: {what}"), ..Status::default() };
    match read_text::<Status>(object.get()) {
        Ok(status) if status.code == 0 && status.message.is_empty() && status.reason == StatusReason::UNKNOWN => {
            none(object.get().get(..object.get().floor_char_boundary(80)).unwrap_or_default())
        }
        Ok(status) => status,
        Err(error) => none(&error.to_string()),
    }
}
