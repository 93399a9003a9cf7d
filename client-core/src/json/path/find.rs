//! Walking a path (client-go `util/jsonpath/jsonpath.go`).

use super::{
    super::Value,
    FindError,
    compare::passes,
    step::{Filter, Slice, Step},
};

/// Where `steps` lead from these values.
pub(super) fn find<'a>(steps: &'a [Step], from: Vec<&'a Value>) -> Result<Vec<&'a Value>, FindError> {
    let mut at = from;
    for step in steps {
        let mut found = Vec::new();
        for value in &at {
            take(step, value, &mut found)?;
        }
        if let Step::Union(paths) = step {
            for path in paths {
                found.extend(find(path, at.clone())?);
            }
        }
        at = found;
    }
    Ok(at)
}

/// Adds what one step leads to from one value.
fn take<'a>(step: &'a Step, value: &'a Value, found: &mut Vec<&'a Value>) -> Result<(), FindError> {
    match step {
        Step::Field(name) => found.extend(value.field(name)),
        Step::Dotted(name, steps) => match value.field(name) {
            Some(field) => found.push(field),
            None => found.extend(find(steps, vec![value])?),
        },
        Step::Wildcard => found.extend(children(value)),
        Step::Recursive => descend(value, found),
        Step::Slice(slice) => {
            if !value.is_null() {
                choose(slice, items(value)?, found)?;
            }
        }
        Step::Filter(filter) => {
            for item in items(value)? {
                if keeps(filter, item)? {
                    found.push(item);
                }
            }
        }
        Step::Constant(constant) => found.push(constant),
        // Path after path, each over all values.
        Step::Union(_) => {}
    }
    Ok(())
}

fn items(value: &Value) -> Result<&[Value], FindError> {
    value.as_array().map(Vec::as_slice).ok_or(FindError::NotAList { found: value.type_name() })
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    }
}

/// Adds `value` and all below it that is not empty, the outer before the inner. A text counts, as in Go, where it is a list of
/// bytes.
fn descend<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    let children = children(value);
    if !children.is_empty() || value.as_str().is_some_and(|text| !text.is_empty()) {
        found.push(value);
    }
    for child in children {
        descend(child, found);
    }
}

/// Adds the items of a slice. One without items has no bounds to be out of.
fn choose<'a>(slice: &Slice, items: &'a [Value], found: &mut Vec<&'a Value>) -> Result<(), FindError> {
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let from_the_end = |index: i64| if index < 0 { index.saturating_add(length) } else { index };
    let start = from_the_end(slice.start.unwrap_or(0));
    let end = match slice.end {
        None => length,
        // Behind the last item ends the index that is the last one.
        Some(0) if slice.is_index => length,
        Some(end) => from_the_end(end),
    };
    if start == end {
        return Ok(());
    }
    let out_of_bounds = |index| FindError::OutOfBounds { index, length: items.len() };
    let first = usize::try_from(start).ok().filter(|_| start < length).ok_or_else(|| out_of_bounds(start))?;
    let last = usize::try_from(end).ok().filter(|_| end <= length).ok_or_else(|| out_of_bounds(end.saturating_sub(1)))?;
    let chosen = items.get(first..last).ok_or(FindError::Backwards { start, end })?;
    let step = usize::try_from(slice.step.unwrap_or(1)).ok().filter(|step| *step > 0).ok_or(FindError::Step)?;
    found.extend(chosen.iter().step_by(step));
    Ok(())
}

fn keeps(filter: &Filter, item: &Value) -> Result<bool, FindError> {
    let Some((operator, right)) = &filter.comparison else {
        // What cannot be reached is not there.
        return Ok(find(&filter.left, vec![item]).is_ok_and(|found| !found.is_empty()));
    };
    let (left, right) = (one(&filter.left, item)?, one(right, item)?);
    let (Some(left), Some(right)) = (left, right) else { return Ok(false) };
    passes(left, *operator, right)
}

/// The one value of one side; `None` where there is none.
fn one<'a>(steps: &'a [Step], item: &'a Value) -> Result<Option<&'a Value>, FindError> {
    let found = find(steps, vec![item])?;
    if found.len() > 1 { Err(FindError::Several(found.len())) } else { Ok(found.first().copied()) }
}
