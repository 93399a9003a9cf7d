//! Whether two merge patches can both be applied in any order (apimachinery `util/mergepatch/util.go`).

use crate::{
    json::{FieldPath, Value},
    patch::trail::Trail,
};

/// The first field that both patches set, to different values; `None` where their order does not matter
/// (`HasConflicts`). Lists are compared item by item.
#[must_use]
pub fn find_conflict(left: &Value, right: &Value) -> Option<FieldPath> {
    compare(left, right, Trail::root())
}

fn compare(left: &Value, right: &Value, at: Trail<'_>) -> Option<FieldPath> {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            left.iter().find_map(|(name, left)| compare(left, right.get(name)?, at.then(name)))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            left.iter().zip(right).find_map(|(left, right)| compare(left, right, at))
        }
        _ => (left != right).then(|| at.path()),
    }
}
