//! Merging lists in one order, so that objects can be compared whatever the order of their items
//! (`sortMergeListsByName`).

use super::{
    MergeKind, PatchSchema, SchemaError,
    directive::{DELETE_FROM_LIST, PATCH, RETAIN_KEYS, SET_ORDER, items},
    item::{Items, declared, sorted_scalars, text, type_of},
};
use crate::{
    json::{Map, Value},
    patch::{
        PatchError,
        trail::{Trail, fields_of},
    },
};

/// Sorts the lists that a strategic merge patch merges, at any depth: objects by their merge key, scalars by their text
/// and without repeats. Other lists, and what is in them, stay as they are.
///
/// # Errors
/// Where the document is no object, the schema does not know a field that has to be looked into, or a list cannot be
/// merged; `document` is as it was.
pub fn sort_merging_lists(document: &mut Value, schema: &impl PatchSchema) -> Result<(), PatchError> {
    *document = Value::Object(sorted_fields(fields_of(document)?, schema, Trail::root())?);
    Ok(())
}

fn sorted_fields(fields: &Map, schema: &impl PatchSchema, at: Trail<'_>) -> Result<Map, PatchError> {
    let sorted = |(name, value): (&String, &Value)| Ok((name.clone(), sorted_field(name, value, schema, at)?));
    fields.iter().map(sorted).collect()
}

fn sorted_field(name: &str, value: &Value, schema: &impl PatchSchema, at: Trail<'_>) -> Result<Value, PatchError> {
    let here = at.then(name);
    let in_schema = |source: SchemaError| PatchError::Schema { path: here.path(), source };
    if name == RETAIN_KEYS || name.starts_with(DELETE_FROM_LIST) {
        let mut scalars = items(value, name, at)?.clone();
        scalars.sort_by_cached_key(|item| text(item).into_owned());
        return Ok(Value::Array(scalars));
    }
    match value {
        _ if name == PATCH || name.starts_with(SET_ORDER) => Ok(value.clone()),
        Value::Object(fields) => {
            let field = schema.object_field(name).map_err(in_schema)?;
            Ok(Value::Object(sorted_fields(fields, &field.schema, here)?))
        }
        Value::Array(list) => {
            let field = schema.list_field(name).map_err(in_schema)?;
            let merge_key = field.merge_key.as_deref();
            if field.strategy.kind != MergeKind::Merge {
                return Ok(value.clone());
            }
            Ok(Value::Array(sorted_list(list, &field.schema, merge_key, here)?))
        }
        scalar => Ok(scalar.clone()),
    }
}

fn sorted_list(
    list: &[Value],
    schema: &impl PatchSchema,
    merge_key: Option<&str>,
    at: Trail<'_>,
) -> Result<Vec<Value>, PatchError> {
    match type_of([list, &[]], at)? {
        Items::None | Items::Scalars => Ok(sorted_scalars(list.to_vec())),
        Items::Objects => {
            let merge_key = declared(merge_key, at)?;
            let items = list.iter().filter_map(Value::as_object);
            let mut sorted: Vec<Map> = items.map(|fields| sorted_fields(fields, schema, at)).collect::<Result<_, _>>()?;
            sorted.sort_by_cached_key(|fields| text(fields.get(merge_key).unwrap_or(&Value::Null)).into_owned());
            Ok(sorted.into_iter().map(Value::Object).collect())
        }
    }
}
