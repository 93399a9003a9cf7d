//! Making merge patches: from two documents (evanphx/json-patch v4 `merge.go`) and from three (apimachinery
//! `util/jsonmergepatch/patch.go`).

use super::{
    apply,
    nulls::{keep_nulls, without_nulls},
};
use crate::{
    json::{Map, Value},
    patch::{PatchError, Precondition, ThreeWay, precondition::check_all, trail::fields_of},
};

/// The patch that makes `to` out of `from` (`CreateMergePatch`). Where one of them is no object the patch is `to`.
/// A field of `to` that is `null` is removed by the patch, not set: the format has no words for it.
#[must_use]
pub fn create(from: &Value, to: &Value) -> Value {
    match (from, to) {
        (Value::Object(from), Value::Object(to)) => Value::Object(difference(from, to)),
        _ => to.clone(),
    }
}

fn difference(from: &Map, to: &Map) -> Map {
    let mut patch = Map::new();
    for (name, value) in to {
        match (from.get(name), value) {
            (Some(before), value) if before == value => {}
            (Some(Value::Object(before)), Value::Object(after)) => {
                patch.insert(name.clone(), Value::Object(difference(before, after)));
            }
            _ => drop(patch.insert(name.clone(), value.clone())),
        }
    }
    let gone = from.keys().filter(|name| !to.contains_key(*name));
    patch.extend(gone.map(|name| (name.clone(), Value::Null)));
    patch
}

/// The patch that brings `current` to what `modified` says: what `modified` adds and changes against `current`, and
/// what it no longer has of `original`. Fields of `current` that neither of them ever named stay
/// (`CreateThreeWayJSONMergePatch`).
///
/// # Errors
/// - [`PatchError::WrongType`] where a document is neither an object nor `null`.
/// - [`PatchError::Precondition`] where the patch changes a field that must stay.
pub fn create_three_way(documents: ThreeWay<'_>, preconditions: &[Precondition<'_>]) -> Result<Value, PatchError> {
    let modified = fields_of(documents.modified)?;
    let changes = without_nulls(difference(fields_of(documents.current)?, modified));
    let removals = keep_nulls(difference(fields_of(documents.original)?, modified));
    // The two cannot conflict: what is removed is what `modified` lacks, and what is changed is what it has.
    let mut patch = Value::Object(removals);
    apply(&mut patch, &Value::Object(changes));
    check_all(preconditions, patch.as_object().unwrap_or(&Map::new()))?;
    Ok(patch)
}
