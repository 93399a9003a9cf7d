//! `$setElementOrder`: the order of a list, with the list's own patch (`mergePatchIntoOriginal`).

use super::{
    FieldSchema, MergeKind, PatchSchema,
    apply::{Target, fresh},
    apply_list::merge_lists,
    directive::{PATCH, SET_ORDER, fault, field_of, is_deletion, items},
    item::{Items, declared, identity, keyed, position, type_of},
    order::ordered,
};
use crate::{
    json::{Map, Value},
    patch::{PatchError, trail::Trail},
};

/// Merges the lists that the patch gives an order, and takes them and their orders out of the patch. The order given
/// counts first, then that of the patch, then that of the server's list. Into a patch the order is copied, too.
pub(super) fn merge_ordered_lists<S: PatchSchema>(
    original: &mut Map,
    patch: &mut Map,
    schema: &S,
    target: Target,
    at: Trail<'_>,
) -> Result<(), PatchError> {
    let directives: Vec<String> = patch.keys().filter(|name| name.starts_with(SET_ORDER)).cloned().collect();
    for directive in directives {
        let (Some(name), Some(order)) = (field_of(SET_ORDER, &directive, at)?, patch.remove(&directive)) else { continue };
        if target == Target::Patch {
            let kept = original.entry(directive.clone()).or_insert_with(|| order.clone());
            if *kept != order {
                return Err(fault(at, &directive, "differs from that of the other patch"));
            }
        }
        let here = at.then(name);
        let lists = (list(original.remove(name), here)?, list(patch.remove(name), here)?);
        let field = schema.list_field(name).map_err(|source| PatchError::Schema { path: here.path(), source })?;
        if let Some(merged) = merge_ordered(lists, items(&order, &directive, at)?, &field, target, here)? {
            original.insert(name.to_owned(), Value::Array(merged));
        }
    }
    Ok(())
}

fn list(value: Option<Value>, at: Trail<'_>) -> Result<Option<Vec<Value>>, PatchError> {
    match value {
        None => Ok(None),
        Some(Value::Array(items)) => Ok(Some(items)),
        Some(other) => Err(at.wrong_type("a list", &other)),
    }
}

/// The list of the object and that of the patch, merged and in `order`; `None` where neither has one.
fn merge_ordered<S: PatchSchema>(
    lists: (Option<Vec<Value>>, Option<Vec<Value>>),
    order: &[Value],
    field: &FieldSchema<S>,
    target: Target,
    at: Trail<'_>,
) -> Result<Option<Vec<Value>>, PatchError> {
    let (original, patch) = (lists.0.as_deref().unwrap_or_default(), lists.1.as_deref().unwrap_or_default());
    let merge_key = match type_of([original, patch], at)? {
        Items::Objects => Some(declared(field.merge_key.as_deref(), at)?),
        Items::Scalars | Items::None => None,
    };
    if let Some(key) = merge_key {
        let kept = patch.iter().filter(|item| item.field(PATCH).is_none());
        original.iter().chain(kept).chain(order).try_for_each(|item| keyed(item, key, at).map(drop))?;
    }
    check_order(patch, order, merge_key, at)?;
    let server_order = server_order(original, patch, merge_key);
    let merged = match lists {
        (None, None) => return Ok(None),
        (Some(original), None) => original,
        (None, Some(patch)) => patch.into_iter().filter_map(|item| fresh(item, target)).collect(),
        (Some(original), Some(patch)) if field.strategy.kind == MergeKind::Merge => {
            merge_lists(original, patch, field, target, at)?
        }
        (Some(_), Some(patch)) => patch,
    };
    Ok(Some(ordered(merged, order, &server_order, merge_key)))
}

/// The order the server's list has once the patch is in it. A new item stands where a deleted one left a place, the
/// others stand nowhere: apimachinery comes to it by reusing the memory of the old list, and its tests expect it.
fn server_order(original: &[Value], patch: &[Value], merge_key: Option<&str>) -> Vec<Value> {
    let deletions: Vec<Value> = patch.iter().filter(|item| is_deletion(item)).cloned().collect();
    let mut order = original.to_vec();
    order.retain(|item| position(&deletions, item, merge_key).is_none());
    for item in patch.iter().filter(|item| item.field(PATCH).is_none()) {
        if order.len() < original.len() && position(&order, item, merge_key).is_none() {
            order.push(item.clone());
        }
    }
    order
}

/// The items of the patch must all be in the order, and stand in it (`validatePatchWithSetOrderList`).
fn check_order(patch: &[Value], order: &[Value], merge_key: Option<&str>, at: Trail<'_>) -> Result<(), PatchError> {
    if order.is_empty() {
        return Ok(());
    }
    let mut places = order.iter();
    let mut kept = patch.iter().filter(|item| item.field(PATCH).is_none());
    if kept.all(|item| places.any(|place| identity(place, merge_key) == identity(item, merge_key))) {
        return Ok(());
    }
    Err(PatchError::OrderMismatch { path: at.path() })
}
