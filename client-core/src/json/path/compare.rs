//! Comparisons (client-go `third_party/forked/golang/template/funcs.go`).

use std::cmp::Ordering;

use super::{
    super::{Number, Value},
    FindError,
    step::Operator,
};

/// Whether `left` stands to `right` as `operator` says.
///
/// # Errors
/// Where they are not of one type, and where it has no order: `null`, lists, objects, and booleans beyond their equality.
pub(super) fn passes(left: &Value, operator: Operator, right: &Value) -> Result<bool, FindError> {
    let is_of_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (Value::Number(left), Value::Number(right)) => by_value(left, right),
        (Value::Bool(left), Value::Bool(right)) if is_of_equality => Some(left.cmp(right)),
        _ => None,
    };
    let order = order.ok_or(FindError::Incomparable { left: left.type_name(), right: right.type_name() })?;
    Ok(match operator {
        Operator::Equal => order.is_eq(),
        Operator::NotEqual => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        Operator::GreaterOrEqual => order.is_ge(),
    })
}

/// Whole numbers by all their digits, others as the nearest floats. client-go refuses to compare the two with each other.
fn by_value(left: &Number, right: &Number) -> Option<Ordering> {
    if let (Some(left), Some(right)) = (left.as_i64(), right.as_i64()) {
        return Some(left.cmp(&right));
    }
    // Read as JSON, which is there anyway: Rust's own reader of floats has large tables.
    let float = |number: &Number| serde_json::from_slice::<f64>(number.as_str().as_bytes()).ok();
    float(left)?.partial_cmp(&float(right)?)
}
