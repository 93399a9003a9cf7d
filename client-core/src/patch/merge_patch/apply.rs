//! Applying a merge patch.

use crate::{
    json::{Map, Value},
    patch::prune::without_null_fields,
};

/// Merges `patch` into `document`: fields of objects are merged, `null` removes a field, anything else takes the
/// place of what is there (`MergePatch`).
///
/// ```
/// use porthole_client_core::{json::Value, patch::merge_patch};
///
/// let mut document: Value = r#"{"labels":{"a":"1","b":"2"},"items":[1,2]}"#.parse()?;
/// merge_patch::apply(&mut document, &r#"{"labels":{"a":null,"c":"3"},"items":[3]}"#.parse()?);
/// assert_eq!(document.to_string(), r#"{"items":[3],"labels":{"b":"2","c":"3"}}"#);
/// # Ok::<(), porthole_client_core::json::ParseJsonError>(())
/// ```
pub fn apply(document: &mut Value, patch: &Value) {
    match (document, patch) {
        (Value::Object(fields), Value::Object(patch)) => merge_fields(fields, patch),
        // The server's library prunes what it puts over an object no further.
        (document @ Value::Object(_), patch) => *document = patch.clone(),
        (document, patch) => *document = without_null_fields(patch.clone()),
    }
}

fn merge_fields(fields: &mut Map, patch: &Map) {
    for (name, value) in patch {
        match (fields.get_mut(name), value) {
            (_, Value::Null) => drop(fields.remove(name)),
            (Some(field), value) => apply(field, value),
            (None, value) => drop(fields.insert(name.clone(), without_null_fields(value.clone()))),
        }
    }
}
