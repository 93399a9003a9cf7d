//! The four kinds of patches (apiserver `endpoints/handlers/patch.go`).

use std::sync::Arc;

use super::{
    managed,
    pruning::unknown_fields,
    query::Target,
    resource::ResourceDefinition,
    shape::KnownSchema,
    state::{Place, State, meta, set_meta},
    write::{WriteContext, cause},
};
use crate::{
    json::Value,
    meta::{GroupKind, Status, StatusReason},
    patch::{JsonPatch, PatchError, PatchType, merge_patch, strategic},
};

const TYPES: [PatchType; 4] = [PatchType::Json, PatchType::Merge, PatchType::Strategic, PatchType::Apply];

/// The kind of a patch by the content type of its request.
fn patch_type(content_type: &str, definition: &ResourceDefinition) -> Result<PatchType, Status> {
    let content_type = content_type.split(';').next().unwrap_or_default().trim();
    let known = TYPES.into_iter().find(|known| known.content_type() == content_type);
    match known {
        None | Some(PatchType::Strategic) if definition.custom => Err(unsupported(
            "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, \
             application/merge-patch+json, application/apply-patch+yaml",
        )),
        Some(known) => Ok(known),
        None => Err(unsupported("415: Unsupported Media Type")),
    }
}

pub(super) fn unsupported(message: &str) -> Status {
    Status::failure(415, StatusReason::UNSUPPORTED_MEDIA_TYPE, message)
}

/// The object in the body of a request: JSON, or YAML where an apply may have it.
pub(super) fn read_object(body: &[u8], yaml: bool) -> Result<Value, Status> {
    let json = Value::from_slice(body);
    let read = match json {
        Err(_) if yaml => {
            let text = String::from_utf8_lossy(body);
            serde_saphyr::from_str::<serde_json::Value>(&text)
                .map_err(|error| error.to_string())
                .and_then(|value| Value::from_serialize(&value).map_err(|error| error.to_string()))
        }
        other => other.map_err(|error| error.to_string()),
    };
    read.map_err(Status::bad_request)
}

impl State {
    /// Patches an object. The answer says whether it was created, which only an apply can.
    pub(super) fn patch(
        &mut self,
        place: &Place,
        target: &Target,
        content_type: &str,
        body: &[u8],
        context: &mut WriteContext,
    ) -> Result<(Arc<Value>, bool), Status> {
        let definition = self.definition(place)?.clone();
        let kind = patch_type(content_type, &definition)?;
        let force = target.has("force").then(|| target.flag("force"));
        let mut faults = Vec::new();
        if kind == PatchType::Apply && target.parameter("fieldManager").is_empty() {
            faults.push(cause("FieldValueRequired", "Required value: is required for apply patch", "fieldManager"));
        }
        if kind != PatchType::Apply && force.is_some() {
            faults.push(cause("FieldValueForbidden", "Forbidden: may not be specified for non-apply patch", "force"));
        }
        if !faults.is_empty() {
            return Err(Status::invalid(&GroupKind { group: "meta.k8s.io".into(), kind: "PatchOptions".into() }, "", faults));
        }
        if kind == PatchType::Apply {
            return self.apply(place, &read_object(body, true)?, force == Some(true), context);
        }
        let live = self.object(place)?;
        let mut new = (*live).clone();
        match kind {
            PatchType::Json => {
                let patch: JsonPatch = serde_json::from_slice(body).map_err(|error| Status::bad_request(error.to_string()))?;
                patch.apply(&mut new).map_err(|error| refused(&error, &definition, place))?;
            }
            PatchType::Merge => {
                let patch = read_object(body, false)?;
                if patch.as_object().is_none() {
                    return Err(Status::bad_request("Invalid JSON Patch"));
                }
                merge_patch::apply(&mut new, &patch);
            }
            _ => {
                let patch = read_object(body, false)?;
                if patch.as_object().is_none() {
                    return Err(Status::bad_request("the strategic merge patch is no object"));
                }
                strategic::apply(&mut new, &patch, &KnownSchema::root()).map_err(|error| refused(&error, &definition, place))?;
            }
        }
        if meta(&new, "name") != place.name {
            let message =
                format!("the name of the object ({}) does not match the name on the URL ({})", meta(&new, "name"), place.name);
            return Err(Status::bad_request(message));
        }
        let new = self.replace(place, &live, new, context)?;
        Ok((new, false))
    }

    fn apply(
        &mut self,
        place: &Place,
        config: &Value,
        force: bool,
        context: &mut WriteContext,
    ) -> Result<(Arc<Value>, bool), Status> {
        let definition = self.definition(place)?.clone();
        let text = |name: &str| config.field(name).and_then(Value::as_str).unwrap_or_default();
        let api_version = definition.group_version.to_string();
        if text("kind") != definition.kind || text("apiVersion") != api_version {
            return Err(Status::bad_request(format!("invalid object type: {}, Kind={}", text("apiVersion"), text("kind"))));
        }
        let name = meta(config, "name");
        if name.is_empty() {
            let message =
                format!("the name of the object ({} based on URL) was undeterminable: name must be provided", place.name);
            return Err(Status::bad_request(message));
        }
        if name != place.name {
            let message = format!("the name of the object ({name}) does not match the name on the URL ({})", place.name);
            return Err(Status::bad_request(message));
        }
        if config.nested(&["metadata", "managedFields"]).ok().flatten().is_some_and(|fields| !fields.is_null()) {
            return Err(Status::bad_request("metadata.managedFields must be nil"));
        }
        if !place.subresource.is_empty() {
            self.object(place)?;
        }
        let unknown = unknown_fields(config, &definition);
        if !unknown.is_empty() {
            let words: Vec<String> = unknown.iter().map(|path| format!(".{path}: field not declared in schema")).collect();
            let version = if definition.custom {
                api_version
            } else {
                format!("{}/{}", definition.group_version.group, definition.group_version.version)
            };
            let message = format!(
                "failed to create typed patch object ({}/{name}; {version}, Kind={}): {}",
                meta(config, "namespace"),
                definition.kind,
                listed(&words)
            );
            return Err(Status::failure(500, StatusReason::UNKNOWN, message));
        }
        context.applied = true;
        let now = self.now();
        let writer = definition.writer(&context.manager, &api_version, &place.subresource, &now);
        let key = place.key();
        let Some(live) = self.history.get(&key).cloned() else {
            let applied = managed::apply(&Value::object(), config, &writer, force)?;
            return Ok((self.create(place, applied, context)?, true));
        };
        let mut new = managed::apply(&live, config, &writer, force)?;
        let version = meta(config, "resourceVersion");
        if !version.is_empty() {
            set_meta(&mut new, "resourceVersion", version);
        }
        Ok((self.replace(place, &live, new, context)?, false))
    }
}

/// Several faults as Go lists them.
fn listed(words: &[String]) -> String {
    match words {
        [only] => only.clone(),
        several => format!("errors:\n  {}", several.join("\n  ")),
    }
}

fn refused(error: &PatchError, definition: &ResourceDefinition, place: &Place) -> Status {
    match error {
        // A patch that was read and cannot be done on this object.
        PatchError::Operation { .. } => {
            let mut status = Status::invalid(&GroupKind::from(""), "", Vec::new());
            status.message = format!("the server rejected our request due to an error in our request: {error}");
            status.details = crate::meta::StatusDetails::default();
            status
        }
        other => Status::bad_request(format!("{} {:?} cannot be patched: {other}", definition.kind, place.name)),
    }
}
