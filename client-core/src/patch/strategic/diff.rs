//! The difference of two objects as a strategic merge patch (`diffMaps` and what it needs).

use super::{
    MergeKind, PatchSchema,
    diff_list::diff_lists,
    directive::{DELETE_FROM_LIST, PATCH, RETAIN_KEYS, SET_ORDER, fault, for_field},
};
use crate::{
    json::{Map, Value},
    patch::{PatchError, trail::Trail},
};

/// What of a difference is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    All,
    /// What is new or has changed.
    Changes,
    /// What is gone.
    Deletions,
}

/// How a difference is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// What of it is wanted.
    pub(super) part: Part,
    /// Whether it says how lists are ordered.
    pub(super) set_order: bool,
    /// Whether the object at hand lists the fields that stay.
    pub(super) retain_keys: bool,
}

impl Options {
    /// The options for a whole object.
    pub(super) const fn new(part: Part, set_order: bool) -> Self {
        Self { part, set_order, retain_keys: false }
    }

    /// Whether additions and changes are wanted.
    pub(super) fn changes(self) -> bool {
        self.part != Part::Deletions
    }

    /// Whether deletions are wanted.
    pub(super) fn deletions(self) -> bool {
        self.part != Part::Changes
    }
}

/// The patch that makes `modified` out of `original`.
pub(super) fn diff_fields<S: PatchSchema>(
    original: &Map,
    modified: &Map,
    schema: &S,
    options: Options,
    at: Trail<'_>,
) -> Result<Map, PatchError> {
    let mut patch = Map::new();
    for (name, value) in modified {
        match original.get(name) {
            Some(before) if before == value => {}
            Some(before) => diff_field(name, before, value, schema, options, at, &mut patch)?,
            None if options.changes() => drop(patch.insert(name.clone(), value.clone())),
            None => {}
        }
    }
    if options.deletions() {
        let gone = original.keys().filter(|name| !modified.contains_key(*name));
        patch.extend(gone.map(|name| (name.clone(), Value::Null)));
    }
    if options.retain_keys {
        let retained: Vec<&str> = modified.iter().filter(|field| !field.1.is_null()).map(|field| field.0.as_str()).collect();
        let clears = original.iter().any(|(name, value)| !value.is_null() && !modified.contains_key(name));
        if !retained.is_empty() && (clears || !patch.is_empty()) {
            patch.insert(RETAIN_KEYS.to_owned(), retained.into());
        }
    }
    Ok(patch)
}

/// Puts the difference of a field that both objects have, and that is not the same, into `patch`.
fn diff_field<S: PatchSchema>(
    name: &str,
    original: &Value,
    modified: &Value,
    schema: &S,
    options: Options,
    at: Trail<'_>,
    patch: &mut Map,
) -> Result<(), PatchError> {
    let here = at.then(name);
    let in_schema = |source| PatchError::Schema { path: here.path(), source };
    if name == PATCH {
        if original.as_str().and(modified.as_str()).is_none() {
            return Err(fault(at, PATCH, "is no text"));
        }
        patch.insert(name.to_owned(), modified.clone());
        return Ok(());
    }
    match (original, modified) {
        (Value::Object(original), Value::Object(after)) => {
            let field = schema.object_field(name).map_err(in_schema)?;
            if field.strategy.kind != MergeKind::Replace {
                let options = Options { retain_keys: field.strategy.retain_keys, ..options };
                let inner = diff_fields(original, after, &field.schema, options, here)?;
                if !inner.is_empty() {
                    patch.insert(name.to_owned(), Value::Object(inner));
                }
                return Ok(());
            }
        }
        (Value::Array(original), Value::Array(modified)) => {
            let field = schema.list_field(name).map_err(in_schema)?;
            if field.strategy.kind == MergeKind::Merge {
                let lists = diff_lists(original, modified, &field, options, here)?;
                let named = [
                    (name.to_owned(), lists.changes),
                    (for_field(DELETE_FROM_LIST, name), lists.deleted_scalars),
                    (for_field(SET_ORDER, name), lists.order),
                ];
                let said = named.into_iter().filter(|(_, items)| !items.is_empty());
                patch.extend(said.map(|(name, items)| (name, Value::Array(items))));
                return Ok(());
            }
        }
        _ => {}
    }
    if options.changes() {
        patch.insert(name.to_owned(), modified.clone());
    }
    Ok(())
}
