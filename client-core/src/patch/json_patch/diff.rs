//! The JSON patch between two documents.

use super::{JsonPatch, JsonPointer, Operation};
use crate::json::Value;

impl JsonPatch {
    /// The patch that makes `to` out of `from`: applied to `from` it yields `to`, digit for digit. It uses `add`,
    /// `remove` and `replace` alone. Items of lists are told apart by their place: what is equal at both ends of a list
    /// is left alone, the items between are changed one by one. client-go has no such function; the result is as small
    /// as that of common libraries for documents whose lists grow or shrink in one place.
    #[must_use]
    pub fn diff(from: &Value, to: &Value) -> Self {
        let mut operations = Vec::new();
        compare(from, to, &mut JsonPointer::root(), &mut operations);
        Self(operations)
    }
}

fn compare(from: &Value, to: &Value, at: &mut JsonPointer, operations: &mut Vec<Operation>) {
    match (from, to) {
        (Value::Object(old), Value::Object(new)) => {
            for name in old.keys().filter(|name| !new.contains_key(*name)) {
                operations.push(Operation::Remove { path: child(at, name) });
            }
            for (name, value) in new {
                match old.get(name) {
                    Some(before) => within(at, name, |at| compare(before, value, at, operations)),
                    None => operations.push(Operation::Add { path: child(at, name), value: value.clone() }),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => compare_lists(old, new, at, operations),
        _ if from == to => {}
        _ => operations.push(Operation::Replace { path: at.clone(), value: to.clone() }),
    }
}

fn compare_lists(old: &[Value], new: &[Value], at: &mut JsonPointer, operations: &mut Vec<Operation>) {
    let same = |(left, right): &(&Value, &Value)| left == right;
    let before = old.iter().zip(new).take_while(same).count();
    let (old, new) = (old.get(before..).unwrap_or_default(), new.get(before..).unwrap_or_default());
    let after = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old_length, new_length) = (old.len() - after, new.len() - after);
    let shared = old_length.min(new_length);

    for (index, (left, right)) in old.iter().zip(new).take(shared).enumerate() {
        within(at, &(before + index).to_string(), |at| compare(left, right, at, operations));
    }
    // From the last one, so that the indexes before it stay.
    for index in (shared..old_length).rev() {
        operations.push(Operation::Remove { path: child(at, &(before + index).to_string()) });
    }
    for (index, value) in new.iter().enumerate().take(new_length).skip(shared) {
        operations.push(Operation::Add { path: child(at, &(before + index).to_string()), value: value.clone() });
    }
}

fn within(at: &mut JsonPointer, token: &str, work: impl FnOnce(&mut JsonPointer)) {
    at.push(token);
    work(at);
    at.pop();
}

fn child(at: &JsonPointer, token: &str) -> JsonPointer {
    let mut child = at.clone();
    child.push(token);
    child
}
