//! Values as Go prints them.

use super::super::Value;

/// The values between commas (kubectl `cmd/get/customcolumn.go`, `printOneObject`).
pub(crate) fn print(values: &[&Value]) -> String {
    if values.is_empty() {
        return "<none>".to_owned();
    }
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        append(value, &mut text);
    }
    text
}

/// Go's `fmt.Sprint`, with the digits of numbers as they are.
fn append(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("<nil>"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => text.push_str(number.as_str()),
        Value::String(string) => text.push_str(string),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                append(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push_str("map[");
            for (index, (name, field)) in fields.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                text.push_str(name);
                text.push(':');
                append(field, text);
            }
            text.push(']');
        }
    }
}
