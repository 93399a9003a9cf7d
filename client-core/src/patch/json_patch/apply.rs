//! Applying a JSON patch (evanphx/json-patch v4 `patch.go`, with the limits of apiserver `endpoints/handlers/patch.go`
//! and `server/config.go`).

use thiserror::Error;

use super::{JsonPatch, JsonPointer, Operation, pointer::parse_index};
use crate::{json::Value, patch::PatchError};

/// Why an operation failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationError {
    /// The path, or the way to it, does not exist.
    #[error("the document has nothing at \"{0}\"")]
    Missing(JsonPointer),
    /// A list is asked for something that is no index.
    #[error("\"{0}\" is not an index of a list: expected a number from 0")]
    NotAnIndex(String),
    /// A list is shorter than that.
    #[error("the index {index} is out of range: the list has {length} items")]
    OutOfRange {
        /// The index, as it was written.
        index: String,
        /// How many items there are.
        length: usize,
    },
    /// The whole document can only be replaced and tested.
    #[error("this cannot be done to the whole document: replace it, or name a path")]
    WholeDocument,
    /// Another value is there.
    #[error("the test failed: another value is there")]
    TestFailed,
    /// The copies of a patch are larger than the server allows.
    #[error("the patch copies more than {limit} bytes")]
    TooLarge {
        /// How many bytes are allowed.
        limit: usize,
    },
}

/// How large a JSON patch may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchLimits {
    /// The most operations.
    pub operations: usize,
    /// The most bytes, as JSON, that all `copy` operations together may add.
    pub copied_bytes: usize,
}

/// What a Kubernetes API server allows: 10,000 operations and 3 MiB of copies.
impl Default for PatchLimits {
    fn default() -> Self {
        Self { operations: 10_000, copied_bytes: 3 * 1024 * 1024 }
    }
}

impl JsonPatch {
    /// Does all operations in order, within the server's limits.
    ///
    /// # Errors
    /// Where an operation fails; the error says which one, and `document` is as it was.
    pub fn apply(&self, document: &mut Value) -> Result<(), PatchError> {
        self.apply_within(document, PatchLimits::default())
    }

    /// Does all operations in order.
    ///
    /// # Errors
    /// Where an operation fails or the patch is larger than `limits`; `document` is as it was.
    pub fn apply_within(&self, document: &mut Value, limits: PatchLimits) -> Result<(), PatchError> {
        if self.0.len() > limits.operations {
            return Err(PatchError::TooManyOperations { count: self.0.len(), limit: limits.operations });
        }
        let mut patched = document.clone();
        let mut copied = 0;
        for (index, operation) in self.0.iter().enumerate() {
            run(operation, &mut patched, &mut copied, limits.copied_bytes).map_err(|source| PatchError::Operation {
                index,
                operation: operation.name(),
                path: operation.path().clone(),
                source,
            })?;
        }
        *document = patched;
        Ok(())
    }
}

fn run(operation: &Operation, root: &mut Value, copied: &mut usize, limit: usize) -> Result<(), OperationError> {
    match operation {
        Operation::Add { path, value } => add(root, path, value.clone()),
        Operation::Remove { path } => take(root, path).map(drop),
        Operation::Replace { path, value } => replace(root, path, value.clone()),
        Operation::Move { from, path } => {
            let value = take(root, from)?;
            add(root, path, value)
        }
        Operation::Copy { from, path } => {
            let value = read(root, from)?.cloned();
            *copied += value.as_ref().map_or(0, |value| value.to_string().len());
            if *copied > limit {
                return Err(OperationError::TooLarge { limit });
            }
            add(root, path, value.unwrap_or_default())
        }
        Operation::Test { path, value } => {
            let found = if path.is_root() { Some(&*root) } else { read(root, path)? };
            if found.unwrap_or(&Value::Null) == value { Ok(()) } else { Err(OperationError::TestFailed) }
        }
    }
}

/// The object or list that `pointer` points into, and the name or index in it.
fn parent_of<'v, 'p>(root: &'v mut Value, pointer: &'p JsonPointer) -> Result<(&'v mut Value, &'p str), OperationError> {
    let (key, way) = pointer.tokens().split_last().ok_or(OperationError::WholeDocument)?;
    let parent = way.iter().try_fold(root, |at, token| match at {
        Value::Object(fields) => fields.get_mut(token),
        Value::Array(items) => items.get_mut(parse_index(token)?),
        _ => None,
    });
    Ok((parent.ok_or_else(|| missing(pointer))?, key))
}

fn add(root: &mut Value, pointer: &JsonPointer, value: Value) -> Result<(), OperationError> {
    match parent_of(root, pointer)? {
        (Value::Object(fields), name) => drop(fields.insert(name.to_owned(), value)),
        (Value::Array(items), "-") => items.push(value),
        (Value::Array(items), token) => {
            let index = index(token)?;
            if index > items.len() {
                return Err(OperationError::OutOfRange { index: token.to_owned(), length: items.len() });
            }
            items.insert(index, value);
        }
        _ => return Err(missing(pointer)),
    }
    Ok(())
}

fn take(root: &mut Value, pointer: &JsonPointer) -> Result<Value, OperationError> {
    match parent_of(root, pointer)? {
        (Value::Object(fields), name) => fields.remove(name).ok_or_else(|| missing(pointer)),
        (Value::Array(items), token) => {
            let index = in_range(token, items.len())?;
            Ok(items.remove(index))
        }
        _ => Err(missing(pointer)),
    }
}

fn replace(root: &mut Value, pointer: &JsonPointer, value: Value) -> Result<(), OperationError> {
    if pointer.is_root() {
        *root = value;
        return Ok(());
    }
    match parent_of(root, pointer)? {
        (Value::Object(fields), name) => drop(fields.insert(name.to_owned(), value)),
        (Value::Array(items), token) => {
            let index = in_range(token, items.len())?;
            if let Some(item) = items.get_mut(index) {
                *item = value;
            }
        }
        _ => return Err(missing(pointer)),
    }
    Ok(())
}

/// The value at `pointer`; `None` where it would be a member that its object lacks.
fn read<'v>(root: &'v mut Value, pointer: &JsonPointer) -> Result<Option<&'v Value>, OperationError> {
    match parent_of(root, pointer)? {
        (Value::Object(fields), name) => Ok(fields.get(name)),
        (Value::Array(items), token) => {
            let index = in_range(token, items.len())?;
            Ok(items.get(index))
        }
        _ => Err(missing(pointer)),
    }
}

fn index(token: &str) -> Result<usize, OperationError> {
    parse_index(token).ok_or_else(|| OperationError::NotAnIndex(token.to_owned()))
}

fn in_range(token: &str, length: usize) -> Result<usize, OperationError> {
    let index = index(token)?;
    if index < length { Ok(index) } else { Err(OperationError::OutOfRange { index: token.to_owned(), length }) }
}

fn missing(pointer: &JsonPointer) -> OperationError {
    OperationError::Missing(pointer.clone())
}
