//! Deleting objects, at once or in two steps (apiserver `registry/generic/registry/store.go`).

use std::sync::Arc;

use super::{
    history::Key,
    projection::at_version,
    query::Target,
    resource::ResourceDefinition,
    state::{Place, State, meta, meta_field, object, set_meta},
};
use crate::{
    json::Value,
    meta::{GroupResource, Status, Timestamp},
};

/// What a deletion asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Deletion {
    grace: Option<i64>,
    uid: Option<String>,
    version: Option<String>,
    dry_run: bool,
}

impl Deletion {
    /// The options in the body, or else in the query.
    pub(super) fn of(target: &Target, body: &[u8]) -> Result<Self, Status> {
        let options = if body.is_empty() { Value::object() } else { super::patching::read_object(body, false)? };
        let text =
            |name: &str| options.nested(&["preconditions", name]).ok().flatten().and_then(Value::as_str).map(str::to_owned);
        let grace = options.field("gracePeriodSeconds").and_then(Value::as_i64);
        let listed = options
            .field("dryRun")
            .and_then(Value::as_array)
            .is_some_and(|items| items.iter().any(|item| item.as_str() == Some("All")));
        Ok(Self {
            grace: grace.or_else(|| target.parameter("gracePeriodSeconds").parse().ok()),
            uid: text("uid"),
            version: text("resourceVersion"),
            dry_run: listed || target.dry_run(),
        })
    }
}

impl State {
    /// Deletes an object, or marks it where finalizers or its grace period keep it. The answer is the object or a Status.
    pub(super) fn delete(&mut self, place: &Place, deletion: &Deletion) -> Result<Value, Status> {
        let definition = self.definition(place)?.clone();
        let live = self.object(place)?;
        let kind = GroupResource { resource: definition.kind.clone(), ..definition.group_resource() };
        if let Some(uid) = deletion.uid.as_deref().filter(|uid| *uid != meta(&live, "uid")) {
            let why = format!(
                "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been deleted \
                 and then recreated",
                meta(&live, "uid")
            );
            return Err(Status::conflict(&kind, &place.name, &why));
        }
        if let Some(version) = deletion.version.as_deref().filter(|version| *version != meta(&live, "resourceVersion")) {
            let why = format!(
                "the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record ({}). The \
                 object might have been modified",
                meta(&live, "resourceVersion")
            );
            return Err(Status::conflict(&kind, &place.name, &why));
        }
        let grace = grace(&live, &definition, deletion);
        let finalized = meta_field(&live, "finalizers").is_some() || is_namespace(&definition);
        if finalized || grace > 0 {
            let marked = self.mark(place, &live, grace, deletion, &definition);
            if is_namespace(&definition) && !deletion.dry_run {
                self.empty_namespace(&place.name);
            }
            return Ok((*marked).clone());
        }
        if !deletion.dry_run {
            self.remove(&place.key());
        }
        if definition.returns_deleted {
            return Ok(if deletion.dry_run { (*live).clone() } else { at_version(&live, self.history.version()) });
        }
        let mut details = object([("name", place.name.as_str().into()), ("kind", definition.plural.as_str().into())]);
        if let Some(fields) = details.as_object_mut() {
            fields.insert("uid".to_owned(), meta(&live, "uid").into());
            if !definition.group_version.group.is_empty() {
                fields.insert("group".to_owned(), definition.group_version.group.as_str().into());
            }
        }
        Ok(object([
            ("kind", "Status".into()),
            ("apiVersion", "v1".into()),
            ("metadata", Value::object()),
            ("status", "Success".into()),
            ("details", details),
        ]))
    }

    /// Marks an object as being deleted; one that is marked already stays as it is.
    fn mark(
        &mut self,
        place: &Place,
        live: &Arc<Value>,
        grace: i64,
        deletion: &Deletion,
        definition: &ResourceDefinition,
    ) -> Arc<Value> {
        let earlier = meta_field(live, "deletionGracePeriodSeconds").and_then(Value::as_i64);
        if !meta(live, "deletionTimestamp").is_empty() && earlier.is_some_and(|earlier| earlier <= grace) {
            let is_tidy = deletion.dry_run || !self.residues.contains_key(&place.key());
            return if is_tidy { Arc::clone(live) } else { self.store(place.key(), (**live).clone()) };
        }
        let mut marked = (**live).clone();
        set_meta(&mut marked, "deletionTimestamp", Timestamp::from_unix(self.seconds() + grace, 0).to_string());
        set_meta(&mut marked, "deletionGracePeriodSeconds", grace);
        if definition.has_generation
            && let Some(generation) = meta_field(live, "generation").and_then(Value::as_i64)
        {
            set_meta(&mut marked, "generation", generation + 1);
        }
        if is_namespace(definition) {
            // The status of a namespace is an object: it was made so when the namespace was.
            marked.set_nested(&["status", "phase"], "Terminating").ok();
            marked.remove_nested(&["metadata", "deletionGracePeriodSeconds"]);
        }
        if deletion.dry_run { Arc::new(marked) } else { self.store(place.key(), marked) }
    }

    /// Takes an object out, and with it the namespace that only waited for it.
    pub(super) fn remove(&mut self, key: &Key) {
        self.history.remove(key);
        self.residues.remove(key);
        self.wake();
        if let Some((namespace, _)) = key.path.split_once('/').filter(|(namespace, _)| !namespace.is_empty()) {
            let namespace = namespace.to_owned();
            self.reap_namespace(&namespace);
        }
    }

    /// What the namespace controller does: deletes all that is in a namespace, and then the namespace.
    fn empty_namespace(&mut self, namespace: &str) {
        let version = self.history.version();
        for resource in 0..self.definitions.len() {
            if self.definitions.get(resource).is_none_or(|definition| !definition.namespaced) {
                continue;
            }
            let names: Vec<String> = self
                .history
                .at(version, resource, &format!("{namespace}/"))
                .values()
                .map(|object| meta(object, "name").to_owned())
                .collect();
            for name in names {
                let place = Place { resource, namespace: namespace.to_owned(), name, subresource: String::new() };
                // The only refusals are of objects that are not there, which is what is wanted.
                self.delete(&place, &Deletion { grace: Some(0), ..Deletion::default() }).ok();
            }
        }
        self.reap_namespace(namespace);
    }

    fn reap_namespace(&mut self, namespace: &str) {
        let Some(resource) = self.definitions.iter().position(is_namespace) else { return };
        let key = Key::new(resource, "", namespace);
        let terminating = self.history.get(&key).is_some_and(|object| !meta(object, "deletionTimestamp").is_empty());
        if terminating && self.is_empty(namespace) {
            self.history.remove(&key);
            self.wake();
        }
    }

    fn is_empty(&self, namespace: &str) -> bool {
        let version = self.history.version();
        (0..self.definitions.len()).all(|resource| self.history.at(version, resource, &format!("{namespace}/")).is_empty())
    }

    /// Whether this is a namespace that objects are still in.
    pub(super) fn keeps_namespace(&self, place: &Place, definition: &ResourceDefinition) -> bool {
        is_namespace(definition) && !self.is_empty(&place.name)
    }
}

fn is_namespace(definition: &ResourceDefinition) -> bool {
    definition.plural == "namespaces" && definition.group_version.group.is_empty()
}

/// How long an object stays after its deletion: those that run nowhere do not.
fn grace(live: &Value, definition: &ResourceDefinition, deletion: &Deletion) -> i64 {
    let Some(default) = definition.grace_period else { return 0 };
    let text = |path: &[&str]| live.nested(path).ok().flatten().and_then(Value::as_str).unwrap_or_default().to_owned();
    if text(&["spec", "nodeName"]).is_empty() || matches!(text(&["status", "phase"]).as_str(), "Succeeded" | "Failed") {
        return 0;
    }
    let own = live.nested(&["spec", "terminationGracePeriodSeconds"]).ok().flatten().and_then(Value::as_i64);
    deletion.grace.or(own).unwrap_or_else(|| i64::from(default)).max(0)
}
