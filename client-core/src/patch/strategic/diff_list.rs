//! The difference of two lists whose strategy is `merge` (`diffLists` and what it needs).

use std::cmp::Ordering;

use super::{
    FieldSchema, PatchSchema,
    diff::{Options, diff_fields},
    directive::{DELETE, PATCH},
    item::{Items, declared, keyed, text, type_of, without_repeats},
    order::by_order,
};
use crate::{
    json::{Map, Value},
    patch::{PatchError, trail::Trail},
};

/// What the patch of a merging list consists of.
#[derive(Default)]
pub(super) struct ListDiff {
    /// The items that are new or changed and, of objects, those that are gone.
    pub(super) changes: Vec<Value>,
    /// The scalars that are gone.
    pub(super) deleted_scalars: Vec<Value>,
    /// All items in their order, objects by their merge key alone; empty where the order need not be said.
    pub(super) order: Vec<Value>,
}

/// The patch that makes `modified` out of `original`.
pub(super) fn diff_lists<S: PatchSchema>(
    original: &[Value],
    modified: &[Value],
    field: &FieldSchema<S>,
    options: Options,
    at: Trail<'_>,
) -> Result<ListDiff, PatchError> {
    if original.is_empty() {
        let changes = if options.changes() { modified.to_vec() } else { Vec::new() };
        return Ok(ListDiff { changes, ..ListDiff::default() });
    }
    match type_of([original, modified], at)? {
        Items::Objects => diff_objects(original, modified, field, options, at),
        Items::Scalars | Items::None => Ok(diff_scalars(original, modified, options)),
    }
}

fn diff_objects<S: PatchSchema>(
    original: &[Value],
    modified: &[Value],
    field: &FieldSchema<S>,
    options: Options,
    at: Trail<'_>,
) -> Result<ListDiff, PatchError> {
    let merge_key = declared(field.merge_key.as_deref(), at)?;
    let read = |items: &'_ [Value]| items.iter().try_for_each(|item| keyed(item, merge_key, at).map(drop));
    read(original).and_then(|()| read(modified))?;

    let mut changes = Vec::new();
    let mut deletions = Vec::new();
    let key_of = |item: &Value| text(item.field(merge_key).unwrap_or(&Value::Null)).into_owned();
    for pair in pairs(original, modified, key_of) {
        match pair {
            (Some(before), Some(after)) => {
                let (before, after) = (keyed(before, merge_key, at)?, keyed(after, merge_key, at)?);
                let mut patch = diff_fields(before.0, after.0, &field.schema, with_retain_keys(field, options), at)?;
                if !patch.is_empty() {
                    patch.insert(merge_key.to_owned(), after.1.clone());
                    changes.push(Value::Object(patch));
                }
            }
            (None, Some(added)) if options.changes() => changes.push(added.clone()),
            (Some(gone), None) if options.deletions() => {
                let key = keyed(gone, merge_key, at)?.1.clone();
                let deletion = [(merge_key.to_owned(), key), (PATCH.to_owned(), DELETE.into())];
                deletions.push(Value::Object(Map::from(deletion)));
            }
            _ => {}
        }
    }
    let mut changes = by_order(changes, modified, Some(merge_key));
    changes.append(&mut deletions);

    let keys = |items: &[Value]| items.iter().map(key_of).collect::<Vec<_>>();
    let reordered = options.changes() && keys(original) != keys(modified);
    let order = if options.set_order && (!changes.is_empty() || reordered) { order_of(modified, merge_key) } else { Vec::new() };
    Ok(ListDiff { changes, order, ..ListDiff::default() })
}

fn with_retain_keys<S>(field: &FieldSchema<S>, options: Options) -> Options {
    Options { retain_keys: field.strategy.retain_keys, ..options }
}

/// The items with nothing but their merge key.
fn order_of(items: &[Value], merge_key: &str) -> Vec<Value> {
    let keys = items.iter().filter_map(|item| item.field(merge_key));
    keys.map(|key| Value::Object(Map::from([(merge_key.to_owned(), key.clone())]))).collect()
}

fn diff_scalars(original: &[Value], modified: &[Value], options: Options) -> ListDiff {
    let mut added = Vec::new();
    let mut deleted = Vec::new();
    for pair in pairs(original, modified, |item| text(item).into_owned()) {
        match pair {
            (None, Some(item)) if options.changes() => added.push(item.clone()),
            (Some(item), None) if options.deletions() => deleted.push(item.clone()),
            _ => {}
        }
    }
    let deleted_scalars = without_repeats(deleted);
    let says_order = !deleted_scalars.is_empty() || (options.changes() && original != modified);
    let order = if options.set_order && says_order { modified.to_vec() } else { Vec::new() };
    ListDiff { changes: by_order(added, modified, None), deleted_scalars, order }
}

/// The items of both lists, sorted by their key, those with the same key together. Of items that share a key the first
/// of one list goes with the first of the other.
fn pairs<'v>(
    left: &'v [Value],
    right: &'v [Value],
    key_of: impl Fn(&Value) -> String,
) -> Vec<(Option<&'v Value>, Option<&'v Value>)> {
    let sorted = |items: &'v [Value]| {
        let mut keyed: Vec<(String, &'v Value)> = items.iter().map(|item| (key_of(item), item)).collect();
        keyed.sort_by(|left, right| left.0.cmp(&right.0));
        keyed.into_iter().peekable()
    };
    let (mut left, mut right) = (sorted(left), sorted(right));
    let mut pairs = Vec::new();
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return pairs,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => left.0.cmp(&right.0),
        };
        let before = if order == Ordering::Greater { None } else { left.next() };
        let after = if order == Ordering::Less { None } else { right.next() };
        pairs.push((before.map(|item| item.1), after.map(|item| item.1)));
    }
}
