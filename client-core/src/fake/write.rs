//! Creating and changing objects.

use std::sync::Arc;

use super::{
    managed::track_update,
    pruning::{check_schema, defaulted, prune},
    query::Target,
    resource::ResourceDefinition,
    state::{Place, State, copy_meta, meta, meta_field, set_meta},
};
use crate::{
    json::{Map, Value},
    meta::{Cause, GroupResource, Status, StatusReason},
};

/// Who writes and how, as the request says it.
pub(super) struct WriteContext {
    pub(super) manager: String,
    pub(super) dry_run: bool,
    /// Whether this is an apply, which says itself who owns what.
    pub(super) applied: bool,
    /// What is done with fields that do not exist: `Strict`, `Warn` or `Ignore`.
    pub(super) validation: String,
    /// What the answer warns of.
    pub(super) warnings: Vec<String>,
}

impl WriteContext {
    pub(super) fn of(target: &Target, user_agent: &str) -> Self {
        let named = target.parameter("fieldManager");
        let agent = user_agent.split('/').next().unwrap_or_default();
        let manager = [named, agent, "unknown"].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        Self {
            manager: manager.to_owned(),
            dry_run: target.dry_run(),
            applied: false,
            validation: target.parameter("fieldValidation").to_owned(),
            warnings: Vec::new(),
        }
    }
}

const MODIFIED: &str = "the object has been modified; please apply your changes to the latest version and try again";
const NAME_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and \
end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

pub(super) fn cause(reason: &str, message: impl Into<String>, field: &str) -> Cause {
    Cause { reason: reason.to_owned(), message: message.into(), field: field.to_owned() }
}

impl State {
    /// Creates an object (apiserver `registry/rest/create.go`).
    pub(super) fn create(&mut self, place: &Place, mut object: Value, context: &mut WriteContext) -> Result<Arc<Value>, Status> {
        let definition = self.definition(place)?.clone();
        check_identity(&definition, &object)?;
        let residue = residue(&object, &definition, context, "");
        prune(&mut object, &definition, context)?;
        check_schema(&object, &definition, "")?;
        self.check_namespace(place, &definition, &object)?;
        let generate = meta(&object, "generateName").to_owned();
        if meta(&object, "name").is_empty() && !generate.is_empty() {
            let name = format!("{generate}{}", self.suffix());
            set_meta(&mut object, "name", name);
        }
        let name = meta(&object, "name").to_owned();
        check_name(&definition, &name)?;
        if !meta(&object, "resourceVersion").is_empty() {
            let message = "resourceVersion should not be set on objects to be created";
            return Err(Status::failure(500, StatusReason::UNKNOWN, message));
        }
        let place = Place { name, ..place.clone() };
        if let Some(live) = self.history.get(&place.key()) {
            let mut status = Status::already_exists(&definition.group_resource(), &place.name);
            if !meta(live, "deletionTimestamp").is_empty() {
                status.message = format!("object is being deleted: {}", status.message);
            }
            return Err(status);
        }
        for name in ["deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink"] {
            object.remove_nested(&["metadata", name]);
        }
        if definition.namespaced {
            set_meta(&mut object, "namespace", place.namespace.clone());
        }
        let uid = self.new_uid();
        let now = self.now();
        set_meta(&mut object, "uid", uid.as_str());
        set_meta(&mut object, "creationTimestamp", now.as_str());
        if definition.has_generation {
            set_meta(&mut object, "generation", 1_i64);
        }
        if definition.has_status && !matches!(definition.plural.as_str(), "nodes" | "namespaces") {
            object.remove_nested(&["status"]);
        }
        defaulted(&mut object, &definition);
        let api_version = definition.group_version.to_string();
        if !context.applied {
            track_update(&Value::object(), &mut object, &definition.writer(&context.manager, &api_version, "", &now));
        }
        if context.dry_run {
            return Ok(Arc::new(object));
        }
        let stored = self.store(place.key(), object);
        self.leaves(place.key(), residue);
        Ok(stored)
    }

    /// New objects need a namespace that is there and stays.
    pub(super) fn check_namespace(&self, place: &Place, definition: &ResourceDefinition, object: &Value) -> Result<(), Status> {
        if !definition.namespaced {
            return Ok(());
        }
        let own = meta(object, "namespace");
        if !own.is_empty() && own != place.namespace {
            let message = "the namespace of the provided object does not match the namespace sent on the request";
            return Err(Status::bad_request(message));
        }
        let namespaces = GroupResource::from("namespaces");
        let at = self.definitions.iter().position(|other| other.group_resource() == namespaces).unwrap_or_default();
        let key = super::history::Key::new(at, "", &place.namespace);
        let namespace = self.history.get(&key).ok_or_else(|| Status::not_found(&namespaces, &place.namespace))?;
        if meta(namespace, "deletionTimestamp").is_empty() {
            return Ok(());
        }
        let why = format!("unable to create new content in namespace {} because it is being terminated", place.namespace);
        let mut status = Status::forbidden(&definition.group_resource(), meta(object, "name"), &why);
        let message = format!("namespace {} is being terminated", place.namespace);
        status.details.causes = vec![cause("NamespaceTerminating", message, "metadata.namespace")];
        Err(status)
    }

    /// Replaces an object by what `object` says (apiserver `registry/rest/update.go`).
    pub(super) fn update(&mut self, place: &Place, mut object: Value, context: &mut WriteContext) -> Result<Arc<Value>, Status> {
        let definition = self.definition(place)?.clone();
        check_identity(&definition, &object)?;
        prune(&mut object, &definition, context)?;
        let own = meta(&object, "name");
        if own != place.name {
            let message = if own.is_empty() {
                "name is required".to_owned()
            } else {
                format!("the name of the object ({own}) does not match the name on the URL ({})", place.name)
            };
            return Err(Status::bad_request(message));
        }
        let namespace = meta(&object, "namespace");
        if definition.namespaced && !namespace.is_empty() && namespace != place.namespace {
            let message = format!(
                "the namespace of the object ({namespace}) does not match the namespace on the URL ({})",
                place.namespace
            );
            return Err(Status::bad_request(message));
        }
        let live = self.object(place)?;
        check_uid(&live, &object, place, &definition, context.dry_run)?;
        if definition.custom && meta(&object, "resourceVersion").is_empty() {
            let fault =
                cause("FieldValueInvalid", "Invalid value: 0: must be specified for an update", "metadata.resourceVersion");
            return Err(Status::invalid(&definition.invalid_kind(true), &place.name, vec![fault]));
        }
        self.replace(place, &live, object, context)
    }

    /// Puts `new` in the place of `live`.
    pub(super) fn replace(
        &mut self,
        place: &Place,
        live: &Arc<Value>,
        mut new: Value,
        context: &mut WriteContext,
    ) -> Result<Arc<Value>, Status> {
        let definition = self.definition(place)?.clone();
        let residue = residue(&new, &definition, context, &place.subresource);
        prune(&mut new, &definition, context)?;
        let resource = definition.group_resource();
        let version = meta(&new, "resourceVersion");
        check_uid(live, &new, place, &definition, context.dry_run)?;
        if !version.is_empty() && version != meta(live, "resourceVersion") {
            return Err(Status::conflict(&resource, &place.name, MODIFIED));
        }
        keep_apart(live, &mut new, &definition, &place.subresource);
        let kept = ["name", "namespace", "uid", "creationTimestamp", "generation", "generateName", "selfLink", "resourceVersion"];
        for name in kept {
            copy_meta(live, &mut new, name);
        }
        check_finalizers(live, &new, &definition)?;
        check_schema(&new, &definition, &place.subresource)?;
        defaulted(&mut new, &definition);
        if definition.has_generation && place.subresource.is_empty() && desired(live, &definition) != desired(&new, &definition) {
            let generation = meta_field(live, "generation").and_then(Value::as_i64).unwrap_or_default();
            set_meta(&mut new, "generation", generation + 1);
        }
        let now = self.now();
        let api_version = definition.group_version.to_string();
        if !context.applied {
            track_update(live, &mut new, &definition.writer(&context.manager, &api_version, &place.subresource, &now));
        }
        // After the owners are known: who replaces an object without saying that it is being deleted gives these fields up.
        for name in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
            copy_meta(live, &mut new, name);
        }
        if timeless(live) == timeless(&new) {
            if self.residues.get(&place.key()).unwrap_or(&Map::new()) == &residue {
                return Ok(Arc::clone(live));
            }
            new = (**live).clone();
        }
        if context.dry_run {
            return Ok(Arc::new(new));
        }
        let gone = !meta(&new, "deletionTimestamp").is_empty()
            && meta_field(&new, "finalizers").is_none()
            && meta_field(&new, "deletionGracePeriodSeconds").and_then(Value::as_i64).unwrap_or_default() == 0;
        if gone && !self.keeps_namespace(place, &definition) {
            self.remove(&place.key());
            return Ok(Arc::new(new));
        }
        let stored = self.store(place.key(), new);
        self.leaves(place.key(), residue);
        Ok(stored)
    }
}

/// The empty fields of the metadata that an apply leaves in the storage.
fn residue(object: &Value, definition: &ResourceDefinition, context: &WriteContext, subresource: &str) -> Map {
    // What is applied to the status leaves the metadata as it was read.
    if !definition.custom || !context.applied || !subresource.is_empty() {
        return Map::new();
    }
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    let fields = object.field("metadata").and_then(Value::as_object).into_iter().flatten();
    fields.filter(|(_, value)| is_empty(value)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn check_identity(definition: &ResourceDefinition, object: &Value) -> Result<(), Status> {
    let text = |name: &str| object.field(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    let wanted = definition.group_version.to_string();
    if definition.custom && (kind.is_empty() || api_version.is_empty()) {
        let missing = if kind.is_empty() { "Kind" } else { "apiVersion" };
        let kind = &definition.kind;
        return Err(Status::bad_request(format!(
            "the object provided is unrecognized (must be of type {kind}): Object '{missing}' is missing"
        )));
    }
    if (!kind.is_empty() && kind != definition.kind) || (!api_version.is_empty() && api_version != wanted) {
        let version = &definition.group_version.version;
        return Err(Status::bad_request(format!(
            "{kind} in version {version:?} cannot be handled as a {}: it is of {api_version}",
            definition.kind
        )));
    }
    Ok(())
}

fn check_name(definition: &ResourceDefinition, name: &str) -> Result<(), Status> {
    let invalid = |reason: &str, message: String| {
        Err(Status::invalid(&definition.group_kind(), name, vec![cause(reason, message, "metadata.name")]))
    };
    if name.is_empty() {
        return invalid("FieldValueRequired", "Required value: name or generateName is required".to_owned());
    }
    let label = |part: &str| {
        let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        part.bytes().all(|byte| inner(byte) || byte == b'-')
            && part.bytes().next().is_some_and(inner)
            && part.bytes().last().is_some_and(inner)
    };
    if name.len() > 253 || !name.split('.').all(label) {
        return invalid("FieldValueInvalid", format!("Invalid value: {name:?}: {NAME_RULE}"));
    }
    Ok(())
}

/// An object is replaced only by one of the same uid, or of none.
fn check_uid(live: &Value, new: &Value, place: &Place, definition: &ResourceDefinition, dry_run: bool) -> Result<(), Status> {
    let (own, uid) = (meta(live, "uid"), meta(new, "uid"));
    if uid.is_empty() || uid == own {
        return Ok(());
    }
    let resource = definition.group_resource();
    let group = if definition.custom { format!("{}/", resource.group) } else { String::new() };
    // Where nothing is to be stored, the server asks above its storage.
    let root = if dry_run { "" } else { "/registry" };
    let key = format!("{root}/{group}{}/{}", resource.resource, place.key().path.trim_start_matches('/'));
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in \
         precondition: {uid}, UID in object meta: {own}"
    );
    Err(Status::conflict(&resource, &place.name, &why))
}

/// An object that is being deleted gets no new finalizers.
fn check_finalizers(live: &Value, new: &Value, definition: &ResourceDefinition) -> Result<(), Status> {
    if meta(live, "deletionTimestamp").is_empty() {
        return Ok(());
    }
    let of = |object: &Value| -> Vec<String> {
        let items = meta_field(object, "finalizers").and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let old = of(live);
    let added: Vec<String> = of(new).into_iter().filter(|name| !old.contains(name)).map(|name| format!("{name:?}")).collect();
    if added.is_empty() {
        return Ok(());
    }
    let message = format!(
        "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
        added.join(", ")
    );
    let fault = cause("FieldValueForbidden", message, "metadata.finalizers");
    // The server checks this twice, and says it as often.
    Err(Status::invalid(&definition.group_kind(), meta(live, "name"), vec![fault.clone(), fault]))
}

/// A write of the object leaves its status, and a write of the status all else.
fn keep_apart(live: &Value, new: &mut Value, definition: &ResourceDefinition, subresource: &str) {
    if !definition.has_status {
        return;
    }
    let (Some(old), Some(fields)) = (live.as_object(), new.as_object_mut()) else { return };
    if subresource == "status" {
        let status = fields.remove("status");
        let managed = fields.get("metadata").and_then(|meta| meta.field("managedFields")).cloned();
        *fields = old.clone();
        match status {
            Some(status) => fields.insert("status".to_owned(), status),
            None => fields.remove("status"),
        };
        if let Some(managed) = managed {
            set_meta(new, "managedFields", managed);
        }
    } else {
        match old.get("status") {
            Some(status) => fields.insert("status".to_owned(), status.clone()),
            None => fields.remove("status"),
        };
    }
}

/// What the generation counts the changes of.
fn desired(object: &Value, definition: &ResourceDefinition) -> Map {
    let mut fields = object.as_object().cloned().unwrap_or_default();
    fields.remove("metadata");
    if definition.has_status {
        fields.remove("status");
    }
    fields
}

/// The object without the times of its managed fields: a change of these alone is none.
fn timeless(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(Value::Object(fields)) = object.as_object_mut().and_then(|fields| fields.get_mut("metadata"))
        && let Some(entries) = fields.get_mut("managedFields").and_then(Value::as_array_mut)
    {
        for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
            entry.remove("time");
        }
    }
    object
}
