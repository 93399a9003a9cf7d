//! The directives of a strategic merge patch: fields that say how to merge.

use crate::{
    json::{Map, Value},
    patch::{PatchError, trail::Trail},
};

/// Says what is done with the object it is in.
pub(super) const PATCH: &str = "$patch";
pub(super) const DELETE: &str = "delete";
pub(super) const REPLACE: &str = "replace";
pub(super) const MERGE: &str = "merge";

/// The names of all fields that stay.
pub(super) const RETAIN_KEYS: &str = "$retainKeys";

/// `$deleteFromPrimitiveList/<field>`: the items to take out of a list of scalars.
pub(super) const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";

/// `$setElementOrder/<field>`: the order of the items of a list.
pub(super) const SET_ORDER: &str = "$setElementOrder";

/// The directive for a field.
pub(super) fn for_field(directive: &str, field: &str) -> String {
    format!("{directive}/{field}")
}

/// The field a directive is for; `None` where `name` is not that directive.
pub(super) fn field_of<'n>(directive: &'static str, name: &'n str, at: Trail<'_>) -> Result<Option<&'n str>, PatchError> {
    match name.strip_prefix(directive) {
        None => Ok(None),
        Some(rest) => rest.strip_prefix('/').map(Some).ok_or_else(|| fault(at, name, "names no field: expected \"/<field>\"")),
    }
}

/// Whether this is a field of a patch that no document has.
pub(super) fn is_directive(name: &str) -> bool {
    name == PATCH || name == RETAIN_KEYS || name.starts_with(DELETE_FROM_LIST) || name.starts_with(SET_ORDER)
}

/// Whether an item of a list is there to be deleted.
pub(super) fn is_deletion(item: &Value) -> bool {
    item.field(PATCH).and_then(Value::as_str) == Some(DELETE)
}

/// The items of a directive that is a list.
pub(super) fn items<'v>(value: &'v Value, name: &str, at: Trail<'_>) -> Result<&'v Vec<Value>, PatchError> {
    value.as_array().ok_or_else(|| fault(at, name, "is no list"))
}

/// The error of a directive in the object at `at`.
pub(super) fn fault(at: Trail<'_>, directive: &str, fault: &'static str) -> PatchError {
    PatchError::Directive { path: at.path(), directive: directive.to_owned(), fault }
}

/// What is put into a document where it had nothing: `None` where that is a directive and no value.
///
/// Where the document is itself a patch, other directives are still of use and stay.
pub(super) fn without_directives(value: Value, into_patch: bool) -> Option<Value> {
    match value {
        Value::Object(fields) if fields.contains_key(PATCH) => None,
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| into_patch || !is_directive(name));
            let kept = kept.filter_map(|(name, value)| Some((name, without_directives(value, into_patch)?)));
            Some(Value::Object(kept.collect::<Map>()))
        }
        Value::Array(items) => {
            Some(Value::Array(items.into_iter().filter_map(|item| without_directives(item, into_patch)).collect()))
        }
        scalar => Some(scalar),
    }
}
