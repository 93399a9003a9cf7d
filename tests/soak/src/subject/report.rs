//! What is known of an informer, in a form that leaves a page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an informer came to.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Report {
    pub(crate) name: String,
    pub(crate) live: bool,
    /// How its watch is, in words.
    pub(crate) health: String,
    pub(crate) events: u64,
    pub(crate) relists: u64,
    pub(crate) reconnects: u64,
    /// What was told and cannot have happened, and what could not be read.
    pub(crate) complaints: Vec<String>,
    /// What is in the cache by key, where that was asked for.
    pub(crate) entries: BTreeMap<String, Entry>,
}

/// What a cache has of an object.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) uid: String,
    pub(crate) resource_version: String,
    /// What the form holds; of a row, the texts of its cells by the names of their columns.
    pub(crate) content: Value,
}
