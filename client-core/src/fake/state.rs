//! The state of the server, and what every verb needs of it.

use std::{collections::BTreeMap, sync::Arc, task::Waker};

use super::{
    builtin::built_in,
    faults::{Disturbance, FaultScript},
    history::{History, Key},
    managed::Writer,
    resource::ResourceDefinition,
    shape::Shape,
};
use crate::{
    json::{Map, Value},
    meta::{Status, Timestamp, Uid},
    platform::{Chance, Platform},
    transport::Request,
};

/// Everything the server knows. It is changed under one lock, by one request at a time.
pub(super) struct State {
    pub(super) platform: Arc<dyn Platform>,
    pub(super) definitions: Vec<ResourceDefinition>,
    pub(super) history: History,
    /// Empty fields of the metadata that lie in the storage, though nobody is shown them: see [`State::leaves`].
    pub(super) residues: BTreeMap<Key, Map>,
    pub(super) faults: FaultScript,
    pub(super) requests: Vec<Request>,
    pub(super) waiting: Vec<Waker>,
    pub(super) largest_body: usize,
    pub(super) chunks: Option<Chance>,
    pub(super) chance: Chance,
    /// Raised to make every watch say how far it is.
    pub(super) bookmarks: u64,
    /// Raised to end every watch.
    pub(super) ended_watches: u64,
    /// What happened to all watches that were open then.
    pub(super) disturbances: Vec<Disturbance>,
    pub(super) open_watches: usize,
}

/// Which object, or which collection.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) resource: usize,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) subresource: String,
}

impl Place {
    pub(super) fn key(&self) -> Key {
        Key::new(self.resource, &self.namespace, &self.name)
    }

    /// How the keys of the collection begin.
    pub(super) fn prefix(&self) -> String {
        if self.namespace.is_empty() { String::new() } else { format!("{}/", self.namespace) }
    }
}

impl State {
    pub(super) fn new(platform: Arc<dyn Platform>) -> Self {
        Self {
            platform,
            definitions: built_in(),
            history: History::new(),
            residues: BTreeMap::new(),
            faults: FaultScript::default(),
            requests: Vec::new(),
            waiting: Vec::new(),
            largest_body: 3 * 1024 * 1024,
            chunks: None,
            chance: Chance(0x0070_6f72_7468_6f6c),
            bookmarks: 0,
            ended_watches: 0,
            disturbances: Vec::new(),
            open_watches: 0,
        }
    }

    /// # Errors
    /// Where the resource was never registered; a place that was routed has one.
    pub(super) fn definition(&self, place: &Place) -> Result<&ResourceDefinition, Status> {
        self.definitions.get(place.resource).ok_or_else(|| Status::internal_error("the resource is not registered"))
    }

    pub(super) fn now(&self) -> String {
        Timestamp::from(self.platform.wall_time()).to_string()
    }

    pub(super) fn seconds(&self) -> i64 {
        Timestamp::from(self.platform.wall_time()).unix_seconds()
    }

    pub(super) fn new_uid(&mut self) -> Uid {
        let (high, low) = (self.chance.next(), self.chance.next());
        Uid::from(format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | (low >> 48 & 0x3fff),
            low & 0xffff_ffff_ffff
        ))
    }

    /// Five letters as the server appends them to a generated name.
    pub(super) fn suffix(&mut self) -> String {
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        (0..5)
            .filter_map(|_| {
                let at = usize::try_from(self.chance.next() % LETTERS.len() as u64).unwrap_or_default();
                LETTERS.get(at).copied().map(char::from)
            })
            .collect()
    }

    /// The object at a place.
    ///
    /// # Errors
    /// Where there is none.
    pub(super) fn object(&self, place: &Place) -> Result<Arc<Value>, Status> {
        let found = self.history.get(&place.key()).cloned();
        let definition = self.definition(place)?;
        found.ok_or_else(|| Status::not_found(&definition.group_resource(), &place.name))
    }

    /// Stores an object and tells those who watch.
    pub(super) fn store(&mut self, key: Key, mut object: Value) -> Arc<Value> {
        self.residues.remove(&key);
        let stored = self.history.put(key, |version| {
            set_meta(&mut object, "resourceVersion", version.to_string());
            object
        });
        self.wake();
        stored
    }

    /// Remembers what the write that was just done left in the storage. Who applies a custom resource leaves in its metadata
    /// the empty maps of the configuration, and a null for a map that he emptied; the next write of any other kind takes them
    /// out, and so it is one even where it changes nothing that can be seen.
    pub(super) fn leaves(&mut self, key: Key, residue: Map) {
        if !residue.is_empty() {
            self.residues.insert(key, residue);
        }
    }

    pub(super) fn wake(&mut self) {
        for waker in self.waiting.drain(..) {
            waker.wake();
        }
    }
}

impl ResourceDefinition {
    pub(super) fn writer<'w>(&'w self, manager: &'w str, api_version: &'w str, subresource: &'w str, now: &'w str) -> Writer<'w> {
        let shape = Shape::object(self.schema.as_ref());
        Writer { manager, api_version, subresource, now, shape, typed: !self.custom, has_status: self.has_status }
    }
}

/// A text of the metadata; empty where there is none.
pub(super) fn meta<'o>(object: &'o Value, name: &str) -> &'o str {
    object.field("metadata").and_then(|meta| meta.field(name)).and_then(Value::as_str).unwrap_or_default()
}

/// Any field of the metadata.
pub(super) fn meta_field<'o>(object: &'o Value, name: &str) -> Option<&'o Value> {
    object.field("metadata").and_then(|meta| meta.field(name))
}

/// Sets a field of the metadata, which is made where it is missing.
pub(super) fn set_meta(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = object.as_object_mut() {
        let meta = fields.entry("metadata".to_owned()).or_insert_with(Value::object);
        if meta.as_object().is_none() {
            *meta = Value::object();
        }
        if let Some(meta) = meta.as_object_mut() {
            meta.insert(name.to_owned(), value.into());
        }
    }
}

/// Sets a field of the metadata to what it is in another object: to nothing, where it is missing there.
pub(super) fn copy_meta(from: &Value, to: &mut Value, name: &str) {
    match meta_field(from, name) {
        Some(value) => set_meta(to, name, value.clone()),
        None => {
            to.remove_nested(&["metadata", name]);
        }
    }
}

/// An object of these fields.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map>())
}
