//! Whole objects, to take along: asked for when they are wanted, because a table has their cells alone.

use std::sync::Arc;

use porthole_client_core::{
    json::{Value, to_yaml},
    meta::{GroupVersionResource, Uid},
    rest::{ApiError, ListOptions},
    wire::TableRow,
};
use rustc_hash::FxHashMap;

use super::{cluster::problem, server::Core, stream::StreamKey};
use crate::bridge::{ExportFormat, ToPage};

/// Up to so many objects are asked for one by one; more are picked from a list.
const MOST_ONE_BY_ONE: usize = 20;
/// How many objects are listed at once.
const PAGE: u32 = 500;
const ACCEPT: &str = "application/json";

impl Core {
    /// Writes the objects of these rows, in their order, as one list.
    pub(super) fn export_objects(&self, tab: u32, keys: Vec<StreamKey>, rows: Vec<Arc<TableRow>>, format: ExportFormat) {
        let core = self.clone();
        self.0.platform.spawn(Box::pin(async move {
            let answer = core.objects(&keys, &rows).await.map(|objects| written(objects, format));
            core.tell(tab, &ToPage::Exported { format, answer: answer.map_err(|error| problem(&error)) });
        }));
    }

    async fn objects(&self, keys: &[StreamKey], rows: &[Arc<TableRow>]) -> Result<Vec<Value>, ApiError> {
        let Some(resource) = keys.first().map(|key| &key.resource) else { return Ok(Vec::new()) };
        let mut objects = Vec::new();
        if rows.len() <= MOST_ONE_BY_ONE {
            for row in rows {
                match self.object(resource, row).await {
                    Ok(object) => objects.push(object),
                    // Gone since the row was drawn.
                    Err(error) if error.status().is_some_and(|status| status.code == 404) => {}
                    Err(error) => return Err(error),
                }
            }
            return Ok(objects);
        }
        let mut found = FxHashMap::default();
        for key in keys {
            self.list_into(key, &mut found).await?;
        }
        objects.extend(rows.iter().filter_map(|row| found.remove(row.uid.as_ref()?)));
        Ok(objects)
    }

    async fn object(&self, resource: &GroupVersionResource, row: &TableRow) -> Result<Value, ApiError> {
        let request = self.0.client.get().resource(resource).namespace_of(row.namespace.as_ref()).name(&row.name);
        request.accept(ACCEPT).send().await?.read()
    }

    /// Lists all objects of a collection, page by page.
    async fn list_into(&self, key: &StreamKey, found: &mut FxHashMap<Uid, Value>) -> Result<(), ApiError> {
        let mut options = ListOptions {
            label_selector: key.selection.label_selector.clone(),
            field_selector: key.selection.field_selector.clone(),
            limit: Some(PAGE),
            ..ListOptions::default()
        };
        loop {
            let request = self.0.client.get().resource(&key.resource).namespace_of(key.namespace.as_ref());
            let list = request.options(&options).accept(ACCEPT).send().await?.read()?;
            let Value::Object(mut list) = list else { return Ok(()) };
            // The items of a list do not say what they are; the list does.
            let kind = list
                .get("kind")
                .and_then(Value::as_str)
                .and_then(|kind| kind.strip_suffix("List"))
                .unwrap_or_default()
                .to_owned();
            let version = list.get("apiVersion").cloned();
            let Some(Value::Array(items)) = list.remove("items") else { return Ok(()) };
            for item in items {
                let Value::Object(mut fields) = item else { continue };
                let Some(uid) = text_at(fields.get("metadata"), "uid") else { continue };
                if let (Some(version), false) = (&version, fields.contains_key("kind")) {
                    fields.insert("apiVersion".to_owned(), version.clone());
                    fields.insert("kind".to_owned(), Value::String(kind.clone()));
                }
                found.insert(Uid::from(uid), Value::Object(fields));
            }
            options.continue_token = text_at(list.get("metadata"), "continue").filter(|token| !token.is_empty());
            if options.continue_token.is_none() {
                return Ok(());
            }
        }
    }
}

fn text_at(object: Option<&Value>, field: &str) -> Option<String> {
    let Value::Object(fields) = object? else { return None };
    fields.get(field)?.as_str().map(str::to_owned)
}

/// One object as itself, several as a list, as kubectl writes them: without what only the server keeps account of.
fn written(mut objects: Vec<Value>, format: ExportFormat) -> String {
    for object in &mut objects {
        if let Value::Object(fields) = object
            && let Some(Value::Object(metadata)) = fields.get_mut("metadata")
        {
            metadata.remove("managedFields");
        }
    }
    let whole = if objects.len() == 1 {
        objects.remove(0)
    } else {
        let text = |text: &str| Value::String(text.to_owned());
        let fields =
            [("apiVersion", text("v1")), ("items", Value::Array(objects)), ("kind", text("List")), ("metadata", Value::object())];
        Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    };
    if format == ExportFormat::Yaml { to_yaml(&whole) } else { whole.to_string() }
}
