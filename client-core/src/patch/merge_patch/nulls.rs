//! The two halves of a merge patch: what it removes and what it sets (`keepOrDeleteNullInObj`).

use crate::json::{Map, Value};

/// The part of a patch that removes fields. Lists are values: what is in them does not count.
pub(super) fn keep_nulls(patch: Map) -> Map {
    filtered(patch, true)
}

/// The part of a patch that sets fields. An object that is empty in the patch is a value; one that becomes empty here
/// only removed fields and goes.
pub(super) fn without_nulls(patch: Map) -> Map {
    filtered(patch, false)
}

fn filtered(patch: Map, nulls: bool) -> Map {
    let part = |value| match value {
        Value::Null => nulls.then_some(Value::Null),
        Value::Object(fields) if !fields.is_empty() => {
            let rest = filtered(fields, nulls);
            (!rest.is_empty()).then_some(Value::Object(rest))
        }
        other => (!nulls).then_some(other),
    };
    patch.into_iter().filter_map(|(name, value)| Some((name, part(value)?))).collect()
}
