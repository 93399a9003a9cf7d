//! What is put into a document where it had nothing.

use crate::json::Value;

/// The value without the fields that are `null`, at any depth, those of objects in lists too. Items of lists stay.
pub(super) fn without_null_fields(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(name, value)| (name, without_null_fields(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_null_fields).collect()),
        scalar => scalar,
    }
}
