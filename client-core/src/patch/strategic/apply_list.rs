//! Merging the items of a list (`mergeSlice` and what it needs).

use std::mem;

use super::{
    FieldSchema, PatchSchema,
    apply::{Target, fresh, merge_fields},
    directive::{DELETE, MERGE, PATCH, REPLACE, fault},
    item::{Items, declared, find, keyed, type_of, without_repeats},
    order::ordered,
};
use crate::{
    json::Value,
    patch::{PatchError, trail::Trail},
};

/// The items of a list with strategy `merge` and of its patch, in their order.
pub(super) fn merge_lists<S: PatchSchema>(
    original: Vec<Value>,
    patch: Vec<Value>,
    field: &FieldSchema<S>,
    target: Target,
    at: Trail<'_>,
) -> Result<Vec<Value>, PatchError> {
    match type_of([&original, &patch], at)? {
        Items::None => Ok(original),
        Items::Scalars => {
            let both = without_repeats(original.iter().chain(&patch).cloned().collect());
            Ok(ordered(both, &patch, &original, None))
        }
        Items::Objects => {
            let merge_key = declared(field.merge_key.as_deref(), at)?;
            let (original, patch) = obey_directives(original, patch, merge_key, at)?;
            let merged = merge_items(original.clone(), &patch, merge_key, &field.schema, target, at)?;
            merged.iter().try_for_each(|item| keyed(item, merge_key, at).map(drop))?;
            Ok(ordered(merged, &patch, &original, Some(merge_key)))
        }
    }
}

/// Takes the items of `$deleteFromPrimitiveList` out of a list of scalars.
pub(super) fn delete_from_list(list: &mut Vec<Value>, deleted: &[Value], at: Trail<'_>) -> Result<(), PatchError> {
    if type_of([list, deleted], at)? == Items::Objects {
        return Err(at.wrong_type("a list of scalars", &Value::object()));
    }
    list.retain(|item| !deleted.contains(item));
    Ok(())
}

/// Obeys the items with `$patch`: deletes all items with their key, or replaces the whole list by the other items of
/// the patch. What is left to be merged has no `$patch` (`mergeSliceWithSpecialElements`).
fn obey_directives(
    mut original: Vec<Value>,
    patch: Vec<Value>,
    merge_key: &str,
    at: Trail<'_>,
) -> Result<(Vec<Value>, Vec<Value>), PatchError> {
    let mut rest = Vec::with_capacity(patch.len());
    let mut replaces = false;
    for item in patch {
        match item.field(PATCH) {
            None => rest.push(item),
            Some(directive) => match directive.as_str() {
                Some(DELETE) => {
                    let key = keyed(&item, merge_key, at)?.1;
                    original.retain(|other| other.field(merge_key) != Some(key));
                }
                Some(REPLACE) => replaces = true,
                Some(MERGE) => return Err(fault(at, PATCH, "is \"merge\", which is not possible for items of a list")),
                _ => return Err(fault(at, PATCH, "is neither \"delete\" nor \"replace\"")),
            },
        }
    }
    if replaces {
        return Ok((rest, Vec::new()));
    }
    Ok((original, rest))
}

/// Merges each item into the one with the same key, or puts it behind all others
/// (`mergeSliceWithoutSpecialElements`).
fn merge_items<S: PatchSchema>(
    mut original: Vec<Value>,
    patch: &[Value],
    merge_key: &str,
    schema: &S,
    target: Target,
    at: Trail<'_>,
) -> Result<Vec<Value>, PatchError> {
    for item in patch {
        let (fields, key) = keyed(item, merge_key, at)?;
        let found = find(&original, merge_key, key).and_then(|index| original.get_mut(index)?.as_object_mut());
        match found {
            Some(there) => *there = merge_fields(mem::take(there), fields.clone(), schema, target, at)?,
            None if target == Target::Document => original.extend(fresh(item.clone(), target)),
            None => original.push(item.clone()),
        }
    }
    Ok(original)
}
