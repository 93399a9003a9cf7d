//! The items of lists: what tells them apart, and how they are ordered.

use std::{borrow::Cow, mem::discriminant};

use crate::{
    json::{Map, Value},
    patch::{PatchError, trail::Trail},
};

/// What the items of some lists are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Items {
    /// There are none.
    None,
    /// Texts, numbers, booleans.
    Scalars,
    /// Objects.
    Objects,
}

/// The one type of all items (`sliceElementType`).
pub(super) fn type_of(lists: [&[Value]; 2], at: Trail<'_>) -> Result<Items, PatchError> {
    let mut items = lists.into_iter().flatten();
    let Some(first) = items.next() else { return Ok(Items::None) };
    if matches!(first, Value::Array(_)) {
        return Err(PatchError::ListOfLists { path: at.path() });
    }
    if items.any(|item| discriminant(item) != discriminant(first)) {
        return Err(PatchError::MixedList { path: at.path() });
    }
    Ok(if matches!(first, Value::Object(_)) { Items::Objects } else { Items::Scalars })
}

/// The merge key that a list of objects must have.
pub(super) fn declared<'k>(merge_key: Option<&'k str>, at: Trail<'_>) -> Result<&'k str, PatchError> {
    merge_key.ok_or_else(|| PatchError::NoMergeKeyDeclared { path: at.path() })
}

/// An item of a list of objects, and the value of its merge key.
pub(super) fn keyed<'v>(item: &'v Value, merge_key: &str, at: Trail<'_>) -> Result<(&'v Map, &'v Value), PatchError> {
    let fields = item.as_object().ok_or_else(|| at.wrong_type("a list of objects", item))?;
    let key = fields.get(merge_key);
    Ok((fields, key.ok_or_else(|| PatchError::NoMergeKey { path: at.path(), merge_key: merge_key.to_owned() })?))
}

/// Where the item with this value of its merge key is.
pub(super) fn find(items: &[Value], merge_key: &str, key: &Value) -> Option<usize> {
    items.iter().position(|item| item.field(merge_key) == Some(key))
}

/// What tells an item from others: the value of its merge key, or, of a scalar, itself.
pub(super) fn identity<'v>(item: &'v Value, merge_key: Option<&str>) -> Option<&'v Value> {
    match item {
        Value::Object(fields) => merge_key.and_then(|key| fields.get(key)),
        scalar => Some(scalar),
    }
}

/// Where an item that is the same one stands first in `items`.
pub(super) fn position(items: &[Value], item: &Value, merge_key: Option<&str>) -> Option<usize> {
    let wanted = identity(item, merge_key)?;
    items.iter().position(|other| identity(other, merge_key) == Some(wanted))
}

/// The text by which scalars are sorted.
pub(super) fn text(scalar: &Value) -> Cow<'_, str> {
    match scalar {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// The items without those that were there before.
pub(super) fn without_repeats(items: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

/// The items by their text, without repeats (`deduplicateAndSortScalars`).
pub(super) fn sorted_scalars(items: Vec<Value>) -> Vec<Value> {
    let mut items = without_repeats(items);
    items.sort_by_cached_key(|item| text(item).into_owned());
    items
}
