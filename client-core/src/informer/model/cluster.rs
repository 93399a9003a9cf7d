//! A cluster: the API server in memory, and what is written there.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::{Value, json};

use super::operation::Colour;
use crate::{
    fake::{Column, FakeApiServer, ResourceDefinition},
    informer::Selection,
    meta::GroupVersionResource,
    platform::{FakePlatform, Platform, ready},
    transport::{Request, Transport as _, read_to_end},
};

/// What is followed.
pub(super) fn maps() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "configmaps")
}

/// How many objects there can be.
pub(super) const OBJECTS: usize = 10;

/// One cluster of those that come to the address, one after the other.
pub(super) struct Cluster {
    pub(super) server: FakeApiServer,
    watch_cache: bool,
    /// So that no write leaves an object as it was.
    writes: u64,
}

/// What a list of a client of its own brings.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fresh {
    pub(super) objects: BTreeMap<String, Seen>,
    pub(super) unreadable: BTreeSet<String>,
    pub(super) columns: Option<Vec<String>>,
}

/// An object as it is in a list or in a cache.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) uid: String,
    pub(super) version: String,
    pub(super) content: String,
}

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Created,
    Updated,
    Entered,
    Left,
}

/// In what an object cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// In its data, which not every form reads.
    Data,
    /// In its labels.
    Labels,
}

impl Cluster {
    pub(super) fn new(platform: &FakePlatform, seed: u64, watch_cache: bool) -> Self {
        let platform: Arc<dyn Platform> = Arc::new(platform.clone());
        let server = FakeApiServer::new(platform);
        server.set_seed(seed);
        let cluster = Self { server, watch_cache, writes: 0 };
        cluster.set_columns(1);
        cluster
    }

    /// The table has so many columns beside the name: one at least, or the server has another of its own.
    pub(super) fn set_columns(&self, count: u8) {
        let paths = [("Count", ".data.count"), ("Colour", ".metadata.labels.colour"), ("Id", ".metadata.uid")];
        let columns = paths.iter().take(usize::from(count)).map(|(name, path)| Column::new(*name, "string", *path));
        let mut definition = ResourceDefinition::built_in("", "v1", "configmaps", "ConfigMap");
        definition.fields = vec!["data".to_owned()];
        definition.watch_cache = self.watch_cache;
        definition.columns = columns.collect();
        self.server.register(definition);
    }

    /// Where an object is.
    pub(super) fn place(object: usize) -> (&'static str, String) {
        (["default", "kube-system"][object % 2], format!("map-{}", object / 2))
    }

    fn colour_of(&self, object: usize) -> Option<String> {
        let (namespace, name) = Self::place(object);
        let found = self.server.get(&maps(), Some(&namespace.into()), &name.into())?;
        Some(found.nested(&["metadata", "labels", "colour"]).ok().flatten().and_then(|v| v.as_str()).unwrap_or("").to_owned())
    }

    /// Writes an object. Red ones are those that a selection asks for.
    pub(super) fn write(&mut self, object: usize, colour: Colour) -> Written {
        let before = self.colour_of(object);
        self.writes += 1;
        let labels = colour.as_str().map_or_else(|| json!({}), |colour| json!({ "colour": colour }));
        self.insert(object, &labels, &json!({ "count": self.writes.to_string() }));
        match (before, colour) {
            (None, _) => Written::Created,
            (Some(before), Colour::Red) if before != "red" => Written::Entered,
            (Some(before), Colour::Blue | Colour::None) if before == "red" => Written::Left,
            _ => Written::Updated,
        }
    }

    /// Writes an object that cannot be read as what it should be.
    pub(super) fn write_unreadable(&mut self, object: usize, flaw: Flaw) {
        self.writes += 1;
        match flaw {
            Flaw::Data => self.insert(object, &json!({ "colour": "red" }), &json!(format!("no map {}", self.writes))),
            Flaw::Labels => self.insert(object, &json!({ "colour": "red", "count": self.writes }), &json!({})),
        }
    }

    fn insert(&self, object: usize, labels: &Value, data: &Value) {
        let (namespace, name) = Self::place(object);
        let metadata = json!({ "name": name, "namespace": namespace, "labels": labels });
        self.server.insert(&json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data })).unwrap();
    }

    /// Says whether it was there.
    pub(super) fn delete(&self, object: usize) -> bool {
        let (namespace, name) = Self::place(object);
        self.server.remove(&maps(), Some(&namespace.into()), &name.into())
    }

    /// Writes something that nobody follows: versions go on.
    pub(super) fn write_elsewhere(&mut self) {
        self.writes += 1;
        let metadata = json!({ "name": "other", "namespace": "default", "labels": { "count": self.writes.to_string() } });
        self.server.insert(&json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata })).unwrap();
    }

    /// What a client that reads plain JSON lists.
    pub(super) fn list(&self, selection: &Selection) -> Vec<Value> {
        let selector =
            selection.label_selector.as_deref().map(|selector| format!("?labelSelector={}", selector.replace('=', "%3D")));
        let path = format!("/api/v1/configmaps{}", selector.unwrap_or_default());
        let response = ready(self.server.send(Request::read(path))).unwrap();
        let text = ready(read_to_end(response.body)).unwrap();
        let mut list: Value = serde_json::from_slice(&text).unwrap();
        list["items"].as_array_mut().map(std::mem::take).unwrap()
    }
}
