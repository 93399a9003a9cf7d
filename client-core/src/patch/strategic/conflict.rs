//! Whether two strategic merge patches change the same field in different ways (`MergingMapsHaveConflicts`).

use super::{
    FieldSchema, MergeKind, PatchSchema,
    directive::{DELETE_FROM_LIST, PATCH, RETAIN_KEYS, SET_ORDER},
    item::{Items, declared, keyed, sorted_scalars, type_of},
};
use crate::{
    json::{FieldPath, Map, Value},
    patch::{
        PatchError,
        trail::{Trail, fields_of},
    },
};

/// The first field that both patches change in different ways; `None` where both can be applied. Two patches that add
/// or delete items of one merging list do not conflict; two that order it differently do.
///
/// # Errors
/// Where a patch is no object, a list cannot be merged, or the schema does not know a field that both patches have.
pub fn find_conflict(left: &Value, right: &Value, schema: &impl PatchSchema) -> Result<Option<FieldPath>, PatchError> {
    conflict(fields_of(left)?, fields_of(right)?, schema)
}

/// The same of two patches that are objects.
pub(super) fn conflict(left: &Map, right: &Map, schema: &impl PatchSchema) -> Result<Option<FieldPath>, PatchError> {
    fields_conflict(left, right, schema, MergeKind::ByType, Trail::root())
}

/// What has been found: a path, or nothing.
type Found = Result<Option<FieldPath>, PatchError>;

fn fields_conflict(left: &Map, right: &Map, schema: &impl PatchSchema, kind: MergeKind, at: Trail<'_>) -> Found {
    // A directive is about the whole object, whatever its fields say.
    if left.get(PATCH) != right.get(PATCH) {
        return Ok(Some(at.path()));
    }
    if kind == MergeKind::Replace {
        return Ok(None);
    }
    for (name, value) in left.iter().filter(|(name, _)| *name != PATCH && *name != RETAIN_KEYS) {
        let Some(other) = right.get(name) else { continue };
        if let Some(path) = field_conflict(name, value, other, schema, at)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn field_conflict(name: &str, left: &Value, right: &Value, schema: &impl PatchSchema, at: Trail<'_>) -> Found {
    let here = at.then(name);
    let in_schema = |source| PatchError::Schema { path: here.path(), source };
    if name.starts_with(DELETE_FROM_LIST) {
        return Ok(None);
    }
    match (left, right) {
        _ if name.starts_with(SET_ORDER) => Ok((left != right).then(|| here.path())),
        (Value::Object(left), Value::Object(right)) => {
            let field = schema.object_field(name).map_err(in_schema)?;
            fields_conflict(left, right, &field.schema, field.strategy.kind, here)
        }
        (Value::Array(left), Value::Array(right)) => {
            let field = schema.list_field(name).map_err(in_schema)?;
            lists_conflict(left, right, &field, here)
        }
        _ => Ok((left != right).then(|| here.path())),
    }
}

fn lists_conflict<S: PatchSchema>(left: &[Value], right: &[Value], field: &FieldSchema<S>, at: Trail<'_>) -> Found {
    if field.strategy.kind == MergeKind::Merge {
        return match type_of([left, right], at)? {
            Items::Objects => merging_lists_conflict(left, right, field, at),
            Items::Scalars | Items::None => Ok(None),
        };
    }
    let objects = |items: &[Value]| items.iter().all(|item| matches!(item, Value::Object(_)));
    if left.len() != right.len() || objects(left) != objects(right) {
        return Ok(Some(at.path()));
    }
    if !objects(left) {
        let differ = sorted_scalars(left.to_vec()) != sorted_scalars(right.to_vec());
        return Ok(differ.then(|| at.path()));
    }
    for (left, right) in left.iter().zip(right) {
        if let (Value::Object(left), Value::Object(right)) = (left, right)
            && let Some(path) = fields_conflict(left, right, &field.schema, MergeKind::ByType, at)?
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Compares the items with the same key.
fn merging_lists_conflict<S: PatchSchema>(left: &[Value], right: &[Value], field: &FieldSchema<S>, at: Trail<'_>) -> Found {
    let merge_key = declared(field.merge_key.as_deref(), at)?;
    for item in left {
        let (fields, key) = keyed(item, merge_key, at)?;
        for other in right {
            let (others, other_key) = keyed(other, merge_key, at)?;
            if key == other_key
                && let Some(path) = fields_conflict(fields, others, &field.schema, MergeKind::ByType, at)?
            {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}
