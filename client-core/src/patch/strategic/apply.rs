//! Applying a strategic merge patch, and merging patches (`mergeMap` and what it needs).

use std::collections::BTreeSet;

use super::{
    PatchSchema,
    apply_list::{delete_from_list, merge_lists},
    directive::{
        DELETE, DELETE_FROM_LIST, PATCH, REPLACE, RETAIN_KEYS, fault, field_of, is_directive, items, without_directives,
    },
    schema::{MergeKind, SchemaError},
    set_order::merge_ordered_lists,
};
use crate::{
    json::{Map, Value},
    patch::{
        PatchError,
        prune::without_null_fields,
        trail::{Trail, fields_of},
    },
};

/// Merges `patch` into `document`, a whole object with this schema (`StrategicMergePatch`).
///
/// # Errors
/// Where a document is no object, the patch contradicts itself or the schema, or the schema does not know a field that
/// has to be looked into; `document` is as it was.
pub fn apply(document: &mut Value, patch: &Value, schema: &impl PatchSchema) -> Result<(), PatchError> {
    let (original, patch) = (fields_of(document)?.clone(), fields_of(patch)?.clone());
    *document = Value::Object(merge_fields(original, patch, schema, Target::Document, Trail::root())?);
    Ok(())
}

/// One patch that does what the patches do one after the other; of two that set the same field the later counts. Ask
/// [`find_conflict`](super::find_conflict) first where that is not wanted
/// (`MergeStrategicMergeMapPatchUsingLookupPatchMeta`).
///
/// # Errors
/// As [`apply`]; also where two patches order one list differently, or retain different fields.
pub fn merge_patches<'p>(patches: impl IntoIterator<Item = &'p Value>, schema: &impl PatchSchema) -> Result<Value, PatchError> {
    let mut merged = Map::new();
    for patch in patches {
        merged = merge_fields(merged, fields_of(patch)?.clone(), schema, Target::Patch, Trail::root())?;
    }
    Ok(Value::Object(merged))
}

/// What a patch is merged into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An object: directives are obeyed, and `null` removes a field.
    Document,
    /// Another patch: directives and `null` are kept for whoever applies it.
    Patch,
}

/// The fields of `original` with `patch` merged into them.
pub(super) fn merge_fields<S: PatchSchema>(
    mut original: Map,
    mut patch: Map,
    schema: &S,
    target: Target,
    at: Trail<'_>,
) -> Result<Map, PatchError> {
    if let Some(directive) = patch.remove(PATCH) {
        return match directive.as_str() {
            Some(REPLACE) => Ok(patch),
            Some(DELETE) => Ok(Map::new()),
            _ => Err(fault(at, PATCH, "is neither \"delete\" nor \"replace\"")),
        };
    }
    retain_keys(&mut original, &mut patch, target, at)?;
    merge_ordered_lists(&mut original, &mut patch, schema, target, at)?;
    for (name, value) in patch {
        match field_of(DELETE_FROM_LIST, &name, at)? {
            Some(_) if target == Target::Patch => drop(original.insert(name, value)),
            Some(field) => {
                let deleted = items(&value, &name, at)?;
                if let Some(Value::Array(list)) = original.get_mut(field) {
                    delete_from_list(list, deleted, at.then(field))?;
                }
            }
            None => {
                let merged = merge_field(&name, original.remove(&name), value, schema, target, at)?;
                original.extend(merged.map(|merged| (name, merged)));
            }
        }
    }
    Ok(original)
}

/// The field `name` with its patch merged into it; `None` where it is removed.
fn merge_field<S: PatchSchema>(
    name: &str,
    original: Option<Value>,
    patch: Value,
    schema: &S,
    target: Target,
    at: Trail<'_>,
) -> Result<Option<Value>, PatchError> {
    let here = at.then(name);
    let in_schema = |source: SchemaError| PatchError::Schema { path: here.path(), source };
    Ok(match (original, patch) {
        (Some(Value::Object(original)), Value::Object(patch)) => {
            let field = schema.object_field(name).map_err(in_schema)?;
            Some(Value::Object(match field.strategy.kind {
                MergeKind::Replace => patch,
                _ => merge_fields(original, patch, &field.schema, target, here)?,
            }))
        }
        (Some(Value::Array(original)), Value::Array(patch)) => {
            let field = schema.list_field(name).map_err(in_schema)?;
            Some(Value::Array(match field.strategy.kind {
                MergeKind::Merge => merge_lists(original, patch, &field, target, here)?,
                _ => patch,
            }))
        }
        (_, patch) => fresh(patch, target),
    })
}

/// What a patch puts where nothing is, or something of another type (`discardNullValuesFromPatch`,
/// `removeDirectives`).
pub(super) fn fresh(patch: Value, target: Target) -> Option<Value> {
    match target {
        Target::Patch => without_directives(patch, true),
        Target::Document if patch.is_null() => None,
        Target::Document => without_directives(without_null_fields(patch), false),
    }
}

/// Obeys `$retainKeys`: takes out of `original` what the list does not name; into a patch it is copied
/// (`applyRetainKeysDirective`).
fn retain_keys(original: &mut Map, patch: &mut Map, target: Target, at: Trail<'_>) -> Result<(), PatchError> {
    let Some(retained) = patch.remove(RETAIN_KEYS) else { return Ok(()) };
    if target == Target::Patch {
        let kept = original.entry(RETAIN_KEYS.to_owned()).or_insert_with(|| retained.clone());
        return if *kept == retained { Ok(()) } else { Err(fault(at, RETAIN_KEYS, "differs from that of the other patch")) };
    }
    let retained: BTreeSet<&str> = items(&retained, RETAIN_KEYS, at)?.iter().filter_map(Value::as_str).collect();
    let sets = |(name, value): (&String, &Value)| !value.is_null() && !is_directive(name);
    if patch.iter().any(|field| sets(field) && !retained.contains(field.0.as_str())) {
        return Err(fault(at, RETAIN_KEYS, "does not name all fields that the patch sets"));
    }
    original.retain(|name, _| retained.contains(name.as_str()));
    Ok(())
}
