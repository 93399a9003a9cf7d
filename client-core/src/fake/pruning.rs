//! What objects cannot have and cannot be without: unknown fields, wrong types, empty values.

use super::{
    resource::ResourceDefinition,
    shape::is_map,
    state::{meta, object as object_of},
    write::{WriteContext, cause},
};
use crate::{
    json::Value,
    meta::{Cause, Status},
};

/// Drops what an object of the resource cannot have, and says so as the request wants it.
pub(super) fn prune(object: &mut Value, definition: &ResourceDefinition, context: &mut WriteContext) -> Result<(), Status> {
    let mut unknown = Vec::new();
    drop_unknown(object, definition, &mut unknown);
    if !definition.custom {
        drop_empty(object, "");
    } else if let Some(meta) = object.as_object_mut().and_then(|fields| fields.get_mut("metadata")) {
        drop_empty(meta, "metadata");
    }
    let words: Vec<String> = unknown.iter().map(|name| format!("unknown field {name:?}")).collect();
    match context.validation.as_str() {
        "Ignore" => {}
        "Strict" if !words.is_empty() => {
            let (kind, version) = (&definition.kind, &definition.group_version.version);
            let words = words.join(", ");
            let message = format!("{kind} in version {version:?} cannot be handled as a {kind}: strict decoding error: {words}");
            return Err(Status::bad_request(message));
        }
        _ => context.warnings.extend(words),
    }
    let fields = object.as_object_mut().ok_or_else(|| Status::bad_request("the body of the request is no object"))?;
    fields.insert("apiVersion".to_owned(), definition.group_version.to_string().into());
    fields.insert("kind".to_owned(), definition.kind.as_str().into());
    Ok(())
}

/// Refuses an object with fields of another type than the schema says. Of a write of the status, only that is looked at, and
/// the words say where in the status the fault is (apiextensions-apiserver `registry/customresource/validator.go`).
pub(super) fn check_schema(object: &Value, definition: &ResourceDefinition, subresource: &str) -> Result<(), Status> {
    let Some(schema) = &definition.schema else { return Ok(()) };
    let mut faults = Vec::new();
    if subresource == "status" {
        let schema = schema.nested(&["properties", "status"]).ok().flatten();
        if let (Some(status), Some(schema)) = (object.field("status"), schema) {
            check_type(status, schema, "", &mut faults);
            check_types(status, schema, "", &mut faults);
        }
        for fault in &mut faults {
            let parts = ["status", fault.field.as_str()];
            fault.field = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        }
    } else {
        check_types(object, schema, "", &mut faults);
    }
    if faults.is_empty() { Ok(()) } else { Err(Status::invalid(&definition.group_kind(), meta(object, "name"), faults)) }
}

/// Whether a value is of the type that the schema says.
fn check_type(value: &Value, schema: &Value, path: &str, faults: &mut Vec<Cause>) -> bool {
    let nullable = schema.field("nullable").and_then(Value::as_bool) == Some(true);
    let wanted = schema.field("type").and_then(Value::as_str).unwrap_or_default();
    let found = match value {
        Value::Null if nullable => return true,
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.as_i64().is_some() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = wanted.is_empty() || wanted == found || (wanted, found) == ("number", "integer");
    if !fits {
        let message = format!("Invalid value: {found:?}: {path} in body must be of type {wanted}: {found:?}");
        faults.push(cause("FieldValueTypeInvalid", message, path));
    }
    fits
}

/// The fields inside of a value that are of another type than the schema says.
fn check_types(value: &Value, schema: &Value, path: &str, faults: &mut Vec<Cause>) {
    let mut check = |value: &Value, schema: &Value, path: &str| {
        if check_type(value, schema, path, faults) {
            check_types(value, schema, path, faults);
        }
    };
    match value {
        Value::Object(fields) => {
            let properties = schema.field("properties");
            let others = schema.field("additionalProperties");
            for (name, field) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                if let Some(schema) = properties.and_then(|all| all.field(name)).or(others) {
                    check(field, schema, &path);
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.field("items") else { return };
            for (index, item) in items.iter().enumerate() {
                check(item, schema, &format!("{path}[{index}]"));
            }
        }
        _ => {}
    }
}

/// The paths of the fields that an object of the resource cannot have.
pub(super) fn unknown_fields(object: &Value, definition: &ResourceDefinition) -> Vec<String> {
    let mut unknown = Vec::new();
    drop_unknown(&mut object.clone(), definition, &mut unknown);
    unknown
}

fn drop_unknown(object: &mut Value, definition: &ResourceDefinition, unknown: &mut Vec<String>) {
    if let Some(schema) = &definition.schema {
        prune_by(object, schema, "", unknown);
    } else if !definition.fields.is_empty()
        && let Some(fields) = object.as_object_mut()
    {
        let known =
            |name: &str| matches!(name, "apiVersion" | "kind" | "metadata") || definition.fields.iter().any(|own| own == name);
        unknown.extend(fields.keys().filter(|name| !known(name)).cloned());
        fields.retain(|name, _| known(name));
    }
}

fn prune_by(value: &mut Value, schema: &Value, path: &str, unknown: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let properties = schema.field("properties");
            let others = schema.field("additionalProperties");
            let free = schema.field("x-kubernetes-preserve-unknown-fields").and_then(Value::as_bool) == Some(true);
            let is_root = path.is_empty();
            fields.retain(|name, field| {
                if is_root && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
                    return true;
                }
                let path = if is_root { name.clone() } else { format!("{path}.{name}") };
                match properties.and_then(|all| all.field(name)).or(others.filter(|value| value.as_object().is_some())) {
                    Some(schema) => prune_by(field, schema, &path, unknown),
                    None if free || others.is_some() => {}
                    None => {
                        unknown.push(path);
                        return false;
                    }
                }
                true
            });
        }
        Value::Array(items) => {
            let Some(schema) = schema.field("items") else { return };
            for (index, item) in items.iter_mut().enumerate() {
                prune_by(item, schema, &format!("{path}[{index}]"), unknown);
            }
        }
        _ => {}
    }
}

/// Leaves out what Go's types do not write: nulls, and empty maps and lists of metadata and data.
fn drop_empty(value: &mut Value, name: &str) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                drop_empty(field, name);
            }
            let of_map = is_map(name);
            fields.retain(|name, field| match field {
                Value::Null => of_map,
                Value::Object(inner) => !(inner.is_empty() && is_map(name)),
                Value::Array(items) => !items.is_empty(),
                Value::String(text) => {
                    !text.is_empty()
                        || of_map
                        || !matches!(name.as_str(), "namespace" | "generateName" | "uid" | "resourceVersion" | "selfLink")
                }
                _ => true,
            });
            if of_map {
                fields.values_mut().filter(|field| field.is_null()).for_each(|field| *field = "".into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| drop_empty(item, "")),
        _ => {}
    }
}

/// The few values that an object of the server's own cannot be without.
pub(super) fn defaulted(object: &mut Value, definition: &ResourceDefinition) {
    let Some(fields) = object.as_object_mut() else { return };
    match (definition.group_version.group.as_str(), definition.plural.as_str()) {
        ("", "namespaces") => {
            let name = fields.get("metadata").and_then(|meta| meta.field("name")).cloned().unwrap_or(Value::Null);
            fields.entry("status".to_owned()).or_insert_with(|| object_of([("phase", "Active".into())]));
            fields.entry("spec".to_owned()).or_insert_with(|| object_of([("finalizers", vec!["kubernetes"].into())]));
            let label = ["metadata", "labels", "kubernetes.io/metadata.name"];
            if object.nested(&label).ok().flatten().is_none() {
                // Fails only where labels are no object, and then they are as they were sent.
                object.set_nested(&label, name).ok();
            }
        }
        ("", "pods") => {
            fields.entry("status".to_owned()).or_insert_with(|| object_of([("phase", "Pending".into())]));
        }
        ("", "secrets") => {
            fields.entry("type".to_owned()).or_insert_with(|| "Opaque".into());
        }
        _ => {}
    }
}
