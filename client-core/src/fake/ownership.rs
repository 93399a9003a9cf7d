//! Fields as sets: which an object has, which a write changed, and an object without some of them
//! (structured-merge-diff `typed`).

use super::shape::{ListKind, Shape};
use crate::{
    json::{Map, Value},
    patch::{FieldSet, PathElement},
};

/// What a write did to the fields of an object (`Comparison`).
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) added: FieldSet,
    pub(super) modified: FieldSet,
    pub(super) removed: FieldSet,
}

/// The fields that an applied configuration sets (`ToFieldSet`).
pub(super) fn fields_of(value: &Value, shape: Shape<'_>) -> FieldSet {
    let mut set = FieldSet::default();
    collect(value, shape, &mut Vec::new(), &mut set);
    set
}

fn collect(value: &Value, shape: Shape<'_>, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    match value {
        Value::Object(fields) if !shape.is_atomic_object() => {
            for (name, field) in fields {
                let (inner, named) = shape.field(name, path.is_empty());
                path.push(PathElement::field(name));
                collect(field, inner, path, set);
                if !named || field.is_null() || field.as_object().is_some_and(Map::is_empty) {
                    set.insert(path.clone());
                }
                path.pop();
            }
        }
        Value::Array(items) if shape.list() != ListKind::Atomic => {
            for item in items {
                let Some(element) = shape.element(item) else { continue };
                path.push(element);
                collect(item, shape.item(), path, set);
                set.insert(path.clone());
                path.pop();
            }
        }
        _ => set.insert(path.clone()),
    }
}

/// What changed between two states of an object (`Compare`).
pub(super) fn compare(old: &Value, new: &Value, shape: Shape<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    walk(Some(old), Some(new), shape, &mut Vec::new(), &mut comparison);
    comparison
}

fn walk(old: Option<&Value>, new: Option<&Value>, shape: Shape<'_>, path: &mut Vec<PathElement>, found: &mut Comparison) {
    let is_empty = |value: Option<&Value>| match value {
        None | Some(Value::Null) => true,
        Some(Value::Object(fields)) => fields.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    };
    let objects = fields(old).is_some() || fields(new).is_some();
    let lists = items(old).is_some() || items(new).is_some();
    // Nothing, and a null, fit every shape.
    let fits = |value: Option<&Value>| value.is_none_or(Value::is_null);
    let same_type = fields(old).is_some() == fields(new).is_some() && items(old).is_some() == items(new).is_some();
    let alike = fits(old) || fits(new) || same_type;
    let whole = (objects && shape.is_atomic_object()) || (lists && shape.list() == ListKind::Atomic);
    if (!objects && !lists) || whole || !alike || (is_empty(old) && is_empty(new)) {
        match (old, new) {
            (None, Some(_)) => found.added.insert(path.clone()),
            (Some(_), None) => found.removed.insert(path.clone()),
            (Some(old), Some(new)) if old != new => found.modified.insert(path.clone()),
            _ => {}
        }
        return;
    }
    if objects {
        let (old, new) = (fields(old), fields(new));
        let mut names: Vec<&String> = old.into_iter().chain(new).flat_map(Map::keys).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let (inner, _) = shape.field(name, path.is_empty());
            path.push(PathElement::field(name));
            walk(old.and_then(|fields| fields.get(name)), new.and_then(|fields| fields.get(name)), inner, path, found);
            path.pop();
        }
    } else {
        let elements = |list: Option<&Value>| -> Vec<(PathElement, Value)> {
            let items = items(list).into_iter().flatten();
            items.filter_map(|item| Some((shape.element(item)?, item.clone()))).collect()
        };
        let (old, new) = (elements(old), elements(new));
        let mut names: Vec<&PathElement> = old.iter().chain(&new).map(|(element, _)| element).collect();
        names.sort_unstable();
        names.dedup();
        let of = |list: &[(PathElement, Value)], name: &PathElement| {
            list.iter().find(|(element, _)| element == name).map(|(_, item)| item.clone())
        };
        for name in names {
            path.push(name.clone());
            walk(of(&old, name).as_ref(), of(&new, name).as_ref(), shape.item(), path, found);
            path.pop();
        }
    }
    match (old, new) {
        (None, Some(_)) => found.added.insert(path.clone()),
        (Some(_), None) => found.removed.insert(path.clone()),
        _ => {}
    }
}

fn fields(value: Option<&Value>) -> Option<&Map> {
    value.and_then(Value::as_object)
}

fn items(value: Option<&Value>) -> Option<&Vec<Value>> {
    value.and_then(Value::as_array)
}

/// The set with the named fields that lead to its members (`EnsureNamedFieldsAreMembers`).
pub(super) fn with_named_parents(set: &FieldSet, shape: Shape<'_>) -> FieldSet {
    let mut all = set.clone();
    add_parents(set, shape, &mut Vec::new(), &mut all);
    all
}

fn add_parents(set: &FieldSet, shape: Shape<'_>, path: &mut Vec<PathElement>, all: &mut FieldSet) {
    for (element, _, below) in set.entries() {
        let text = element.to_string();
        let (inner, named) = match text.strip_prefix("f:") {
            Some(name) => {
                let (inner, named) = shape.field(name, path.is_empty());
                path.push(element.clone());
                if named && !below.is_empty() {
                    all.insert(path.clone());
                }
                add_parents(below, inner, path, all);
                path.pop();
                continue;
            }
            None => (shape.item(), false),
        };
        debug_assert!(!named);
        path.push(element.clone());
        add_parents(below, inner, path, all);
        path.pop();
    }
}

/// `value` without the fields of `set` (`RemoveItems`); `None` where nothing is left, which is a null inside of another value.
pub(super) fn without(value: &Value, set: &FieldSet, shape: Shape<'_>, is_root: bool) -> Option<Value> {
    match value {
        Value::Object(fields) if !shape.is_atomic_object() => {
            let kept: Map = fields
                .iter()
                .filter_map(|(name, field)| {
                    let element = PathElement::field(name);
                    if set.contains(std::slice::from_ref(&element)) {
                        return None;
                    }
                    let (inner, _) = shape.field(name, is_root);
                    let left = match set.below(&element) {
                        Some(below) => without(field, below, inner, false).unwrap_or(Value::Null),
                        None => field.clone(),
                    };
                    Some((name.clone(), left))
                })
                .collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Array(items) if shape.list() != ListKind::Atomic => {
            let kept: Vec<Value> = items
                .iter()
                .filter_map(|item| {
                    let Some(element) = shape.element(item) else { return Some(item.clone()) };
                    if set.contains(std::slice::from_ref(&element)) {
                        return None;
                    }
                    match set.below(&element) {
                        Some(below) => without(item, below, shape.item(), false),
                        None => Some(item.clone()),
                    }
                })
                .collect();
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        Value::Object(_) | Value::Array(_) => None,
        other => Some(other.clone()),
    }
}

/// `live` with what `config` sets (`Merge`).
pub(super) fn merged(live: &Value, config: &Value, shape: Shape<'_>, is_root: bool) -> Value {
    match (live, config) {
        (Value::Object(live), Value::Object(config)) if !shape.is_atomic_object() => {
            let mut fields = live.clone();
            for (name, value) in config {
                let (inner, _) = shape.field(name, is_root);
                let value = fields.get(name).map_or_else(|| value.clone(), |old| merged(old, value, inner, false));
                fields.insert(name.clone(), value);
            }
            Value::Object(fields)
        }
        (Value::Array(live), Value::Array(config)) if shape.list() != ListKind::Atomic => {
            Value::Array(merged_items(live, config, shape))
        }
        (_, config) => config.clone(),
    }
}

/// The items of both lists: those of both in the order of `config`, the others as near to their neighbours as that allows.
fn merged_items(live: &[Value], config: &[Value], shape: Shape<'_>) -> Vec<Value> {
    let element = |item: &Value| shape.element(item).unwrap_or_else(|| PathElement::value(item));
    let (left, right): (Vec<_>, Vec<_>) = (live.iter().map(element).collect(), config.iter().map(element).collect());
    let both = |at: usize, item: &Value| match right.get(at).and_then(|name| left.iter().position(|own| own == name)) {
        Some(old) => live.get(old).map_or_else(|| item.clone(), |old| merged(old, item, shape.item(), false)),
        None => item.clone(),
    };
    let mut shared = right.iter().filter(|name| left.contains(name));
    let mut next = shared.next();
    let mut items = Vec::new();
    let (mut l, mut r) = (0, 0);
    while let (name, item) = (left.get(l), config.get(r))
        && (name.is_some() || item.is_some())
    {
        if let (Some(name), Some(item)) = (name, item) {
            if right.get(r) == Some(name) {
                items.push(both(r, item));
                (l, r) = (l + 1, r + 1);
                next = shared.next();
                continue;
            }
            if right.contains(name) && next.is_some_and(|next| next != name) {
                l += 1;
                continue;
            }
        }
        if let Some(name) = name {
            match right.iter().position(|other| other == name) {
                None => {
                    items.extend(live.get(l).cloned());
                    l += 1;
                    continue;
                }
                Some(at) if at < r => l += 1,
                Some(_) => {}
            }
        }
        if let Some(item) = item {
            items.push(both(r, item));
            if next == right.get(r) {
                next = shared.next();
            }
            r += 1;
        }
    }
    items
}
